/* SPDX-License-Identifier: MIT
 * The answers to our calls: received, kept in the arena, read. */
#include "call_inner.h"

#include "../core/accept.h"
#include "../json/tape.h"
#include "../json/value.h"

/* --- Received */

/* The id, an integer, as a number; 0 when it is none that we may have given. */
static uint32_t received_id(const quash_peer *peer)
{
	const quash_request *slot = &peer->received;
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

/* What began before the first call was started is on no tape, and an answer to none. */
static bool is_answer_on_tape(const quash_peer *peer)
{
	return peer->tape.length > 0 || !quash_tape_whole(&peer->tape);
}

static void take_answer(quash_peer *peer, quash_call *call)
{
	const quash_outcome outcome = judge_answer(peer);
	if (outcome == QUASH_CALL_RESULT || outcome == QUASH_CALL_ERROR)
		call->tape_size = quash_tape_take(&peer->tape, &call->tape);
	quash_call_end(call, outcome);
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
		take_answer(peer, call);
		return;
	}
	quash_count_up(peer, counter);
}

/* --- Kept in the arena */

/* Its answer goes as soon as that of its request, which is another peer's, has left. */
static bool goes_with_parent(const quash_call *call)
{
	const quash_request *parent = call->parent;
	return call->tape_size > 0 && parent != NULL && parent->peer != call->peer && parent->life == LIFE_ENDED &&
		!quash_slot_is(parent, MARK_END | MARK_MEMBER) && !quash_calls_hold(parent);
}

bool quash_calls_free(const quash_peer *peer)
{
	return quash_call_first(peer, goes_with_parent) != NULL;
}

/* The one that stands first in the arena from `from` on and before `limit`; NULL if there is none. */
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
		quash_arena_move(peer->config, call->tape, at, call->tape_size);
		call->tape = at;
		at = (quash_size)(at + call->tape_size);
	}
	return at;
}

/* --- Read */

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
	const quash_config *c = peer->config;
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
