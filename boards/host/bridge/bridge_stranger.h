/* SPDX-License-Identifier: MIT
 * Connections that have not shown the token yet: they are no clients, have little time and little room. */
#ifndef BRIDGE_STRANGER_H
#define BRIDGE_STRANGER_H

#include "bridge.h"

enum { STRANGER_MS = 5000 };

/** Keeps a connection until it has shown the token. It and its memory are the strangers' now. When there is no place the
 * oldest that has not shown it is closed. */
void stranger_add(struct posix_socket *socket);

/** Reads what they transmit, and closes those that are wrong or late. */
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
