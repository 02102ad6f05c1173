/* SPDX-License-Identifier: MIT */
#include "answer.h"

#include "call_hooks.h"
#include "checked.h"
#include "reason_hooks.h"

/* --- The words of errors */

/* Two tables, as one of pairs would be padded. */
const char *quash_words_of(const quash_request *slot)
{
	const quash_dialect *const dialect = quash_config_of(slot->peer)->dialect;
	const int32_t code = slot->code;
	const char *const own = dialect->words != NULL ? dialect->words(code) : NULL;
	static const uint16_t minus[] = {
		-QUASH_PARSE_ERROR, -QUASH_INVALID_REQUEST, -QUASH_METHOD_NOT_FOUND, -QUASH_INVALID_PARAMS,
		-QUASH_INTERNAL_ERROR, -QUASH_CANCELLED, -QUASH_BUSY, -QUASH_TOO_LARGE, -QUASH_LINK_LOST
	};
	static const char *const texts[] = {
		"Parse error", "Invalid Request", "Method not found", "Invalid params", "Internal error",
		"Request cancelled", "Busy", "Message too large", "Link lost", "Server error"
	};
	uint_fast8_t i = 0;
	if (own != NULL)
		return own;
	/*@ loop unroll 10; */
	while (i < sizeof minus / sizeof *minus && -(int32_t)minus[i] != code)
		i++;
	/*@ split i; */
	return texts[i];
}

/* --- What an answer is made of */

void quash_put_id(quash_writer *w, const quash_request *request)
{
	const bool string = request->id_kind == ID_STRING;
	if (request->id_kind == ID_NONE) {
		quash_put_null(w);
		return;
	}
	if (string)
		quash_put_string_open(w);
	else
		quash_put_comma(w);
	for (uint_fast8_t i = 0; i < request->id_length; i++)
		quash_put_escaped(w, quash_id_byte(request, (uint8_t)i));
	if (string)
		quash_put_string_close(w);
}

static void put_id_member(quash_writer *w, const quash_request *slot)
{
	quash_put_plain(w, "{\"jsonrpc\":\"2.0\"");
	if (slot->id_kind == ID_NONE && !quash_config_of(slot->peer)->dialect->null_id)
		return;
	quash_put_head(w, ",\"id\":");
	quash_put_id(w, slot);
}

/* True if the answer is an error whose members are put one by one. */
static bool is_error(const quash_request *slot)
{
	return slot->form < FORM_FAIL_AS;
}

int32_t quash_wire_code(const quash_request *slot)
{
	enum { OF_OTHERS = -32019, OF_OTHERS_LAST = -32000 };
	const bool not_here = (slot->effects & EFFECT_ERA) != 0 && slot->code >= OF_OTHERS && slot->code <= OF_OTHERS_LAST;
	return not_here ? QUASH_INTERNAL_ERROR : slot->code;
}

/* Up to the value that the program puts, if there is one. */
QUASH_OUTLINED_ static void put_error(quash_writer *w, const quash_request *slot)
{
	quash_put_plain(w, "{\"code\":");
	quash_put_signed(w, quash_wire_code(slot));
	quash_put_head(w, ",\"message\":");
	if (slot->form == FORM_FAIL_PUT)
		return;
	quash_put_text(w, slot->form == FORM_WORDS ? quash_words_of(slot) : slot->content.text);
	if (slot->form == FORM_FAIL_DATA)
		quash_put_head(w, ",\"data\":");
	else if (quash_config_of(slot->peer)->reasons != NULL)
		quash_config_of(slot->peer)->reasons->put(w, slot);
}

static void put_head(quash_writer *w, const quash_request *slot)
{
	put_id_member(w, slot);
	if (slot->code == 0) {
		quash_put_head(w, ",\"result\":");
		return;
	}
	quash_put_head(w, ",\"error\":");
	if (is_error(slot))
		put_error(w, slot);
}

/* False when TX was full before the last piece. */
static bool put_value(quash_writer *w, const quash_request *slot, bool resumed)
{
	quash_peer *const peer = slot->peer;
	const uint8_t form = slot->form;
	if (form == FORM_ITEMS)
		return peer->put_items == NULL || peer->put_items(peer, slot, resumed);
	quash_put *const put = slot->put.value;
	if (form >= FORM_FAIL_DATA && put != NULL)
		put(w, slot);
	return true;
}

bool quash_put_answer(quash_peer *peer, quash_request *slot, bool resumed)
{
	quash_writer *w = &peer->writer;
	quash_checked_again(slot);
	if (!resumed)
		put_head(w, slot);
	if (!put_value(w, slot, resumed))
		return false;
	quash_put_ends(w);
	if (is_error(slot))
		quash_put_byte(w, '}');
	quash_put_byte(w, '}');
	return true;
}

/* --- How requests end */

/* From flag to end. */
static void take_time(const quash_request *slot)
{
	quash_counters *const counters = quash_config_of(slot->peer)->counters;
	const uint32_t ms = slot->peer->now - slot->at.flagged;
	if (slot->cause == QUASH_NOT_CANCELLED || counters == NULL)
		return;
	counters->last_cancel_ms = ms;
	if (ms > counters->slowest_cancel_ms)
		counters->slowest_cancel_ms = ms;
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
		(quash_calls_of(peer) == NULL || !quash_calls_of(peer)->hold(slot));
}

void quash_settle(quash_request *slot)
{
	if (!quash_is_over(slot) || slot->peer->running == slot->index || quash_slot_is(slot, MARK_RELEASE))
		return;
	quash_checked_again(slot);
	quash_slot_free(slot);
}

/* --- What is recorded */

void quash_record(quash_request *slot, enum quash_answer_form form, int32_t code, quash_why why)
{
	slot->form = (uint8_t)form;
	slot->code = code;
	slot->why = (uint8_t)(code == 0 ? QUASH_WHY_NONE : why);
	if (slot->answer != ANSWER_NONE)
		return;
	slot->answer = ANSWER_RECORDED;
	if (slot->peer->out.crowded > 0)
		quash_slot_mark(slot, MARK_CROWDED);
	quash_note(slot, QUASH_RECORDED);
	quash_checked_record(slot);
}

void quash_record_error(quash_request *slot, int32_t code, quash_why why)
{
	if (!quash_slot_is(slot, MARK_END))
		slot->tape_size = 0;
	quash_room_comes(slot->peer);
	quash_record(slot, FORM_WORDS, code, why);
}

void quash_put_constant(quash_writer *w, const quash_request *slot)
{
	quash_put_raw(w, slot->content.text);
}

QUASH_NOINLINE void quash_record_constant(quash_request *slot, const char *json)
{
	slot->content.text = json;
	slot->put.value = quash_put_constant;
	quash_record(slot, FORM_PUT, 0, QUASH_WHY_NONE);
}

void quash_record_cancelled(quash_request *slot)
{
	const quash_dialect *dialect = quash_config_of(slot->peer)->dialect;
	const quash_method *method = quash_slot_method(slot);
	const char *const json = method != NULL ? method->cancelled : NULL;
	const bool other = slot->cause == QUASH_BY_OTHER_SIDE;
	const quash_why why = other ? QUASH_WHY_CANCELLED : QUASH_WHY_OWN_CANCEL;
	if (json == NULL)
		quash_record_error(slot, other ? dialect->other_code : dialect->own_code, why);
	else
		quash_record_constant(slot, json);
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
	slot->peer->out.stale = true;
	slot->answer = ANSWER_SILENT;
	slot->why = (uint8_t)why;
	quash_slot_unmark(slot, MARK_MEMBER);
	quash_count_up(slot->peer, counter);
	quash_note(slot, QUASH_SILENCED);
}

/* --- What handlers answer */

bool quash_takes_answer(quash_request *request)
{
	const bool inside = request->peer->running == request->index && request->life == LIFE_RUNNING;
	if (request->form != FORM_NONE || !inside) {
		quash_note_misuse(request->peer, request, 0, QUASH_WHY_SECOND_ANSWER);
		return false;
	}
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED && !quash_slot_marked(request, QUASH_PARTIAL))
		return false;
	return request->answer == ANSWER_NONE;
}

int32_t quash_record_reply(quash_request *request, enum quash_answer_form form, int32_t code)
{
	quash_record(request, form, code, QUASH_WHY_HANDLER);
	return QUASH_DONE;
}

QUASH_INLINED_ static int32_t record_put(quash_request *request, enum quash_answer_form form, int32_t code,
	quash_put *put)
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

int32_t quash_reply_table_(quash_request *request, quash_put *put, const void *table)
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

int32_t quash_reply_text_(quash_request *request, const char *text)
{
	return record_content(request, FORM_PUT, 0, text, put_literal);
}

int32_t quash_reply_json_(quash_request *request, const char *json)
{
	return record_content(request, FORM_PUT, 0, json, quash_put_constant);
}

int32_t quash_reply_bool(quash_request *request, bool value)
{
	return quash_reply_json_(request, value ? "true" : "false");
}

int32_t quash_reply_null(quash_request *request)
{
	return quash_reply_json_(request, "null");
}

int32_t quash_fail_literal(quash_request *request, int32_t code, const char *text)
{
	return record_content(request, FORM_FAIL, error_code(code), text, put_literal);
}

int32_t quash_fail_data_(quash_request *request, int32_t code, const char *text, quash_put *put)
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

/* --- A state that has no room */

/* At the end of all addresses: an AVR has no memory there, other processors refuse the access. Address 0 is registers
 * or flash. */
void *quash_nowhere(quash_request *request, size_t size)
{
	enum { WIDEST = 8 };
	if (request->life == LIFE_RUNNING && request->form == FORM_NONE) {
		quash_record_error(request, QUASH_INTERNAL_ERROR, QUASH_WHY_NONE);
		quash_keep_reason(request, QUASH_WHY_STATE_SIZE, (uint32_t)size);
	}
	return (void *)((UINTPTR_MAX - size) / WIDEST * WIDEST);
}

void *quash_state_(quash_request *request, size_t size)
{
	void *const state = quash_state(request, size);
	return state != NULL ? state : quash_nowhere(request, size);
}

const void *quash_const_state_(const quash_request *request, size_t size)
{
	return quash_state_(quash_slot(request->peer, request->index), size);
}

/* --- Answers that are put in pieces */

/* From the piece on in which the window begins. */
static bool put_items(quash_peer *peer, const quash_request *slot, bool resumed)
{
	quash_writer *w = &peer->writer;
	uint16_t i = resumed ? (uint16_t)(peer->out.item - 1) : 0;
	for (;;) {
		if (quash_tx_piece(w)) {
			peer->out.item = (uint16_t)(i + 1);
			peer->out.slot = slot->index;
		} else if (w->full && (w->total != 0 || quash_config_of(peer)->dialect->framing == QUASH_LINES)) {
			return false;
		}
		if (i == UINT16_MAX - 1 || w->why != 0 || !slot->put.item(w, slot, i))
			return true;
		i++;
	}
}

QUASH_NOINLINE int32_t quash_fail_items(quash_request *request, int32_t code, quash_put_item *put)
{
	if (!quash_takes_answer(request))
		return QUASH_DONE;
	request->peer->put_items = put_items;
	request->put.item = put;
	return quash_record_reply(request, FORM_ITEMS, code);
}

int32_t quash_reply_items(quash_request *request, quash_put_item *put)
{
	return quash_fail_items(request, 0, put);
}

/* --- What becomes of it */

void quash_answer_begun(quash_peer *peer, quash_request *slot)
{
	(void)peer;
	slot->answer = ANSWER_BEGUN;
}

void quash_answer_written(quash_peer *peer, quash_request *slot)
{
	slot->answer = ANSWER_WRITTEN;
	quash_slot_unmark(slot, MARK_MEMBER);
	quash_count_up(peer, slot->code != 0 ? offsetof(quash_counters, errors) : offsetof(quash_counters, results));
	quash_note(slot, QUASH_WRITTEN);
	if (slot != quash_received(peer)) {
		quash_settle(slot);
		return;
	}
	if (peer->in.pause == PAUSE_REFUSAL)
		peer->in.pause = PAUSE_NONE;
}

void quash_answer_given_up(quash_peer *peer, quash_request *slot, quash_why why)
{
	quash_note_misuse(peer, slot, QUASH_INTERNAL_ERROR, why);
	slot->answer = ANSWER_RECORDED;
	slot->form = FORM_WORDS;
	slot->code = QUASH_INTERNAL_ERROR;
	slot->why = (uint8_t)why;
}
