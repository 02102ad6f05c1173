/* SPDX-License-Identifier: MIT
 * Calls and their cancels on the way into TX. */
#include "call_inner.h"

#include "../core/law.h"
#include "../core/reply.h"

static void put_head(quash_writer *w, const quash_call *call)
{
	quash_call_put *put = call->put;
	quash_put_head(w, "{\"jsonrpc\":\"2.0\",\"id\":");
	quash_put_uint(w, call->id);
	quash_put_head(w, ",\"method\":");
	quash_put_text(w, call->method);
	if (put == NULL)
		return;
	quash_put_head(w, ",\"params\":");
	put(w, call);
	if (w->due)
		quash_put_object(w);
}

static void put_cancel(quash_writer *w, const quash_call *call)
{
	const quash_dialect *dialect = call->peer->config->dialect;
	quash_put_head(w, "{\"jsonrpc\":\"2.0\",\"method\":");
	quash_put_text(w, dialect->cancel_method);
	quash_put_head(w, ",\"params\":");
	quash_put_object(w);
	quash_put_key(w, dialect->cancel_id);
	quash_put_uint(w, call->id);
}

static void written(quash_call *call)
{
	quash_peer *peer = call->peer;
	const bool request = !quash_call_is(call, CALL_WRITTEN);
	call->flags &= (uint8_t)~CALL_WRITING;
	if (!request)
		call->flags &= (uint8_t)~CALL_OWED;
	call->flags |= CALL_WRITTEN;
	quash_call_note_params(call);
	call->length = 0;
	quash_release(peer);
	quash_add(request ? &peer->counters.calls : &peer->counters.call_cancels, 1);
	/* Each of these may be its end, and that of the state that it stands in. */
	if (call->state != CALL_OPEN)
		quash_call_leave_if_done(call);
	else if (peer->link != LINK_UP)
		quash_call_end(call, QUASH_CALL_LINK);
	else
		quash_call_settle(call);
}

/* Composes its request or its cancel, once. */
static enum tx_result write_once(quash_call *call)
{
	quash_peer *peer = call->peer;
	const quash_framing framing = peer->config->dialect->framing;
	quash_writer *w = quash_open_message(peer, CALL_OWNER, framing, call->length);
	if (quash_call_is(call, CALL_WRITTEN))
		put_cancel(w, call);
	else
		put_head(w, call);
	quash_put_ends(w);
	quash_put_byte(w, '}');
	if (w->deep && !quash_call_is(call, CALL_WRITING)) {
		quash_drop_open(peer);
		quash_call_end(call, QUASH_CALL_TOO_LARGE);
		return TX_DONE;
	}
	const enum tx_result result = quash_tx_close(w, framing, call->length);
	peer->open = false;
	if (result == TX_DONE)
		written(call);
	else if (result == TX_WINDOW)
		call->flags |= CALL_WRITING;
	else
		quash_release(peer);
	if (result == TX_WINDOW)
		quash_call_note_params(call);
	if (result == TX_FULL)
		call->length = quash_measure(peer, framing);
	return result;
}

bool quash_call_may_write(const quash_call *call)
{
	const quash_peer *peer = call->peer;
	const uint8_t owner = quash_call_is(call, CALL_WRITING) ? CALL_OWNER : NOBODY;
	return peer->owner == owner && !peer->open && peer->link != LINK_GONE &&
	       (call->length == 0 || quash_tx_empty(&peer->writer));
}

/* False when it could not be written to its end. The first try may only find out the length. */
static bool write(quash_call *call)
{
	quash_peer *peer = call->peer;
	enum tx_result result = TX_FULL;
	for (uint8_t tries = 0; tries < 2 && result == TX_FULL && quash_call_may_write(call); tries++)
		result = write_once(call);
	if (result == TX_CHANGED && !quash_tx_begun(&peer->writer)) {
		call->length = 0; /* nothing of it has left: it is measured anew */
	} else if (result == TX_CHANGED) {
		quash_add(&peer->counters.changed, 1);
		quash_gone(peer);
	}
	return result == TX_DONE;
}

/* Says whether its request, or its cancel, is to be written. */
bool quash_call_wants_to_write(const quash_call *call, bool request)
{
	if (request == quash_call_is(call, CALL_WRITTEN))
		return false;
	if (call->peer->owner == CALL_OWNER) /* the one that is under way need not be the oldest */
		return quash_call_is(call, CALL_WRITING);
	return request ? call->state == CALL_OPEN : quash_call_is(call, CALL_OWED);
}

/* Oldest first, as far as there is room. */
void quash_calls_write(quash_peer *peer, bool requests)
{
	quash_call *next;
	for (quash_call *call = peer->calls; call != NULL; call = next) {
		next = call->next;
		if (quash_call_wants_to_write(call, requests) && !write(call))
			return;
	}
}

void quash_calls_say(quash_peer *peer)
{
	quash_calls_write(peer, false);
}
