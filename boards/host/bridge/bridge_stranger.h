/* SPDX-License-Identifier: MIT
 * Strangers: connections that have not shown the token yet. They are no clients, have little time and little room. */
#ifndef BRIDGE_STRANGER_H
#define BRIDGE_STRANGER_H

#include "bridge.h"

enum { STRANGER_MS = 5000 };

/** Whether that is the token of the options. In a time that does not depend on how much of it is right. */
bool stranger_shows_token(const char *text, size_t n);

/** A connection is closed, for the log: whoever reaches the port can be refused, without end. */
void stranger_note_refused(const char *why);

/** The socket and its memory are the strangers' now. When there is no place the oldest that has not shown the token is closed. */
void stranger_add(struct posix_socket *socket);

/** Reads what they have sent of the token, and closes those that have not shown it in time. */
void strangers_turn(void);

/** One that has shown the token, and is the caller's from now on; NULL: there is none. */
struct posix_socket *stranger_admit(void);

/** What to poll for. */
void strangers_watch(struct pollfd fds[MOST_STRANGERS]);
void strangers_seen(const struct pollfd fds[MOST_STRANGERS]);

/** How long they can do without a turn; UINT32_MAX: until something happens. */
uint32_t strangers_rest(void);

/** Closes all of them. */
void strangers_close(void);

#endif
