/* SPDX-License-Identifier: MIT */
#include "law.h"

#include "atomic.h"
#include "call_hooks.h"

void quash_release(quash_peer *peer)
{
	peer->owner = (peer->batch & BATCH_SAYING) != 0 ? BATCH_OWNER : NOBODY;
	peer->open = false;
}

/* From flag to end. */
static void take_time(const quash_request *slot)
{
	quash_peer *peer = slot->peer;
	const uint32_t ms = peer->now - slot->deadline;
	if (slot->cause == QUASH_NOT_CANCELLED || (slot->state != SLOT_PARKED && slot->state != SLOT_RUNNING))
		return;
	peer->counters.last_cancel_ms = ms;
	if (ms > peer->counters.slowest_cancel_ms)
		peer->counters.slowest_cancel_ms = ms;
}

static bool is_slot_held(const quash_request *slot)
{
	const quash_peer *peer = slot->peer;
	return peer->running == slot->index || quash_slot_is(slot, SLOT_HOOK) ||
	       (peer->call_hooks != NULL && peer->call_hooks->hold(slot));
}

static void give_up_params(quash_request *slot)
{
	if ((slot->more & MORE_NEEDED) == 0)
		slot->tape_size = 0;
}

void quash_close(quash_request *slot)
{
	quash_peer *peer = slot->peer;
	take_time(slot);
	if (peer->owner == slot->index)
		quash_release(peer);
	give_up_params(slot);
	if (slot->index == peer->landing)
		quash_ring_land(peer);
	else if (is_slot_held(slot))
		slot->state = SLOT_CLOSING;
	else
		quash_ring_free(slot);
}

static void silence(quash_request *slot, bool link)
{
	quash_peer *peer = slot->peer;
	slot->flags |= SLOT_SILENT;
	if (quash_slot_is(slot, SLOT_NOTIFICATION))
		return;
	quash_add(link ? &peer->counters.discarded : &peer->counters.silenced, 1);
	quash_tell(peer, QUASH_SILENCED, slot, 0);
}

void quash_owe(quash_request *slot, int32_t code)
{
	give_up_params(slot);
	if (quash_slot_is(slot, SLOT_NOTIFICATION | SLOT_SILENT)) {
		quash_close(slot);
		return;
	}
	take_time(slot);
	slot->state = SLOT_OWING;
	slot->deadline = (uint32_t)code;
	slot->flags &= (uint8_t)~(SLOT_TIMED | SLOT_WAITING | SLOT_MEASURED);
}

void quash_owe_cancelled(quash_request *slot)
{
	const quash_dialect *dialect = slot->peer->config->dialect;
	const quash_method *method = quash_slot_method(slot);
	const int32_t code = slot->cause == QUASH_BY_OTHER_SIDE ? dialect->other_code : dialect->own_code;
	if (slot->cause == QUASH_BY_OTHER_SIDE && code == 0 && !quash_slot_is(slot, SLOT_SILENT))
		silence(slot, false);
	if (method != NULL && method->cancelled != NULL)
		slot->more |= MORE_RESULT;
	quash_owe(slot, code);
}

static void parked_cancelled(quash_request *slot)
{
	if (quash_slot_is(slot, SLOT_SILENT) || !quash_slot_marked(slot, QUASH_PARTIAL))
		quash_owe_cancelled(slot);
}

void quash_set_cause(quash_request *slot, quash_cause cause)
{
	quash_peer *peer = slot->peer;
	QUASH_STORE(slot->cause, (uint8_t)cause);
	slot->deadline = peer->now;
	slot->flags &= (uint8_t)~SLOT_TIMED;
	quash_add(&peer->counters.cancelled[cause < QUASH_CAUSES ? cause : 0], 1);
	quash_tell(peer, QUASH_FLAGGED, slot, (int32_t)cause);
	if (peer->call_hooks != NULL)
		peer->call_hooks->cancel_children(slot, false);
}

/* What the law makes of a request whose cause was just set. */
static void apply(quash_request *slot)
{
	if (slot->state == SLOT_PARKED)
		parked_cancelled(slot);
	else if (slot->state == SLOT_RUNNING && quash_slot_marked(slot, QUASH_DROPS))
		quash_owe_cancelled(slot);
}

/* Its answer is on its way: the first byte of it, or of the batch that it is part of, is in TX. */
static bool being_said(const quash_request *slot)
{
	return quash_slot_is(slot, SLOT_COMMITTED) ||
	       ((slot->more & MORE_BATCH) != 0 && (slot->peer->batch & BATCH_SAYING) != 0);
}

bool quash_flag(quash_request *slot, quash_cause cause)
{
	const bool link = cause == QUASH_BY_LINK;
	const bool mute = link || (cause == QUASH_BY_OTHER_SIDE && slot->peer->config->dialect->other_code == 0);
	const bool fresh = slot->cause == QUASH_NOT_CANCELLED && slot->state != SLOT_OWING;
	if (slot->state == SLOT_FREE || slot->state == SLOT_CLOSING || quash_slot_is(slot, SLOT_ANSWERED))
		return false;
	if (being_said(slot) && !link)
		return false;
	if (!fresh && !mute)
		return false;
	if (fresh)
		quash_set_cause(slot, cause);
	if (mute && !quash_slot_is(slot, SLOT_SILENT))
		silence(slot, link);
	if (fresh)
		apply(slot);
	else if (slot->state == SLOT_OWING || slot->state == SLOT_PARKED)
		quash_close(slot);
	return true;
}

void quash_flag_all(quash_peer *peer, quash_cause cause)
{
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		if (i != peer->landing)
			quash_flag(quash_slot(peer, i), cause);
	}
}

static bool is_over(const quash_request *slot, uint32_t when)
{
	return (int32_t)(slot->peer->now - when) >= 0;
}

static bool is_overdue(const quash_request *slot)
{
	return quash_slot_is(slot, SLOT_TIMED) && is_over(slot, slot->deadline);
}

/* Noted at a tick: who waits for the next step may wait until the clock has come round. */
static void end_wait(quash_request *slot)
{
	if (quash_slot_is(slot, SLOT_WAITING) && is_over(slot, slot->wake))
		slot->flags &= (uint8_t)~SLOT_WAITING;
}

void quash_flag_due(quash_peer *peer)
{
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		quash_request *slot = quash_slot(peer, i);
		if (slot->state == SLOT_FREE || i == peer->landing)
			continue;
		end_wait(slot);
		if (slot->cause != QUASH_NOT_CANCELLED)
			continue;
		if (QUASH_LOAD(slot->async) == slot->generation)
			quash_flag(slot, QUASH_BY_LOCAL_CODE);
		else if (is_overdue(slot))
			quash_flag(slot, QUASH_BY_DEADLINE);
	}
	if (peer->call_hooks != NULL)
		peer->call_hooks->tick(peer);
}
