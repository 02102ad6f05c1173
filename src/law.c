/* SPDX-License-Identifier: MIT */
#include "law.h"

#include "atomic.h"

static bool has_mark(const quash_peer *peer, const quash_request *slot, uint8_t mark)
{
	const quash_method *method = quash_slot_method(peer, slot);
	return method != NULL && (method->marks & mark) != 0;
}

void quash_release(quash_peer *peer)
{
	peer->owner = (peer->batch & BATCH_SAYING) != 0 ? BATCH_OWNER : NOBODY;
	peer->open = false;
}

/* From flag to end. */
static void take_time(quash_peer *peer, const quash_request *slot)
{
	const uint32_t ms = peer->now - slot->deadline;
	if (slot->cause == QUASH_NOT_CANCELLED || (slot->state != SLOT_PARKED && slot->state != SLOT_RUNNING))
		return;
	peer->counters.last_cancel_ms = ms;
	if (ms > peer->counters.slowest_cancel_ms)
		peer->counters.slowest_cancel_ms = ms;
}

void quash_close(quash_peer *peer, uint8_t index)
{
	quash_request *slot = quash_slot(peer, index);
	take_time(peer, slot);
	if (peer->owner == index)
		quash_release(peer);
	slot->tape_size = 0;
	if (index == peer->landing)
		quash_ring_land(peer);
	else if (peer->running == index || quash_slot_is(slot, SLOT_HOOK))
		slot->state = SLOT_CLOSING;
	else
		quash_ring_free(peer, index);
}

static void silence(quash_peer *peer, uint8_t index, bool link)
{
	quash_request *slot = quash_slot(peer, index);
	slot->flags |= SLOT_SILENT;
	if (quash_slot_is(slot, SLOT_NOTIFICATION))
		return;
	quash_add(link ? &peer->counters.discarded : &peer->counters.silenced, 1);
	quash_tell(peer, QUASH_SILENCED, slot, 0);
}

void quash_owe(quash_peer *peer, uint8_t index, int32_t code)
{
	quash_request *slot = quash_slot(peer, index);
	slot->tape_size = 0;
	if (quash_slot_is(slot, SLOT_NOTIFICATION | SLOT_SILENT)) {
		quash_close(peer, index);
		return;
	}
	take_time(peer, slot);
	slot->state = SLOT_OWING;
	slot->deadline = (uint32_t)code;
	slot->flags &= (uint8_t)~(SLOT_TIMED | SLOT_WAITING | SLOT_MEASURED);
}

void quash_owe_cancelled(quash_peer *peer, uint8_t index)
{
	quash_request *slot = quash_slot(peer, index);
	const quash_dialect *dialect = peer->config->dialect;
	const quash_method *method = quash_slot_method(peer, slot);
	const int32_t code = slot->cause == QUASH_BY_OTHER_SIDE ? dialect->other_code : dialect->own_code;
	if (slot->cause == QUASH_BY_OTHER_SIDE && code == 0 && !quash_slot_is(slot, SLOT_SILENT))
		silence(peer, index, false);
	if (method != NULL && method->cancelled != NULL)
		slot->more |= MORE_RESULT;
	quash_owe(peer, index, code);
}

static void parked_cancelled(quash_peer *peer, uint8_t index)
{
	quash_request *slot = quash_slot(peer, index);
	if (quash_slot_is(slot, SLOT_SILENT) || !has_mark(peer, slot, QUASH_PARTIAL))
		quash_owe_cancelled(peer, index);
}

void quash_set_cause(quash_peer *peer, uint8_t index, quash_cause cause)
{
	quash_request *slot = quash_slot(peer, index);
	QUASH_STORE(slot->cause, (uint8_t)cause);
	slot->deadline = peer->now;
	slot->flags &= (uint8_t)~SLOT_TIMED;
	quash_add(&peer->counters.cancelled[cause < QUASH_CAUSES ? cause : 0], 1);
	quash_tell(peer, QUASH_FLAGGED, slot, (int32_t)cause);
}

/* What the law makes of a request whose cause was just set. */
static void apply(quash_peer *peer, uint8_t index)
{
	quash_request *slot = quash_slot(peer, index);
	if (slot->state == SLOT_PARKED)
		parked_cancelled(peer, index);
	else if (slot->state == SLOT_RUNNING && has_mark(peer, slot, QUASH_DROPS))
		quash_owe_cancelled(peer, index);
}

/* Its answer is on its way: the first byte of it, or of the batch that it is part of, is in TX. */
static bool being_said(const quash_peer *peer, const quash_request *slot)
{
	return quash_slot_is(slot, SLOT_COMMITTED) ||
	       ((slot->more & MORE_BATCH) != 0 && (peer->batch & BATCH_SAYING) != 0);
}

bool quash_flag(quash_peer *peer, uint8_t index, quash_cause cause)
{
	quash_request *slot = quash_slot(peer, index);
	const bool link = cause == QUASH_BY_LINK;
	const bool mute = link || (cause == QUASH_BY_OTHER_SIDE && peer->config->dialect->other_code == 0);
	const bool fresh = slot->cause == QUASH_NOT_CANCELLED && slot->state != SLOT_OWING;
	if (slot->state == SLOT_FREE || slot->state == SLOT_CLOSING || quash_slot_is(slot, SLOT_ANSWERED))
		return false;
	if (being_said(peer, slot) && !link)
		return false;
	if (!fresh && !mute)
		return false;
	if (fresh)
		quash_set_cause(peer, index, cause);
	if (mute && !quash_slot_is(slot, SLOT_SILENT))
		silence(peer, index, link);
	if (fresh)
		apply(peer, index);
	else if (slot->state == SLOT_OWING)
		quash_close(peer, index);
	return true;
}

void quash_flag_all(quash_peer *peer, quash_cause cause)
{
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		if (i != peer->landing)
			quash_flag(peer, i, cause);
	}
}

static bool overdue(const quash_peer *peer, const quash_request *slot)
{
	return quash_slot_is(slot, SLOT_TIMED) && (int32_t)(peer->now - slot->deadline) >= 0;
}

void quash_flag_due(quash_peer *peer)
{
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		const quash_request *slot = quash_slot(peer, i);
		if (slot->state == SLOT_FREE || i == peer->landing)
			continue;
		if (slot->cause == QUASH_NOT_CANCELLED && QUASH_LOAD(slot->async) == slot->generation)
			quash_flag(peer, i, QUASH_BY_LOCAL_CODE);
		else if (slot->cause == QUASH_NOT_CANCELLED && overdue(peer, slot))
			quash_flag(peer, i, QUASH_BY_DEADLINE);
	}
}
