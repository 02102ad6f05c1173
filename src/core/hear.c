/* SPDX-License-Identifier: MIT */
#include "hear.h"

#include "../json/tape.h"
#include "batch_hooks.h"
#include "match.h"

enum sink { NOWHERE, TO_NAME, TO_PARAM_NAME, TO_VERSION, TO_ID, TO_METHOD, TO_TARGET, TO_REASON, TO_TAG };

/* --- Which live request is this? */

static bool names_slot(const quash_peer *peer, const quash_request *slot, const quash_match *m, bool ended, uint8_t byte)
{
	const quash_request *heard = quash_slot(peer, m->candidate);
	if (!quash_slot_named(slot) || slot->id_kind != peer->envelope.target_kind)
		return false;
	for (uint8_t k = 0; k < m->place; k++) {
		if (quash_id_byte(slot, k) != quash_id_byte(heard, k))
			return false;
	}
	return ended ? slot->id_length == m->place
		     : slot->id_length > m->place && quash_id_byte(slot, m->place) == byte;
}

static void match_slot(const quash_peer *peer, quash_match *m, bool ended, uint8_t byte)
{
	const uint8_t count = peer->config->slot_count;
	uint8_t i = m->candidate;
	while (i < count && !names_slot(peer, quash_slot(peer, i), m, ended, byte))
		i++;
	m->candidate = i < count ? i : NOBODY;
	if (m->place < NOBODY)
		m->place = (uint8_t)(m->place + 1);
}

quash_request *quash_heard_target(const quash_peer *peer)
{
	const uint8_t i = peer->envelope.target.candidate;
	quash_request *slot = quash_slot(peer, i);
	return i < peer->config->slot_count && quash_slot_named(slot) ? slot : NULL;
}

/* --- Members */

static void saw(quash_peer *peer, uint16_t what)
{
	peer->envelope.seen |= what;
}

void quash_hear_begin(quash_peer *peer, uint8_t depth)
{
	static const quash_envelope fresh = { .member = M_COUNT, .param = P_COUNT };
	quash_ring_land(peer);
	peer->envelope = fresh;
	peer->envelope.depth = depth;
	quash_match_begin(&peer->envelope.method);
	quash_match_begin(&peer->envelope.special);
	peer->envelope.target.candidate = NOBODY;
	quash_tape_begin(&peer->tape, peer->tape.start);
}

static void name_ended(quash_peer *peer)
{
	quash_envelope *e = &peer->envelope;
	quash_match_end(peer, MEMBERS, &e->name);
	e->member = e->name.candidate;
	if (e->member >= M_COUNT)
		return;
	const uint16_t bit = (uint16_t)(1u << e->member);
	if (quash_seen(peer, bit))
		saw(peer, SEEN_TWICE);
	saw(peer, bit);
	/* What is not kept from its beginning is not kept at all. */
	if (e->member == M_RESULT || e->member == M_ERROR) {
		quash_tape_begin(&peer->tape, peer->tape.start);
		e->member = peer->call_hooks != NULL ? e->member : M_COUNT;
	}
}

static void param_name_ended(quash_peer *peer)
{
	quash_envelope *e = &peer->envelope;
	quash_match_end(peer, PARAMS, &e->name);
	e->param = e->name.candidate == P_ALIAS ? P_TARGET : e->name.candidate;
	if (e->param == P_TARGET)
		e->seen &= (uint16_t)~(SEEN_TARGET | SEEN_BAD_TARGET);
	if (e->param == P_TAG)
		quash_landing(peer)->tag_length = 0;
}

/* A reason is only kept from what may be a cancel. */
static bool may_be_cancel(const quash_peer *peer)
{
	return !quash_seen(peer, SEEN_METHOD) || peer->envelope.special.candidate <= SPECIAL_ALIAS;
}

static void hear_reason(quash_peer *peer, uint8_t c)
{
	const quash_config *config = peer->config;
	const uint8_t i = peer->envelope.reason;
	if (i + 1 < config->reason_size) {
		config->reason[i] = (char)c;
		peer->envelope.reason = (uint8_t)(i + 1);
	}
}

/* Ids are compared by their text, and -0 is 0. */
static void target_byte(quash_peer *peer, uint8_t c)
{
	quash_envelope *e = &peer->envelope;
	if (e->target_kind == ID_NUMBER && e->target.place == 0 && c == '-') {
		e->target_kind = ID_MINUS;
		return;
	}
	if (e->target_kind == ID_MINUS) {
		e->target_kind = ID_NUMBER;
		if (c != '0')
			match_slot(peer, &e->target, false, '-');
	}
	match_slot(peer, &e->target, false, c);
}

static void text_byte(quash_peer *peer, uint8_t c)
{
	quash_envelope *e = &peer->envelope;
	switch (e->sink) {
	case TO_NAME: quash_match_text(peer, MEMBERS, &e->name, c); break;
	case TO_PARAM_NAME: quash_match_text(peer, PARAMS, &e->name, c); break;
	case TO_VERSION: quash_match_text(peer, VERSION, &e->name, c); break;
	case TO_ID:
		if (!quash_id_append(quash_landing(peer), c))
			quash_landing(peer)->id_kind = ID_NONE;
		break;
	case TO_METHOD:
		quash_match_text(peer, METHODS, &e->method, c);
		quash_match_text(peer, SPECIALS, &e->special, c);
		break;
	case TO_TARGET: target_byte(peer, c); break;
	case TO_REASON: hear_reason(peer, c); break;
	case TO_TAG: quash_tag_append(quash_landing(peer), c); break;
	default: break;
	}
}

static void id_ended(quash_peer *peer)
{
	quash_request *slot = quash_landing(peer);
	const bool good = slot->id_kind == ID_NUMBER ? quash_id_normalize(slot) : !peer->lex.lone;
	if (!good)
		slot->id_kind = ID_NONE;
}

static void target_ended(quash_peer *peer)
{
	quash_envelope *e = &peer->envelope;
	match_slot(peer, &e->target, true, 0);
	if (e->target_kind == ID_STRING && peer->lex.lone)
		e->target.candidate = NOBODY;
}

static void text_ended(quash_peer *peer)
{
	quash_envelope *e = &peer->envelope;
	switch (e->sink) {
	case TO_NAME: name_ended(peer); break;
	case TO_PARAM_NAME: param_name_ended(peer); break;
	case TO_VERSION:
		quash_match_end(peer, VERSION, &e->name);
		if (e->name.candidate != NOBODY)
			saw(peer, SEEN_VERSION);
		break;
	case TO_ID: id_ended(peer); break;
	case TO_METHOD:
		quash_match_end(peer, METHODS, &e->method);
		quash_match_end(peer, SPECIALS, &e->special);
		break;
	case TO_TARGET: target_ended(peer); break;
	case TO_TAG:
		if (peer->lex.lone)
			quash_landing(peer)->tag_length = 0;
		break;
	default: break;
	}
	e->sink = NOWHERE;
}

static uint8_t open_target(quash_peer *peer, bool string)
{
	quash_envelope *e = &peer->envelope;
	quash_match_begin(&e->target);
	e->target_kind = string ? ID_STRING : ID_NUMBER;
	saw(peer, SEEN_TARGET);
	return TO_TARGET;
}

static uint8_t open_reason(quash_peer *peer)
{
	if (!may_be_cancel(peer))
		return NOWHERE;
	peer->envelope.reason = 0;
	peer->reason_of = NOBODY;
	return TO_REASON;
}

/* Where the text of a string or number inside of params goes. */
static uint8_t param_sink(quash_peer *peer, bool string)
{
	switch (peer->envelope.param) {
	case P_TARGET: return open_target(peer, string);
	case P_REASON: return string ? open_reason(peer) : NOWHERE;
	case P_TAG: return string ? TO_TAG : NOWHERE;
	default: return NOWHERE;
	}
}

static uint8_t member_sink(quash_peer *peer, bool string)
{
	quash_envelope *e = &peer->envelope;
	switch (e->member) {
	case M_JSONRPC:
		quash_match_begin(&e->name);
		return string ? TO_VERSION : NOWHERE;
	case M_ID:
		quash_landing(peer)->id_kind = string ? ID_STRING : ID_NUMBER;
		quash_landing(peer)->id_length = 0;
		return TO_ID;
	case M_METHOD:
		if (!string)
			return NOWHERE;
		saw(peer, SEEN_NAME);
		return TO_METHOD;
	default: return NOWHERE;
	}
}

static uint8_t name_sink(quash_peer *peer, uint8_t sink)
{
	quash_match_begin(&peer->envelope.name);
	return sink;
}

/* What is neither string nor number; `level` is that of the member that it is the value of. */
static void other_value(quash_peer *peer, quash_lex_event event, uint32_t level)
{
	const quash_envelope *e = &peer->envelope;
	const bool container = event == QUASH_LEX_OBJECT || event == QUASH_LEX_ARRAY;
	if (level + 1 == e->depth && event == QUASH_LEX_OBJECT)
		saw(peer, SEEN_OBJECT);
	if (level == e->depth && e->member == M_PARAMS && container)
		saw(peer, SEEN_STRUCTURE);
	if (level == (uint32_t)e->depth + 1 && e->member == M_PARAMS && e->param == P_TARGET)
		saw(peer, SEEN_BAD_TARGET);
}

static void envelope_event(quash_peer *peer, quash_lex_event event)
{
	quash_envelope *e = &peer->envelope;
	const uint32_t level = peer->lex.depth;
	const bool member = level == e->depth;
	const bool param = level == (uint32_t)e->depth + 1 && e->member == M_PARAMS;
	switch (event) {
	case QUASH_LEX_KEY:
		e->sink = member ? name_sink(peer, TO_NAME) : param ? name_sink(peer, TO_PARAM_NAME) : NOWHERE;
		break;
	case QUASH_LEX_STRING:
	case QUASH_LEX_NUMBER: {
		const bool string = event == QUASH_LEX_STRING;
		e->sink = member ? member_sink(peer, string) : param ? param_sink(peer, string) : NOWHERE;
		break;
	}
	case QUASH_LEX_END: text_ended(peer); break;
	case QUASH_LEX_OBJECT:
	case QUASH_LEX_ARRAY: other_value(peer, event, level - 1); break;
	case QUASH_LEX_TRUE:
	case QUASH_LEX_FALSE:
	case QUASH_LEX_NULL: other_value(peer, event, level); break;
	case QUASH_LEX_DEEP: saw(peer, SEEN_DEEP); break;
	default: break;
	}
}

/* Params of requests; once we have made calls, also the answers to them. */
static bool is_kept(const quash_peer *peer)
{
	const uint8_t member = peer->envelope.member;
	return member == M_PARAMS || member == M_RESULT || member == M_ERROR;
}

static bool on_tape(const quash_peer *peer, bool was_kept)
{
	return was_kept && is_kept(peer) && peer->lex.depth >= peer->envelope.depth;
}

static void hear_text(quash_peer *peer, const uint8_t *data, size_t from, size_t to)
{
	const quash_config *c = peer->config;
	if (on_tape(peer, peer->envelope.sink != TO_NAME))
		quash_tape_text(&peer->tape, c->arena, c->arena_size, data, from, to);
	if (peer->envelope.sink == NOWHERE)
		return;
	for (size_t i = from; i < to; i++)
		text_byte(peer, data[i]);
}

static void hear_event(quash_peer *peer, quash_lex_event event)
{
	const quash_config *c = peer->config;
	const bool was_kept = is_kept(peer) && peer->envelope.sink != TO_NAME;
	envelope_event(peer, event);
	if (on_tape(peer, was_kept) && peer->envelope.sink != TO_NAME)
		quash_tape_event(&peer->tape, c->arena, c->arena_size, event);
	if (c->dialect->batch != NULL)
		c->dialect->batch->event(peer, event);
}

void quash_hear(quash_peer *peer, const uint8_t *data, size_t from, size_t to)
{
	quash_lex *lex = &peer->lex;
	size_t at = from;
	while (at < to && !quash_seen(peer, SEEN_BROKEN)) {
		const size_t before = at;
		const quash_lex_event event = quash_lex_run(lex, data, to, &at);
		if (event == QUASH_LEX_TEXT)
			hear_text(peer, data, before, at);
		else if (event == QUASH_LEX_CHAR)
			hear_text(peer, lex->utf8, 0, lex->count);
		else if (event == QUASH_LEX_ERROR)
			saw(peer, SEEN_BROKEN);
		else
			hear_event(peer, event);
	}
}
