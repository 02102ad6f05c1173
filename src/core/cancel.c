/* SPDX-License-Identifier: MIT */
#include "cancel.h"

#include "atomic.h"
#include "call_hooks.h"
#include "checked.h"

/* --- How requests end */

/* From flag to end. */
static void take_time(const quash_request *slot)
{
	quash_peer *peer = slot->peer;
	const uint32_t ms = peer->now - slot->at.flagged;
	if (slot->cause == QUASH_NOT_CANCELLED)
		return;
	peer->counters.last_cancel_ms = ms;
	if (ms > peer->counters.slowest_cancel_ms)
		peer->counters.slowest_cancel_ms = ms;
}

void quash_slot_end(quash_request *slot)
{
	take_time(slot);
	slot->life = LIFE_ENDED;
	slot->lease = 0;
	quash_slot_unmark(slot, MARK_TIMED | MARK_WAITING);
}

bool quash_is_over(const quash_request *slot)
{
	const quash_peer *peer = slot->peer;
	return slot->life == LIFE_ENDED && slot->answer >= ANSWER_WRITTEN && !quash_slot_is(slot, MARK_END) &&
		(peer->call_hooks == NULL || !peer->call_hooks->hold(slot));
}

void quash_settle(quash_request *slot)
{
	if (!quash_is_over(slot) || slot->peer->running == slot->index || quash_slot_is(slot, MARK_RELEASE))
		return;
	quash_checked_again(slot);
	quash_slot_free(slot);
}

void quash_record(quash_request *slot, enum quash_answer_form form, int32_t code, quash_why why)
{
	slot->form = (uint8_t)form;
	slot->code = code;
	slot->why = (uint8_t)(code == 0 ? QUASH_WHY_NONE : why);
	if (slot->answer != ANSWER_NONE)
		return;
	slot->answer = ANSWER_RECORDED;
	if (slot->peer->crowded > 0)
		quash_slot_mark(slot, MARK_CROWDED);
	quash_note(slot, QUASH_RECORDED);
	quash_checked_record(slot);
}

void quash_record_error(quash_request *slot, int32_t code, quash_why why)
{
	if (!quash_slot_is(slot, MARK_END))
		slot->tape_size = 0;
	quash_record(slot, FORM_WORDS, code, why);
}

void quash_put_constant(quash_writer *w, const quash_request *slot)
{
	quash_put_raw(w, slot->content.text);
}

void quash_record_cancelled(quash_request *slot)
{
	const quash_dialect *dialect = slot->peer->config->dialect;
	const quash_method *method = quash_slot_method(slot);
	const char *const json = method != NULL ? method->cancelled : NULL;
	const bool other = slot->cause == QUASH_BY_OTHER_SIDE;
	const quash_why why = other ? QUASH_WHY_CANCELLED : QUASH_WHY_OWN_CANCEL;
	if (json == NULL) {
		quash_record_error(slot, other ? dialect->other_code : dialect->own_code, why);
		return;
	}
	slot->content.text = json;
	slot->put.value = quash_put_constant;
	quash_record(slot, FORM_PUT, 0, why);
}

void quash_silence(quash_request *slot, quash_cause cause)
{
	uint8_t counter = offsetof(quash_counters, silenced);
	quash_why why = QUASH_WHY_CANCELLED;
	if (slot->answer == ANSWER_SILENT)
		return;
	if (cause == QUASH_BY_SESSION)
		why = QUASH_WHY_SESSION;
	if (cause == QUASH_BY_LINK) {
		why = QUASH_WHY_LINK;
		counter = offsetof(quash_counters, discarded);
	}
	slot->peer->out_stale = true;
	slot->answer = ANSWER_SILENT;
	slot->why = (uint8_t)why;
	quash_slot_unmark(slot, MARK_MEMBER);
	quash_count_up(slot->peer, counter);
	quash_note(slot, QUASH_SILENCED);
}

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
	return quash_slot_marked(slot, QUASH_DROPS) && !inside ? ROW_RUNNING_DROPS : ROW_RUNNING;
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
	case QUASH_BY_OTHER_SIDE: return peer->config->dialect->other_code == 0 ? SOURCE_SILENT : SOURCE_ANSWERED;
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
	quash_count_up(peer, (uint8_t)(offsetof(quash_counters, cancelled) + sizeof(quash_count) * (cause < QUASH_CAUSES ? cause : 0u)));
	quash_note(slot, QUASH_FLAGGED);
	if (peer->call_hooks != NULL)
		peer->call_hooks->cancel_children(slot, false);
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

void quash_flag_all(quash_peer *peer, quash_cause cause)
{
	quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL)
		(void)quash_flag(slot, cause);
}

/* --- Time */

QUASH_NOINLINE uint32_t quash_ms_until(const quash_peer *peer, uint32_t when)
{
	const int32_t ms = (int32_t)(when - peer->now);
	return ms > 0 ? (uint32_t)ms : 0;
}

static uint32_t deadline_left(const quash_request *slot)
{
	return quash_slot_is(slot, MARK_TIMED) ? quash_ms_until(slot->peer, slot->at.deadline) : UINT32_MAX;
}

static uint32_t lease_left(const quash_request *slot)
{
	const quash_peer *peer = slot->peer;
	if (slot->lease == 0)
		return UINT32_MAX;
	if (peer->link >= LINK_ENDING)
		return 0;
	return peer->armed || peer->config->lease_always ? quash_ms_until(peer, peer->alive + slot->lease) : UINT32_MAX;
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

void quash_flag_due(quash_peer *peer)
{
	quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL) {
		if (slot->life == LIFE_FREE)
			continue;
		if (wait_left(slot) == 0) /* noted here: who waits for the next step may wait until the clock has come round */
			quash_slot_unmark(slot, MARK_WAITING);
		if (slot->cause == QUASH_NOT_CANCELLED)
			flag_due_slot(slot);
	}
	if (peer->call_hooks != NULL)
		peer->call_hooks->tick(peer);
}
