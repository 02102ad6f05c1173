/* SPDX-License-Identifier: MIT */
#include "due.h"

#include "atomic.h"
#include "call_hooks.h"
#include "decide.h"

/* --- What runs out */

QUASH_NOINLINE uint32_t quash_ms_until(const quash_peer *peer, uint32_t when)
{
	const int32_t ms = (int32_t)(when - peer->now);
	return ms > 0 ? (uint32_t)ms : 0;
}

static uint32_t deadline_left(const quash_request *slot)
{
	return quash_slot_is(slot, MARK_TIMED) ? quash_ms_until(slot->peer, slot->at.deadline) : UINT32_MAX;
}

QUASH_INLINED_ static uint32_t lease_left(const quash_request *slot)
{
	const quash_peer *peer = slot->peer;
	if (slot->lease == 0)
		return UINT32_MAX;
	if (peer->link.state >= LINK_ENDING)
		return 0;
	return quash_has_promised(peer) || quash_config_of(peer)->lease_always
		? quash_ms_until(peer, peer->alive + slot->lease) : UINT32_MAX;
}

static uint32_t wait_left(const quash_request *slot)
{
	return quash_slot_is(slot, MARK_WAITING) ? quash_ms_until(slot->peer, slot->wake) : UINT32_MAX;
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

uint32_t quash_ms_left(const quash_request *slot)
{
	const uint32_t ms = least_of(deadline_left(slot), wait_left(slot));
	return slot->cause == QUASH_NOT_CANCELLED ? least_of(ms, lease_left(slot)) : ms;
}

static void flag_due_slot(quash_request *slot)
{
	if (QUASH_LOAD(slot->async) == slot->generation)
		(void)quash_flag(slot, QUASH_BY_LOCAL_CODE);
	else if (deadline_left(slot) == 0)
		(void)quash_flag(slot, QUASH_BY_DEADLINE);
	else if (lease_left(slot) == 0)
		(void)quash_flag(slot, QUASH_BY_LEASE);
}

/* What is flagged may be free behind that. */
void quash_flag_due(quash_peer *peer)
{
	quash_request *next = quash_next_younger(peer, NULL);
	while (next != NULL) {
		quash_request *const slot = next;
		next = quash_next_younger(peer, slot);
		if (wait_left(slot) == 0) /* noted here: who waits for the next step may wait until the clock has come round */
			quash_slot_unmark(slot, MARK_WAITING);
		if (slot->cause == QUASH_NOT_CANCELLED)
			flag_due_slot(slot);
	}
	if (quash_calls_of(peer) != NULL)
		quash_calls_of(peer)->tick(peer);
}

/* --- What handlers ask for */

static const uint32_t longest_time = 0x7FFFFFFF;

QUASH_NOINLINE int32_t quash_wait(quash_request *request, uint32_t ms)
{
	request->wake = request->peer->now + (ms < longest_time ? ms : longest_time);
	quash_slot_mark(request, MARK_WAITING);
	return QUASH_PENDING;
}

void quash_wake(quash_request *request)
{
	QUASH_FENCE(); /* after all that the handler is woken for */
	QUASH_STORE(request->woken, 1);
}

void quash_deadline(quash_request *request, uint32_t ms)
{
	if (request->life != LIFE_RUNNING || request->cause != QUASH_NOT_CANCELLED)
		return;
	const uint32_t at = request->peer->now + (ms < longest_time ? ms : longest_time);
	const bool moves = request->lease != 0 && quash_slot_is(request, MARK_TIMED);
	if (moves && (int32_t)(at - request->at.deadline) > 0)
		return;
	request->at.deadline = at;
	quash_slot_mark(request, MARK_TIMED);
}

void quash_lease(quash_request *request, uint32_t ms)
{
	if (request->life != LIFE_RUNNING)
		return;
	request->lease = ms < longest_time ? ms : longest_time;
	quash_flag_due(request->peer); /* it may have run out already */
}

void quash_end_leases(quash_peer *peer)
{
	quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL) {
		if (slot->life != LIFE_FREE && slot->lease != 0 && slot->cause == QUASH_NOT_CANCELLED)
			(void)quash_flag(slot, QUASH_BY_LEASE);
	}
}

/* --- Signs of life */

/* Noise holds empty lines too. The first one after a broken line is not believed. The next ones renew leases, for a
 * client whose line was disturbed goes on; to arm them takes one more than noise may hold. */
void quash_note_life_sign(quash_peer *peer)
{
	const uint8_t noisy = peer->link.noisy;
	if (noisy > NOISE_LINES && peer->link.armed < PROMISE_SINGLE) {
		peer->link.armed = PROMISE_OPEN;
		peer->link.noisy = noisy == MESSAGE_END ? 0 : MESSAGE_END;
	} else if (noisy == 0 || noisy > NOISE_LINES) {
		peer->link.armed = PROMISE_GIVEN;
	} else {
		peer->link.noisy = (uint8_t)(noisy - 1);
	}
	if (noisy == NOISE_LINES)
		return;
	peer->alive = peer->now;
	quash_count_up(peer, offsetof(quash_counters, life_signs));
}

/* Who ends each message twice never sends two without an empty line between them. */
void quash_note_message_end(quash_peer *peer)
{
	const uint8_t end = quash_message_end(peer);
	if (peer->link.noisy == end)
		peer->link.armed |= PROMISE_SINGLE;
	peer->link.noisy = end;
}
