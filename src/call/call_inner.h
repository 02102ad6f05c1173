/* SPDX-License-Identifier: MIT
 * What the files of calls share. */
#ifndef QUASH_SRC_CALL_INNER_H
#define QUASH_SRC_CALL_INNER_H

#include "../../include/quash/call.h"
#include "../core/call_hooks.h"

enum call_state { CALL_IDLE, CALL_OPEN, CALL_ENDED };

/* While a call is open, its outcome is the one that it will end with once what is half written is written. */
enum call_flag {
	CALL_WRITTEN = 1 << 0,   /* its request is, to the last byte */
	CALL_WRITING = 1 << 1,   /* a part of its request, or else of its cancel, is in TX */
	CALL_CANCELLED = 1 << 2,
	CALL_OWED = 1 << 3,      /* the cancel is still to be written */
	CALL_AT_ONCE = 1 << 4,   /* cancelled, it ends whatever the other side answers */
	CALL_RELEASED = 1 << 5,  /* the program does not wait for its end any more */
	CALL_DUE = 1 << 6,       /* its callback runs in this step */
	CALL_KEPT = 1 << 7       /* ended: its callback is not called, and the answer can be read */
};

/* Who runs while a callback does: no slot has that index. */
enum { CALLBACK = 0xFE };

static inline bool quash_call_is(const quash_call *call, uint8_t flags)
{
	return (call->flags & flags) != 0;
}

static inline void quash_call_mark(quash_call *call, uint8_t flags)
{
	call->flags = (uint8_t)(call->flags | flags);
}

static inline void quash_call_unmark(quash_call *call, uint8_t flags)
{
	call->flags = (uint8_t)(call->flags & (uint8_t)~flags);
}

/* --- call_end.c: answers */

/* The call in use with that id, or NULL. */
quash_call *quash_call_find(const quash_peer *peer, uint32_t id);

void quash_calls_response(quash_peer *peer);
bool quash_calls_free(const quash_peer *peer);
quash_size quash_calls_pack(quash_peer *peer, quash_size to, quash_size limit);

/* --- call_end.c: ends */

/* The oldest call in use that is so, or NULL. */
quash_call *quash_call_first(const quash_peer *peer, bool (*is)(const quash_call *));

/* Wakes the request that it was made for, if any. */
void quash_call_wake_parent(const quash_call *call);

void quash_call_end(quash_call *call, quash_outcome outcome);

/* Takes it out of its lists: it is the caller's again. */
void quash_call_leave(quash_call *call);

/* Its cancel is written, or none is to be: ends it if that is the end. */
void quash_call_settle(quash_call *call);

/* Nothing more of it is written: it ends if it is open. */
void quash_call_cut(quash_call *call, quash_outcome outcome);

void quash_calls_gone(quash_peer *peer);
void quash_calls_tick(quash_peer *peer);
bool quash_calls_hold(const quash_request *parent);
void quash_calls_cancel_children(const quash_request *parent, bool ended);
void quash_calls_free_children(const quash_request *parent);

/* True if the deadline may still end it. */
bool quash_call_is_timed(const quash_call *call);

/* --- call.c */

quash_call *quash_calls_next(const quash_peer *peer);
bool quash_calls_end_step(quash_peer *peer);
uint32_t quash_calls_idle(const quash_peer *peer);
extern const struct quash_message_code quash_call_message;

#endif
