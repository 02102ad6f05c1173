/* SPDX-License-Identifier: MIT */
#include "envelope.h"

#include "../json/rom.h"
#include "../json/tape.h"
#include "batch_hooks.h"
#include "call_hooks.h"
#include "fault_hooks.h"
#include "keep_hooks.h"

/* Whose value it is: one of the envelope's members, or of those of params that matter. */
enum { OF_PARAMS = M_COUNT + 1, OF_TARGET = OF_PARAMS + P_TARGET, OF_REASON = OF_PARAMS + P_REASON,
	OF_TAG = OF_PARAMS + P_TAG };

/* --- The word */

/* Which of these names the word is: one stands at the beginning of each `stride` bytes. `NO_INDEX`: none. An escape is
 * the only way to a NUL, which is in no name. */
static uint8_t find_word(const quash_peer *peer, const void *first, uint8_t stride, uint8_t count)
{
	const uint8_t *const word = quash_config_of(peer)->word->text;
	const size_t size = quash_config_of(peer)->word_size;
	const size_t n = peer->lex.length;
	const uint8_t *at = first;
	/*@ loop unroll 254; */
	for (uint8_t i = 0; i < count; i++, at += stride) {
		const char *const name = quash_rom_text((const char *const *)(const void *)at);
		size_t k = 0;
		if (name == NULL)
			continue;
		/*@ loop unroll 40; */
		while (k < n && k < size && quash_rom(&name[k]) != '\0' && (uint8_t)quash_rom(&name[k]) == word[k])
			k++;
		if (k == n && quash_rom(&name[k]) == '\0')
			return i;
	}
	return NO_INDEX;
}

/* --- Where text goes */

QUASH_NOINLINE size_t quash_tape_room(const quash_peer *peer)
{
	const size_t coming = peer->envelope.taped && !peer->envelope.passing ? peer->lex.length : 0;
	const size_t used = (size_t)peer->tape.start + peer->tape.length + coming;
	const size_t size = quash_config_of(peer)->arena_size;
	return used < size ? size - used : 0;
}

/* Text of the value that is being received stands on the tape. */
static bool is_stored(const quash_envelope *e)
{
	return e->taped && !e->passing;
}

/* Where the lexer writes text, and how much of it until the arena is looked at again. */
static void aim(quash_peer *peer)
{
	const quash_config *const c = quash_config_of(peer);
	quash_envelope *const e = &peer->envelope;
	quash_lex *const x = &peer->lex;
	size_t most = c->word_size;
	e->tight = is_stored(e) && peer->keeper.kind == KEEP_NAME; /* it waits until the arena has been looked at */
	x->text = c->word->text;
	/*@ assert \valid(x->text + (0 .. most - 1)); */
	if (is_stored(e) && quash_tape_whole(&peer->tape)) {
		const size_t room = quash_tape_room(peer);
		/*@ split room; */
		size_t end = x->length + QUASH_LEX_ROOM;
		if (room < BYTE_ON_TAPE) {
			e->tight = true;
		} else {
			end = room - QUASH_LEX_ROOM;
			if (e->sink == NOWHERE) {
				x->text = &c->arena[c->arena_size - room];
				most = end;
				/*@ assert \valid(x->text + (0 .. most - 1)); */
			}
			end += x->length;
		}
		if (end < most)
			most = end;
	}
	x->size = (quash_size)most;
}

/* The bytes of the character that begins with it; 1 for the others of one. */
static uint8_t length_from(uint8_t lead)
{
	if (lead < 0xC0)
		return 1;
	return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/* From the first character on that does not fit whole nothing is kept. */
QUASH_OUTLINED_ static void receive_reason(quash_peer *peer, uint8_t c)
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

static void copy_byte(quash_peer *peer, uint8_t c)
{
	switch (peer->envelope.sink) {
	case TO_ID: quash_id_append(peer, c); break;
	case TO_REASON: receive_reason(peer, c); break;
	case TO_TAG: quash_tag_append(peer, c); break;
	default: break;
	}
}

/* The text goes to a place of its own, too. */
static bool is_copied(const quash_envelope *e)
{
	return e->sink > TO_METHOD && e->sink < NOWHERE;
}

/* What has been received of a text, to the tape and where else it goes. */
static void take_text(quash_peer *peer)
{
	const quash_config *const c = quash_config_of(peer);
	const uint8_t *const word = c->word->text;
	const quash_size length = peer->lex.length;
	const quash_size n = length < c->word_size ? length : c->word_size;
	peer->lex.length = 0;
	if (peer->lex.text != word) {
		quash_tape_took(&peer->tape, c->arena_size, length);
		return;
	}
	if (is_stored(&peer->envelope))
		quash_tape_text(&peer->tape, c->arena, c->arena_size, word, n);
	for (quash_size i = 0; is_copied(&peer->envelope) && i < n; i++)
		copy_byte(peer, word[i]);
}

/* A name is compared when it is whole. */
static bool is_compared(const quash_envelope *e)
{
	return e->sink <= TO_METHOD;
}

static bool is_params_listed(const quash_peer *peer)
{
	return peer->envelope.taped && peer->keeper.kind != KEEP_ALL;
}

/* The table of a refused config may be what is wrong. */
QUASH_OUTLINED_ static void look_for_method(quash_peer *peer)
{
	const quash_config *const c = quash_config_of(peer);
	if (!quash_is_refused(peer))
		peer->envelope.method = find_word(peer, c->methods, sizeof *c->methods, c->method_count);
	peer->lex.length = 0;
}

/* A name that is longer than the word is no name that means anything. */
static void drop_name(quash_peer *peer)
{
	quash_envelope *const e = &peer->envelope;
	if (e->sink == TO_METHOD) {
		peer->lex.length = 0; /* an entry with the name "" serves what no other does */
		look_for_method(peer);
	}
	e->sink = NOWHERE;
}

/* A name that has room is not whole yet: only the arena is looked at. */
void quash_envelope_text(quash_peer *peer)
{
	const bool name = is_compared(&peer->envelope);
	if (!name || peer->lex.length + QUASH_LEX_ROOM > quash_config_of(peer)->word_size) {
		if (name)
			drop_name(peer);
		take_text(peer);
	}
	aim(peer);
}

bool quash_envelope_put(quash_peer *peer)
{
	if (peer->keeper.kind != KEEP_NAME)
		return false;
	quash_config_of(peer)->keeps->code->put(peer);
	aim(peer);
	return true;
}

void quash_envelope_close(quash_peer *peer)
{
	peer->envelope.taped = false;
	aim(peer);
}

/* --- Members */

static void saw(quash_peer *peer, uint16_t what)
{
	peer->envelope.seen |= what;
}

void quash_envelope_begin(quash_peer *peer, uint8_t depth)
{
	static const quash_envelope fresh = { .seen = 0 };
	peer->envelope = fresh;
	peer->envelope.depth = depth;
	peer->envelope.member = M_COUNT;
	peer->envelope.param = P_COUNT;
	peer->envelope.method = NO_INDEX;
	peer->envelope.cancel = NO_INDEX;
	peer->envelope.sink = NOWHERE;
	peer->in.id_kind = ID_NONE;
	peer->in.tag_length = 0;
	quash_tape_begin(&peer->tape, peer->tape.start);
	peer->lex.length = 0;
	aim(peer);
}

/* True if of its params only what is listed is stored. In front of the method they may be any method's: then all of
 * them are listed, or what is stored must serve the others too. */
static bool lists_params(const quash_peer *peer)
{
	const quash_config *const c = quash_config_of(peer);
	const bool known = quash_seen(peer, SEEN_METHOD);
	uint8_t i = known ? peer->envelope.method : 0;
	if (c->keeps == NULL || quash_is_refused(peer) || i >= c->method_count)
		return false;
	/*@ loop unroll 254; */
	do {
		if ((c->methods[i].marks & QUASH_LISTED) == 0)
			return false;
	} while (!known && ++i < c->method_count);
	return true;
}

/* What is not stored from its beginning is not stored at all. */
static void member_begins(quash_peer *peer)
{
	quash_envelope *const e = &peer->envelope;
	peer->keeper.kind = KEEP_ALL;
	e->passing = false;
	e->taped = e->member == M_PARAMS && (!quash_seen(peer, SEEN_METHOD) || e->method != NO_INDEX);
	if (e->member == M_ID)
		peer->in.id_kind = ID_NONE;
	if (e->taped && lists_params(peer))
		quash_config_of(peer)->keeps->code->begin(peer);
	if (e->member == M_RESULT || e->member == M_ERROR) {
		quash_tape_begin(&peer->tape, peer->tape.start);
		e->taped = quash_calls_of(peer) != NULL && peer->last_id > 0;
	}
}

static void name_ended(quash_peer *peer)
{
	static const char *const members[] = { "jsonrpc", "id", "method", "params", "result", "error" };
	quash_envelope *e = &peer->envelope;
	const uint8_t member = find_word(peer, members, sizeof *members, M_COUNT);
	peer->lex.length = 0;
	if (member >= M_COUNT)
		return;
	const uint16_t bit = (uint16_t)(1u << member);
	if (quash_seen(peer, bit))
		saw(peer, SEEN_TWICE);
	saw(peer, bit);
	e->member = member;
	member_begins(peer);
}

/* The members of params stand in a row in the dialect, in the order of enum param. */
static void param_name_ended(quash_peer *peer)
{
	const quash_dialect *const d = quash_config_of(peer)->dialect;
	quash_envelope *e = &peer->envelope;
	const uint8_t param = find_word(peer, &d->cancel_id, sizeof d->cancel_id, P_COUNT);
	e->param = param == P_ALIAS ? P_TARGET : param;
	if (e->param == P_TARGET)
		e->seen &= (uint16_t)~SEEN_TARGET;
	if (e->param == P_TAG)
		peer->in.tag_length = 0;
}

static void era_name_ended(quash_peer *peer)
{
	const quash_dialect *const d = quash_config_of(peer)->dialect;
	const bool here = peer->envelope.param == P_ERA && peer->lex.depth == peer->envelope.depth + 2u;
	if (here && find_word(peer, &d->era_member, sizeof d->era_member, 1) == 0)
		saw(peer, SEEN_ERA);
}

static void method_ended(quash_peer *peer)
{
	const quash_dialect *const d = quash_config_of(peer)->dialect;
	quash_envelope *const e = &peer->envelope;
	e->cancel = find_word(peer, d->cancels, sizeof *d->cancels, d->cancel_count);
	look_for_method(peer);
	if (e->method == NO_INDEX)
		look_for_method(peer);
}

/* A `reason` is only kept from what may be a cancel. */
static bool may_be_cancel(const quash_peer *peer)
{
	return !quash_seen(peer, SEEN_METHOD) || peer->envelope.cancel != NO_INDEX;
}

/* A text that is for the envelope has ended. */
QUASH_OUTLINED_ static void use_word(quash_peer *peer)
{
	static const char *const version = "2.0";
	switch (peer->envelope.sink) {
	case TO_NAME: name_ended(peer); break;
	case TO_PARAM_NAME: param_name_ended(peer); break;
	case TO_ERA_NAME:
	case TO_KEPT_NAME: era_name_ended(peer); break;
	case TO_VERSION:
		if (find_word(peer, &version, sizeof version, 1) == 0)
			saw(peer, SEEN_VERSION);
		break;
	case TO_METHOD: method_ended(peer); break;
	case TO_ID:
		if (peer->lex.lone)
			peer->in.id_kind = ID_NONE;
		quash_id_end(peer);
		break;
	case TO_TAG:
		if (peer->lex.lone)
			peer->in.tag_length = 0;
		break;
	default: break;
	}
}

/* Names are compared before their text goes on. */
static void text_ended(quash_peer *peer)
{
	quash_envelope *const e = &peer->envelope;
	const uint8_t sink = e->sink;
	if (sink > TO_METHOD)
		take_text(peer);
	if (sink == NOWHERE)
		return;
	use_word(peer);
	if ((sink == TO_PARAM_NAME || sink == TO_KEPT_NAME) && is_params_listed(peer))
		quash_config_of(peer)->keeps->code->name(peer);
	else if (sink <= TO_METHOD)
		take_text(peer);
	e->sink = NOWHERE;
}

/* A message's own id and the one that a cancel names stand in the same place: what has an id is no cancel. */
QUASH_OUTLINED_ static uint8_t open_id(quash_peer *peer, bool string)
{
	peer->in.id_kind = string ? ID_STRING : ID_NUMBER;
	peer->in.id_length = 0;
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
	case M_JSONRPC: return TO_VERSION;
	case M_ID: return open_id(peer, string);
	case M_METHOD: saw(peer, SEEN_NAME); return TO_METHOD;
	case OF_TARGET: return open_target(peer, string);
	case OF_REASON: return open_reason(peer);
	case OF_TAG: return TO_TAG;
	default: return NOWHERE;
	}
}

/* What is neither string nor number. */
static void other_value(quash_peer *peer, uint8_t owner, quash_lex_event event)
{
	if (owner == M_PARAMS && event == QUASH_LEX_NULL)
		peer->envelope.taped = false; /* as if they were absent */
	if (owner == M_PARAMS && (event == QUASH_LEX_NULL || event >= QUASH_LEX_ARRAY))
		saw(peer, SEEN_STRUCTURE);
}

/* `level` is that of the member that it is the value of. */
static uint8_t owner_of(const quash_envelope *e, uint8_t level)
{
	if (level == e->depth)
		return e->member;
	return e->member == M_PARAMS ? (uint8_t)(OF_PARAMS + e->param) : (uint8_t)M_COUNT;
}

/* Until it has ended it is no name that means anything. */
static void name_begins(quash_envelope *e, uint8_t level)
{
	if (level == e->depth) {
		e->sink = TO_NAME;
		e->member = M_COUNT;
		e->taped = false;
	} else if (level > e->depth + 1) {
		e->sink = e->member == M_PARAMS && e->param == P_ERA ? TO_ERA_NAME : NOWHERE;
	} else {
		e->sink = e->member == M_PARAMS ? TO_PARAM_NAME : NOWHERE;
		e->param = P_COUNT;
	}
}

/* Of members of the envelope, or of those of a value of it. Of what is deeper names alone are looked at. */
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
	case QUASH_LEX_NULL: other_value(peer, owner_of(e, level), event); break;
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

QUASH_NOINLINE void quash_envelope_event(quash_peer *peer, quash_lex_event event)
{
	const quash_config *c = quash_config_of(peer);
	quash_envelope *e = &peer->envelope;
	const bool begins = event == QUASH_LEX_OBJECT || event == QUASH_LEX_ARRAY;
	/* no event but DEEP comes from deeper than QUASH_DEPTH */
	const uint8_t level = (uint8_t)(peer->lex.depth - (begins ? 1 : 0));
	/* the end of the name in front of a value is not */
	bool stored = e->taped;
	if (event == QUASH_LEX_DEEP)
		saw(peer, SEEN_DEEP);
	if (event == QUASH_LEX_END)
		text_ended(peer);
	else if (level < e->depth)
		outer_event(peer, event);
	else if (level <= e->depth + 1 || (event == QUASH_LEX_KEY && level == e->depth + 2))
		member_event(peer, event, level);
	stored = stored && e->taped;
	if (stored && peer->keeper.kind != KEEP_ALL)
		stored = c->keeps->code->event(peer, event, (uint8_t)(level - e->depth));
	if (stored)
		quash_tape_event(&peer->tape, c->arena, c->arena_size, event);
	if (c->dialect->batch != NULL)
		c->dialect->batch->event(peer, event);
	aim(peer);
}
