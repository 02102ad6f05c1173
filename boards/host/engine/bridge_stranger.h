/* SPDX-License-Identifier: MIT
 * Strangers: connections that have not shown the token yet. They are no clients, have little time and little room. */
#ifndef BRIDGE_STRANGER_H
#define BRIDGE_STRANGER_H

#include "bridge_inner.h"

enum { STRANGER_MS = 5000 };

/** Whether that is the token of the options. In a time that does not depend on how much of it is right. */
bool stranger_shows_token(const struct bridge *bridge, const char *text, size_t n);

/** A connection is closed, for the log: whoever reaches the port can be refused, without end. */
void stranger_note_refused(struct bridge *bridge, const char *why);

/** The line is the strangers' now. When there is no place the oldest that has not shown the token is closed. */
void stranger_add(struct bridge *bridge, struct bridge_line *line);

/** Reads what they have sent of the token, and closes those that have not shown it in time. */
void strangers_turn(struct bridge *bridge);

/** One that has shown the token, and is the caller's from now on; NULL: there is none. */
struct bridge_line *stranger_admit(struct bridge *bridge);

/** How long they can do without a turn; UINT32_MAX: until something happens. */
uint32_t strangers_rest(const struct bridge *bridge);

/** Closes all of them. */
void strangers_close(struct bridge *bridge);

#endif
