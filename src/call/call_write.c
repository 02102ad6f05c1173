/* SPDX-License-Identifier: MIT
 * Calls and their cancels on the way into TX. */
#include "call_inner.h"

#include "../core/transmit.h"
#include "../json/writer.h"

/* --- Which one */

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

/* --- What it is made of */

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
	const quash_dialect *dialect = call->peer->config->dialect;
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
	const quash_call *call = peer->out_call;
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

/* --- What became of it */

static void call_begun(quash_peer *peer, quash_request *slot)
{
	(void)slot;
	quash_call_mark(peer->out_call, CALL_WRITING);
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

/* This may be its end, and that of the state that it stands in. */
static void call_written(quash_peer *peer, quash_request *slot)
{
	quash_call *call = peer->out_call;
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
	quash_call *call = peer->out_call;
	(void)slot;
	quash_note_misuse(peer, call->parent, QUASH_INTERNAL_ERROR, why);
	quash_call_cut(call, QUASH_CALL_UNWRITTEN);
}

const struct quash_message_code quash_call_message = { put_call, call_begun, call_written, call_given_up };
