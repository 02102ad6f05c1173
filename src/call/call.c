/* SPDX-License-Identifier: MIT
 * What we ask of the other side: asking, hearing the answer, telling the caller. */
#include "call_inner.h"

#include "../core/hear.h"
#include "../core/reply.h"
#include "../json/tape.h"
#include "../json/value.h"

static const uint32_t last_possible_id = 0x7FFFFFFF;

/* --- Answers */

/* The id as a number; 0 when it is none that we may have given. */
static uint32_t heard_id(const quash_peer *peer)
{
	const quash_request *slot = quash_landing(peer);
	uint32_t id = 0;
	if (slot->id_kind != ID_NUMBER)
		return 0;
	for (uint8_t i = 0; i < slot->id_length; i++) {
		const uint8_t c = quash_id_byte(slot, i);
		if (c < '0' || c > '9' || id > last_possible_id / 10)
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

static quash_call *find_open(const quash_peer *peer, uint32_t id)
{
	quash_call *call = quash_call_find(peer, id);
	return call != NULL && call->state == CALL_OPEN ? call : NULL;
}

static quash_outcome judge_answer(quash_peer *peer)
{
	const quash_tape *tape = &peer->tape;
	const bool error = quash_seen(peer, SEEN_ERROR);
	if (quash_seen(peer, SEEN_TWICE) || !quash_seen(peer, SEEN_VERSION) || (error && quash_seen(peer, SEEN_RESULT))) {
		quash_add(&peer->counters.invalid, 1);
		return QUASH_CALL_MALFORMED;
	}
	if (quash_seen(peer, SEEN_DEEP) || !quash_tape_whole(tape)) {
		quash_add(&peer->counters.too_large, 1);
		return QUASH_CALL_TOO_LARGE;
	}
	return error ? QUASH_CALL_ERROR : QUASH_CALL_RESULT;
}

/* What began before the first call was asked is on no tape, and an answer to none. */
static void response(quash_peer *peer)
{
	const uint32_t id = heard_id(peer);
	quash_call *call = find_open(peer, id);
	if (call == NULL || !quash_call_is(call, CALL_WRITTEN) || peer->tape.need == 0) {
		const bool late = call == NULL && id > 0 && id <= peer->last_id;
		quash_add(late ? &peer->counters.late_responses : &peer->counters.stray_responses, 1);
		return;
	}
	const quash_outcome outcome = judge_answer(peer);
	if (outcome == QUASH_CALL_RESULT || outcome == QUASH_CALL_ERROR)
		call->tape_size = quash_tape_take(&peer->tape, &call->tape);
	quash_call_end(call, outcome);
}

static quash_size pack(quash_peer *peer, quash_size to, quash_size limit)
{
	quash_size at = to;
	for (;;) {
		quash_call *lowest = NULL;
		for (quash_call *call = peer->calls; call != NULL; call = call->next) {
			if (call->tape_size > 0 && call->tape >= at && call->tape < limit &&
			    (lowest == NULL || call->tape < lowest->tape))
				lowest = call;
		}
		if (lowest == NULL)
			return at;
		quash_arena_move(peer->config, lowest->tape, at, lowest->tape_size);
		lowest->tape = at;
		at = (quash_size)(at + lowest->tape_size);
	}
}

/* --- Steps */

/* Its callback, if that is to be told, else NULL. */
static quash_call_done *to_be_told(const quash_call *call)
{
	return call->state == CALL_ENDED && !quash_call_is(call, CALL_WRITING | CALL_TOLD) ? call->done : NULL;
}

static bool wants_to_tell(const quash_call *call)
{
	return to_be_told(call) != NULL;
}

static void begin_step(quash_peer *peer)
{
	for (quash_call *call = peer->calls; call != NULL; call = call->next) {
		if (wants_to_tell(call))
			call->flags |= CALL_DUE;
	}
	quash_calls_write(peer, true);
}

static void after_callback(quash_call *call, int32_t outcome)
{
	call->flags &= (uint8_t)~CALL_DUE;
	if (outcome == QUASH_PENDING)
		call->flags |= CALL_TOLD;
	else if (outcome != QUASH_RETRY && call->state == CALL_ENDED)
		quash_call_leave(call);
}

/* A call that is released or asked anew in its callback is not due any more. */
static void run_callback(quash_call *call, quash_call_done *done)
{
	quash_peer *peer = call->peer;
	quash_call_wake(call->parent);
	peer->running = CALL_OWNER;
	const int32_t outcome = done(call, quash_answer(call));
	peer->running = NOBODY;
	quash_drop_open(peer);
	if (quash_call_is(call, CALL_DUE))
		after_callback(call, outcome);
	quash_say(peer);
}

/* From the oldest on, as callbacks may change the list. False when there is none. */
static bool tell_next(const quash_peer *peer)
{
	for (quash_call *call = peer->calls; call != NULL; call = call->next) {
		quash_call_done *done = to_be_told(call);
		if (quash_call_is(call, CALL_DUE) && done != NULL) {
			run_callback(call, done);
			return true;
		}
	}
	return false;
}

static bool end_step(quash_peer *peer)
{
	bool any = false;
	while (tell_next(peer))
		any = true;
	return any;
}

/* Its request, or its cancel, could be written now. */
static bool is_writable(const quash_call *call)
{
	return (quash_call_wants_to_write(call, true) || quash_call_wants_to_write(call, false)) &&
	       quash_call_may_write(call) && quash_tx_empty(&call->peer->writer);
}

static uint32_t idle_of(const quash_call *call)
{
	const int32_t left = (int32_t)(call->due - call->peer->now);
	if (wants_to_tell(call) || is_writable(call))
		return 0;
	if (call->state != CALL_OPEN || call->deadline == 0 || quash_call_is(call, CALL_AT_ONCE))
		return UINT32_MAX;
	return left > 0 ? (uint32_t)left : 0;
}

static uint32_t idle(const quash_peer *peer)
{
	uint32_t least = UINT32_MAX;
	for (const quash_call *call = peer->calls; call != NULL; call = call->next) {
		const uint32_t ms = idle_of(call);
		least = ms < least ? ms : least;
	}
	return least;
}

static const struct quash_call_hooks hooks = {
	response, quash_calls_say, quash_calls_tick, begin_step, end_step,
	quash_calls_gone, quash_calls_cancel_children, quash_calls_hold, pack, idle
};

/* --- Asking */

static void append(quash_peer *peer, quash_call *call)
{
	quash_call **at = &peer->calls;
	for (quash_call *older = *at; older != NULL; older = *at)
		at = &older->next;
	*at = call;
}

static bool start_call(quash_peer *peer, quash_call *call)
{
	if (call->state == CALL_OPEN || quash_call_is(call, CALL_WRITING))
		return false;
	if (call->state == CALL_ENDED)
		quash_call_leave(call);
	call->state = CALL_OPEN;
	call->flags = 0;
	call->outcome = QUASH_CALL_OPEN;
	call->peer = peer;
	call->parent = NULL;
	call->next = NULL;
	call->due = peer->now + call->deadline;
	call->length = 0;
	call->tape_size = 0;
	append(peer, call);
	peer->call_hooks = &hooks;
	call->id = peer->last_id < last_possible_id ? ++peer->last_id : 0;
	if (peer->link != LINK_UP || call->id == 0)
		quash_call_end(call, QUASH_CALL_LINK);
	return true;
}

/* The last one of the parent's peer's. */
static void adopt(quash_request *parent, quash_call *call)
{
	quash_call **at = &parent->peer->children;
	for (quash_call *older = *at; older != NULL; older = *at)
		at = &older->sibling;
	*at = call;
	call->sibling = NULL;
	call->parent = parent;
	parent->peer->call_hooks = &hooks;
}

bool quash_ask(quash_peer *peer, quash_call *call)
{
	const bool started = start_call(peer, call);
	quash_calls_write(peer, true);
	return started;
}

bool quash_ask_for(quash_request *parent, quash_peer *peer, quash_call *call)
{
	if (!start_call(peer, call))
		return false;
	if (parent->state == SLOT_RUNNING)
		adopt(parent, call);
	if (call->state == CALL_ENDED)
		quash_call_wake(call->parent);
	if (call->state == CALL_OPEN && (parent->state != SLOT_RUNNING || quash_cancelled(parent) != QUASH_NOT_CANCELLED))
		quash_call_end(call, QUASH_CALL_CANCELLED);
	quash_calls_write(peer, true);
	return true;
}

bool quash_asked(quash_call *call)
{
	if (call->state == CALL_OPEN)
		quash_calls_write(call->peer, true);
	return quash_call_is(call, CALL_WRITTEN) || (call->state != CALL_OPEN && !quash_call_is(call, CALL_WRITING));
}

bool quash_answered(quash_call *call)
{
	if (call->state == CALL_OPEN)
		quash_calls_write(call->peer, true);
	return call->state != CALL_OPEN;
}

bool quash_call_cancel_id(quash_peer *peer, uint32_t id)
{
	quash_call *call = find_open(peer, id);
	if (call != NULL)
		quash_call_cancel(call);
	return call != NULL;
}

/* --- Looking at a call */

bool quash_call_in_use(const quash_call *call)
{
	return call->state != CALL_IDLE;
}

quash_outcome quash_call_outcome(const quash_call *call)
{
	return call->state == CALL_OPEN ? QUASH_CALL_OPEN : (quash_outcome)call->outcome;
}

quash_value quash_answer(const quash_call *call)
{
	static const quash_value none = { NULL, 0, 0 };
	const quash_peer *peer = call->peer;
	if (peer == NULL)
		return none;
	const quash_config *c = peer->config;
	return quash_value_of(c->arena, c->arena_size, call->tape, call->tape_size);
}

static int32_t error_code(const quash_call *call)
{
	int32_t code_heard = 0;
	const bool good = quash_int32(quash_get(quash_answer(call), "code"), &code_heard) == QUASH_NUMBER_OK;
	return good && code_heard != 0 ? code_heard : QUASH_INTERNAL_ERROR;
}

int32_t quash_call_code(const quash_call *call)
{
	switch (quash_call_outcome(call)) {
	case QUASH_CALL_OPEN:
	case QUASH_CALL_RESULT: return 0;
	case QUASH_CALL_ERROR: return error_code(call);
	case QUASH_CALL_CANCELLED:
	case QUASH_CALL_OVERDUE: return QUASH_CANCELLED;
	case QUASH_CALL_LINK: return QUASH_LINK_LOST;
	case QUASH_CALL_TOO_LARGE: return QUASH_TOO_LARGE;
	default: return QUASH_INTERNAL_ERROR;
	}
}

uint16_t quash_call_count(const quash_peer *peer)
{
	uint16_t n = 0;
	for (const quash_call *call = peer->calls; call != NULL && n < UINT16_MAX; call = call->next)
		n++;
	return n;
}
