/* SPDX-License-Identifier: MIT */
#include "receive.h"

#include "../json/tape.h"

/* What a single byte may put on the tape: the end of a number and of a container, or a character, or a name's head. */
enum { BYTE_ON_TAPE = 8 };

static quash_size tape_room(const quash_peer *peer)
{
	const quash_tape *t = &peer->tape;
	const quash_size size = peer->config->arena_size;
	const quash_size most = t->start < size ? (quash_size)(size - t->start) : 0;
	return t->length < most ? (quash_size)(most - t->length) : 0;
}

bool quash_has_tape_room(const quash_peer *peer)
{
	return tape_room(peer) >= BYTE_ON_TAPE;
}

bool quash_may_wait(const quash_peer *peer)
{
	return peer->running == NOBODY && !peer->envelope.waited && peer->link != LINK_GONE;
}

void quash_pause(quash_peer *peer, enum quash_kept kept)
{
	peer->pause = PAUSE_STEP;
	peer->kept = (uint8_t)kept;
	quash_count_up(peer, offsetof(quash_counters, kept));
	quash_note(&peer->received, QUASH_KEPT);
}

/* A cancel that is known to be one takes effect whether its params find room or not. */
static bool is_cancel(const quash_peer *peer)
{
	return quash_seen(peer, SEEN_NAME) && peer->envelope.cancel.candidate != NOBODY;
}

/* Params, or an answer, that fill an arena in which something else stands wait for it to go. */
static bool wants_room(const quash_peer *peer)
{
	return peer->tape.start > 0 && !is_cancel(peer) && !quash_has_tape_room(peer) && quash_tape_whole(&peer->tape) && quash_is_on_tape(peer) &&
	       peer->tape.length <= peer->config->arena_size - BYTE_ON_TAPE && quash_may_wait(peer);
}

/* True when there is none even in a packed arena: receiving pauses. */
static bool waits_for_room(quash_peer *peer)
{
	if (!wants_room(peer))
		return false;
	quash_ring_pack(peer);
	if (!wants_room(peer))
		return false;
	quash_pause(peer, KEPT_BYTE);
	return true;
}

/* Which puts nothing on the tape, and waits for nothing. */
static bool is_line_end(const quash_peer *peer, uint8_t c)
{
	return c == '\n' && peer->lex.line;
}

/* How far the lexer may go before the tape is looked at again: text takes its length there, all else little. */
static size_t run_limit(const quash_peer *peer, size_t at, size_t to)
{
	const quash_size room = tape_room(peer);
	const size_t most = room > BYTE_ON_TAPE ? (size_t)(room - BYTE_ON_TAPE) : 1;
	const size_t end = at + (most < to ? most : to);
	return end < to ? end : to;
}

/* True at a line's end. */
static bool receive_run(quash_peer *peer, const uint8_t *data, size_t to, size_t *at)
{
	quash_lex *lex = &peer->lex;
	const size_t before = *at;
	const quash_lex_event event = quash_lex_run(lex, data, to, at);
	if (*at > before) /* the byte that breaks a message, and those behind it, are no sign of life */
		peer->alive = peer->now;
	switch (event) {
	case QUASH_LEX_MORE: break;
	case QUASH_LEX_LINE: return true;
	case QUASH_LEX_TEXT: quash_envelope_text(peer, data, before, *at); break;
	case QUASH_LEX_CHAR: quash_envelope_text(peer, lex->utf8, 0, lex->count); break;
	case QUASH_LEX_ERROR: peer->envelope.seen |= SEEN_BROKEN; break;
	default: quash_envelope_event(peer, event); break;
	}
	return false;
}

/* What is not JSON is skipped: a line to its end, a body of known length whole. */
static size_t skip_broken(const quash_peer *peer, const uint8_t *data, size_t at, size_t to)
{
	if (peer->config->dialect->framing != QUASH_LINES)
		return to;
	while (at < to && data[at] != '\n')
		at++;
	return at;
}

size_t quash_receive(quash_peer *peer, const uint8_t *data, size_t from, size_t to)
{
	size_t at = from;
	while (at < to && peer->pause == PAUSE_NONE && (is_line_end(peer, data[at]) || !waits_for_room(peer))) {
		if (quash_seen(peer, SEEN_BROKEN))
			return skip_broken(peer, data, at, to);
		if (receive_run(peer, data, run_limit(peer, at, to), &at))
			break;
	}
	return at;
}
