/* SPDX-License-Identifier: MIT */
#include "reply.h"

#include "batch_hooks.h"
#include "call_hooks.h"
#include "law.h"

static void put_words(quash_writer *w, int32_t code)
{
	static const struct {
		uint16_t minus;
		const char *text;
	} table[] = {
		{ 32700, "Parse error" },        { 32600, "Invalid Request" },  { 32601, "Method not found" },
		{ 32602, "Invalid params" },     { 32603, "Internal error" },   { 32800, "Request cancelled" },
		{ 32010, "Busy" },               { 32011, "Message too large" }, { 32803, "Request failed" },
		{ 32012, "Link lost" },        { 32801, "Content modified" },   { 32802, "Server cancelled" }, { 32002, "Server not initialized" },
		{ 0, "Server error" },
	};
	uint8_t i = 0;
	/*@ loop unroll 13; */
	while (i < sizeof table / sizeof *table - 1 && -(int32_t)table[i].minus != code)
		i++;
	/*@ split i; */
	quash_put_text(w, table[i].text);
}

static bool is_of_batch(const quash_request *slot)
{
	return (slot->more & MORE_BATCH) != 0;
}

static bool is_last_member(const quash_request *slot)
{
	const struct quash_batch_code *batch = slot->peer->config->dialect->batch;
	return batch != NULL && batch->is_last(slot);
}

static quash_framing framing_of(const quash_request *slot)
{
	const quash_dialect *d = slot->peer->config->dialect;
	return d->batch != NULL && is_of_batch(slot) && !is_last_member(slot) ? d->batch->framing : d->framing;
}

static uint32_t length_of(const quash_request *slot)
{
	return quash_slot_is(slot, SLOT_MEASURED) ? slot->wake : 0;
}

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

quash_writer *quash_open_message(quash_peer *peer, uint8_t owner, quash_framing framing, uint32_t total)
{
	quash_tx_open(&peer->writer, framing, total);
	peer->owner = owner;
	peer->open = true;
	return &peer->writer;
}

void quash_open_answer(const quash_request *slot)
{
	quash_peer *peer = slot->peer;
	quash_writer *w = quash_open_message(peer, slot->index, framing_of(slot), length_of(slot));
	peer->code = 0;
	if (is_of_batch(slot))
		quash_put_byte(w, peer->said ? ',' : '[');
	quash_put_plain(w, "{\"jsonrpc\":\"2.0\",");
	if (slot->id_kind == ID_NONE && !peer->config->dialect->null_id)
		return;
	quash_put_head(w, "\"id\":");
	quash_put_id(w, slot);
	quash_put_byte(w, ',');
}

void quash_put_error(quash_peer *peer, int32_t code)
{
	quash_writer *w = &peer->writer;
	peer->code = code;
	quash_put_head(w, "\"error\":");
	quash_put_object(w);
	quash_put_key(w, "code");
	quash_put_int(w, code);
	quash_put_key(w, "message");
}

static void committed(quash_request *slot)
{
	quash_peer *peer = slot->peer;
	if (quash_slot_is(slot, SLOT_COMMITTED))
		return;
	slot->flags |= SLOT_COMMITTED;
	quash_add(peer->code != 0 ? &peer->counters.errors : &peer->counters.results, 1);
	quash_tell(peer, QUASH_COMMITTED, slot, peer->code);
}

static void answered(quash_request *slot)
{
	quash_peer *peer = slot->peer;
	slot->flags |= SLOT_ANSWERED;
	slot->flags &= (uint8_t)~SLOT_MEASURED;
	if (is_of_batch(slot)) {
		peer->said = true;
		if (is_last_member(slot))
			peer->batch &= (uint8_t)~(BATCH_RUNNING | BATCH_SAYING);
	}
	quash_release(peer);
}

uint32_t quash_measure(quash_peer *peer, quash_framing framing)
{
	const uint32_t length = quash_tx_length(&peer->writer);
	if (!quash_tx_holds(&peer->writer, framing, length))
		return length;
	peer->tight = true;
	return 0;
}

static void keep_length(quash_request *slot)
{
	quash_peer *peer = slot->peer;
	const uint32_t length = quash_measure(peer, framing_of(slot));
	if (length != 0) {
		slot->flags |= SLOT_MEASURED;
		slot->wake = length;
	}
	quash_release(peer);
}

enum tx_result quash_close_answer(quash_request *slot)
{
	quash_peer *peer = slot->peer;
	quash_writer *w = &peer->writer;
	quash_put_ends(w);
	quash_put_byte(w, '}');
	if (is_of_batch(slot) && is_last_member(slot))
		quash_put_byte(w, ']');
	const enum tx_result result = quash_tx_close(w, framing_of(slot), length_of(slot));
	peer->open = false;
	if (result == TX_CHANGED && !quash_tx_begun(w) && (slot->more & MORE_CHANGED) == 0) {
		slot->more |= MORE_CHANGED; /* nothing of it has left: it is measured anew, but not for ever */
		slot->flags &= (uint8_t)~SLOT_MEASURED;
		quash_release(peer);
		return TX_FULL;
	}
	if (result == TX_DONE || result == TX_WINDOW)
		committed(slot);
	if (result == TX_DONE)
		answered(slot);
	else if (result == TX_FULL)
		keep_length(slot);
	return result;
}

void quash_drop_open(quash_peer *peer)
{
	const uint8_t owner = peer->owner;
	if (!peer->open)
		return;
	quash_tx_rewind(&peer->writer);
	peer->open = false;
	if (owner >= peer->config->slot_count || !quash_slot_is(quash_slot(peer, owner), SLOT_COMMITTED))
		quash_release(peer);
}

bool quash_may_answer(const quash_request *slot)
{
	const quash_peer *peer = slot->peer;
	const bool mine = peer->owner == slot->index && !peer->open;
	const struct quash_batch_code *batch = peer->config->dialect->batch;
	const bool in_turn = is_of_batch(slot) && batch != NULL ? batch->is_next(slot) : peer->owner == NOBODY;
	if (!mine && !in_turn)
		return false;
	return !quash_slot_is(slot, SLOT_MEASURED) || quash_tx_empty(&peer->writer);
}

static void put_verdict(quash_peer *peer, int32_t code)
{
	quash_put_error(peer, code);
	put_words(&peer->writer, code);
}

static void put_result(quash_writer *w, const char *json)
{
	quash_put_head(w, "\"result\":");
	quash_put_raw(w, json);
}

/* False when it could not be said to its end. The first try may only find out the length. */
static bool say_one(quash_request *slot)
{
	const quash_method *method = quash_slot_method(slot);
	const char *const result = (slot->more & MORE_RESULT) != 0 && method != NULL ? method->cancelled : NULL;
	for (uint8_t tries = 0; tries < 2 && quash_may_answer(slot); tries++) {
		quash_open_answer(slot);
		if (result != NULL)
			put_result(&slot->peer->writer, result);
		else
			put_verdict(slot->peer, (int32_t)slot->deadline);
		if (quash_close_answer(slot) == TX_DONE) {
			quash_close(slot);
			return true;
		}
	}
	return false;
}

void quash_say(quash_peer *peer)
{
	const struct quash_batch_code *batch = peer->config->dialect->batch;
	uint8_t i = peer->first;
	if (batch != NULL)
		batch->settle(peer);
	if (peer->call_hooks != NULL)
		peer->call_hooks->say(peer);
	for (uint8_t tries = 0; tries < peer->config->slot_count && i != NOBODY; tries++) {
		quash_request *slot = quash_slot(peer, i);
		i = slot->next;
		if (slot->state == SLOT_OWING && !say_one(slot) && peer->owner == NOBODY && !is_of_batch(slot))
			return;
	}
	if (quash_landing(peer)->state == SLOT_OWING)
		(void)say_one(quash_landing(peer));
}
