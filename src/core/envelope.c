/* SPDX-License-Identifier: MIT */
#include "envelope.h"

#include "../json/rom.h"
#include "../json/tape.h"
#include "batch_hooks.h"
#include "call_hooks.h"

/* --- Names */

/* Names that stand in a table, one at the beginning of each entry of so many bytes. */
struct names {
	const void *first;
	uint8_t stride;
	uint8_t count;
};

/* The members of params stand in a row in the dialect, in the order of enum param. */
static struct names match_names(const quash_peer *peer, enum name_set set)
{
	static const char *const members[] = { "jsonrpc", "id", "method", "params", "result", "error", "2.0" };
	const quash_dialect *const d = quash_config_of(peer)->dialect;
	const quash_config *const c = quash_config_of(peer);
	switch (set) {
	case MEMBERS: return (struct names){ members, sizeof *members, M_VERSION + 1 };
	case PARAMS: return (struct names){ &d->cancel_id, sizeof d->cancel_id, P_COUNT };
	case METHODS: return (struct names){ c->methods, sizeof *c->methods, c->method_count };
	default: return (struct names){ d->cancels, sizeof *d->cancels, d->cancel_count };
	}
}

/* NULL for a name that the dialect does not have. */
QUASH_NOINLINE static const char *name_at(const struct names *names, uint8_t i)
{
	return quash_rom_text((const char *const *)(const void *)((const uint8_t *)names->first + (size_t)i * names->stride));
}

/* True if `name` begins as `begun` does for `place` characters and goes on with data[from..to). `*whole`: it ends there. */
static bool fits(const char *name, const char *begun, uint8_t place, const uint8_t *data, size_t from, size_t to, bool *whole)
{
	size_t i = 0;
	if (name == NULL || begun == NULL)
		return false;
	/*@ loop unroll 40; */
	while (i < place && quash_rom(&name[i]) != '\0' && quash_rom(&name[i]) == quash_rom(&begun[i]))
		i++;
	const bool begins = i == place;
	/*@ loop unroll 40; */
	while (from < to && quash_rom(&name[i]) != '\0' && quash_rom(&name[i]) == (char)data[from]) {
		from++;
		i++;
	}
	*whole = quash_rom(&name[i]) == '\0';
	return begins && from >= to;
}

void quash_match_begin(quash_match *m)
{
	m->candidate = 0;
	m->place = 0;
	m->whole = false;
}

/* The first name that fits so far is known; those before it never will. What was received of the name is the beginning
 * of that one, so it need not be kept. With `end` the name ends as well. */
static void match(const quash_peer *peer, enum name_set set, quash_match *m, const uint8_t *data, size_t from, size_t to, bool end)
{
	const struct names names = match_names(peer, set);
	uint8_t i = m->candidate;
	bool whole = false;
	if (i < names.count) {
		/*@ split i; */
		const char *begun = name_at(&names, i);
		/*@ loop unroll 254; */
		while (i < names.count && !(fits(name_at(&names, i), begun, m->place, data, from, to, &whole) && (whole || !end)))
			i++;
	}
	const size_t n = from < to ? to - from : 0;
	m->candidate = i < names.count && n < (size_t)(NO_INDEX - m->place) ? i : NO_INDEX;
	m->place = (uint8_t)(m->place + n);
	m->whole = whole;
}

/* An escape is the only way to a NUL, which is in no name. */
void quash_match_text(const quash_peer *peer, enum name_set set, quash_match *m, const uint8_t *data, size_t from, size_t to)
{
	if (from < to && data[from] == 0)
		m->candidate = NO_INDEX;
	/*@ split set; */
	if (m->candidate != NO_INDEX)
		match(peer, set, m, data, from, to, false);
}

void quash_match_end(const quash_peer *peer, enum name_set set, quash_match *m)
{
	/*@ split set; */
	if (m->candidate != NO_INDEX && !m->whole)
		match(peer, set, m, NULL, 0, 0, true);
}

/* Where text goes: the first ones to a match of one set of names. */
enum sink { TO_NAME, TO_VERSION, TO_PARAM_NAME, TO_METHOD, TO_ID, TO_REASON, TO_TAG, NOWHERE };

/* Whose value it is: one of the envelope's members, or of those of params that matter. */
enum { OF_PARAMS = M_COUNT + 1, OF_TARGET = OF_PARAMS + P_TARGET, OF_REASON = OF_PARAMS + P_REASON, OF_TAG = OF_PARAMS + P_TAG };

/* --- Members */

static void saw(quash_peer *peer, uint16_t what)
{
	peer->envelope.seen |= what;
}

void quash_envelope_begin(quash_peer *peer, uint8_t depth)
{
	static const quash_envelope fresh = { .seen = 0 };
	quash_slots_receive(peer);
	peer->envelope = fresh;
	peer->envelope.depth = depth;
	peer->envelope.member = M_COUNT;
	peer->envelope.param = P_COUNT;
	peer->envelope.sink = NOWHERE;
	quash_tape_begin(&peer->tape, peer->tape.start);
}

static void name_ended(quash_peer *peer)
{
	quash_envelope *e = &peer->envelope;
	e->member = e->name.candidate;
	if (e->member >= M_COUNT)
		return;
	const uint16_t bit = (uint16_t)(1u << e->member);
	if (quash_seen(peer, bit))
		saw(peer, SEEN_TWICE);
	saw(peer, bit);
	if (e->member == M_ID)
		peer->received.id_kind = ID_NONE;
	/* What is not kept from its beginning is not kept at all. */
	if (e->member == M_RESULT || e->member == M_ERROR) {
		quash_tape_begin(&peer->tape, peer->tape.start);
		e->taped = quash_calls_of(peer) != NULL && peer->calls != NULL;
	} else {
		e->taped = e->member == M_PARAMS;
	}
}

static void param_name_ended(quash_peer *peer)
{
	quash_envelope *e = &peer->envelope;
	e->param = e->name.candidate == P_ALIAS ? P_TARGET : e->name.candidate;
	if (e->param == P_TARGET)
		e->seen &= (uint16_t) ~(SEEN_TARGET | SEEN_BAD_TARGET);
	if (e->param == P_TAG)
		peer->received.tag_length = 0;
}

/* A `reason` is only kept from what may be a cancel. */
static bool may_be_cancel(const quash_peer *peer)
{
	return !quash_seen(peer, SEEN_METHOD) || peer->envelope.cancel.candidate != NO_INDEX;
}

/* The bytes of the character that begins with it; 1 for the others of one. */
static uint8_t length_from(uint8_t lead)
{
	if (lead < 0xC0)
		return 1;
	return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/* From the first character on that does not fit whole nothing is kept. */
static void receive_reason(quash_peer *peer, uint8_t c)
{
	const quash_config *config = quash_config_of(peer);
	const uint8_t i = peer->envelope.reason;
	if (i + length_from(c) >= config->reason_size) {
		peer->envelope.sink = NOWHERE;
		return;
	}
	config->reason[i] = (char)c;
	peer->envelope.reason = (uint8_t)(i + 1);
}

static void text_byte(quash_peer *peer, uint8_t c)
{
	switch (peer->envelope.sink) {
	case TO_ID:
		if (!quash_id_append(&peer->received, c))
			peer->received.id_kind = ID_NONE;
		break;
	case TO_REASON: receive_reason(peer, c); break;
	case TO_TAG: quash_tag_append(&peer->received, c); break;
	default: break;
	}
}

static void sink_text(quash_peer *peer, const uint8_t *data, size_t from, size_t to)
{
	quash_envelope *e = &peer->envelope;
	switch (e->sink) {
	case TO_NAME:
	case TO_VERSION: quash_match_text(peer, MEMBERS, &e->name, data, from, to); break;
	case TO_PARAM_NAME: quash_match_text(peer, PARAMS, &e->name, data, from, to); break;
	case TO_METHOD:
		quash_match_text(peer, METHODS, &e->method, data, from, to);
		quash_match_text(peer, CANCELS, &e->cancel, data, from, to);
		break;
	default:
		for (size_t i = from; i < to; i++)
			text_byte(peer, data[i]);
		break;
	}
}

static void id_ended(quash_peer *peer)
{
	quash_request *slot = &peer->received;
	const bool good = slot->id_kind == ID_NUMBER ? quash_id_normalize(slot) : !peer->lex.lone;
	if (!good)
		slot->id_kind = ID_NONE;
}

static void text_ended(quash_peer *peer)
{
	quash_envelope *e = &peer->envelope;
	if (e->sink <= TO_PARAM_NAME)
		quash_match_end(peer, e->sink == TO_PARAM_NAME ? PARAMS : MEMBERS, &e->name);
	switch (e->sink) {
	case TO_NAME: name_ended(peer); break;
	case TO_PARAM_NAME: param_name_ended(peer); break;
	case TO_VERSION:
		if (e->name.candidate == M_VERSION)
			saw(peer, SEEN_VERSION);
		break;
	case TO_ID: id_ended(peer); break;
	case TO_METHOD:
		quash_match_end(peer, METHODS, &e->method);
		quash_match_end(peer, CANCELS, &e->cancel);
		break;
	case TO_TAG:
		if (peer->lex.lone)
			peer->received.tag_length = 0;
		break;
	default: break;
	}
	e->sink = NOWHERE;
}

/* A message's own id and the one that a cancel names stand in the same place: what has an id is no cancel. */
static uint8_t open_id(quash_peer *peer, bool string)
{
	peer->received.id_kind = string ? ID_STRING : ID_NUMBER;
	peer->received.id_length = 0;
	return TO_ID;
}

static uint8_t open_target(quash_peer *peer, bool string)
{
	saw(peer, SEEN_TARGET);
	return quash_seen(peer, SEEN_ID) ? NOWHERE : open_id(peer, string);
}

static uint8_t open_reason(quash_peer *peer)
{
	if (!may_be_cancel(peer))
		return NOWHERE;
	peer->envelope.reason = 0;
	peer->reason_of = NO_INDEX;
	return TO_REASON;
}

/* Where the text of a string or number goes. */
static uint8_t sink_of(quash_peer *peer, uint8_t owner, bool string)
{
	if (!string && owner != M_ID && owner != OF_TARGET)
		return NOWHERE;
	switch (owner) {
	case M_JSONRPC: quash_match_begin(&peer->envelope.name); return TO_VERSION;
	case M_ID: return open_id(peer, string);
	case M_METHOD: saw(peer, SEEN_NAME); return TO_METHOD;
	case OF_TARGET: return open_target(peer, string);
	case OF_REASON: return open_reason(peer);
	case OF_TAG: return TO_TAG;
	default: return NOWHERE;
	}
}

/* What is neither string nor number. */
static void other_value(quash_peer *peer, uint8_t owner, bool container)
{
	if (owner == M_PARAMS && container)
		saw(peer, SEEN_STRUCTURE);
	if (owner == OF_TARGET)
		saw(peer, SEEN_BAD_TARGET);
}

/* `level` is that of the member that it is the value of. */
static uint8_t owner_of(const quash_envelope *e, uint8_t level)
{
	if (level == e->depth)
		return e->member;
	return e->member == M_PARAMS ? (uint8_t)(OF_PARAMS + e->param) : (uint8_t)M_COUNT;
}

static void name_begins(quash_envelope *e, uint8_t level)
{
	quash_match_begin(&e->name);
	if (level == e->depth) {
		e->sink = TO_NAME;
		e->taped = false;
	} else {
		e->sink = e->member == M_PARAMS ? TO_PARAM_NAME : NOWHERE;
	}
}

/* Of members of the envelope, or of those of a value of it: what is deeper is not looked at. */
static void member_event(quash_peer *peer, quash_lex_event event, uint8_t level)
{
	quash_envelope *e = &peer->envelope;
	switch (event) {
	case QUASH_LEX_KEY: name_begins(e, level); break;
	case QUASH_LEX_STRING:
	case QUASH_LEX_NUMBER: e->sink = sink_of(peer, owner_of(e, level), event == QUASH_LEX_STRING); break;
	case QUASH_LEX_ARRAY:
	case QUASH_LEX_OBJECT:
	case QUASH_LEX_TRUE:
	case QUASH_LEX_FALSE:
	case QUASH_LEX_NULL: other_value(peer, owner_of(e, level), event >= QUASH_LEX_ARRAY); break;
	case QUASH_LEX_END: text_ended(peer); break;
	default: break;
	}
}

/* What stands around the envelope. */
static void outer_event(quash_peer *peer, quash_lex_event event)
{
	if (event == QUASH_LEX_OBJECT && peer->lex.depth == peer->envelope.depth)
		saw(peer, SEEN_OBJECT);
	if (event == QUASH_LEX_OBJECT_END)
		peer->envelope.taped = false;
}

void quash_envelope_text(quash_peer *peer, const uint8_t *data, size_t from, size_t to)
{
	const quash_config *c = quash_config_of(peer);
	if (peer->envelope.taped)
		quash_tape_text(&peer->tape, c->arena, c->arena_size, data, from, to);
	if (peer->envelope.sink != NOWHERE)
		sink_text(peer, data, from, to);
}

QUASH_NOINLINE void quash_envelope_event(quash_peer *peer, quash_lex_event event)
{
	const quash_config *c = quash_config_of(peer);
	quash_envelope *e = &peer->envelope;
	const bool begins = event == QUASH_LEX_OBJECT || event == QUASH_LEX_ARRAY;
	const uint8_t level = (uint8_t)(peer->lex.depth - (begins ? 1 : 0)); /* no event but DEEP comes from deeper than QUASH_DEPTH */
	const bool taped = e->taped;                                         /* the end of the name in front of a value is not */
	if (event == QUASH_LEX_DEEP)
		saw(peer, SEEN_DEEP);
	if (level < e->depth)
		outer_event(peer, event);
	else if (level <= e->depth + 1)
		member_event(peer, event, level);
	if (taped && e->taped)
		quash_tape_event(&peer->tape, c->arena, c->arena_size, event);
	if (c->dialect->batch != NULL)
		c->dialect->batch->event(peer, event);
}
