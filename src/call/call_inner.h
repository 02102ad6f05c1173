/* SPDX-License-Identifier: MIT
 * What the files of calls share. */
#ifndef QUASH_SRC_CALL_INNER_H
#define QUASH_SRC_CALL_INNER_H

#include "../../include/quash/call.h"
#include "../core/call_hooks.h"

enum call_state { CALL_IDLE, CALL_OPEN, CALL_ENDED };

enum call_flag {
	CALL_WRITTEN = 1 << 0,   /* its request is, to the last byte */
	CALL_WRITING = 1 << 1,   /* a window of its request, or else of its cancel, is in TX */
	CALL_CANCELLED = 1 << 2,
	CALL_OWED = 1 << 3,      /* the cancel is to be written */
	CALL_AT_ONCE = 1 << 4,   /* cancelled, it ends whatever the other side answers */
	CALL_ORPHAN = 1 << 5,    /* nobody is told of its end any more */
	CALL_DUE = 1 << 6,       /* its callback runs in this step */
	CALL_TOLD = 1 << 7       /* its callback wants to see no more of it, but the answer is kept */
};

static inline bool quash_call_is(const quash_call *call, uint8_t flags)
{
	return (call->flags & flags) != 0;
}

/* --- call.c */

/* The call in use with that id, or NULL. */
quash_call *quash_call_find(const quash_peer *peer, uint32_t id);

/* --- call_end.c */

void quash_call_end(quash_call *call, quash_outcome outcome);

/* The request's handler, if there is one, is to look at its call. */
void quash_call_wake(quash_request *parent);

/* Takes it out of its lists: it is the caller's again. */
void quash_call_leave(quash_call *call);

/* The same for one that has ended and that nobody waits for. */
void quash_call_leave_if_done(quash_call *call);

/* Its cancel is written, or none is to be: ends it if that is the end. */
void quash_call_settle(quash_call *call);

void quash_calls_gone(quash_peer *peer);
void quash_calls_cancel_children(const quash_request *parent, bool ended);
bool quash_calls_hold(const quash_request *parent);

/* A request of ours is half written, or is no longer: so its parent's params are needed, or may go. */
void quash_call_note_params(const quash_call *call);
void quash_calls_tick(quash_peer *peer);

/* --- call_write.c */

/* Writes the requests, or the cancels, that wait, oldest first, as far as there is room. */
void quash_calls_write(quash_peer *peer, bool requests);
void quash_calls_say(quash_peer *peer);

/* Says whether its request, or its cancel, is to be written, and whether TX takes it now. */
bool quash_call_wants_to_write(const quash_call *call, bool request);
bool quash_call_may_write(const quash_call *call);

#endif
