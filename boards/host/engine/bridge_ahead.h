/* SPDX-License-Identifier: MIT
 * Messages that were read ahead of their turn: the peer has no place for them yet. A cancel waits for nothing, and what it names goes
 * before it, so that the peer knows what is cancelled. */
#ifndef BRIDGE_AHEAD_H
#define BRIDGE_AHEAD_H

#include "heap.h"
#include "quash/dialect.h"
#include "span.h"

/** How many bytes are read ahead of one client; tests build it smaller. */
#ifndef AHEAD_BYTES
#define AHEAD_BYTES (1 << 20)
#endif
enum { AHEAD_MOST = AHEAD_BYTES };

/** One message, with room for its line's end. */
struct read_ahead {
	struct read_ahead *next;
	unsigned asks; /* how many requests it holds, */
	unsigned calls; /* and how many of them a Stop of everything ends */
	bool stopped;  /* it had come before one */
	bool cancels;
	size_t n;
	char text[];
};

/** In their order; `last` is `&first`, or `&next` of the last one. */
struct kept_list {
	struct read_ahead *first, **last;
};

/** The caller owns it, zeroes it and sets `heap` first; `ahead_free` gives its memory back. */
struct ahead {
	const struct heap *heap;
	struct kept_list waits;  /* for their turn */
	struct kept_list urgent; /* cancels, and what they name */
	size_t bytes;
	unsigned requests;       /* in these */
};

/** What the peer has room for. */
enum ahead_room {
	AHEAD_NO_REQUEST,
	AHEAD_URGENT, /* requests that were cancelled */
	AHEAD_ANY
};

/** True if none waits, urgent or not. */
bool ahead_is_empty(const struct ahead *ahead);

/** True if no more is to be read: the first one does not count. */
bool ahead_is_full(const struct ahead *ahead);

/** True if so many bytes more may wait, or none does: however long a message is, it comes in. */
bool ahead_has_room(const struct ahead *ahead, size_t n);

/** Adds one, a copy; `asks`: how many requests it holds. NULL: there is no memory. Cost: its length. */
struct read_ahead *ahead_add(struct ahead *ahead, const char *text, size_t n, unsigned asks);

/** Adds a notification that the dialect takes for a cancel, or a batch of notifications with one. False: there is no memory. Cost: what waits is read, up to what it names. */
bool ahead_add_cancel(struct ahead *ahead, const quash_dialect *dialect, const char *text, size_t n);

/** The next one; NULL: there is none. */
const struct read_ahead *ahead_next(const struct ahead *ahead);

/** True if `ahead_take` would give one. */
bool ahead_has_next(const struct ahead *ahead, enum ahead_room room);

/** The next one, which is the caller's, to be freed with the same heap; NULL: there is none, or the peer has no room for it. */
struct read_ahead *ahead_take(struct ahead *ahead, enum ahead_room room);

/** Marks all as `stopped`. Returns how many calls those hold that were not. */
unsigned ahead_stop(struct ahead *ahead);

/** Forgets all. */
void ahead_free(struct ahead *ahead);

#endif
