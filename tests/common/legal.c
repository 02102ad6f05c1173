/* SPDX-License-Identifier: MIT */
#include "legal.h"

#include "core/call_hooks.h"
#include "core/slots.h"
#include "quash/call.h"

/* --- One request */

static bool is_hooked(const quash_request *slot)
{
	return quash_slot_is(slot, MARK_END | MARK_RELEASE);
}

/* Life and answer go together. */
static const char *pair_fault(const quash_request *slot)
{
	const uint8_t answer = slot->answer;
	switch (slot->life) {
	case LIFE_PARKED: return answer == ANSWER_NONE || answer == ANSWER_SILENT ? NULL : "a parked request is answered";
	case LIFE_RUNNING:
		return answer == ANSWER_NONE || answer == ANSWER_RECORDED || answer == ANSWER_SILENT ? NULL
			: "the answer of a running request has begun";
	case LIFE_ENDED: return answer != ANSWER_NONE ? NULL : "an ended request has no answer";
	default: return "a free slot is in the list";
	}
}

static const char *start_fault(const quash_request *slot)
{
	const bool started = quash_slot_is(slot, MARK_STARTED);
	if (slot->life == LIFE_PARKED && (started || is_hooked(slot) || slot->form != FORM_NONE))
		return "a parked request has run";
	if (slot->life == LIFE_RUNNING && !(started && quash_slot_is(slot, MARK_END)))
		return "a running request was not started";
	return !started && is_hooked(slot) ? "a hook is due of a request that was not started" : NULL;
}

static const char *answer_fault(const quash_request *slot)
{
	const bool recorded = slot->answer == ANSWER_RECORDED || slot->answer == ANSWER_BEGUN;
	if (recorded && slot->form == FORM_NONE)
		return "a recorded answer is made of nothing";
	if (quash_slot_is(slot, MARK_MEMBER) && slot->answer == ANSWER_WRITTEN)
		return "a member of the batch is written by itself";
	if (slot->id_kind == ID_NONE && slot->method != NO_INDEX && slot->answer == ANSWER_RECORDED)
		return "a notification is answered";
	return NULL;
}

static const char *time_fault(const quash_request *slot)
{
	const bool ended = slot->life == LIFE_ENDED;
	if (ended && (quash_slot_is(slot, MARK_TIMED) || slot->lease != 0))
		return "an ended request has a deadline or a lease";
	if (ended && quash_slot_is(slot, MARK_WAITING) && !quash_slot_is(slot, MARK_END))
		return "a request waits for nothing";
	return NULL;
}

/* Nobody would ever free it. */
static const char *hold_fault(const quash_request *slot)
{
	const quash_peer *peer = slot->peer;
	const bool over = slot->answer == ANSWER_WRITTEN || slot->answer == ANSWER_SILENT;
	const bool held = is_hooked(slot) || peer->running == slot->index || (quash_calls_of(peer) != NULL && quash_calls_of(peer)->hold(slot));
	return slot->life == LIFE_ENDED && over && !held ? "a slot is kept for nothing" : NULL;
}

static const char *slot_fault(const quash_request *slot)
{
	static const char *(*const rules[])(const quash_request *) = { pair_fault, start_fault, answer_fault, time_fault,
		hold_fault };
	const char *fault = NULL;
	for (size_t i = 0; fault == NULL && i < sizeof rules / sizeof rules[0]; i++)
		fault = rules[i](slot);
	return fault;
}

/* --- Two of them */

static bool have_same_id(const quash_request *a, const quash_request *b)
{
	bool same = a->id_kind == b->id_kind && a->id_length == b->id_length;
	for (uint8_t i = 0; same && i < a->id_length; i++)
		same = quash_id_byte(a, i) == quash_id_byte(b, i);
	return same;
}

static bool overlap(const quash_request *a, const quash_request *b)
{
	return a->tape_size > 0 && b->tape_size > 0 && a->tape < b->tape + b->tape_size && b->tape < a->tape + a->tape_size;
}

static const char *pair_of_slots_fault(const quash_request *a, const quash_request *b)
{
	if (quash_slot_named(a) && quash_slot_named(b) && have_same_id(a, b))
		return "two live requests have one id";
	if (overlap(a, b))
		return "params of two requests overlap";
	if (a->answer == ANSWER_BEGUN && b->answer == ANSWER_BEGUN && !(quash_slot_is(a, MARK_MEMBER) && quash_slot_is(b, MARK_MEMBER)))
		return "two answers have begun";
	return NULL;
}

/* --- All of them */

static const quash_request *slot_at(const quash_peer *peer, uint8_t index)
{
	return &peer->config->slots[index < peer->config->slot_count ? index : 0];
}

static uint8_t live_slots(const quash_peer *peer)
{
	uint8_t n = 0;
	for (uint8_t i = 0; i < peer->config->slot_count; i++)
		n = (uint8_t)(n + (slot_at(peer, i)->life != LIFE_FREE));
	return n;
}

/* The list has each live request once, oldest first, and no other. */
static const char *list_fault(const quash_peer *peer)
{
	const uint8_t live = live_slots(peer);
	uint8_t n = 0;
	for (uint8_t i = peer->first; i != NO_INDEX; i = slot_at(peer, i)->next) {
		if (i >= peer->config->slot_count || slot_at(peer, i)->life == LIFE_FREE || n == live)
			return "the list of live requests is broken";
		n++;
	}
	if (n != peer->live)
		return "the live requests are counted wrong";
	return n == live ? NULL : "the list of live requests is not whole";
}

static const char *slots_fault(const quash_peer *peer)
{
	const char *fault = NULL;
	for (uint8_t i = 0; fault == NULL && i < peer->config->slot_count; i++) {
		const quash_request *slot = slot_at(peer, i);
		if (slot->life == LIFE_FREE)
			continue;
		fault = slot_fault(slot);
		for (uint8_t k = 0; fault == NULL && k < i; k++) {
			if (slot_at(peer, k)->life != LIFE_FREE)
				fault = pair_of_slots_fault(slot_at(peer, k), slot);
		}
	}
	return fault;
}

/* Each is held by a request of this peer that gives it back, which holds no other. */
static const char *groups_fault(const quash_peer *peer)
{
	for (const quash_group *group = peer->groups; group != NULL; group = group->next) {
		const quash_request *const holder = group->holder;
		if (holder == NULL || holder->peer != peer || holder != slot_at(peer, holder->index))
			return "a group is held by nobody";
		if (holder->life == LIFE_FREE || (holder->life == LIFE_ENDED && !quash_slot_is(holder, MARK_END)))
			return "a group is held for ever";
		for (const quash_group *other = group->next; other != NULL; other = other->next) {
			if (other == group || other->holder == holder)
				return "a request holds two groups";
		}
	}
	return NULL;
}

static const char *receiving_fault(const quash_peer *peer)
{
	const uint8_t answer = quash_received(peer)->answer;
	if (peer->in.pause == PAUSE_REFUSAL && answer != ANSWER_RECORDED && answer != ANSWER_BEGUN)
		return "receiving waits for a refusal that is none";
	if ((peer->in.pause == PAUSE_STEP || peer->in.pause == PAUSE_ROOM) != (peer->in.kept != KEPT_NOTHING))
		return "receiving waits for nothing, or keeps something and does not wait";
	if (peer->running != NO_INDEX && slot_at(peer, peer->running)->life == LIFE_FREE)
		return "what runs is free";
	return peer->out.composing ? "a put function is on the stack" : NULL;
}

/* No program has so many. */
enum { MOST_CALLS = 1000 };

static const char *calls_fault(const quash_peer *peer)
{
	unsigned n = 0;
	for (const quash_call *call = peer->calls; call != NULL; call = call->next) {
		if (++n > MOST_CALLS || call->peer != peer)
			return "a call is linked that is none";
		if (call->parent != NULL && call->parent->life == LIFE_FREE)
			return "a call belongs to a request that has left";
	}
	return NULL;
}

const char *legal_fault(const quash_peer *peer)
{
	static const char *(*const rules[])(const quash_peer *) = { list_fault, slots_fault, groups_fault, receiving_fault, calls_fault };
	const char *fault = NULL;
	for (size_t i = 0; fault == NULL && i < sizeof rules / sizeof rules[0]; i++)
		fault = rules[i](peer);
	return fault;
}
