/* SPDX-License-Identifier: MIT
 * How calls end: answered, cancelled, by their parent, by the link. */
#include "call_inner.h"

#include "../core/law.h"
#include "../core/match.h"

void quash_call_let_go(quash_call *call)
{
	quash_request *parent = call->parent;
	if (parent == NULL)
		return;
	quash_call **at = &parent->peer->children;
	quash_call *one;
	for (one = *at; one != NULL && one != call; one = *at)
		at = &one->sibling;
	if (one == call)
		*at = call->sibling;
	call->parent = NULL;
	if (parent->state == SLOT_CLOSING)
		quash_close(parent);
}

/* It is the caller's again. */
void quash_call_leave(quash_call *call)
{
	quash_call **at = &call->peer->calls;
	quash_call *one;
	for (one = *at; one != NULL && one != call; one = *at)
		at = &one->next;
	if (one == call)
		*at = call->next;
	call->state = CALL_IDLE;
	call->tape_size = 0;
	quash_call_let_go(call);
}

void quash_call_leave_if_done(quash_call *call)
{
	if (call->state == CALL_ENDED && quash_call_is(call, CALL_ORPHAN) && !quash_call_is(call, CALL_WRITING))
		quash_call_leave(call);
}

void quash_call_wake(quash_request *parent)
{
	if (parent != NULL)
		quash_wake(parent);
}

void quash_call_end(quash_call *call, quash_outcome outcome)
{
	call->state = CALL_ENDED;
	call->outcome = (uint8_t)outcome;
	call->flags &= (uint8_t)~CALL_OWED;
	quash_call_wake(call->parent);
	quash_call_leave_if_done(call);
}

static bool is_half_written(const quash_call *call)
{
	return quash_call_is(call, CALL_WRITING) && !quash_call_is(call, CALL_WRITTEN);
}

void quash_call_note_params(const quash_call *call)
{
	quash_request *const parent = call->parent;
	if (parent == NULL)
		return;
	parent->more &= (uint8_t)~MORE_NEEDED;
	for (const quash_call *child = parent->peer->children; child != NULL; child = child->sibling) {
		if (child->parent == parent && is_half_written(child))
			parent->more |= MORE_NEEDED;
	}
}

void quash_calls_gone(quash_peer *peer)
{
	quash_call *next;
	for (quash_call *call = peer->calls; call != NULL; call = next) {
		next = call->next;
		if (peer->link == LINK_GONE)
			call->flags &= (uint8_t)~CALL_WRITING;
		quash_call_note_params(call);
		if (call->state == CALL_OPEN && !quash_call_is(call, CALL_WRITING))
			quash_call_end(call, QUASH_CALL_LINK);
		else
			quash_call_leave_if_done(call);
	}
}

/* --- Cancels */

/* Its cancel is written, or none is to be: says whether that is the end. */
void quash_call_settle(quash_call *call)
{
	const bool silent = call->peer->config->dialect->other_code == 0;
	if (call->state == CALL_OPEN && quash_call_is(call, CALL_CANCELLED) && !quash_call_is(call, CALL_OWED | CALL_WRITING) &&
	    (silent || quash_call_is(call, CALL_AT_ONCE)))
		quash_call_end(call, (quash_outcome)call->outcome);
}

static void cancel_call(quash_call *call, quash_outcome outcome, bool at_once)
{
	if (call->state != CALL_OPEN)
		return;
	if (!quash_call_is(call, CALL_WRITTEN | CALL_WRITING)) {
		quash_call_end(call, outcome);
		return;
	}
	if (!quash_call_is(call, CALL_CANCELLED)) {
		const char *never = call->peer->config->dialect->never_cancelled;
		call->flags |= CALL_CANCELLED;
		if (never != NULL && quash_same_text(never, call->method))
			call->flags |= CALL_AT_ONCE;
		else
			call->flags |= CALL_OWED;
		call->outcome = (uint8_t)outcome;
	}
	if (at_once) {
		call->flags |= CALL_AT_ONCE;
		call->outcome = (uint8_t)outcome;
	}
	quash_call_settle(call);
}

void quash_call_cancel(quash_call *call)
{
	cancel_call(call, QUASH_CALL_CANCELLED, (call->marks & QUASH_CALL_ENDS_AT_ONCE) != 0);
}

/* Nobody is to be told of its end. False when it is the caller's at once. */
static bool orphan(quash_call *call)
{
	call->flags |= CALL_ORPHAN;
	cancel_call(call, QUASH_CALL_CANCELLED, true);
	quash_call_leave_if_done(call);
	return call->state != CALL_IDLE;
}

bool quash_call_release(quash_call *call)
{
	return call->state == CALL_IDLE || !orphan(call);
}

void quash_calls_cancel_children(const quash_request *parent, bool ended)
{
	quash_call *next;
	for (quash_call *call = parent->peer->children; call != NULL; call = next) {
		next = call->sibling;
		if (call->parent != parent)
			continue;
		if (ended)
			(void)orphan(call);
		else
			quash_call_cancel(call);
	}
}

bool quash_calls_hold(const quash_request *parent)
{
	const quash_call *call = parent->peer->children;
	while (call != NULL && call->parent != parent)
		call = call->sibling;
	return call != NULL;
}

void quash_cancel_parent(const quash_call *call)
{
	quash_request *parent = call->parent;
	if (parent != NULL)
		quash_cancel(parent);
}

static bool is_call_overdue(const quash_call *call)
{
	return call->deadline != 0 && call->state == CALL_OPEN && (int32_t)(call->peer->now - call->due) >= 0;
}

void quash_calls_tick(quash_peer *peer)
{
	quash_call *next;
	for (quash_call *call = peer->calls; call != NULL; call = next) {
		next = call->next;
		if (is_call_overdue(call))
			cancel_call(call, QUASH_CALL_OVERDUE, true);
	}
}
