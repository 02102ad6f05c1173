/* SPDX-License-Identifier: MIT
 * Calls of ours: starting them, writing them and their cancels into TX, and calling back when they have ended. */
#include "call_inner.h"

#include "../core/answer.h"
#include "../core/fault_hooks.h"
#include "../core/feed.h"
#include "../core/due.h"
#include "../core/transmit.h"
#include "../json/writer.h"

/* --- Steps */

/* True if its callback is to be called. */
static bool wants_callback(const quash_call *call)
{
	return call->state == CALL_ENDED && call->done != NULL && !quash_call_is(call, CALL_WRITING | CALL_KEPT);
}

/* A call that its callback has released or started again is not due any more. */
static void callback_ended(quash_call *call, int32_t outcome)
{
	if (!quash_call_is(call, CALL_DUE) || call->state != CALL_ENDED)
		return;
	quash_call_unmark(call, CALL_DUE);
	if (outcome == QUASH_CALL_KEEP)
		quash_call_mark(call, CALL_KEPT);
	else if (outcome != QUASH_PENDING)
		quash_call_leave(call);
}

static void run_callback(quash_call *call)
{
	quash_peer *peer = call->peer;
	quash_call_done *const done = call->done;
	quash_call_wake_parent(call);
	peer->running = CALLBACK;
	const int32_t outcome = done != NULL ? done(call) : QUASH_CALL_KEEP;
	peer->running = NO_INDEX;
	quash_notify_drop_open(peer);
	callback_ended(call, outcome);
}

static bool is_callback_due(const quash_call *call)
{
	return quash_call_is(call, CALL_DUE) && wants_callback(call);
}

/* Callbacks may change the list, so each search begins with the oldest call. A call that they start is not due. */
bool quash_calls_end_step(quash_peer *peer)
{
	bool any = false;
	quash_call *call;
	for (call = peer->calls; call != NULL; call = call->next)
		quash_call_mark(call, CALL_DUE);
	while ((call = quash_call_first(peer, is_callback_due)) != NULL) {
		run_callback(call);
		any = true;
	}
	return any;
}

/* A call that is to be written waits for the message that is being written, else for the next step. */
uint32_t quash_calls_idle(const quash_peer *peer)
{
	uint32_t least = UINT32_MAX;
	const bool writes = peer->out.message == NULL && peer->link.state != LINK_GONE && quash_calls_next(peer) != NULL;
	if (writes || quash_feed_is_in_vain(peer))
		return 0;
	for (const quash_call *call = peer->calls; call != NULL; call = call->next) {
		if (wants_callback(call))
			return 0;
		const uint32_t ms = quash_call_is_timed(call) ? quash_ms_until(call->peer, call->due) : UINT32_MAX;
		least = ms < least ? ms : least;
	}
	return least;
}

const struct quash_call_hooks quash_calls = {
	.response = quash_calls_response,
	.next = quash_calls_next,
	.message = &quash_call_message,
	.tick = quash_calls_tick,
	.end_step = quash_calls_end_step,
	.gone = quash_calls_gone,
	.cancel_children = quash_calls_cancel_children,
	.hold = quash_calls_hold,
	.free_children = quash_calls_free_children,
	.frees = quash_calls_free,
	.pack = quash_calls_pack,
	.idle = quash_calls_idle,
};

/* --- Starting */

static const uint32_t last_possible_id = 0x7FFFFFFF;

static void append(quash_peer *peer, quash_call *call)
{
	quash_call **at = &peer->calls;
	for (quash_call *older = *at; older != NULL; older = *at)
		at = &older->next;
	*at = call;
	call->next = NULL;
}

void quash_call_ids_from(quash_peer *peer, uint32_t id)
{
	if (id > peer->last_id && id <= last_possible_id)
		peer->last_id = id - 1;
}

/* Nothing would write the call, or end it. */
QUASH_OUTLINED_ static bool may_call(quash_peer *peer, const quash_request *parent)
{
	if (quash_is_silent(peer))
		return false;
	if (quash_calls_of(peer) == NULL)
		quash_note_misuse(peer, parent, 0, QUASH_WHY_NO_CALLS);
	return quash_calls_of(peer) != NULL;
}

bool quash_call_start(quash_peer *peer, quash_call *call)
{
	if (call->state == CALL_OPEN || quash_call_is(call, CALL_WRITING) || !may_call(peer, NULL))
		return false;
	if (call->state == CALL_ENDED)
		quash_call_leave(call);
	call->state = CALL_OPEN;
	call->flags = 0;
	call->outcome = QUASH_CALL_OPEN;
	call->peer = peer;
	call->due = peer->now + call->deadline;
	append(peer, call);
	call->id = peer->last_id < last_possible_id ? ++peer->last_id : 0;
	if (peer->link.state != LINK_UP || call->id == 0)
		quash_call_end(call, QUASH_CALL_LINK);
	return true;
}

/* Appends it to the children of the parent's peer. */
static void adopt(quash_request *parent, quash_call *call)
{
	quash_call **at = &parent->peer->children;
	for (quash_call *older = *at; older != NULL; older = *at)
		at = &older->sibling;
	*at = call;
	call->sibling = NULL;
	call->parent = parent;
}

bool quash_call_start_for(quash_request *parent, quash_peer *peer, quash_call *call)
{
	const bool runs = parent->life == LIFE_RUNNING;
	if (!may_call(parent->peer, parent) || !quash_call_start(peer, call))
		return false;
	if (runs)
		adopt(parent, call);
	if (call->state == CALL_ENDED)
		quash_wake(parent);
	else if (!runs || quash_cancelled(parent) != QUASH_NOT_CANCELLED)
		quash_call_end(call, QUASH_CALL_CANCELLED);
	return true;
}

/* --- Looking at a call */

bool quash_call_in_use(const quash_call *call)
{
	return call->state != CALL_IDLE;
}

bool quash_call_has_ended(const quash_call *call)
{
	return call->state != CALL_OPEN;
}

bool quash_call_cancel_id(quash_peer *peer, uint32_t id)
{
	quash_call *call = quash_call_find(peer, id);
	if (call == NULL || call->state != CALL_OPEN)
		return false;
	quash_call_cancel(call);
	return true;
}

uint16_t quash_call_count(const quash_peer *peer)
{
	uint16_t n = 0;
	for (const quash_call *call = peer->calls; call != NULL && n < UINT16_MAX; call = call->next)
		n++;
	return n;
}

/* --- Writing: which call is next */

static bool owes_cancel(const quash_call *call)
{
	return quash_call_is(call, CALL_OWED) && quash_call_is(call, CALL_WRITTEN);
}

static bool owes_request(const quash_call *call)
{
	return call->state == CALL_OPEN && !quash_call_is(call, CALL_WRITTEN);
}

quash_call *quash_calls_next(const quash_peer *peer)
{
	quash_call *call = quash_call_first(peer, owes_cancel);
	return call != NULL ? call : quash_call_first(peer, owes_request);
}

/* --- Writing: the message */

static void put_params(quash_writer *w, const quash_call *call)
{
	quash_call_put *const put = call->put;
	if (put == NULL)
		return;
	quash_put_head(w, ",\"params\":");
	put(w, call);
	if (quash_writer_is_due(w))
		quash_put_object(w);
}

static void put_request(quash_writer *w, const quash_call *call)
{
	quash_put_plain(w, ",\"id\":");
	quash_put_digits(w, call->id);
	quash_put_head(w, ",\"method\":");
	quash_put_text(w, call->method);
	put_params(w, call);
}

static void put_cancel(quash_writer *w, const quash_call *call)
{
	const quash_dialect *dialect = quash_config_of(call->peer)->dialect;
	quash_put_head(w, ",\"method\":");
	quash_put_text(w, dialect->cancels[0].method);
	quash_put_head(w, ",\"params\":");
	quash_put_object(w);
	quash_put_key(w, dialect->cancel_id);
	quash_put_uint(w, call->id);
}

static bool put_call(quash_peer *peer, quash_request *slot, bool resumed)
{
	quash_writer *w = &peer->writer;
	const quash_call *call = peer->out.call;
	(void)slot;
	(void)resumed;
	quash_put_plain(w, "{\"jsonrpc\":\"2.0\"");
	if (quash_call_is(call, CALL_WRITTEN))
		put_cancel(w, call);
	else
		put_request(w, call);
	quash_put_ends(w);
	quash_put_byte(w, '}');
	return true;
}

/* --- Writing: its end */

static void call_begun(quash_peer *peer, quash_request *slot)
{
	(void)slot;
	quash_call_mark(peer->out.call, CALL_WRITING);
}

static void note_written(quash_call *call)
{
	quash_peer *peer = call->peer;
	if (quash_call_is(call, CALL_WRITTEN)) {
		quash_call_unmark(call, CALL_OWED);
		quash_count_up(peer, offsetof(quash_counters, call_cancels));
		return;
	}
	quash_call_mark(call, CALL_WRITTEN);
	quash_count_up(peer, offsetof(quash_counters, calls));
}

/* The call may end here, and the state that it stands in may be given back. */
static void call_written(quash_peer *peer, quash_request *slot)
{
	quash_call *call = peer->out.call;
	(void)slot;
	note_written(call);
	if (call->state != CALL_OPEN || call->outcome == QUASH_CALL_LINK) {
		quash_call_cut(call, QUASH_CALL_LINK);
		return;
	}
	quash_call_unmark(call, CALL_WRITING);
	quash_call_settle(call);
}

static void call_given_up(quash_peer *peer, quash_request *slot, quash_why why)
{
	quash_call *call = peer->out.call;
	(void)slot;
	quash_note_misuse(peer, call->parent, QUASH_INTERNAL_ERROR, why);
	quash_call_cut(call, QUASH_CALL_UNWRITTEN);
}

const struct quash_message_code quash_call_message = { put_call, call_begun, call_written, call_given_up };
