/* SPDX-License-Identifier: MIT
 * A peer in memory, for tests: bytes are said to it, and what it says is collected. */
#ifndef QUASH_TESTS_LOOP_H
#define QUASH_TESTS_LOOP_H

#include "quash/peer.h"

#include "room.h"

enum {
	LOOP_SLOTS = UNIT_SLOTS,
	LOOP_ID = UNIT_ID,
	LOOP_STATE = 32,
	LOOP_ARENA = UNIT_ARENA,
	LOOP_TX = UNIT_TX,
	LOOP_HEARD = UNIT_HEARD
};

typedef struct loop {
	quash_config config; /* loop_init fills it; a test may change it and call loop_start. The first: tests/unit/known */
	quash_peer peer;
	quash_counters counters;
	quash_request slots[LOOP_SLOTS];
	quash_word word;
	uint64_t states[LOOP_SLOTS * LOOP_STATE / 8];
	uint8_t ids[(LOOP_SLOTS + 1) * LOOP_ID];
	uint8_t tags[(LOOP_SLOTS + 1) * LOOP_ID];
	uint8_t arena[LOOP_ARENA];
	uint8_t tx[LOOP_TX];
	char reason[32];
	uint32_t now;
	bool stalled;           /* nothing leaves TX */
	char heard[LOOP_HEARD]; /* what the peer said since loop_heard */
	size_t heard_length;
} loop;

/* The members of a config that the loop has memory for. */
#define LOOP_CONFIG(loop) \
	.slots = (loop).slots, .slot_count = LOOP_SLOTS, .word = &(loop).word, .word_size = sizeof (loop).word.text, \
	.ids = (loop).ids, .id_size = LOOP_ID, .states = (loop).states, .state_size = LOOP_STATE, \
	.tags = (loop).tags, .tag_size = LOOP_ID, .arena = (loop).arena, .arena_size = LOOP_ARENA, \
	.tx = (loop).tx, .tx_size = LOOP_TX, .counters = &(loop).counters, .faults = &quash_faults, \
	.reason = (loop).reason, .reason_size = sizeof (loop).reason, .context = &(loop)

/* A config that a test may change before loop_start. */
void loop_init(loop *l, const quash_dialect *dialect, const quash_method *methods, uint8_t count);

/* The test fails when quash_init does, and does not fit when the config asks for more than the loop has. It is skipped where
 * another config is known. */
void loop_start(loop *l);

/* Feeds everything, draining TX when the peer takes nothing, but takes no step: the test fails when it needs one. */
void loop_say(loop *l, const char *text);
void loop_say_bytes(loop *l, const void *data, size_t n);

/* The same in the peer's framing: a line, or a message with its header. */
void loop_say_message(loop *l, const char *json);

/* Passes `ms`, ticks, steps once and collects what is to be said. */
bool loop_step(loop *l, uint32_t ms);

/* Steps until nothing is live; the test fails when that takes more than `most` steps of a millisecond. */
void loop_settle(loop *l, unsigned most);

/* What the peer said since the last call, NUL-terminated; good until the next call. */
const char *loop_heard(loop *l);

/* The fault's line ends with the member and what is wrong with it. */
void assert_fault(const quash_fault *fault, const char *what);

/* The peer, whose config was refused so, answers a request with the fault. It is silent only if its storage or its dialect is
 * wrong. */
void assert_says_fault(loop *l, const quash_fault *fault);

#endif
