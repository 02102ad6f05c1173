/* SPDX-License-Identifier: MIT
 * Doing: the only code that calls handlers and hooks. */
#include "atomic.h"
#include "law.h"
#include "reply.h"
#include "tape.h"
#include "value.h"

/* What a handler is not called again after. */
static bool is_terminal(int32_t outcome)
{
	return outcome != QUASH_PENDING && outcome != QUASH_RETRY;
}

static void run_hook(quash_peer *peer, uint8_t index)
{
	quash_request *slot = quash_slot(peer, index);
	const quash_method *method = quash_slot_method(peer, slot);
	if (!quash_slot_is(slot, SLOT_HOOK))
		return;
	slot->flags &= (uint8_t)~SLOT_HOOK;
	if (method != NULL && method->end != NULL)
		method->end(slot);
}

static void ended(quash_peer *peer, uint8_t index, int32_t outcome)
{
	quash_request *slot = quash_slot(peer, index);
	const quash_method *method = quash_slot_method(peer, slot);
	const bool partial = method != NULL && (method->marks & QUASH_PARTIAL) != 0;
	if (outcome == QUASH_CANCELLED && slot->cause == QUASH_NOT_CANCELLED && !quash_slot_is(slot, SLOT_ANSWERED))
		quash_set_cause(peer, index, QUASH_BY_HANDLER);
	if (quash_slot_is(slot, SLOT_COMMITTED) && !quash_slot_is(slot, SLOT_ANSWERED | SLOT_SILENT)) {
		quash_add(&peer->counters.changed, 1);
		quash_gone(peer);
	}
	if (quash_slot_is(slot, SLOT_ANSWERED | SLOT_SILENT | SLOT_NOTIFICATION))
		quash_close(peer, index);
	else if (slot->cause != QUASH_NOT_CANCELLED && (!partial || outcome == QUASH_CANCELLED))
		quash_owe_cancelled(peer, index);
	else if (outcome < 0 && outcome >= -65535)
		quash_owe(peer, index, outcome);
	else
		quash_owe(peer, index, QUASH_INTERNAL_ERROR);
}

static void not_ended(quash_request *slot, int32_t outcome)
{
	if (outcome == QUASH_RETRY)
		return;
	slot->tape_size = 0;
	slot->more &= (uint8_t)~MORE_READY;
	if (!quash_slot_is(slot, SLOT_COMMITTED))
		slot->flags &= (uint8_t)~SLOT_MEASURED;
}

static void after_handler(quash_peer *peer, uint8_t index, int32_t outcome)
{
	quash_request *slot = quash_slot(peer, index);
	quash_drop_open(peer);
	if (slot->state == SLOT_RUNNING && !is_terminal(outcome)) {
		not_ended(slot, outcome);
		return;
	}
	run_hook(peer, index);
	if (slot->state == SLOT_RUNNING)
		ended(peer, index, outcome);
	else if (slot->state == SLOT_CLOSING)
		quash_close(peer, index);
}

static int32_t call(quash_peer *peer, uint8_t index)
{
	static const quash_value nothing = { NULL, 0, 0 };
	const quash_config *c = peer->config;
	quash_request *slot = quash_slot(peer, index);
	const quash_method *method = quash_slot_method(peer, slot);
	const quash_value params = slot->tape_size == 0
		? nothing
		: quash_value_of(c->arena, c->arena_size, slot->tape, slot->tape_size);
	if (slot->state == SLOT_PARKED) {
		slot->flags |= SLOT_HOOK;
		slot->state = SLOT_RUNNING;
		quash_tell(peer, QUASH_STARTED, slot, 0);
	}
	slot->flags &= (uint8_t)~SLOT_WAITING;
	QUASH_STORE(slot->woken, 0);
	return method != NULL ? method->handler(slot, params) : QUASH_INTERNAL_ERROR;
}

static void run(quash_peer *peer, uint8_t index)
{
	quash_request *slot = quash_slot(peer, index);
	peer->running = index;
	if (slot->state == SLOT_PARKED || slot->state == SLOT_RUNNING) {
		const int32_t outcome = call(peer, index);
		peer->running = NOBODY;
		after_handler(peer, index, outcome);
	} else {
		run_hook(peer, index);
		peer->running = NOBODY;
		if (slot->state == SLOT_CLOSING)
			quash_close(peer, index);
	}
	quash_say(peer);
}

/* A member of a batch waits for the others, before its handler is called and again before it may answer. */
static bool is_held(const quash_peer *peer, uint8_t index)
{
	const quash_request *slot = quash_slot(peer, index);
	if ((slot->more & MORE_BATCH) == 0)
		return false;
	if ((peer->batch & (BATCH_RUNNING | BATCH_SAYING)) == 0)
		return (peer->batch & BATCH_HEARING) != 0;
	return (slot->more & MORE_READY) != 0 && slot->cause == QUASH_NOT_CANCELLED && !quash_may_answer(peer, index);
}

/* A long reply cannot go on while a handler is busy, and behind it refusals and so cancels would wait: while
 * one is under way nothing new is begun. */
static bool is_startable(const quash_peer *peer)
{
	return peer->owner == NOBODY || peer->owner == BATCH_OWNER;
}

static bool has_slept(const quash_peer *peer, const quash_request *slot)
{
	return !quash_slot_is(slot, SLOT_WAITING) || quash_cancelled(slot) != QUASH_NOT_CANCELLED ||
	       QUASH_LOAD(slot->woken) != 0 || (int32_t)(peer->now - slot->wake) >= 0;
}

static bool is_runnable(const quash_peer *peer, uint8_t index)
{
	const quash_request *slot = quash_slot(peer, index);
	switch (slot->state) {
	case SLOT_PARKED: return is_startable(peer) && !is_held(peer, index);
	case SLOT_RUNNING: return has_slept(peer, slot) && !is_held(peer, index);
	case SLOT_OWING:
	case SLOT_CLOSING: return quash_slot_is(slot, SLOT_HOOK);
	default: return false;
	}
}

static void mark_due(quash_peer *peer)
{
	for (uint8_t i = 0; i < peer->config->slot_count; i++)
		quash_slot(peer, i)->more |= MORE_DUE;
	quash_slot(peer, peer->landing)->more &= (uint8_t)~MORE_DUE;
}

/* The oldest live request that was not looked at yet, or NOBODY. */
static uint8_t next_due(const quash_peer *peer)
{
	uint8_t i = peer->first;
	for (uint8_t tries = 0; tries < peer->config->slot_count && i != NOBODY; tries++) {
		const quash_request *slot = quash_slot(peer, i);
		if ((slot->more & MORE_DUE) != 0)
			return i;
		i = slot->next;
	}
	return NOBODY;
}

bool quash_step(quash_peer *peer)
{
	bool any = false;
	if (peer->running != NOBODY)
		return false;
	quash_flag_due(peer);
	mark_due(peer);
	for (uint8_t tries = 0; tries < peer->config->slot_count; tries++) {
		const uint8_t index = next_due(peer);
		if (index == NOBODY)
			break;
		quash_slot(peer, index)->more &= (uint8_t)~MORE_DUE;
		if (!is_runnable(peer, index))
			continue;
		run(peer, index);
		any = true;
	}
	quash_ring_pack(peer);
	return any;
}

/* --- Sleeping */

static uint32_t until(const quash_peer *peer, uint32_t when)
{
	const int32_t ms = (int32_t)(when - peer->now);
	return ms > 0 ? (uint32_t)ms : 0;
}

static uint32_t sleep_of(const quash_peer *peer, uint8_t index)
{
	const quash_request *slot = quash_slot(peer, index);
	uint32_t ms = UINT32_MAX;
	if (quash_slot_is(slot, SLOT_TIMED))
		ms = until(peer, slot->deadline);
	if (slot->state == SLOT_FREE)
		return UINT32_MAX;
	if (is_runnable(peer, index) || (slot->cause == QUASH_NOT_CANCELLED && quash_cancelled(slot) != QUASH_NOT_CANCELLED))
		return 0;
	if (slot->state == SLOT_RUNNING && quash_slot_is(slot, SLOT_WAITING) && until(peer, slot->wake) < ms)
		ms = until(peer, slot->wake);
	return ms;
}

uint32_t quash_idle_ms(const quash_peer *peer)
{
	uint32_t least = UINT32_MAX;
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		const uint32_t ms = i == peer->landing ? UINT32_MAX : sleep_of(peer, i);
		least = ms < least ? ms : least;
	}
	return least;
}
