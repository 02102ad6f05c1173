/* SPDX-License-Identifier: MIT
 * The envelope, told of events and texts in any order, whatever their sense, while it lists what it keeps of params: paths
 * of one name and of several, with and without a prefix that is not stored. Anything stands in the word, and where the
 * lexer writes. All methods are listed, or one is not. */
#include "any.h"
#include "core/envelope.h"

#ifndef ARENA
#define ARENA 16
#endif

enum { SLOTS = 2, METHODS = 3, TAG = 5, REASON = 6 };

static quash_request slots[SLOTS];
static quash_word word;
static uint8_t ids[(SLOTS + 1) * QUASH_ID_MIN], tags[(SLOTS + 1) * TAG], arena[ARENA];
static char reason[REASON];

static const quash_cancel_method cancels[] = { { "cancelled", NULL } };
static const quash_dialect dialect = { .cancels = cancels, .cancel_count = 1, .cancel_id = "requestId", .cancel_reason = "reason",
	.tag_member = "sessionId" };

static const quash_method methods[METHODS] = {
	{ .name = "tools/call", .marks = QUASH_LISTED },
	{ .name = "", .marks = QUASH_LISTED },
	{ .name = "whole" },
};

static const quash_keep common[] = {
	{ "_meta>progressToken", 40, false },
	{ "_meta>io.modelcontextprotocol/<logLevel", 12, false },
	{ "_meta>a>b", 0, true },
};
static const quash_keep own[] = { { "name", 0, false }, { "arguments", 0, true }, { "xx<c>d", 9, false } };

static const quash_keep *list_of(const quash_config *of, uint8_t number, uint8_t *count)
{
	(void)of;
	*count = 3;
	return number == 0 ? common : number == 1 ? own : NULL;
}

static const quash_keeps keeps = { &quash_keeping, list_of };

static quash_config config = {
	.dialect = &dialect,
	.methods = methods,
	.slots = slots,
	.word = &word,
	.ids = ids,
	.tags = tags,
	.arena = arena,
	.reason = reason,
	.arena_size = ARENA,
	.method_count = METHODS,
	.slot_count = SLOTS,
	.id_size = QUASH_ID_MIN,
	.word_size = sizeof word.text,
	.tag_size = TAG,
	.reason_size = REASON,
	.keeps = &keeps,
};

static quash_peer peer;

/* The lexer has written, as lex.c proves it: in the room that it was told of. */
static void write_text(void)
{
	const size_t size = peer.lex.size, length = peer.lex.length;
	any_bytes(word.text, sizeof word.text);
	any_bytes(arena, sizeof arena);
	peer.lex.length = (quash_size)any_size(size > length ? size : length);
	peer.lex.depth = any_uint();
	peer.lex.lone = any_bool();
}

static void turn(void)
{
	write_text();
	switch (Frama_C_interval(0, 4)) {
	case 0: quash_envelope_begin(&peer, (uint8_t)Frama_C_interval(1, 2)); break;
	case 1: quash_envelope_text(&peer); break;
	case 2: quash_arena_pack(&peer); break;
	case 3: quash_envelope_put(&peer); break;
	default: quash_envelope_event(&peer, (quash_lex_event)Frama_C_interval(QUASH_LEX_NULL, QUASH_LEX_DEEP)); break;
	}
}

int main(void)
{
	config.method_count = (uint8_t)Frama_C_interval(METHODS - 1, METHODS); /* all are listed, or not */
	peer.config = &config;
	quash_slots_init(&peer);
	quash_envelope_begin(&peer, 1);
	peer.keeper.entry = &own[0];
	/*@ widen_hints global:"all", ARENA; */
	while (any_bool())
		turn();
	return 0;
}
