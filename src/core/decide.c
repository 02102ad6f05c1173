/* SPDX-License-Identifier: MIT */
#include "decide.h"

#include "answer.h"
#include "atomic.h"
#include "call_hooks.h"

/* --- What a cancel does */

uint8_t quash_decide(enum cancel_row row, enum cancel_source source)
{
	enum { F = CANCEL_FLAG, S = CANCEL_SILENCE, E = CANCEL_END };
	static const QUASH_FLASH uint8_t table[CANCEL_ROWS][CANCEL_SOURCES] = {
		/* answered  silent     own    session    link */
		{ F | E, F | S | E, F | E, F | S | E, F | S | E }, /* ROW_PARKED */
		{ F,     F | S | E, F,     F | S | E, F | S | E }, /* ROW_PARKED_PARTIAL */
		{ 0,     S | E,     0,     S | E,     S | E },     /* ROW_PARKED_CANCELLED */
		{ F,     F | S,     F,     F | S,     F | S },     /* ROW_RUNNING */
		{ F | E, F | S | E, F | E, F | S | E, F | S | E }, /* ROW_RUNNING_DROPS */
		{ 0,     S,         0,     S,         S },         /* ROW_RUNNING_CANCELLED */
		{ 0,     F | S,     0,     S,         S },         /* ROW_RECORDED */
		{ 0,     0,         0,     0,         S },         /* ROW_BEGUN */
		{ 0,     0,         0,     0,         0 },         /* ROW_OVER */
	};
	return row < CANCEL_ROWS && source < CANCEL_SOURCES ? table[row][source] : 0;
}

static enum cancel_row unanswered_row(const quash_request *slot)
{
	const bool parked = slot->life == LIFE_PARKED;
	const bool inside = slot->peer->running == slot->index;
	if (slot->cause != QUASH_NOT_CANCELLED) {
		if (slot->answer == ANSWER_SILENT)
			return ROW_OVER;
		return parked ? ROW_PARKED_CANCELLED : ROW_RUNNING_CANCELLED;
	}
	if (parked)
		return quash_slot_marked(slot, QUASH_PARTIAL) ? ROW_PARKED_PARTIAL : ROW_PARKED;
	return quash_slot_drops(slot) && !inside ? ROW_RUNNING_DROPS : ROW_RUNNING;
}

static enum cancel_row row_of(const quash_request *slot)
{
	if (slot->life == LIFE_FREE || slot->answer == ANSWER_WRITTEN)
		return ROW_OVER;
	if (slot->answer == ANSWER_BEGUN)
		return ROW_BEGUN;
	if (slot->answer == ANSWER_RECORDED)
		return ROW_RECORDED;
	return slot->life == LIFE_ENDED ? ROW_OVER : unanswered_row(slot);
}

static enum cancel_source source_of(const quash_peer *peer, quash_cause cause)
{
	switch (cause) {
	case QUASH_BY_OTHER_SIDE: return quash_config_of(peer)->dialect->other_code == 0 ? SOURCE_SILENT : SOURCE_ANSWERED;
	case QUASH_BY_SESSION: return SOURCE_SESSION;
	case QUASH_BY_LINK: return SOURCE_LINK;
	default: return SOURCE_OWN;
	}
}

void quash_set_cause(quash_request *slot, quash_cause cause)
{
	quash_peer *peer = slot->peer;
	if (slot->cause != QUASH_NOT_CANCELLED)
		return;
	QUASH_STORE(slot->cause, (uint8_t)cause);
	slot->at.flagged = peer->now;
	quash_slot_unmark(slot, MARK_TIMED);
	const unsigned counter = cause < QUASH_CAUSES ? cause : 0u;
	quash_count_up(peer, (uint8_t)(offsetof(quash_counters, cancelled) + sizeof(quash_count) * counter));
	quash_note(slot, QUASH_FLAGGED);
	if (quash_calls_of(peer) != NULL)
		quash_calls_of(peer)->cancel_children(slot, false);
}

bool quash_flag(quash_request *slot, quash_cause cause)
{
	const uint8_t action = quash_decide(row_of(slot), source_of(slot->peer, cause));
	if ((action & CANCEL_FLAG) != 0)
		quash_set_cause(slot, cause);
	if ((action & CANCEL_SILENCE) != 0)
		quash_silence(slot, cause);
	if ((action & CANCEL_END) != 0) {
		quash_slot_end(slot);
		quash_record_cancelled(slot);
	}
	quash_settle(slot);
	return action != 0;
}

QUASH_NOINLINE void quash_flag_all(quash_peer *peer, quash_cause cause)
{
	quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL)
		(void)quash_flag(slot, cause);
}

/* --- How local code cancels */

void quash_cancel(quash_request *request)
{
	(void)quash_flag(request, QUASH_BY_LOCAL_CODE);
}

quash_handle quash_handle_of(quash_request *request)
{
	const quash_handle handle = { request, request->generation };
	return handle;
}

/* A late cancel must not take the place of another thread's, of the slot's next request. */
void quash_cancel_async(quash_handle handle)
{
	quash_request *const request = handle.request;
	const quash_generation before = QUASH_LOAD(request->async);
	if (QUASH_LOAD(request->generation) == handle.generation)
		quash_store_next(&request->async, before, handle.generation);
}

bool quash_handle_cancelled(quash_handle handle)
{
	const bool cancelled = quash_cancelled(handle.request) != QUASH_NOT_CANCELLED;
	return QUASH_LOAD(handle.request->generation) != handle.generation || cancelled;
}
