/* SPDX-License-Identifier: MIT
 * Doing: the only code that calls handlers and hooks. */
#include "../json/tape.h"
#include "atomic.h"
#include "call_hooks.h"
#include "law.h"
#include "reply.h"

/* What a handler is not called again after. */
static bool is_terminal(int32_t outcome)
{
	return outcome != QUASH_PENDING && outcome != QUASH_RETRY;
}

static void run_hook(quash_request *slot)
{
	const quash_method *method = quash_slot_method(slot);
	if (!quash_slot_is(slot, SLOT_HOOK))
		return;
	if (method != NULL && method->end != NULL)
		method->end(slot);
	if (slot->peer->call_hooks != NULL)
		slot->peer->call_hooks->cancel_children(slot, true);
	slot->flags &= (uint8_t)~SLOT_HOOK; /* up to here it holds the slot */
}

/* Another thread's cancel may have come since the last tick: what the handler said then is swallowed already. */
static void note_cause(quash_request *slot, int32_t outcome)
{
	const quash_cause seen = quash_cancelled(slot);
	if (slot->cause != QUASH_NOT_CANCELLED || quash_slot_is(slot, SLOT_ANSWERED))
		return;
	if (seen != QUASH_NOT_CANCELLED && !quash_slot_is(slot, SLOT_COMMITTED))
		quash_set_cause(slot, seen);
	else if (outcome == QUASH_CANCELLED)
		quash_set_cause(slot, QUASH_BY_HANDLER);
}

static void ended(quash_request *slot, int32_t outcome)
{
	quash_peer *peer = slot->peer;
	const bool partial = quash_slot_marked(slot, QUASH_PARTIAL);
	note_cause(slot, outcome);
	if (quash_slot_is(slot, SLOT_COMMITTED) && !quash_slot_is(slot, SLOT_ANSWERED | SLOT_SILENT)) {
		quash_add(&peer->counters.changed, 1);
		quash_gone(peer);
	}
	if (quash_slot_is(slot, SLOT_ANSWERED | SLOT_SILENT | SLOT_NOTIFICATION))
		quash_close(slot);
	else if (slot->cause != QUASH_NOT_CANCELLED && (!partial || outcome == QUASH_CANCELLED))
		quash_owe_cancelled(slot);
	else if (outcome < 0 && outcome >= -65535)
		quash_owe(slot, outcome);
	else
		quash_owe(slot, QUASH_INTERNAL_ERROR);
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

static void after_handler(quash_request *slot, int32_t outcome)
{
	quash_drop_open(slot->peer);
	if (slot->state == SLOT_RUNNING && !is_terminal(outcome)) {
		not_ended(slot, outcome);
		return;
	}
	run_hook(slot);
	if (slot->state == SLOT_RUNNING)
		ended(slot, outcome);
	else if (slot->state == SLOT_CLOSING)
		quash_close(slot);
}

static int32_t call(quash_request *slot)
{
	const quash_method *method = quash_slot_method(slot);
	const quash_value params = quash_params_of(slot);
	if (slot->state == SLOT_PARKED) {
		slot->flags |= SLOT_HOOK;
		slot->state = SLOT_RUNNING;
		quash_tell(slot->peer, QUASH_STARTED, slot, 0);
	}
	slot->flags &= (uint8_t)~SLOT_WAITING;
	QUASH_STORE(slot->woken, 0);
	QUASH_FENCE(); /* the handler sees what was there before a wake that this has taken back */
	return method != NULL ? method->handler(slot, params) : QUASH_INTERNAL_ERROR;
}

static void run_slot(quash_request *slot)
{
	quash_peer *peer = slot->peer;
	peer->running = slot->index;
	if (slot->state == SLOT_PARKED || slot->state == SLOT_RUNNING) {
		const int32_t outcome = call(slot);
		peer->running = NOBODY;
		after_handler(slot, outcome);
	} else {
		run_hook(slot);
		peer->running = NOBODY;
		if (slot->state == SLOT_CLOSING)
			quash_close(slot);
	}
	quash_say(peer);
}

/* A member of a batch waits for the others, before its handler is called and again before it may answer. */
static bool is_member_held(const quash_request *slot)
{
	const quash_peer *peer = slot->peer;
	if ((slot->more & MORE_BATCH) == 0)
		return (slot->more & MORE_BESIDE) != 0;
	if ((peer->batch & (BATCH_RUNNING | BATCH_SAYING)) == 0)
		return (peer->batch & BATCH_HEARING) != 0;
	return (slot->more & MORE_READY) != 0 && slot->cause == QUASH_NOT_CANCELLED && !quash_may_answer(slot);
}

/* A long reply cannot go on while a handler is busy, and behind it refusals and so cancels would wait: while
 * one is under way nothing new is begun. */
static bool is_startable(const quash_peer *peer)
{
	return peer->owner == NOBODY || peer->owner == BATCH_OWNER;
}

/* Its last try has shown that the reply is longer than TX: until that is empty, the next one would be in vain. */
static bool is_waiting_for_tx(const quash_request *slot)
{
	return quash_slot_is(slot, SLOT_MEASURED) && !quash_slot_is(slot, SLOT_SILENT) && !quash_may_answer(slot) &&
	       (quash_slot_is(slot, SLOT_COMMITTED) || quash_cancelled(slot) == QUASH_NOT_CANCELLED);
}

static bool has_slept(const quash_request *slot)
{
	return !quash_slot_is(slot, SLOT_WAITING) || quash_cancelled(slot) != QUASH_NOT_CANCELLED ||
	       QUASH_LOAD(slot->woken) != 0;
}

static bool is_runnable(const quash_request *slot)
{
	switch (slot->state) {
	case SLOT_PARKED: return is_startable(slot->peer) && !is_member_held(slot);
	case SLOT_RUNNING: return has_slept(slot) && !is_member_held(slot) && !is_waiting_for_tx(slot);
	case SLOT_OWING:
	case SLOT_CLOSING: return quash_slot_is(slot, SLOT_HOOK);
	default: return false;
	}
}

static void mark_due(quash_peer *peer)
{
	for (uint8_t i = 0; i < peer->config->slot_count; i++)
		quash_slot(peer, i)->more |= MORE_DUE;
	quash_landing(peer)->more &= (uint8_t)~MORE_DUE;
}

/* The oldest live request that was not looked at yet, or NULL. */
static quash_request *next_due(const quash_peer *peer)
{
	uint8_t i = peer->first;
	for (uint8_t tries = 0; tries < peer->config->slot_count && i != NOBODY; tries++) {
		quash_request *slot = quash_slot(peer, i);
		if ((slot->more & MORE_DUE) != 0)
			return slot;
		i = slot->next;
	}
	return NULL;
}

bool quash_step(quash_peer *peer)
{
	bool any = false;
	if (peer->running != NOBODY)
		return false;
	quash_flag_due(peer);
	if (peer->call_hooks != NULL)
		peer->call_hooks->begin_step(peer);
	mark_due(peer);
	for (uint8_t tries = 0; tries < peer->config->slot_count; tries++) {
		quash_request *slot = next_due(peer);
		if (slot == NULL)
			break;
		slot->more &= (uint8_t)~MORE_DUE;
		if (!is_runnable(slot))
			continue;
		run_slot(slot);
		any = true;
	}
	if (peer->call_hooks != NULL && peer->call_hooks->end_step(peer))
		any = true;
	quash_ring_pack(peer);
	return any;
}

/* --- Sleeping */

static uint32_t until(const quash_peer *peer, uint32_t when)
{
	const int32_t ms = (int32_t)(when - peer->now);
	return ms > 0 ? (uint32_t)ms : 0;
}

static uint32_t sleep_of(const quash_request *slot)
{
	const quash_peer *peer = slot->peer;
	uint32_t ms = UINT32_MAX;
	if (quash_slot_is(slot, SLOT_TIMED))
		ms = until(peer, slot->deadline);
	if (slot->state == SLOT_FREE)
		return UINT32_MAX;
	if (is_runnable(slot) || (slot->cause == QUASH_NOT_CANCELLED && quash_cancelled(slot) != QUASH_NOT_CANCELLED))
		return 0;
	if (slot->state == SLOT_RUNNING && quash_slot_is(slot, SLOT_WAITING) && until(peer, slot->wake) < ms)
		ms = until(peer, slot->wake);
	return ms;
}

uint32_t quash_idle_ms(const quash_peer *peer)
{
	uint32_t least = peer->call_hooks != NULL ? peer->call_hooks->idle(peer) : UINT32_MAX;
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		const uint32_t ms = i == peer->landing ? UINT32_MAX : sleep_of(quash_slot(peer, i));
		least = ms < least ? ms : least;
	}
	return least;
}
