/* SPDX-License-Identifier: MIT
 * The library in one unit with a config that is known there, of the dialect TALK_DIALECT. So transcripts are played with what
 * a compiler makes of it. */
#include "end.h"

struct end known_end;

static void trace(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	known_end.events->trace(peer, event, request, detail, why);
}

static union {
	uint8_t bytes[KNOWN_SLOTS * TALK_STATE_SIZE];
	uint64_t aligned;
} states;

static quash_request slots[KNOWN_SLOTS];
static quash_word word;
static uint8_t ids[(KNOWN_SLOTS + 1) * TESTEE_ID_SIZE], tags[(KNOWN_SLOTS + 1) * TAG_SIZE], texts[KNOWN_SLOTS * TEXT_SIZE];
static uint8_t arena[KNOWN_ARENA], tx[KNOWN_TX];

const quash_config QUASH_THE_CONFIG = {
	.slots = slots,
	.word = &word,
	.ids = ids,
	.states = &states,
	.tags = tags,
	.texts = texts,
	.arena = arena,
	.tx = tx,
	.dialect = &TALK_DIALECT,
	.methods = end_methods,
	.reason = known_end.reason,
	.trace = trace,
	.context = &known_end.testee,
	.counters = &known_end.counters,
	.calls = &quash_calls,
	.arena_size = sizeof arena,
	.tx_size = sizeof tx,
	.state_size = TALK_STATE_SIZE,
	.method_count = METHODS,
	.slot_count = KNOWN_SLOTS,
	.id_size = TESTEE_ID_SIZE,
	.word_size = sizeof word,
	.tag_size = TAG_SIZE,
	.text_size = TEXT_SIZE,
	.reason_size = sizeof known_end.reason,
};

#include "quash.c"
