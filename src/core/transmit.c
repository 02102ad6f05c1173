/* SPDX-License-Identifier: MIT */
#include "transmit.h"

#include "batch_hooks.h"
#include "call_hooks.h"
#include "cancel.h"
#include "checked.h"
#include "words.h"

/* How often a message is measured anew before its put function is called wrong. */
enum { MOST_TRIES = 3 };

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
	if (slot->id_kind == ID_NONE && !slot->peer->config->dialect->null_id)
		return;
	quash_put_head(w, ",\"id\":");
	quash_put_id(w, slot);
}

/* True if the answer is an error whose members are put one by one. */
static bool is_error(const quash_request *slot)
{
	return slot->form < FORM_FAIL_AS;
}

/* Up to the value that the program puts, if there is one. */
static void put_error(quash_writer *w, const quash_request *slot)
{
	quash_put_plain(w, "{\"code\":");
	quash_put_signed(w, slot->code);
	quash_put_head(w, ",\"message\":");
	if (slot->form == FORM_WORDS)
		quash_put_text(w, quash_words(slot->peer->config->dialect, slot->code));
	else if (slot->form != FORM_FAIL_PUT)
		quash_put_text(w, slot->content.text);
	if (slot->form == FORM_FAIL_DATA)
		quash_put_head(w, ",\"data\":");
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
static bool put_value(quash_peer *peer, const quash_request *slot, bool resumed)
{
	const uint8_t form = slot->form;
	if (form == FORM_ITEMS)
		return peer->put_items == NULL || peer->put_items(peer, slot, resumed);
	quash_put *const put = slot->put.value;
	if (form >= FORM_FAIL_DATA && put != NULL)
		put(&peer->writer, slot);
	return true;
}

bool quash_put_answer(quash_peer *peer, quash_request *slot, bool resumed)
{
	quash_writer *w = &peer->writer;
	quash_checked_again(slot);
	if (!resumed)
		put_head(w, slot);
	if (!put_value(peer, slot, resumed))
		return false;
	quash_put_ends(w);
	if (is_error(slot))
		quash_put_byte(w, '}');
	quash_put_byte(w, '}');
	return true;
}

/* --- What becomes of an answer */

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
	if (slot != &peer->received) {
		quash_settle(slot);
		return;
	}
	quash_slots_receive(peer);
	if (peer->pause == PAUSE_REFUSAL)
		peer->pause = PAUSE_NONE;
}

void quash_answer_given_up(quash_peer *peer, quash_request *slot, quash_why why)
{
	quash_note_misuse(peer, slot, QUASH_INTERNAL_ERROR, why);
	slot->answer = ANSWER_RECORDED;
	slot->form = FORM_WORDS;
	slot->code = QUASH_INTERNAL_ERROR;
}

static const struct quash_message_code one_answer = {
	quash_put_answer, quash_answer_begun, quash_answer_written, quash_answer_given_up
};

/* --- Which message */

/* Its answer is to be written, by itself. */
static bool is_ready(const quash_request *slot)
{
	return slot->life == LIFE_ENDED && slot->answer == ANSWER_RECORDED && !quash_slot_is(slot, MARK_CROWDED | MARK_MEMBER);
}

/* The oldest answer that is to be written, or the batch's, which stands where its first member does. NULL if there is none. */
static const quash_request *next_answer(const quash_peer *peer, const quash_request *member)
{
	const quash_request *slot = NULL;
	if (peer->received.answer == ANSWER_RECORDED)
		return &peer->received;
	while ((slot = quash_next_younger(peer, slot)) != NULL && !is_ready(slot) && slot != member)
		;
	return slot;
}

/* Begins it at its beginning. */
static void restart(quash_peer *peer)
{
	peer->out_slot = peer->out_first;
	peer->out_item = 0;
	peer->out_tried = false;
	quash_tx_begin(&peer->writer);
}

static void end_message(quash_peer *peer)
{
	peer->out = NULL;
	peer->out_first = NOBODY;
	peer->out_tries = 0;
	peer->out_rest = 0;
	peer->out_old = false;
	restart(peer);
}

static void begin_message(quash_peer *peer, const struct quash_message_code *code, uint8_t slot)
{
	end_message(peer);
	peer->out = code;
	peer->out_first = slot;
	peer->out_slot = slot;
}

void quash_transmit_forget(quash_peer *peer)
{
	if (!quash_tx_begun(&peer->writer) && peer->out_rest == 0)
		end_message(peer);
}

static void choose_answer(quash_peer *peer)
{
	const struct quash_batch_code *batch = peer->config->dialect->batch;
	const quash_request *const member = batch != NULL ? batch->next(peer, NULL) : NULL;
	const quash_request *const slot = next_answer(peer, member);
	if (slot != NULL)
		begin_message(peer, slot == member ? batch->message : &one_answer, slot->index);
}

static void choose_call(quash_peer *peer)
{
	quash_call *const call = peer->call_hooks->next(peer);
	if (call == NULL)
		return;
	peer->out_call = call;
	begin_message(peer, peer->call_hooks->message, NOBODY);
}

/* What was measured without a silenced answer is not what will be written. */
static void choose_message(quash_peer *peer)
{
	if (peer->out_stale)
		quash_transmit_forget(peer);
	peer->out_stale = false;
	if (peer->out == NULL && peer->call_hooks != NULL)
		choose_call(peer);
	if (peer->out == NULL)
		choose_answer(peer);
}

/* --- Passes */

/* Its end is made up for; then what takes its place is written. */
static void give_up_message(quash_peer *peer, quash_request *slot, quash_why why)
{
	const quash_writer *w = &peer->writer;
	const quash_framing framing = peer->config->dialect->framing;
	const struct quash_message_code *const code = peer->out;
	uint32_t rest = 0;
	if (quash_tx_begun(w))
		rest = framing != QUASH_LINES ? framing->rest(w) : 1;
	peer->out->given_up(peer, slot, why);
	end_message(peer);
	if (rest == 0)
		return;
	peer->out = code;
	peer->out_rest = rest;
}

/* A changed length is measured anew as long as nothing of it has left, but not for ever. */
static void note_change(quash_peer *peer, quash_request *slot)
{
	if (quash_tx_begun(&peer->writer) || peer->out_tries >= MOST_TRIES) {
		give_up_message(peer, slot, QUASH_WHY_CHANGED);
		return;
	}
	peer->out_tries++;
	restart(peer);
}

static enum tx_result put_message(quash_peer *peer, quash_request *slot)
{
	const quash_framing framing = peer->config->dialect->framing;
	quash_writer *w = &peer->writer;
	quash_tx_open(w, framing);
	peer->composing = true;
	const bool whole = peer->out->put(peer, slot, peer->out_item > 0);
	peer->composing = false;
	return quash_tx_close(w, framing, whole);
}

static void message_written(quash_peer *peer, quash_request *slot)
{
	peer->out->written(peer, slot);
	end_message(peer);
}

static bool fill_rest(quash_peer *peer)
{
	peer->out_rest = quash_tx_fill(&peer->writer, peer->config->dialect->framing, peer->out_rest);
	if (peer->out_rest > 0)
		return false;
	end_message(peer);
	return true;
}

/* It goes on once TX is empty, from the beginning if nothing of it has left. */
static bool wait_for_tx(quash_peer *peer)
{
	if (!quash_tx_begun(&peer->writer)) {
		peer->out_slot = peer->out_first;
		peer->out_item = 0;
	}
	peer->out_tried = true;
	return quash_tx_empty(&peer->writer);
}

/* One pass. False when it has to wait for room. */
static bool attempt(quash_peer *peer)
{
	quash_request *const slot = quash_slot(peer, peer->out_slot);
	if (peer->out_rest > 0)
		return fill_rest(peer);
	if (peer->out_tried && !quash_tx_empty(&peer->writer))
		return false;
	switch (put_message(peer, slot)) {
	case TX_DONE: message_written(peer, slot); return true;
	case TX_CHANGED: note_change(peer, slot); return true;
	case TX_VOID: give_up_message(peer, quash_slot(peer, peer->out_slot), (quash_why)peer->writer.why); return true;
	case TX_WINDOW: peer->out->begun(peer, slot); break;
	default: break;
	}
	return wait_for_tx(peer);
}

void quash_transmit(quash_peer *peer)
{
	if (peer->link == LINK_GONE || peer->composing || peer->notifying)
		return;
	do {
		choose_message(peer);
	} while (peer->out != NULL && attempt(peer));
}

void quash_transmit_clear(quash_peer *peer)
{
	quash_tx_init(&peer->writer, peer->config->tx, peer->config->tx_size);
	end_message(peer);
}
