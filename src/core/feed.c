/* SPDX-License-Identifier: MIT */
#include "feed.h"

#include "../json/tape.h"
#include "../wire/tx.h"
#include "accept.h"
#include "batch_hooks.h"
#include "call_hooks.h"
#include "cancel.h"
#include "checked.h"
#include "receive.h"
#include "session.h"

/* --- Messages */

/* Ready for the first byte of a message. */
static void begin_received(quash_peer *peer)
{
	quash_lex_init(&peer->lex);
	peer->lex.line = peer->config->dialect->framing == QUASH_LINES;
	quash_envelope_begin(peer, 1);
}

/* No arena is larger. What is beyond is noise, and as a length it would swallow what follows for hours. */
static uint32_t longest_body(const quash_config *config)
{
	const uint32_t most = 0xFFFFFF;
	return config->body_limit > 0 && config->body_limit < most ? config->body_limit : most;
}

void quash_feed_begin(quash_peer *peer)
{
	peer->pause = PAUSE_NONE;
	peer->kept = KEPT_NOTHING;
	peer->behind = false;
	peer->batch = 0;
	quash_frame_init(&peer->frame, longest_body(peer->config));
	begin_received(peer);
}

/* A line with nothing on it is no message; a body of length 0 is one that is broken. */
static bool is_empty_line(const quash_peer *peer)
{
	return peer->config->dialect->framing == QUASH_LINES &&
	       (peer->envelope.ended || quash_lex_blank(&peer->lex));
}

static void message_ended(quash_peer *peer)
{
	const struct quash_batch_code *batch = peer->config->dialect->batch;
	if (is_empty_line(peer)) {
		quash_note_life_sign(peer);
		return;
	}
	if (peer->envelope.ended)
		begin_received(peer);
	peer->envelope.ended = true;
	peer->envelope.waited = false; /* what it waited for was room in the arena */
	if (batch == NULL || !batch->accept(peer))
		quash_accept(peer);
}

void quash_feed_abandon(quash_peer *peer)
{
	const struct quash_batch_code *batch = peer->config->dialect->batch;
	if (quash_feed_keeps(peer))
		quash_count_up(peer, offsetof(quash_counters, discarded));
	if (batch != NULL)
		batch->abandon(peer);
	if (peer->pause != PAUSE_REFUSAL)
		peer->pause = PAUSE_NONE;
	peer->kept = KEPT_NOTHING;
	peer->behind = false;
	peer->envelope.ended = true;
}

/* --- What is kept */

bool quash_feed_keeps(const quash_peer *peer)
{
	return peer->kept == KEPT_MESSAGE || peer->kept == KEPT_MEMBER;
}

static bool is_batch_under_way(const quash_peer *peer)
{
	const struct quash_batch_code *batch = peer->config->dialect->batch;
	return batch != NULL && batch->under_way(peer);
}

static bool finds_room(const quash_peer *peer)
{
	switch (peer->kept) {
	case KEPT_BRACKET: return !is_batch_under_way(peer);
	case KEPT_BYTE: return peer->tape.start == 0 || quash_has_tape_room(peer);
	default: return quash_ring_has_room(peer);
	}
}

/* Its slot and params go as soon as its answer has left. A batch's members wait for each other, and calls that are to be
 * cancelled for another link. */
static bool waits_for_tx(const quash_request *slot)
{
	const struct quash_call_hooks *calls = slot->peer->call_hooks;
	return slot->life == LIFE_ENDED && !quash_slot_is(slot, MARK_END | MARK_MEMBER) &&
	       (calls == NULL || !calls->hold(slot));
}

static bool comes_free(const quash_peer *peer)
{
	const struct quash_batch_code *batch = peer->config->dialect->batch;
	const quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL) {
		if (waits_for_tx(slot))
			return true;
	}
	if (batch != NULL && (batch->next(peer, NULL) != NULL || (peer->crowded > 0 && batch->under_way(peer))))
		return true; /* an answer that only lets a notification go first goes as well */
	return peer->call_hooks != NULL && peer->call_hooks->frees(peer);
}

static void input_ended(quash_peer *peer)
{
	peer->link = LINK_ENDED;
	if (peer->config->dialect->framing == QUASH_LINES && !is_empty_line(peer))
		message_ended(peer);
	if (peer->call_hooks != NULL)
		peer->call_hooks->gone(peer);
}

static void go_on(quash_peer *peer)
{
	const struct quash_batch_code *batch = peer->config->dialect->batch;
	const uint8_t kept = peer->kept;
	peer->pause = PAUSE_NONE;
	peer->kept = KEPT_NOTHING;
	if (kept == KEPT_MESSAGE)
		quash_accept(peer);
	else if (kept == KEPT_MEMBER && batch != NULL)
		batch->resume(peer);
	if (peer->link == LINK_ENDING && peer->pause == PAUSE_NONE)
		input_ended(peer);
}

void quash_feed_resume(quash_peer *peer, bool stepped)
{
	if (peer->pause != PAUSE_STEP && peer->pause != PAUSE_ROOM) {
		if (peer->link == LINK_ENDING && peer->pause == PAUSE_NONE)
			input_ended(peer);
		return;
	}
	if (peer->running == NOBODY)
		quash_ring_pack(peer);
	if (!finds_room(peer)) {
		const bool waits = peer->running == NOBODY && (!stepped || comes_free(peer));
		if (waits && stepped)
			peer->pause = PAUSE_ROOM;
		if (waits)
			return;
		peer->envelope.waited = true;
	}
	go_on(peer);
}

bool quash_feed_is_due(const quash_peer *peer)
{
	if (peer->pause == PAUSE_NONE)
		return peer->behind || peer->link == LINK_ENDING;
	return peer->pause == PAUSE_STEP || (peer->pause == PAUSE_ROOM && finds_room(peer));
}

/* --- Bytes */

/* Bytes of a message; returns where it stopped. */
static size_t receive_body(quash_peer *peer, const uint8_t *data, size_t from, size_t to)
{
	if (peer->envelope.ended)
		begin_received(peer);
	const size_t at = quash_receive(peer, data, from, to);
	quash_frame_took(&peer->frame, at - from);
	return at;
}

static enum frame_found take_frame(quash_peer *peer, const uint8_t *data, size_t n, size_t *at, size_t *to)
{
	const quash_framing framing = peer->config->dialect->framing;
	return framing == QUASH_LINES ? quash_frame_line(&peer->frame, data, n, at, to)
				      : framing->take(&peer->frame, data, n, at, to);
}

static void feed_some(quash_peer *peer, const uint8_t *data, size_t n, size_t *at)
{
	size_t to;
	switch (take_frame(peer, data, n, at, &to)) {
	case FRAME_BODY: *at = receive_body(peer, data, *at, to); break;
	case FRAME_END: message_ended(peer); break;
	case FRAME_EMPTY: quash_note_life_sign(peer); break;
	case FRAME_BAD: quash_count_up(peer, offsetof(quash_counters, bad_headers)); break;
	default: break;
	}
}

/* The message whose body has just ended is not put off until more bytes come. */
static bool is_body_whole(const quash_peer *peer)
{
	return peer->config->dialect->framing != QUASH_LINES && quash_frame_is_whole(&peer->frame);
}

size_t quash_feed(quash_peer *peer, const uint8_t *data, size_t n)
{
	size_t at = 0;
	quash_checked_call(peer);
	if (peer->link == LINK_GONE)
		return 0;
	quash_feed_resume(peer, false);
	while ((at < n || is_body_whole(peer)) && peer->pause == PAUSE_NONE)
		feed_some(peer, data, n, &at);
	peer->behind = at < n;
	return at;
}

void quash_input_end(quash_peer *peer)
{
	if (peer->link != LINK_UP)
		return;
	peer->link = LINK_ENDING;
	if (peer->pause == PAUSE_NONE)
		input_ended(peer);
}

void quash_lost(quash_peer *peer)
{
	quash_count_up(peer, offsetof(quash_counters, lost));
	if (peer->kept != KEPT_MESSAGE) /* that one has come whole */
		quash_feed_abandon(peer);
	quash_frame_lost(&peer->frame);
}

/* --- Shutdown */

static void cancel_kept(quash_peer *peer)
{
	if (!quash_feed_keeps(peer)) /* what has not come whole is not live */
		return;
	peer->envelope.waited = true;
	if (peer->kept == KEPT_MEMBER || !quash_seen(peer, SEEN_ID)) {
		go_on(peer);
		return;
	}
	peer->pause = PAUSE_NONE;
	peer->kept = KEPT_NOTHING;
	quash_count_up(peer, offsetof(quash_counters, cancelled[QUASH_BY_SHUTDOWN]));
	(void)quash_refuse_with(peer, peer->config->dialect->own_code, QUASH_WHY_OWN_CANCEL);
}

/* What is kept comes first: it shall not find the slot of something that is cancelled, and run. */
void quash_cancel_all(quash_peer *peer)
{
	cancel_kept(peer);
	quash_flag_all(peer, QUASH_BY_SHUTDOWN);
}
