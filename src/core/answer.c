/* SPDX-License-Identifier: MIT
 * What handlers answer and tell. */
#include "answer_inner.h"
#include "cancel.h"
#include "checked.h"
#include "transmit.h"

/* --- Answers */

static bool misused(quash_request *request)
{
	quash_note_misuse(request->peer, request, 0, QUASH_WHY_SECOND_ANSWER);
	return false;
}

bool quash_takes_answer(quash_request *request)
{
	const bool inside = request->peer->running == request->index && request->life == LIFE_RUNNING;
	if (request->form != FORM_NONE || !inside)
		return misused(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED && !quash_slot_marked(request, QUASH_PARTIAL))
		return false;
	return request->answer == ANSWER_NONE;
}

int32_t quash_record_reply(quash_request *request, enum quash_answer_form form, int32_t code)
{
	quash_record(request, form, code, QUASH_WHY_HANDLER);
	return QUASH_DONE;
}

static int32_t record_put(quash_request *request, enum quash_answer_form form, int32_t code, quash_put *put)
{
	if (!quash_takes_answer(request))
		return QUASH_DONE;
	request->put.value = put;
	return quash_record_reply(request, form, code);
}

static int32_t record_content(quash_request *request, enum quash_answer_form form, int32_t code, const void *content,
	quash_put *put)
{
	if (!quash_takes_answer(request))
		return QUASH_DONE;
	request->content.table = content;
	request->put.value = put;
	return quash_record_reply(request, form, code);
}

/* An error's code is not 0, whatever the program gives. */
static int32_t error_code(int32_t code)
{
	return code != 0 ? code : QUASH_INTERNAL_ERROR;
}

int32_t quash_reply(quash_request *request, quash_put *put)
{
	return record_put(request, FORM_PUT, 0, put);
}

int32_t quash_reply_table(quash_request *request, quash_put *put, const void *table)
{
	return record_content(request, FORM_PUT, 0, table, put);
}

static void put_number(quash_writer *w, const quash_request *request)
{
	quash_put_int(w, request->content.number);
}

int32_t quash_reply_int(quash_request *request, int32_t value)
{
	if (!quash_takes_answer(request))
		return QUASH_DONE;
	request->content.number = value;
	request->put.value = put_number;
	return quash_record_reply(request, FORM_PUT, 0);
}

static void put_literal(quash_writer *w, const quash_request *request)
{
	quash_put_text(w, (const char *)request->content.table);
}

int32_t quash_reply_literal(quash_request *request, const char *text)
{
	return record_content(request, FORM_PUT, 0, text, put_literal);
}

int32_t quash_reply_constant(quash_request *request, const char *json)
{
	return record_content(request, FORM_PUT, 0, json, quash_put_constant);
}

int32_t quash_reply_bool(quash_request *request, bool value)
{
	return quash_reply_constant(request, value ? "true" : "false");
}

int32_t quash_reply_null(quash_request *request)
{
	return quash_reply_constant(request, "null");
}

int32_t quash_fail_literal(quash_request *request, int32_t code, const char *text)
{
	return record_content(request, FORM_FAIL, error_code(code), text, put_literal);
}

int32_t quash_fail_literal_data(quash_request *request, int32_t code, const char *text, quash_put *put)
{
	return record_content(request, FORM_FAIL_DATA, error_code(code), text, put);
}

int32_t quash_fail_put(quash_request *request, int32_t code, quash_put *put)
{
	return record_put(request, FORM_FAIL_PUT, error_code(code), put);
}

int32_t quash_fail_as(quash_request *request, int32_t code, quash_put *put)
{
	return record_put(request, FORM_FAIL_AS, error_code(code), put);
}

/* --- Notifications */

static bool drop_notification(quash_peer *peer, quash_why why)
{
	quash_count_up(peer, offsetof(quash_counters, dropped));
	quash_trace_event(peer, QUASH_DROPPED, NULL, 0, why);
	return false;
}

void quash_notify_drop_open(quash_peer *peer)
{
	if (!peer->notifying)
		return;
	peer->notifying = false;
	(void)drop_notification(peer, QUASH_WHY_UNBALANCED);
}

/* The writer is in somebody's hands: what he puts is void from here on. */
static quash_writer *void_message(quash_peer *peer)
{
	peer->writer.why = QUASH_WHY_UNBALANCED;
	return &peer->writer;
}

quash_writer *quash_notify(quash_peer *peer, const char *method)
{
	quash_writer *w = &peer->writer;
	quash_checked_call(peer);
	if (peer->composing)
		return void_message(peer);
	quash_notify_drop_open(peer);
	quash_transmit(peer);
	peer->blocked = peer->link == LINK_GONE || peer->out != NULL;
	peer->notifying = true;
	if (peer->blocked) {
		quash_tx_open_nowhere(w);
	} else {
		quash_tx_begin(w);
		quash_tx_open(w, peer->config->dialect->framing);
	}
	quash_put_plain(w, "{\"jsonrpc\":\"2.0\"");
	quash_put_head(w, ",\"method\":");
	quash_put_text(w, method);
	quash_put_head(w, ",\"params\":");
	return w;
}

/* What was open is closed; params that were not put are an empty object. */
static void close_params(quash_writer *w)
{
	if (quash_writer_is_due(w))
		quash_put_object(w);
	quash_put_ends(w);
	quash_put_byte(w, '}');
}

/* It found no room, though it might: answers that come now let it go first. Those that have let one go do not wait for
 * the next, else a handler that notifies without end would hold all of them back. */
static bool drop_crowded(quash_peer *peer, quash_why why)
{
	if (peer->relieved)
		quash_slots_uncrowd(peer);
	peer->relieved = false;
	peer->crowded = 2;
	return drop_notification(peer, why);
}

static bool send_blocked(quash_peer *peer)
{
	if (peer->link == LINK_GONE)
		return drop_notification(peer, QUASH_WHY_LINK);
	return drop_crowded(peer, QUASH_WHY_ANSWER_WAITS);
}

QUASH_NOINLINE bool quash_notify_send(quash_peer *peer)
{
	const quash_framing framing = peer->config->dialect->framing;
	quash_writer *w = &peer->writer;
	if (peer->composing || !peer->notifying)
		return drop_notification(peer, QUASH_WHY_UNBALANCED);
	close_params(w);
	peer->notifying = false;
	peer->unfit = w->why != 0 || !quash_tx_holds(w, framing);
	if (w->why != 0)
		quash_count_up(peer, offsetof(quash_counters, misuses));
	else
		quash_raise_mark(peer, offsetof(quash_counters, longest_notification), (quash_count)(w->count - w->skip));
	if (peer->unfit)
		return drop_notification(peer, w->why != 0 ? (quash_why)w->why : QUASH_WHY_TX_SIZE);
	if (peer->blocked)
		return send_blocked(peer);
	if (quash_tx_close_whole(w, framing) != TX_DONE)
		return drop_crowded(peer, QUASH_WHY_TX_FULL);
	peer->relieved = true;
	return true;
}

bool quash_notify_fits(const quash_peer *peer)
{
	return !peer->unfit;
}
