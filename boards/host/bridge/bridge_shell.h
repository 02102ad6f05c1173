/* SPDX-License-Identifier: MIT
 * The shell around the engine, for systems with POSIX: doors, lines over descriptors, and the sleep. */
#ifndef BRIDGE_SHELL_H
#define BRIDGE_SHELL_H

#include "bridge.h"
#include "host_device.h"
#include "posix/posix_parent.h"
#include "posix/posix_unix.h"

/** A line, and what is behind it. */
struct shell_line {
	struct shell_line *next;
	struct bridge_line *line;
	enum bridge_way way;
	quash_port port;          /* of what is behind */
	struct posix_stdio *stdio;
	union {
		struct posix_stdio terminal;
		struct posix_socket socket;
		struct host_device device;
	} as;
	bool opening;             /* its connection is being made */
	bool hung;                /* the bridge was told that the other side has closed */
	bool ended;               /* the bridge was told that nothing more comes */
	bool lost;                /* the same, and that nothing leaves any more */
	bool silent;              /* nothing of it is wanted any more */
	bool left;                /* not all that was read has been taken */
	bool unasked;             /* a turn has passed in which it was not asked whether the command has ended; it was then: */
	uint32_t asked;
	bool closing;             /* a command has closed its output, and may be about to end, since then: */
	uint32_t closing_since;
	bool unacknowledged;      /* on TCP: something was sent, and the other host has not acknowledged it, */
	uint32_t acknowledged;    /* since then */
	size_t fds;               /* its places among what is polled; */
	unsigned fd_count;
};

enum { SHELL_DOORS = 3 };

/** A place where clients come. */
struct shell_door {
	enum bridge_way way;
	bool tcp;
	struct posix_listener *listener; /* NULL: it is closed */
	bool full;                       /* no descriptor is left: it is not polled for a while */
};

/** All of it. The program has one. */
struct shell {
	struct bridge *bridge;
	const struct bridge_options *options;
	struct shell_line *lines;
	struct port found[MOST_DEVICES]; /* what names of ports mean since they were first opened */
	struct shell_door doors[SHELL_DOORS];
	struct posix_unix unix_door;
	struct posix_listener tcp_door, http_door;
	struct posix_parent parent;
	bool watches_parent; /* there is the client on stdin and stdout */
	struct pollfd *fds;
	size_t fd_count, fd_room;
	uint32_t now;
};

/* --- bridge_shell.c */

/** Opens what the options name; all but `options` is zero before. 0, or an exit code and a line on stderr. */
int shell_open(struct shell *shell);

/** Sleeps until something comes or is due, and does what follows. To be called until `bridge_is_over`. */
void shell_turn(struct shell *shell);

/* --- bridge_doors.c */

/** Opens the doors that the options name. 0, or an exit code and a line on stderr. */
int doors_open(struct shell *shell);

/** What is to be polled of them. */
void doors_watch(struct shell *shell, struct pollfd fds[SHELL_DOORS]);

/** Takes those that wait, as many as there may be. */
void doors_accept(struct shell *shell, const struct pollfd fds[SHELL_DOORS]);

/** Closes them. */
void doors_close(struct shell *shell);

/* --- bridge_lines.c */

/** The line of the one client on stdin and stdout. False: no memory. */
bool lines_open_terminal(struct shell *shell);

/** A line for a connection that comes. NULL: no memory. It is to be added, or freed. */
struct shell_line *line_make(enum bridge_way way);

/** It is open, and is the bridge's `line`. Reads what is there. */
void line_add(struct shell *shell, struct shell_line *line, struct bridge_line *of_bridge);

/** Does what the bridge wishes. */
void lines_obey(struct shell *shell);

/** Writes what is to leave, and watches for what may come. */
void lines_serve(struct shell *shell);

/** Reads what has come. */
void lines_read(struct shell *shell);

/** Milliseconds until a line is to be looked at; UINT32_MAX: none is. */
uint32_t lines_rest(const struct shell *shell);

/** What is on the terminal is given back as it was found. */
void lines_close_terminal(struct shell *shell);

#endif
