/* SPDX-License-Identifier: MIT
 * How calls end: answered, cancelled, with their parent, with the link. Their answers: received, moved in the arena,
 * read. */
#include "call_inner.h"

#include "../core/accept.h"
#include "../core/due.h"
#include "../core/transmit.h"
#include "../json/c_text.h"
#include "../json/tape.h"
#include "../json/value.h"

/* --- The end */

/* Takes it out of its parent's children. */
static void leave_parent(quash_call *call)
{
	quash_request *parent = call->parent;
	if (parent == NULL)
		return;
	quash_call **at = &parent->peer->children;
	quash_call *one;
	for (one = *at; one != NULL && one != call; one = *at)
		at = &one->sibling;
	if (one == call)
		*at = call->sibling;
	call->parent = NULL;
}

/* A parent that has ended may have waited for it. */
void quash_call_let_go(quash_call *call)
{
	quash_request *parent = call->parent;
	leave_parent(call);
	if (parent != NULL)
		quash_settle(parent);
}

/* Its message is not written any more. */
static void leave_queue(const quash_call *call)
{
	if (call->peer->out.call == call)
		quash_transmit_forget(call->peer);
}

static void leave_peer(quash_call *call)
{
	quash_call **at = &call->peer->calls;
	quash_call *one;
	for (one = *at; one != NULL && one != call; one = *at)
		at = &one->next;
	if (one == call)
		*at = call->next;
	leave_queue(call);
	call->state = CALL_IDLE;
	if (call->tape_size > 0) /* the slot of another peer may be what gives it back */
		quash_room_comes(call->peer);
	call->tape_size = 0;
}

void quash_call_leave(quash_call *call)
{
	leave_peer(call);
	quash_call_let_go(call);
}

/* Unless a part of it is still to be written. */
static void leave_if_done(quash_call *call)
{
	if (quash_call_is(call, CALL_WRITING))
		return;
	quash_request *const parent = call->parent;
	if (quash_call_is(call, CALL_RELEASED))
		quash_call_leave(call);
	else if (parent != NULL)
		quash_settle(parent);
}

void quash_call_wake_parent(const quash_call *call)
{
	quash_request *const parent = call->parent;
	if (parent != NULL)
		quash_wake(parent);
}

void quash_call_end(quash_call *call, quash_outcome outcome)
{
	call->state = CALL_ENDED;
	call->outcome = (uint8_t)outcome;
	quash_call_unmark(call, CALL_OWED);
	leave_queue(call);
	quash_call_wake_parent(call);
	leave_if_done(call);
}

void quash_call_cut(quash_call *call, quash_outcome outcome)
{
	quash_call_unmark(call, CALL_WRITING);
	if (call->state == CALL_OPEN)
		quash_call_end(call, outcome);
	else
		leave_if_done(call);
}

quash_call *quash_call_first(const quash_peer *peer, bool (*is)(const quash_call *))
{
	quash_call *call = peer->calls;
	while (call != NULL && !is(call))
		call = call->next;
	return call;
}

/* --- The link: the end of one call may take others out of the list, so each search begins anew */

/* On a link that lives, a message that is half written is finished before its call ends. */
static bool is_cut_off(const quash_call *call)
{
	if (quash_call_is(call, CALL_WRITING))
		return call->peer->link.state == LINK_GONE;
	return call->state == CALL_OPEN;
}

void quash_calls_gone(quash_peer *peer)
{
	quash_call *call;
	for (call = peer->calls; call != NULL; call = call->next) {
		if (call->state == CALL_OPEN)
			call->outcome = QUASH_CALL_LINK;
	}
	while ((call = quash_call_first(peer, is_cut_off)) != NULL)
		quash_call_cut(call, QUASH_CALL_LINK);
}

/* --- Cancels */

void quash_call_settle(quash_call *call)
{
	const bool silent = quash_config_of(call->peer)->dialect->other_code == 0;
	const uint8_t written = call->flags & (CALL_CANCELLED | CALL_OWED | CALL_WRITING);
	if (call->state == CALL_OPEN && written == CALL_CANCELLED && (silent || quash_call_is(call, CALL_AT_ONCE)))
		quash_call_end(call, (quash_outcome)call->outcome);
}

/* True if a cancel still has an effect. */
static bool is_cancellable(const quash_call *call)
{
	return call->state == CALL_OPEN && call->outcome != QUASH_CALL_LINK;
}

/* A call of the method that the dialect never cancels ends without a notification. */
static bool is_notified(const quash_call *call)
{
	const char *never = quash_config_of(call->peer)->dialect->never_cancelled;
	return never == NULL || !quash_same_text(never, call->method);
}

static void cancel_call(quash_call *call, quash_outcome outcome, bool at_once)
{
	uint8_t flags = at_once ? CALL_AT_ONCE : 0;
	if (!is_cancellable(call))
		return;
	if (!quash_call_is(call, CALL_WRITTEN | CALL_WRITING)) {
		quash_call_end(call, outcome);
		return;
	}
	if (!quash_call_is(call, CALL_CANCELLED))
		flags = (uint8_t)(flags | CALL_CANCELLED | (is_notified(call) ? CALL_OWED : CALL_AT_ONCE));
	if (flags != 0)
		call->outcome = (uint8_t)outcome;
	quash_call_mark(call, flags);
	quash_call_settle(call);
}

void quash_call_cancel(quash_call *call)
{
	cancel_call(call, QUASH_CALL_CANCELLED, (call->marks & QUASH_CALL_ENDS_AT_ONCE) != 0);
}

bool quash_call_release(quash_call *call)
{
	if (call->state == CALL_IDLE)
		return true;
	quash_call_mark(call, CALL_RELEASED);
	cancel_call(call, QUASH_CALL_CANCELLED, true);
	if (call->state == CALL_ENDED)
		leave_if_done(call);
	return call->state == CALL_IDLE;
}

void quash_call_cancel_parent(const quash_call *call)
{
	quash_request *parent = call->parent;
	if (parent != NULL)
		quash_cancel(parent);
}

bool quash_call_is_timed(const quash_call *call)
{
	return call->deadline != 0 && is_cancellable(call) && !quash_call_is(call, CALL_AT_ONCE);
}

static bool is_call_overdue(const quash_call *call)
{
	return quash_call_is_timed(call) && quash_ms_until(call->peer, call->due) == 0;
}

void quash_calls_tick(quash_peer *peer)
{
	quash_call *call;
	while ((call = quash_call_first(peer, is_call_overdue)) != NULL)
		cancel_call(call, QUASH_CALL_OVERDUE, true);
}

/* --- Children */

QUASH_INLINED_ static quash_call *next_child(quash_call *from, const quash_request *parent)
{
	quash_call *call = from;
	while (call != NULL && call->parent != parent)
		call = call->sibling;
	return call;
}

void quash_calls_cancel_children(const quash_request *parent, bool ended)
{
	quash_call *next;
	for (quash_call *call = next_child(parent->peer->children, parent); call != NULL; call = next) {
		next = next_child(call->sibling, parent);
		if (!ended)
			quash_call_cancel(call);
		else if (call->state == CALL_ENDED)
			quash_call_mark(call, CALL_KEPT); /* the parent's answer may need this one */
		else
			(void)quash_call_release(call);
	}
}

bool quash_calls_hold(const quash_request *parent)
{
	const quash_call *call = next_child(parent->peer->children, parent);
	while (call != NULL && call->state != CALL_OPEN && !quash_call_is(call, CALL_WRITING))
		call = next_child(call->sibling, parent);
	return call != NULL;
}

void quash_calls_free_children(const quash_request *parent)
{
	quash_call *call;
	while ((call = next_child(parent->peer->children, parent)) != NULL) {
		leave_peer(call);
		leave_parent(call);
	}
}

/* --- Answers: received */

/* The id as a number; 0 when no call of ours can have it. */
QUASH_OUTLINED_ static uint32_t received_id(const quash_peer *peer)
{
	const quash_request *slot = quash_received(peer);
	const bool number = slot->id_kind == ID_NUMBER && quash_seen(peer, SEEN_ID);
	uint32_t id = 0;
	for (uint8_t i = 0; number && i < slot->id_length; i++) {
		const uint8_t c = quash_id_byte(slot, i);
		if (c == '-' || id > INT32_MAX / 10)
			return 0;
		id = id * 10 + (uint32_t)(c - '0');
	}
	return id;
}

quash_call *quash_call_find(const quash_peer *peer, uint32_t id)
{
	quash_call *call = peer->calls;
	while (call != NULL && call->id != id)
		call = call->next;
	return call;
}

static quash_outcome judge_answer(quash_peer *peer)
{
	const uint16_t seen = peer->envelope.seen;
	const uint16_t answer = seen & (SEEN_RESULT | SEEN_ERROR);
	if ((seen & (SEEN_TWICE | SEEN_VERSION)) != SEEN_VERSION || answer == (SEEN_RESULT | SEEN_ERROR)) {
		quash_count_up(peer, offsetof(quash_counters, invalid));
		return QUASH_CALL_MALFORMED;
	}
	if ((seen & SEEN_DEEP) == 0)
		(void)quash_mark_arena(peer);
	if ((seen & SEEN_DEEP) != 0 || !quash_tape_whole(&peer->tape)) {
		quash_count_up(peer, offsetof(quash_counters, too_large));
		return QUASH_CALL_TOO_LARGE;
	}
	return answer == SEEN_ERROR ? QUASH_CALL_ERROR : QUASH_CALL_RESULT;
}

/* A message that began while there was no call is on no tape, and answers none. */
static bool is_answer_on_tape(const quash_peer *peer)
{
	return peer->tape.length > 0 || !quash_tape_whole(&peer->tape);
}

void quash_calls_response(quash_peer *peer)
{
	const uint32_t id = received_id(peer);
	quash_call *call = quash_call_find(peer, id);
	uint8_t counter = offsetof(quash_counters, stray_responses);
	if (call == NULL || call->state != CALL_OPEN) {
		if (id > 0 && id <= peer->last_id)
			counter = offsetof(quash_counters, late_responses);
	} else if (quash_call_is(call, CALL_WRITTEN) && is_answer_on_tape(peer)) {
		const quash_outcome outcome = judge_answer(peer);
		if (outcome == QUASH_CALL_RESULT || outcome == QUASH_CALL_ERROR)
			call->tape_size = quash_tape_take(&peer->tape, &call->tape);
		quash_call_end(call, outcome);
		return;
	}
	quash_count_up(peer, counter);
}

/* --- Answers: moved in the arena */

/* Its parent has nothing more to run, and no batch to wait for. */
static bool has_only_to_leave(const quash_request *parent)
{
	return parent->life == LIFE_ENDED && !quash_slot_is(parent, MARK_END | MARK_MEMBER);
}

/* Its parent is a request of another peer. Once that one's answer has left, the slot and this answer are given back. */
static bool goes_with_parent(const quash_call *call)
{
	const quash_request *parent = call->parent;
	return call->tape_size > 0 && parent != NULL && parent->peer != call->peer && has_only_to_leave(parent) &&
		!quash_calls_hold(parent);
}

/* It holds a slot of its own peer, up to the last byte of its cancel. */
static bool goes_with_tx(const quash_call *call)
{
	const quash_request *parent = call->parent;
	return quash_call_is(call, CALL_RELEASED) && parent != NULL && parent->peer == call->peer &&
		has_only_to_leave(parent);
}

bool quash_calls_free(const quash_peer *peer)
{
	return quash_call_first(peer, goes_with_parent) != NULL || quash_call_first(peer, goes_with_tx) != NULL;
}

/* The call whose answer is the first in the arena from `from` on and before `limit`, or NULL. */
static quash_call *lowest_answer(const quash_peer *peer, quash_size from, quash_size limit)
{
	quash_call *lowest = NULL;
	for (quash_call *call = peer->calls; call != NULL; call = call->next) {
		if (call->tape_size > 0 && call->tape >= from && call->tape < limit &&
			(lowest == NULL || call->tape < lowest->tape))
			lowest = call;
	}
	return lowest;
}

quash_size quash_calls_pack(quash_peer *peer, quash_size to, quash_size limit)
{
	quash_size at = to;
	quash_call *call;
	while ((call = lowest_answer(peer, at, limit)) != NULL) {
		quash_arena_move(quash_config_of(peer), call->tape, at, call->tape_size);
		call->tape = at;
		at = (quash_size)(at + call->tape_size);
	}
	return at;
}

/* --- Answers: read */

quash_outcome quash_call_outcome(const quash_call *call)
{
	return call->state == CALL_OPEN ? QUASH_CALL_OPEN : (quash_outcome)call->outcome;
}

quash_value quash_call_answer(const quash_call *call)
{
	static const quash_value none = { NULL, 0, 0 };
	const quash_peer *peer = call->peer;
	if (peer == NULL)
		return none;
	const quash_config *c = quash_config_of(peer);
	return quash_value_of(c->arena, c->arena_size, call->tape, call->tape_size);
}

static int32_t answered_code(const quash_call *call)
{
	int32_t code = 0;
	const bool good = quash_int32(quash_get(quash_call_answer(call), "code"), &code) == QUASH_NUMBER_OK;
	return good && code != 0 ? code : QUASH_INTERNAL_ERROR;
}

int32_t quash_call_code(const quash_call *call)
{
	switch (quash_call_outcome(call)) {
	case QUASH_CALL_OPEN:
	case QUASH_CALL_RESULT: return 0;
	case QUASH_CALL_ERROR: return answered_code(call);
	case QUASH_CALL_CANCELLED:
	case QUASH_CALL_OVERDUE: return QUASH_CANCELLED;
	case QUASH_CALL_LINK: return QUASH_LINK_LOST;
	case QUASH_CALL_TOO_LARGE: return QUASH_TOO_LARGE;
	default: return QUASH_INTERNAL_ERROR;
	}
}
