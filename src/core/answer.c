/* SPDX-License-Identifier: MIT
 * What handlers say. */
#include "reply.h"

#include "law.h"

/* What the handler says is not for the wire any more. */
static bool is_swallowed(const quash_request *slot)
{
	if (slot->state != SLOT_RUNNING || quash_slot_is(slot, SLOT_NOTIFICATION | SLOT_SILENT | SLOT_ANSWERED))
		return true;
	return quash_cancelled(slot) != QUASH_NOT_CANCELLED && !quash_slot_is(slot, SLOT_COMMITTED) &&
	       !quash_slot_marked(slot, QUASH_PARTIAL);
}

static quash_writer *open_answer(quash_request *request)
{
	quash_peer *peer = request->peer;
	quash_drop_open(peer);
	if (is_swallowed(request) || !quash_may_answer(request))
		quash_tx_open_full(&peer->writer);
	else
		quash_open_answer(request);
	return &peer->writer;
}

quash_writer *quash_reply(quash_request *request)
{
	quash_writer *w = open_answer(request);
	quash_put_head(w, "\"result\":");
	return w;
}

quash_writer *quash_error_reply(quash_request *request, int32_t code, const char *message)
{
	quash_writer *w = open_answer(request);
	quash_put_error(request->peer, code);
	quash_put_text(w, message);
	quash_put_key(w, "data");
	return w;
}

static int32_t told_to_wait(quash_request *request)
{
	quash_add(&request->peer->counters.retries, 1);
	return QUASH_RETRY;
}

static int32_t did_not_fit(quash_request *request)
{
	if (!quash_slot_is(request, SLOT_MEASURED) || quash_slot_marked(request, QUASH_LONG))
		return told_to_wait(request);
	quash_add(&request->peer->counters.too_long, 1);
	request->flags &= (uint8_t)~SLOT_MEASURED;
	return QUASH_DONE; /* without an answer: -32603 */
}

static int32_t close_answer(quash_request *request)
{
	quash_peer *peer = request->peer;
	switch (quash_close_answer(request)) {
	case TX_DONE: return QUASH_DONE;
	case TX_WINDOW: return QUASH_RETRY;
	case TX_FULL: return did_not_fit(request);
	default: break;
	}
	quash_add(&peer->counters.changed, 1);
	quash_gone(peer);
	return QUASH_DONE;
}

int32_t quash_send(quash_request *request)
{
	quash_peer *peer = request->peer;
	if (peer->open && peer->owner == request->index) {
		if (!peer->writer.deep)
			return close_answer(request);
		quash_drop_open(peer);
		return QUASH_DONE;
	}
	if (is_swallowed(request))
		return QUASH_DONE;
	request->more |= MORE_READY;
	return told_to_wait(request);
}

int32_t quash_fail(quash_request *request, int32_t code, const char *message)
{
	quash_writer *w = open_answer(request);
	quash_put_error(request->peer, code);
	quash_put_text(w, message);
	return quash_send(request);
}

int32_t quash_fail_string(quash_request *request, int32_t code, const char *message, size_t length)
{
	quash_writer *w = open_answer(request);
	quash_put_error(request->peer, code);
	quash_put_string(w, message, length);
	return quash_send(request);
}

int32_t quash_fail_as(quash_request *request, quash_value error)
{
	int32_t code = QUASH_INTERNAL_ERROR;
	quash_writer *w = open_answer(request);
	(void)quash_int32(quash_get(error, "code"), &code);
	request->peer->code = code != 0 ? code : QUASH_INTERNAL_ERROR;
	quash_put_head(w, "\"error\":");
	quash_put_value(w, error);
	return quash_send(request);
}

quash_writer *quash_notify(quash_peer *peer, const char *method)
{
	quash_writer *w = &peer->writer;
	quash_drop_open(peer);
	if (peer->owner != NOBODY || peer->link == LINK_GONE) {
		quash_tx_open_full(w);
		return w;
	}
	(void)quash_open_message(peer, NOTIFICATION_OWNER, peer->config->dialect->framing, 0);
	quash_put_head(w, "{\"jsonrpc\":\"2.0\",\"method\":");
	quash_put_text(w, method);
	quash_put_head(w, ",\"params\":");
	return w;
}

static int32_t dropped(quash_peer *peer, int32_t why)
{
	quash_add(&peer->counters.dropped, 1);
	return why;
}

int32_t quash_notify_send(quash_peer *peer)
{
	const quash_framing framing = peer->config->dialect->framing;
	quash_writer *w = &peer->writer;
	if (!peer->open || peer->owner != NOTIFICATION_OWNER)
		return dropped(peer, peer->link == LINK_GONE ? QUASH_DONE : QUASH_RETRY);
	if (w->deep) {
		quash_drop_open(peer);
		return dropped(peer, QUASH_TOO_LARGE);
	}
	if (w->due)
		quash_put_object(w);
	quash_put_ends(w);
	quash_put_byte(w, '}');
	const enum tx_result result = quash_tx_close(w, framing, 0);
	quash_release(peer);
	if (result == TX_DONE)
		return QUASH_DONE;
	if (!quash_tx_holds(w, framing, quash_tx_length(w)))
		return dropped(peer, QUASH_TOO_LARGE);
	peer->tight = true;
	return dropped(peer, QUASH_RETRY);
}
