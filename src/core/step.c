/* SPDX-License-Identifier: MIT
 * Running: the only code that calls handlers and hooks. */
#include "atomic.h"
#include "batch_hooks.h"
#include "call_hooks.h"
#include "checked.h"
#include "decide.h"
#include "feed.h"
#include "group.h"
#include "due.h"
#include "transmit.h"

/* --- How handlers end */

/* Another thread's cancel may have come since the last tick: what the handler answered then is void already. */
static void note_cause(quash_request *slot, int32_t outcome)
{
	quash_cause cause = quash_cancelled(slot);
	if (slot->cause != QUASH_NOT_CANCELLED)
		return;
	if (cause == QUASH_NOT_CANCELLED && outcome == QUASH_CANCELLED)
		cause = QUASH_BY_HANDLER;
	if (cause != QUASH_NOT_CANCELLED)
		quash_set_cause(slot, cause);
}

static void record_outcome(quash_request *slot, int32_t outcome)
{
	if (slot->cause != QUASH_NOT_CANCELLED && (outcome == QUASH_CANCELLED || !quash_slot_marked(slot, QUASH_PARTIAL))) {
		quash_record_cancelled(slot);
		return;
	}
	if (outcome < 0 && outcome >= -65535) {
		quash_record_error(slot, outcome, QUASH_WHY_HANDLER);
		return;
	}
	const quash_why why = outcome == QUASH_DONE ? QUASH_WHY_NO_ANSWER : QUASH_WHY_BAD_CODE;
	quash_note_misuse(slot->peer, slot, outcome, why);
	quash_record_error(slot, QUASH_INTERNAL_ERROR, QUASH_WHY_NONE);
	slot->why = (uint8_t)why; /* it is traced by now */
}

static void handler_ended(quash_request *slot, int32_t outcome)
{
	if (slot->form == FORM_NONE)
		note_cause(slot, outcome);
	else if (outcome != QUASH_DONE)
		quash_note_misuse(slot->peer, slot, outcome, QUASH_WHY_SECOND_ANSWER);
	quash_slot_end(slot);
	if (slot->answer == ANSWER_NONE)
		record_outcome(slot, outcome);
}

/* --- Hooks */

static void leave_calls(quash_request *slot)
{
	quash_peer *peer = slot->peer;
	if (quash_calls_of(peer) == NULL || peer->children == NULL)
		return;
	quash_transmit(peer); /* what its handler has asked for before it ended is asked all the same */
	quash_calls_of(peer)->cancel_children(slot, true);
}

QUASH_OUTLINED_ static void ready_to_call(quash_request *slot)
{
	quash_slot_unmark(slot, MARK_WAITING);
	QUASH_STORE(slot->woken, 0);
	QUASH_FENCE(); /* what is called sees what was there before a wake that this has taken back */
}

static void run_end(quash_request *slot)
{
	const quash_method *method = quash_slot_method(slot);
	int32_t outcome = QUASH_DONE;
	if (!quash_slot_is(slot, MARK_END))
		return;
	ready_to_call(slot);
	quash_checked_again(slot);
	if (method != NULL && method->motion.end != NULL)
		outcome = method->motion.end(slot);
	quash_checked_again(slot);
	leave_calls(slot);
	if (outcome == QUASH_PENDING)
		return;
	quash_slot_unmark(slot, MARK_END | MARK_WAITING);
	quash_group_give_back(slot);
}

QUASH_OUTLINED_ static bool is_releasable(const quash_request *slot)
{
	return quash_slot_is(slot, MARK_RELEASE) && quash_is_over(slot);
}

static void run_released(quash_request *slot)
{
	const quash_method *method = quash_slot_method(slot);
	if (!is_releasable(slot))
		return;
	quash_slot_unmark(slot, MARK_RELEASE);
	if (method != NULL && method->released != NULL)
		method->released(slot);
}

/* --- Handlers */

/* Nothing begins to move when no sign of life can come. That goes for what was kept until this step, and for what is
 * called with its flag because it gives partial results. */
static bool may_begin(quash_request *slot)
{
	if (slot->life != LIFE_PARKED || slot->lease == 0 || slot->peer->link.state == LINK_UP)
		return true;
	quash_set_cause(slot, QUASH_BY_LEASE);
	return false;
}

/* Its handler is called for the first time. False when its group is held. */
static bool start(quash_request *slot, const quash_method *method)
{
	if (method->motion.group != NULL && !quash_group_take(slot, method->motion.group)) {
		quash_slot_end(slot);
		slot->content.text = "Busy: one at a time";
		quash_count_up(slot->peer, offsetof(quash_counters, held));
		quash_record(slot, FORM_FAIL, QUASH_BUSY, QUASH_WHY_GROUP);
		if (slot->answer == ANSWER_SILENT)
			quash_note(slot, QUASH_DROPPED);
		return false;
	}
	quash_slot_mark(slot, (uint8_t)(MARK_END | MARK_STARTED | (method->released != NULL ? MARK_RELEASE : 0)));
	slot->life = LIFE_RUNNING;
	quash_note(slot, QUASH_STARTED);
	return true;
}

/* It goes on when its handler is pending and nothing else ends it. */
static bool goes_on(const quash_request *slot, int32_t outcome)
{
	if (outcome != QUASH_PENDING || slot->form != FORM_NONE)
		return false;
	return slot->cause == QUASH_NOT_CANCELLED || !quash_slot_drops(slot);
}

static void run_handler(quash_request *slot)
{
	const quash_method *method = quash_slot_method(slot);
	int32_t outcome = QUASH_CANCELLED;
	if (method == NULL)
		return;
	if (may_begin(slot)) {
		if (slot->life == LIFE_PARKED && !start(slot, method))
			return;
		ready_to_call(slot);
		outcome = method->handler(slot);
	}
	if (goes_on(slot, outcome))
		return;
	handler_ended(slot, outcome);
	run_end(slot);
}

QUASH_OUTLINED_ static void run_slot(quash_peer *peer, quash_request *slot)
{
	peer->running = slot->index;
	if (slot->life == LIFE_ENDED)
		run_end(slot);
	else
		run_handler(slot);
	run_released(slot);
	peer->running = NO_INDEX;
	quash_notify_drop_open(peer);
	quash_settle(slot);
	quash_transmit(peer);
}

/* --- Which of them */

/* A member of a batch waits for its closing bracket. */
static bool is_member_held(const quash_request *slot)
{
	const quash_peer *peer = slot->peer;
	const struct quash_batch_code *batch = quash_config_of(peer)->dialect->batch;
	if ((slot->effects & EFFECT_BEGINS) != 0)
		return true;
	return quash_slot_is(slot, MARK_MEMBER) && (peer->batch & BATCH_RECEIVING) != 0 && batch != NULL &&
		!batch->under_way(peer);
}

static bool has_slept(const quash_request *slot)
{
	return !quash_slot_is(slot, MARK_WAITING) || QUASH_LOAD(slot->woken) != 0;
}

static bool is_runnable(const quash_request *slot)
{
	switch (slot->life) {
	case LIFE_PARKED: return !is_member_held(slot);
	case LIFE_RUNNING: return has_slept(slot) || quash_cancelled(slot) != QUASH_NOT_CANCELLED;
	case LIFE_ENDED: return quash_slot_is(slot, MARK_END) ? has_slept(slot) : is_releasable(slot);
	default: return false;
	}
}

/* The oldest live request that was not looked at yet, or NULL. */
static quash_request *next_due(const quash_peer *peer)
{
	quash_request *slot = NULL;
	while ((slot = quash_next_younger(peer, slot)) != NULL && !quash_slot_is(slot, MARK_DUE))
		;
	return slot;
}

QUASH_NOINLINE static bool run_slots(quash_peer *peer)
{
	bool any = false;
	quash_request *slot = NULL;
	while ((slot = quash_next_younger(peer, slot)) != NULL)
		quash_slot_mark(slot, MARK_DUE);
	while ((slot = next_due(peer)) != NULL) {
		quash_slot_unmark(slot, MARK_DUE);
		if (!is_runnable(slot))
			continue;
		run_slot(peer, slot);
		any = true;
	}
	return any;
}

bool quash_step(quash_peer *peer)
{
	quash_checked_call(peer);
	if (peer->running != NO_INDEX || peer->out.composing)
		return false;
	quash_notify_drop_open(peer);
	quash_flag_due(peer);
	bool any = quash_feed_resume(peer, false);
	if (run_slots(peer))
		any = true;
	if (quash_calls_of(peer) != NULL && quash_calls_of(peer)->end_step(peer))
		any = true;
	if (peer->out.crowded > 0 && --peer->out.crowded == 0) /* a notification found room, or was not tried again */
		quash_slots_uncrowd(peer);
	quash_transmit(peer);
	quash_arena_pack(peer);
	return quash_feed_resume(peer, true) || any;
}

/* --- Sleeping */

/* Nothing that leaves will wake the program, and there is something to be written beside single answers. */
static bool writes_now(const quash_peer *peer)
{
	if (!quash_tx_empty(&peer->writer))
		return false;
	if (peer->out.message != NULL || peer->in.pause == PAUSE_REFUSAL)
		return true;
	if (peer->live == 0) /* a config that is refused may have no dialect */
		return false;
	const struct quash_batch_code *batch = quash_config_of(peer)->dialect->batch;
	return batch != NULL && batch->next(peer, NULL) != NULL;
}

/* The same for its answer. */
static bool is_written_now(const quash_request *slot)
{
	return slot->life == LIFE_ENDED && slot->answer == ANSWER_RECORDED && !quash_slot_is(slot, MARK_MEMBER) &&
		quash_tx_empty(&slot->peer->writer);
}

static uint32_t sleep_of(const quash_request *slot)
{
	const bool unnoticed = slot->life != LIFE_ENDED && slot->cause == QUASH_NOT_CANCELLED &&
		quash_cancelled(slot) != QUASH_NOT_CANCELLED;
	if (slot->life == LIFE_FREE)
		return UINT32_MAX;
	return is_runnable(slot) || unnoticed || is_written_now(slot) ? 0 : quash_ms_left(slot);
}

uint32_t quash_idle_ms(const quash_peer *peer)
{
	uint32_t least = quash_calls_of(peer) != NULL ? quash_calls_of(peer)->idle(peer) : UINT32_MAX;
	const quash_request *slot = NULL;
	if (quash_feed_is_due(peer) || writes_now(peer) || peer->out.crowded > 0)
		return 0;
	while ((slot = quash_next_younger(peer, slot)) != NULL) {
		const uint32_t ms = sleep_of(slot);
		least = ms < least ? ms : least;
	}
	return least;
}
