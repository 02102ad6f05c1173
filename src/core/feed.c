/* SPDX-License-Identifier: MIT */
#include "feed.h"

#include "../json/rom.h"
#include "../json/tape.h"
#include "../wire/tx.h"
#include "accept.h"
#include "batch_hooks.h"
#include "call_hooks.h"
#include "checked.h"
#include "decide.h"
#include "due.h"

/* --- Messages */

static bool has_lines(const quash_peer *peer)
{
	return quash_config_of(peer)->dialect->framing == QUASH_LINES;
}

/* Ready for the first byte of a message. */
static void begin_received(quash_peer *peer)
{
	quash_lex_init(&peer->lex, quash_config_of(peer)->word->text, quash_config_of(peer)->word_size);
	peer->lex.line = has_lines(peer);
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
	peer->in.pause = PAUSE_NONE;
	peer->in.kept = KEPT_NOTHING;
	peer->in.untaken = false;
	peer->batch = 0;
	peer->in.skips = false;
	peer->link.noisy = 0;
	quash_frame_init(&peer->frame, longest_body(quash_config_of(peer)));
	begin_received(peer);
}

QUASH_OUTLINED_ static void message_ended(quash_peer *peer)
{
	peer->envelope.ended = true;
	peer->envelope.waited = false; /* what it waited for was room in the arena */
	quash_slots_receive(peer);
	const struct quash_batch_code *const batch = quash_config_of(peer)->dialect->batch;
	if (batch == NULL || !batch->accept(peer))
		quash_accept(peer);
}

/* A line with nothing on it is no message. */
static void line_ended(quash_peer *peer)
{
	if (!quash_lex_blank_(&peer->lex)) {
		message_ended(peer);
		return;
	}
	peer->envelope.ended = true;
	quash_note_life_sign(peer);
}

void quash_feed_abandon(quash_peer *peer)
{
	const struct quash_batch_code *batch = quash_config_of(peer)->dialect->batch;
	if (quash_feed_keeps(peer))
		quash_count_up(peer, offsetof(quash_counters, discarded));
	if (batch != NULL)
		batch->abandon(peer);
	if (peer->in.pause != PAUSE_REFUSAL)
		peer->in.pause = PAUSE_NONE;
	peer->in.kept = KEPT_NOTHING;
	peer->in.untaken = false;
	quash_envelope_close(peer);
	peer->envelope.ended = true;
}

/* --- What is kept */

bool quash_feed_keeps(const quash_peer *peer)
{
	return peer->in.kept == KEPT_MESSAGE || peer->in.kept == KEPT_MEMBER;
}

static bool is_batch_under_way(const quash_peer *peer)
{
	const struct quash_batch_code *batch = quash_config_of(peer)->dialect->batch;
	return batch != NULL && batch->under_way(peer);
}

static bool finds_room(const quash_peer *peer)
{
	switch (peer->in.kept) {
	case KEPT_BRACKET: return !is_batch_under_way(peer);
	case KEPT_BYTE: return peer->tape.start == 0 || quash_has_tape_room(peer);
	default: return quash_slots_have_room(peer);
	}
}

/* Its slot and params go as soon as its answer has left. A batch's members wait for each other, and calls that are to
 * be cancelled for another link. */
static bool waits_for_tx(const quash_request *slot)
{
	const struct quash_call_hooks *calls = quash_calls_of(slot->peer);
	return slot->life == LIFE_ENDED && !quash_slot_is(slot, MARK_END | MARK_MEMBER) &&
		(calls == NULL || !calls->hold(slot));
}

static bool comes_free(const quash_peer *peer)
{
	const struct quash_batch_code *batch = quash_config_of(peer)->dialect->batch;
	const quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL) {
		if (waits_for_tx(slot))
			return true;
	}
	if (batch != NULL && (batch->next(peer, NULL) != NULL || (peer->out.crowded > 0 && batch->under_way(peer))))
		return true; /* an answer that only lets a notification go first goes as well */
	return quash_calls_of(peer) != NULL && quash_calls_of(peer)->frees(peer);
}

static void input_ended(quash_peer *peer)
{
	peer->link.state = LINK_ENDED;
	if (has_lines(peer) && !peer->envelope.ended && !quash_lex_blank_(&peer->lex))
		message_ended(peer);
	if (quash_calls_of(peer) != NULL)
		quash_calls_of(peer)->gone(peer);
}

QUASH_INLINED_ static void go_on(quash_peer *peer)
{
	const struct quash_batch_code *batch = quash_config_of(peer)->dialect->batch;
	const uint8_t kept = peer->in.kept;
	peer->in.pause = PAUSE_NONE;
	peer->in.kept = KEPT_NOTHING;
	if (kept == KEPT_MESSAGE)
		quash_accept(peer);
	else if (kept == KEPT_MEMBER && batch != NULL)
		batch->resume(peer);
}

/* What is kept has found room, or waits no more. */
static bool may_go_on(quash_peer *peer, bool stepped)
{
	if (peer->running == NO_INDEX)
		quash_arena_pack(peer);
	if (finds_room(peer))
		return true;
	if (peer->running == NO_INDEX && (!stepped || comes_free(peer))) {
		peer->in.pause = stepped ? PAUSE_ROOM : peer->in.pause;
		return false;
	}
	peer->envelope.waited = true;
	return true;
}

bool quash_feed_resume(quash_peer *peer, bool stepped)
{
	bool any = (peer->in.pause == PAUSE_STEP || peer->in.pause == PAUSE_ROOM) && may_go_on(peer, stepped);
	if (any)
		go_on(peer);
	if (peer->link.state == LINK_ENDING && peer->in.pause == PAUSE_NONE) {
		input_ended(peer);
		any = true;
	}
	return any;
}

bool quash_feed_is_in_vain(const quash_peer *peer)
{
	return peer->in.pause == PAUSE_ROOM && !comes_free(peer);
}

bool quash_feed_is_due(const quash_peer *peer)
{
	if (peer->in.pause == PAUSE_NONE)
		return peer->in.untaken || peer->link.state == LINK_ENDING;
	return peer->in.pause == PAUSE_STEP ||
		(peer->in.pause == PAUSE_ROOM && (finds_room(peer) || peer->running != NO_INDEX));
}

/* --- Bytes */

enum { MARK_BYTES = 3 };

/* The first line's end from `at` on, or `to`. */
static size_t find_line_end(const uint8_t *data, size_t at, size_t to)
{
	while (at < to && data[at] != '\n')
		at++;
	return at;
}

/* Skips what is left of a line that was lost. */
static size_t skip_lost(quash_peer *peer, const uint8_t *data, size_t at, size_t to)
{
	const size_t end = find_line_end(data, at, to);
	peer->in.skips = end == to;
	return end < to ? end + 1 : to;
}

/* From one event to the next; returns where reading goes on. A line's end puts nothing on the tape, and waits for
 * nothing. */
static size_t receive_some(quash_peer *peer, const uint8_t *data, size_t from, size_t to)
{
	quash_lex *const lex = &peer->lex;
	size_t at = from;
	if (peer->envelope.tight && !(lex->line && data[at] == '\n') &&
		(quash_waits_for_room(peer) || quash_envelope_put(peer)))
		return at;
	const quash_lex_event event = quash_lex_run(lex, data, to, &at);
	/* Noise begins many lines; it names no member. The byte that breaks a message is none either. */
	if (at > from && quash_seen(peer, SEEN_MEMBERS))
		peer->alive = peer->now;
	switch (event) {
	case QUASH_LEX_MORE: break;
	case QUASH_LEX_TEXT: quash_envelope_text(peer); break;
	case QUASH_LEX_LINE: line_ended(peer); return at < to ? at + 1 : to;
	case QUASH_LEX_ERROR: /* what is not JSON is skipped: a line to its end, a body of known length whole */
		quash_envelope_close(peer);
		return lex->line ? find_line_end(data, at, to) : to;
	default: quash_envelope_event(peer, event); break;
	}
	return at;
}

size_t quash_receive(quash_peer *peer, const uint8_t *data, size_t at, size_t to)
{
	while (at < to && peer->in.pause == PAUSE_NONE) {
		if (!peer->envelope.ended)
			at = receive_some(peer, data, at, to);
		else if (peer->in.skips)
			at = skip_lost(peer, data, at, to);
		else
			begin_received(peer);
	}
	return at;
}

void quash_body_ended(quash_peer *peer)
{
	if (peer->envelope.ended)
		begin_received(peer);
	message_ended(peer);
}

/* A byte order mark in front of the first message of a link is passed over. What no header needs counts its bytes. */
static size_t receive_lines(quash_peer *peer, const uint8_t *data, size_t n)
{
	static const char *const mark = "\xEF\xBB\xBF";
	uint8_t place = peer->frame.place;
	size_t at = 0;
	while (at < n && place < MARK_BYTES) {
		if (data[at] == (uint8_t)quash_rom(&mark[place]))
			at++;
		else
			place = MARK_BYTES - 1;
		place++;
	}
	peer->frame.place = place;
	return quash_receive(peer, data, at, n);
}

/* --- Messages that have their length in front of them. What is here, a dialect of lines does not link. */

/* A body, or what of it may be received now: the message whose body ends is not put off until more bytes come. */
static size_t receive_body(quash_peer *peer, const uint8_t *data, size_t from, size_t to)
{
	const size_t at = quash_receive(peer, data, from, to);
	if (quash_frame_took(&peer->frame, at - from))
		quash_body_ended(peer);
	return at;
}

static size_t feed_framed(quash_peer *peer, const uint8_t *data, size_t n)
{
	size_t at = 0;
	while (at < n && peer->in.pause == PAUSE_NONE) {
		size_t to = n;
		switch (quash_frame_length(&peer->frame, data, n, &at, &to)) {
		case FRAME_BODY: at = receive_body(peer, data, at, to); break;
		case FRAME_END: quash_body_ended(peer); break;
		case FRAME_EMPTY: quash_note_life_sign(peer); break;
		case FRAME_BAD: quash_count_up(peer, offsetof(quash_counters, bad_headers)); break;
		default: break;
		}
	}
	return at;
}

const struct quash_framing_code quash_content_length = {
	feed_framed, quash_frame_lost,
	quash_content_open, quash_content_close, quash_content_close_whole, quash_content_rest, quash_content_most
};

/* --- From outside */

size_t quash_feed(quash_peer *peer, const uint8_t *data, size_t n)
{
	quash_checked_call(peer);
	if (peer->link.state == LINK_GONE)
		return 0;
	const quash_framing framing = quash_config_of(peer)->dialect->framing;
	if (peer->in.pause != PAUSE_NONE || peer->link.state != LINK_UP)
		(void)quash_feed_resume(peer, false);
	const size_t at = framing == QUASH_LINES ? receive_lines(peer, data, n) : framing->feed(peer, data, n);
	peer->in.untaken = at < n;
	return at;
}

void quash_input_end(quash_peer *peer)
{
	if (peer->link.state != LINK_UP)
		return;
	peer->link.state = LINK_ENDING;
	if (peer->in.pause == PAUSE_NONE)
		input_ended(peer);
}

void quash_lost(quash_peer *peer)
{
	quash_count_up(peer, offsetof(quash_counters, lost));
	if (peer->link.state == LINK_GONE)
		return;
	if (peer->in.kept != KEPT_MESSAGE) /* that one has come whole */
		quash_feed_abandon(peer);
	peer->in.skips = has_lines(peer);
	if (!peer->in.skips)
		quash_config_of(peer)->dialect->framing->lost(&peer->frame);
}

/* --- Shutdown */

static void cancel_kept(quash_peer *peer)
{
	if (!quash_feed_keeps(peer)) /* what has not come whole is not live */
		return;
	peer->envelope.waited = true;
	if (peer->in.kept == KEPT_MEMBER || !quash_seen(peer, SEEN_ID)) {
		go_on(peer);
		return;
	}
	peer->in.pause = PAUSE_NONE;
	peer->in.kept = KEPT_NOTHING;
	quash_count_up(peer, offsetof(quash_counters, cancelled[QUASH_BY_SHUTDOWN]));
	(void)quash_refuse_with(peer, quash_config_of(peer)->dialect->own_code, QUASH_WHY_OWN_CANCEL);
}

/* What is kept comes first: it shall not find the slot of something that is cancelled, and run. */
void quash_cancel_all(quash_peer *peer)
{
	cancel_kept(peer);
	quash_flag_all(peer, QUASH_BY_SHUTDOWN);
}
