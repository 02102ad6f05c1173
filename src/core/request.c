/* SPDX-License-Identifier: MIT
 * What handlers and status displays ask of a request. */
#include "../json/value.h"
#include "slots.h"

const char *quash_reason(const quash_request *request)
{
	const quash_peer *peer = request->peer;
	static const char none[1] = { '\0' }; /* no literal: handlers read it */
	const char *const kept = quash_config_of(peer)->reason;
	return peer->reason_of == request->index && kept != NULL ? kept : none;
}

quash_value quash_params_of(const quash_request *request)
{
	const quash_config *c = quash_config_of(request->peer);
	return quash_value_of(c->arena, c->arena_size, request->tape, request->tape_size);
}

void quash_release_params(quash_request *request)
{
	request->tape_size = 0;
}

void *quash_state(quash_request *request, size_t size)
{
	const quash_config *c = quash_config_of(request->peer);
	const uint8_t index = request->index;
	if (size > c->state_size || index >= c->slot_count) {
		quash_note_misuse(request->peer, request, 0, QUASH_WHY_STATE_SIZE);
		return NULL;
	}
	return (uint8_t *)c->states + (size_t)index * c->state_size;
}

const void *quash_const_state(const quash_request *request, size_t size)
{
	const quash_config *c = quash_config_of(request->peer);
	const uint8_t index = request->index;
	return quash_state(&c->slots[index < c->slot_count ? index : 0], size);
}

const void *quash_table_of_(const quash_request *request)
{
	return request->content.table;
}

quash_peer *quash_peer_of(const quash_request *request)
{
	return request->peer;
}

QUASH_NOINLINE const quash_method *quash_method_of(const quash_request *request)
{
	return quash_slot_method(request);
}

const void *quash_data(const quash_request *request)
{
	const quash_method *method = quash_method_of(request);
	return method != NULL ? method->data : NULL;
}

bool quash_may_report(const quash_request *request)
{
	return request->life == LIFE_RUNNING && request->answer == ANSWER_NONE &&
		quash_cancelled(request) == QUASH_NOT_CANCELLED;
}

uint32_t quash_now(const quash_peer *peer)
{
	return peer->now;
}

void *quash_context(const quash_peer *peer)
{
	return quash_config_of(peer)->context;
}

bool quash_next_live(const quash_peer *peer, quash_live *live)
{
	const quash_request *slot = quash_next_younger(peer, live->request);
	if (slot == NULL)
		return false;
	const quash_method *method = quash_slot_method(slot);
	live->request = slot;
	live->method = method != NULL ? method->name : "";
	live->id = slot->id_kind == ID_NONE ? NULL
		: (const char *)&quash_config_of(peer)->ids[(size_t)slot->row * quash_config_of(peer)->id_size];
	live->id_length = live->id != NULL ? slot->id_length : 0; /* that of no id is an earlier one's */
	live->id_is_number = slot->id_kind == ID_NUMBER;
	live->started = slot->life == LIFE_RUNNING || quash_slot_is(slot, MARK_STARTED);
	live->ended = slot->life == LIFE_ENDED;
	live->age = peer->now - slot->born;
	live->cause = quash_cancelled(slot);
	return true;
}
