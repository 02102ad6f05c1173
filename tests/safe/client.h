/* SPDX-License-Identifier: MIT
 * The host's part: an MCP client that begins a session, calls `move` and does what its habits are, until it is ended. A call
 * that has ended before the motor moved and the fault came is made again: on a machine that is slow its device was not
 * there in time, or its lease was over. It never ends by itself, but when nobody is at the other end any more. */
#ifndef SAFE_CLIENT_H
#define SAFE_CLIENT_H

#include <signal.h>

/* What a client does besides. */
enum client_habit {
	CLIENT_SIGNS = 1 << 0,   /* gives signs of life itself */
	CLIENT_FLOODS = 1 << 1,  /* sends pings as fast as they are taken, once the motor was asked to move */
	CLIENT_READS_NOT = 1 << 2,    /* reads nothing once the motor has moved */
	CLIENT_REPORTED = 1 << 3, /* wants progress */
	CLIENT_GUEST = 1 << 4,   /* moves nothing */
	CLIENT_HALF = 1 << 5,    /* when it leaves it ends its input alone, and still reads */
	CLIENT_FORGETS = 1 << 6, /* calls `turn`, and lives on without a thought of it */
	CLIENT_MUTE = 1 << 7     /* gives no signs of life, whoever asks for them */
};

enum {
	CLIENT_CANCEL = SIGUSR1, /* the signal for: cancel the call */
	CLIENT_LEAVE = SIGUSR2,  /* for: close the line, or half of it, cancelling nothing, and stop as by SIGSTOP, alive */
	CLIENT_PAUSE_MS = 20     /* between two signs of life */
};

struct log;

struct client {
	int in, out; /* two descriptors, or the same one twice */
	unsigned habits;
	const struct log *log; /* of the motor */
};

/** Serves until the line is closed by the other side. For a process of its own. */
void client_run(const struct client *client);

#endif
