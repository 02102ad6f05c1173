/* SPDX-License-Identifier: MIT */
#include "transmit.h"

#include "batch_hooks.h"
#include "call_hooks.h"
#include "cancel.h"
#include "checked.h"
#include "words.h"

/* How often a message is measured anew before its put function is called wrong. */
enum { MOST_TRIES = 3 };

/* --- Which message */

static quash_request *slot_of(quash_peer *peer, uint8_t index)
{
	return index == peer->config->slot_count ? &peer->received : quash_slot(peer, index);
}

/* Its answer is to be written, by itself. */
static bool is_ready(const quash_request *slot)
{
	return slot->life == LIFE_ENDED && slot->answer == ANSWER_RECORDED && !quash_slot_is(slot, MARK_CROWDED | MARK_MEMBER);
}

static quash_request *batch_next(const quash_peer *peer, const quash_request *after)
{
	const struct quash_batch_code *batch = peer->config->dialect->batch;
	return batch != NULL ? batch->next(peer, after) : NULL;
}

/* The oldest answer that is to be written; that of a batch stands where its first member does. NULL if there is none. */
static quash_request *next_answer(quash_peer *peer)
{
	const quash_request *const member = batch_next(peer, NULL);
	uint8_t i = peer->first;
	if (peer->received.answer == ANSWER_RECORDED)
		return &peer->received;
	for (uint8_t tries = 0; tries < peer->config->slot_count && i != NOBODY; tries++) {
		quash_request *slot = quash_slot(peer, i);
		if (is_ready(slot) || slot == member)
			return slot;
		i = slot->next;
	}
	return NULL;
}

static void begin_message(quash_peer *peer, enum quash_out_kind kind, uint8_t slot)
{
	peer->out_kind = (uint8_t)kind;
	peer->out_slot = slot;
	peer->out_item = 0;
	peer->out_need = 0;
	quash_tx_begin(&peer->writer);
}

static void end_message(quash_peer *peer)
{
	begin_message(peer, OUT_NONE, NOBODY);
	peer->out_tries = 0;
	peer->out_call = NULL;
}

void quash_transmit_forget(quash_peer *peer)
{
	if (!quash_tx_begun(&peer->writer) && peer->out_kind != OUT_REST)
		end_message(peer);
}

/* What was measured without a silenced answer is not what will be written. */
static void drop_stale(quash_peer *peer)
{
	if (peer->out_stale)
		quash_transmit_forget(peer);
	peer->out_stale = false;
}

/* False when nothing is to be written. */
static bool choose_message(quash_peer *peer)
{
	drop_stale(peer);
	if (peer->out_kind != OUT_NONE)
		return true;
	peer->out_call = peer->call_hooks != NULL ? peer->call_hooks->next(peer) : NULL;
	if (peer->out_call != NULL) {
		begin_message(peer, OUT_CALL, NOBODY);
		return true;
	}
	const quash_request *slot = next_answer(peer);
	if (slot != NULL)
		begin_message(peer, quash_slot_is(slot, MARK_MEMBER) ? OUT_BATCH : OUT_ANSWER, slot->index);
	return slot != NULL;
}

bool quash_transmit_waits(const quash_peer *peer)
{
	if (peer->out_kind != OUT_NONE || peer->received.answer == ANSWER_RECORDED || batch_next(peer, NULL) != NULL)
		return true;
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		if (is_ready(quash_slot(peer, i)))
			return true;
	}
	return peer->call_hooks != NULL && peer->call_hooks->next(peer) != NULL;
}

/* --- What it is made of */

void quash_put_id(quash_writer *w, const quash_request *request)
{
	const bool string = request->id_kind == ID_STRING;
	if (request->id_kind == ID_NONE) {
		quash_put_null(w);
		return;
	}
	quash_put_comma(w);
	if (string)
		quash_put_byte(w, '"');
	for (uint8_t i = 0; i < request->id_length; i++)
		quash_put_escaped(w, quash_id_byte(request, i));
	if (string)
		quash_put_byte(w, '"');
}

static void put_id_member(quash_writer *w, const quash_request *slot)
{
	if (slot->id_kind == ID_NONE && !slot->peer->config->dialect->null_id)
		return;
	quash_put_head(w, "\"id\":");
	quash_put_id(w, slot);
	quash_put_byte(w, ',');
}

/* One value of the program's: whatever it puts, it stays inside. */
static void put_value(quash_writer *w, const quash_request *slot)
{
	const uint8_t floor = quash_place_enter(w);
	slot->put.value(w, slot);
	quash_place_leave(w, floor);
}

static void put_error(quash_writer *w, const quash_request *slot)
{
	quash_put_head(w, "\"error\":");
	quash_put_object(w);
	quash_put_key(w, "code");
	quash_put_int(w, slot->code);
	quash_put_key(w, "message");
	switch (slot->form) {
	case FORM_WORDS: quash_put_words(w, slot->code); break;
	case FORM_FAIL_PUT: put_value(w, slot); break;
	default: quash_put_text(w, slot->content.text); break;
	}
	if (slot->form != FORM_FAIL || slot->put.value == NULL)
		return;
	quash_put_key(w, "data");
	put_value(w, slot);
}

/* Pieces from the one on in which the window begins. False when TX was full before the last. */
static bool put_items(quash_peer *peer, const quash_request *slot, uint16_t first)
{
	quash_writer *w = &peer->writer;
	uint16_t i = first;
	for (;;) {
		if (quash_tx_piece(w)) {
			peer->out_item = (uint16_t)(i + 1);
			peer->out_slot = slot->index;
		} else if (w->full && peer->config->dialect->framing == QUASH_LINES) {
			return false;
		}
		if (i == UINT16_MAX - 1 || w->why != 0 || !slot->put.item(w, slot, i))
			return true;
		i++;
	}
}

static bool put_result(quash_peer *peer, const quash_request *slot, bool resumed)
{
	quash_writer *w = &peer->writer;
	bool whole = true;
	if (!resumed)
		quash_put_head(w, "\"result\":");
	switch (slot->form) {
	case FORM_PUT: put_value(w, slot); break;
	case FORM_ITEMS:
		if (!resumed)
			(void)quash_place_enter(w);
		whole = put_items(peer, slot, resumed ? (uint16_t)(peer->out_item - 1) : 0);
		if (whole)
			quash_place_leave(w, 0);
		break;
	case FORM_TEXT: quash_put_text(w, slot->content.text); break;
	case FORM_INT: quash_put_int(w, slot->content.number); break;
	default: quash_put_raw(w, slot->content.text); break;
	}
	return whole;
}

/* `resumed`: from a piece on that is not the first. */
static bool put_answer(quash_peer *peer, quash_request *slot, bool resumed)
{
	quash_writer *w = &peer->writer;
	bool whole = true;
	quash_checked_again(slot);
	if (!resumed) {
		quash_put_plain(w, "{\"jsonrpc\":\"2.0\",");
		put_id_member(w, slot);
	}
	if (slot->form == FORM_FAIL_AS) {
		quash_put_head(w, "\"error\":");
		put_value(w, slot);
	} else if (slot->code != 0) {
		put_error(w, slot);
	} else {
		whole = put_result(peer, slot, resumed);
	}
	if (!whole)
		return false;
	quash_put_ends(w);
	quash_put_byte(w, '}');
	return true;
}

/* The member to blame is the first that puts no JSON. */
static bool put_member(quash_peer *peer, quash_request *slot, bool resumed)
{
	quash_writer *w = &peer->writer;
	if (!resumed) {
		if (quash_tx_piece(w)) {
			peer->out_slot = slot->index;
			peer->out_item = 0;
		} else if (w->full) {
			return false;
		}
		quash_put_byte(w, batch_next(peer, NULL) == slot ? '[' : ',');
	}
	const bool whole = put_answer(peer, slot, resumed);
	if (w->why != 0)
		peer->out_slot = slot->index;
	return whole && w->why == 0;
}

static bool put_batch(quash_peer *peer, bool resumed)
{
	quash_request *slot = slot_of(peer, peer->out_slot);
	bool inside = resumed;
	while (slot != NULL) {
		if (!put_member(peer, slot, inside))
			return false;
		inside = false;
		slot = batch_next(peer, slot);
	}
	quash_put_byte(&peer->writer, ']');
	return true;
}

static void put_call(quash_writer *w, const quash_peer *peer)
{
	peer->call_hooks->put(w, peer->out_call);
	quash_put_ends(w);
	quash_put_byte(w, '}');
}

/* True when it was put to its end. */
static bool put_message(quash_peer *peer)
{
	const bool resumed = peer->out_item > 0;
	bool whole = true;
	peer->composing = true;
	switch (peer->out_kind) {
	case OUT_ANSWER: whole = put_answer(peer, slot_of(peer, peer->out_slot), resumed); break;
	case OUT_BATCH: whole = put_batch(peer, resumed); break;
	default: put_call(&peer->writer, peer); break;
	}
	peer->composing = false;
	return whole;
}

/* --- What became of it */

static void begun(quash_peer *peer, quash_request *slot)
{
	(void)peer;
	if (slot->answer == ANSWER_RECORDED)
		slot->answer = ANSWER_BEGUN;
}

static void written(quash_peer *peer, quash_request *slot)
{
	slot->answer = ANSWER_WRITTEN;
	quash_slot_unmark(slot, MARK_MEMBER);
	quash_add(slot->code != 0 ? &peer->counters.errors : &peer->counters.results, 1);
	quash_note(slot, QUASH_WRITTEN);
	if (slot != &peer->received) {
		quash_settle(slot);
		return;
	}
	quash_ring_receive(peer);
	if (peer->pause == PAUSE_REFUSAL)
		peer->pause = PAUSE_NONE;
}

static void for_each_member(quash_peer *peer, void (*change)(quash_peer *, quash_request *))
{
	quash_request *slot = batch_next(peer, NULL);
	while (slot != NULL) {
		quash_request *const next = batch_next(peer, slot);
		change(peer, slot);
		slot = next;
	}
}

static void message_begun(quash_peer *peer)
{
	switch (peer->out_kind) {
	case OUT_ANSWER: begun(peer, slot_of(peer, peer->out_slot)); break;
	case OUT_BATCH: for_each_member(peer, begun); break;
	default: peer->call_hooks->begun(peer->out_call); break;
	}
}

static void message_written(quash_peer *peer)
{
	const uint8_t kind = peer->out_kind;
	quash_request *slot = slot_of(peer, peer->out_slot);
	quash_call *call = peer->out_call;
	end_message(peer);
	switch (kind) {
	case OUT_ANSWER: written(peer, slot); break;
	case OUT_BATCH: for_each_member(peer, written); break;
	default: peer->call_hooks->written(call); break;
	}
}

static void count_wrong_put(quash_peer *peer, quash_why why)
{
	quash_add(why == QUASH_WHY_CHANGED ? &peer->counters.changed : &peer->counters.misuses, 1);
}

/* What was put is not written: an error takes its place. */
static void blame(quash_peer *peer, quash_request *slot, quash_why why)
{
	count_wrong_put(peer, why);
	quash_trace_event(peer, QUASH_MISUSED, slot, QUASH_INTERNAL_ERROR, why);
	slot->form = FORM_WORDS;
	slot->code = QUASH_INTERNAL_ERROR;
	slot->why = (uint8_t)why;
}

static void unrecord(quash_peer *peer, quash_request *slot)
{
	(void)peer;
	if (slot->answer == ANSWER_BEGUN)
		slot->answer = ANSWER_RECORDED;
}

/* Its end is made up for; then what was to be written instead is. */
static void give_up_message(quash_peer *peer, quash_why why)
{
	const uint8_t kind = peer->out_kind;
	const bool begun_already = quash_tx_begun(&peer->writer);
	quash_call *call = peer->out_call;
	quash_request *slot = slot_of(peer, peer->out_slot);
	peer->out_rest = quash_tx_rest(&peer->writer, peer->config->dialect->framing);
	if (kind == OUT_BATCH)
		for_each_member(peer, unrecord);
	end_message(peer);
	if (begun_already)
		begin_message(peer, OUT_REST, NOBODY);
	if (kind == OUT_CALL) {
		count_wrong_put(peer, why);
		peer->call_hooks->unwritten(call);
		return;
	}
	unrecord(peer, slot);
	blame(peer, slot, why);
}

/* Blanks up to the length that was promised, or the line's end. */
static bool fill_rest(quash_peer *peer)
{
	quash_writer *w = &peer->writer;
	if (peer->config->dialect->framing != QUASH_LINES) {
		peer->out_rest -= quash_tx_fill(w, peer->out_rest);
	} else if (quash_tx_room(w) > 0) {
		quash_tx_open(w, QUASH_LINES);
		(void)quash_tx_close(w, QUASH_LINES, true);
		peer->out_rest = 0;
	} else {
		return false;
	}
	if (peer->out_rest == 0)
		end_message(peer);
	return peer->out_kind == OUT_NONE;
}

/* A changed length is measured anew as long as nothing of it has left, but not for ever. */
static bool measure_again(quash_peer *peer)
{
	const uint8_t tries = peer->out_tries;
	if (quash_tx_begun(&peer->writer) || tries >= MOST_TRIES)
		return false;
	peer->out_tries = (uint8_t)(tries + 1);
	begin_message(peer, (enum quash_out_kind)peer->out_kind,
		peer->out_kind == OUT_BATCH ? batch_next(peer, NULL)->index : peer->out_slot);
	return true;
}

static void restart_unbegun(quash_peer *peer)
{
	if (quash_tx_begun(&peer->writer))
		return;
	peer->out_item = 0;
	if (peer->out_kind == OUT_BATCH)
		peer->out_slot = batch_next(peer, NULL)->index;
}

/* One pass. False when it has to wait for room. */
static bool attempt(quash_peer *peer)
{
	const quash_framing framing = peer->config->dialect->framing;
	quash_writer *w = &peer->writer;
	if (peer->out_kind == OUT_REST)
		return fill_rest(peer);
	if (quash_tx_room(w) < peer->out_need)
		return false;
	const uint8_t first = peer->out_slot;
	quash_tx_open(w, framing);
	const bool whole = put_message(peer);
	switch (quash_tx_close(w, framing, whole)) {
	case TX_DONE: message_written(peer); return true;
	case TX_CHANGED:
		peer->out_slot = first; /* what has left is of this one */
		if (!measure_again(peer))
			give_up_message(peer, QUASH_WHY_CHANGED);
		return true;
	case TX_VOID: give_up_message(peer, (quash_why)w->why); return true;
	case TX_WINDOW: message_begun(peer); break;
	default: restart_unbegun(peer); break;
	}
	peer->out_need = quash_tx_need(w, framing);
	return quash_tx_room(w) >= peer->out_need;
}

void quash_transmit(quash_peer *peer)
{
	if (peer->link == LINK_GONE || peer->composing || peer->notifying)
		return;
	while (choose_message(peer) && attempt(peer))
		;
}

void quash_transmit_clear(quash_peer *peer)
{
	quash_tx_clear(&peer->writer);
	end_message(peer);
}
