/* SPDX-License-Identifier: MIT
 * A peer's life: init, bytes in, time, bytes out. */
#include "../../include/quash/peer.h"

#include "../json/tape.h"
#include "../wire/frame_inner.h"
#include "../wire/tx.h"
#include "batch_hooks.h"
#include "call_hooks.h"
#include "hear.h"
#include "judge.h"
#include "law.h"
#include "reply.h"

/* What refusals take in TX, see quash_room. */
enum { REFUSAL_ROOM = 104, BYTE_ROOM = REFUSAL_ROOM / 2 + 1, LONGEST_RUN = 32 };

/* --- Init */

static bool too_big(uint32_t size)
{
	return size > 0xFFFFFF; /* the lengths on a tape have 24 bits */
}

static const char *wrong_sizes(const quash_config *c)
{
	if (c->slot_count < 2 || c->slot_count > CALL_OWNER)
		return "slot_count";
	if (c->id_size < QUASH_ID_MIN)
		return "id_size";
	if (c->arena_size < QUASH_ARENA_MIN || too_big(c->arena_size))
		return "arena_size";
	if (c->tx_size < QUASH_TX_MIN)
		return "tx_size";
	if (c->tag_size == NOBODY)
		return "tag_size";
	return c->method_count > 250 ? "method_count" : NULL;
}

static const char *wrong_pointers(const quash_config *c)
{
	if (c->dialect == NULL || c->dialect->cancel_method == NULL || c->dialect->cancel_id == NULL ||
	    (c->dialect->batch != NULL && c->dialect->framing != QUASH_LINES))
		return "dialect";
	if (c->methods == NULL && c->method_count > 0)
		return "methods";
	if (c->slots == NULL)
		return "slots";
	if (c->ids == NULL)
		return "ids";
	if (c->states == NULL && c->state_size > 0)
		return "states";
	if (c->tags == NULL && c->tag_size > 0)
		return "tags";
	if (c->arena == NULL)
		return "arena";
	if (c->tx == NULL)
		return "tx";
	return c->reason == NULL && c->reason_size > 0 ? "reason" : NULL;
}

static const char *wrong_methods(const quash_config *c)
{
	for (uint8_t i = 0; i < c->method_count; i++) {
		if (c->methods[i].name == NULL || c->methods[i].handler == NULL || c->methods[i].deadline > INT32_MAX)
			return "methods";
	}
	return NULL;
}

/* Ready for the first byte of a message. */
static void begin_message(quash_peer *peer)
{
	quash_lex_init(&peer->lex);
	quash_hear_begin(peer, 1);
}

static void begin_link(quash_peer *peer)
{
	peer->link = LINK_UP;
	peer->owner = NOBODY;
	peer->open = false;
	peer->batch = 0;
	quash_tx_clear(&peer->writer);
	quash_frame_init(&peer->frame);
	begin_message(peer);
}

const char *quash_init(quash_peer *peer, const quash_config *config)
{
	static const quash_peer fresh = { 0 };
	const char *wrong = wrong_sizes(config);
	if (wrong == NULL)
		wrong = wrong_pointers(config);
	if (wrong == NULL)
		wrong = wrong_methods(config);
	if (wrong != NULL)
		return wrong;
	*peer = fresh;
	peer->config = config;
	peer->running = NOBODY;
	peer->reason_of = NOBODY;
	quash_tx_init(&peer->writer, config->tx, config->tx_size);
	quash_ring_init(peer);
	begin_link(peer);
	return NULL;
}

/* --- Hearing */

/* The one answer to when feed stops: an answer to what was heard could not be said yet. */
static bool is_stuck(const quash_peer *peer)
{
	return peer->link == LINK_GONE || quash_landing(peer)->state == SLOT_OWING;
}

/* A refusal takes REFUSAL_ROOM and its id, which is not longer than it was in the message; the one for the message
 * that is half heard takes an id of which every byte may need six. No message is shorter than two bytes, so `n` of
 * them cost at most half as many refusals and `n` bytes of ids. Nor can a request come and be cancelled within
 * LONGEST_RUN; those that live may be, with an answer of any length. */
size_t quash_room(const quash_peer *peer)
{
	const quash_writer *w = &peer->writer;
	const uint32_t free = w->size - (quash_tx_empty(w) ? 0u : w->tail);
	const uint32_t half_heard = REFUSAL_ROOM + 6u * peer->config->id_size;
	if (is_stuck(peer))
		return 0;
	if (peer->owner != NOBODY || peer->first != NOBODY || peer->batch != 0 || peer->calls != NULL || free < half_heard + 2 * BYTE_ROOM)
		return 1;
	const uint32_t n = (free - half_heard) / BYTE_ROOM;
	return n < LONGEST_RUN ? (size_t)n : LONGEST_RUN;
}

/* A line with nothing on it is no message; a body of length 0 is one that is broken. */
static bool is_empty_line(const quash_peer *peer)
{
	return peer->config->dialect->framing == QUASH_LINES &&
	       (peer->envelope.ended || quash_lex_blank(&peer->lex));
}

/* What is being written waits for handlers or callbacks to go on. */
static bool waits_for_step(const quash_peer *peer)
{
	return peer->owner == CALL_OWNER ||
	       (peer->owner < peer->config->slot_count && quash_slot(peer, peer->owner)->state == SLOT_RUNNING);
}

/* Behind a long reply of another request a refusal may wait for steps to come, and with it the cancel of a handler
 * that stays inside of this one. So it waits in a slot of its own as long as there is one. */
static void make_way(quash_peer *peer)
{
	quash_request *slot = quash_landing(peer);
	if (slot->state != SLOT_OWING || !waits_for_step(peer) || !quash_ring_has_room(peer))
		return;
	quash_ring_claim(peer);
	slot->state = SLOT_OWING;
}

static void message_ended(quash_peer *peer)
{
	const struct quash_batch_code *batch = peer->config->dialect->batch;
	if (is_empty_line(peer))
		return;
	if (peer->envelope.ended)
		begin_message(peer);
	if (batch == NULL || !batch->judge(peer))
		quash_judge(peer);
	peer->envelope.ended = true;
	quash_say(peer);
	make_way(peer);
}

static void hear_body(quash_peer *peer, const uint8_t *data, size_t from, size_t to)
{
	if (peer->envelope.ended)
		begin_message(peer);
	quash_hear(peer, data, from, to);
}

size_t quash_feed(quash_peer *peer, const uint8_t *data, size_t n)
{
	const quash_framing framing = peer->config->dialect->framing;
	size_t at = 0;
	while (at < n && !is_stuck(peer)) {
		size_t to, next;
		const uint8_t found = framing == QUASH_LINES
					      ? quash_frame_line(&peer->frame, data, n, at, &to, &next)
					      : framing->take(&peer->frame, data, n, at, &to, &next);
		if ((found & FRAME_BAD) != 0)
			quash_add(&peer->counters.bad_headers, 1);
		if ((found & FRAME_BODY) != 0)
			hear_body(peer, data, at, to);
		at = next;
		if ((found & FRAME_END) != 0)
			message_ended(peer);
	}
	return at;
}

static void end_calls(quash_peer *peer)
{
	if (peer->call_hooks != NULL)
		peer->call_hooks->gone(peer);
}

void quash_end(quash_peer *peer)
{
	if (peer->link != LINK_UP)
		return;
	peer->link = LINK_ENDED;
	if (peer->config->dialect->framing == QUASH_LINES && !is_stuck(peer))
		message_ended(peer);
	end_calls(peer);
}

static void abandon_message(quash_peer *peer)
{
	const struct quash_batch_code *batch = peer->config->dialect->batch;
	if (batch != NULL)
		batch->abandon(peer);
	peer->envelope.ended = true;
}

void quash_gone(quash_peer *peer)
{
	if (peer->link == LINK_GONE)
		return;
	peer->link = LINK_GONE;
	abandon_message(peer);
	peer->batch = 0;
	peer->owner = NOBODY;
	peer->open = false;
	quash_tx_clear(&peer->writer);
	end_calls(peer);
	quash_flag_all(peer, QUASH_BY_LINK);
	quash_ring_land(peer);
}

void quash_reopen(quash_peer *peer)
{
	quash_gone(peer);
	begin_link(peer);
}

void quash_lost(quash_peer *peer, uint32_t n)
{
	quash_add(&peer->counters.lost, n);
	abandon_message(peer);
	quash_frame_lost(&peer->frame);
}

void quash_tick(quash_peer *peer, uint32_t now)
{
	peer->now = now;
	quash_flag_due(peer);
}

/* --- Saying */

const uint8_t *quash_out(quash_peer *peer, size_t *n)
{
	quash_writer *w = &peer->writer;
	if (peer->tight && !peer->open) {
		quash_tx_pack(w);
		peer->tight = false;
	}
	if (peer->link != LINK_GONE)
		quash_say(peer);
	const quash_size sent = w->sent < w->size ? w->sent : 0;
	*n = !quash_tx_empty(w) && w->tail > sent ? (size_t)(w->tail - sent) : 0;
	return &w->buffer[sent];
}

void quash_sent(quash_peer *peer, size_t n)
{
	quash_tx_sent(&peer->writer, n);
}
