/* SPDX-License-Identifier: MIT
 * A bridge, its device and its clients in one process. Time is a number. */
#ifndef TURNS_H
#define TURNS_H

#include "../cost/cost.h"

#include "bridge/bridge_shell.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLIENTS = 32, LINE = 8192, FOREVER = 60000 };

/** The other end of one of the bridge's sockets. */
struct end {
	int fd;
	size_t n;
	char text[LINE];
};

/* --- turns_around.c */

extern struct shell shell;
extern struct end device, clients[CLIENTS];

/** Milliseconds. */
extern int64_t now_ms;

/** So often the system says of a connection that something is not acknowledged, on one that was not heard of for long. */
extern unsigned unacknowledged;

/** Is shown what the device has heard, before it answers; or NULL. */
extern void (*device_hears)(const char *asked);

_Noreturn void fail(const char *what);

/** The bridge, with its device. */
void start_bridge(void);

/** More of them, with a session each, until there are so many. */
void connect_clients(unsigned most);

void say_text(const struct end *end, const char *text, size_t n);

/** Turns until the bridge rests. Returns the last line that the client has heard. */
const char *last_heard(struct end *client, bool asked);

/** The client calls a tool. Returns the last line that it has heard when the bridge rests. */
const char *called(struct end *client, long id);

/* --- turns_line.c */

/** How often each byte of a client's line passes the lexer until its answer is there, in hundredths. */
unsigned line_passes(void);

/** In how many places of the bridge's memory a client's line stands when the device has got it, each as it was copied. */
unsigned line_copies(void);

#endif
