/* SPDX-License-Identifier: MIT
 * What the peers that are counted share. */
#ifndef SERVING_H
#define SERVING_H

#include "bench.h"

enum { BENCH_SLOTS = 4, BENCH_ID_SIZE = 40 };

extern quash_peer bench_peer;
extern quash_request bench_slots[BENCH_SLOTS];
extern quash_word bench_word;
extern quash_counters bench_counters;
extern uint8_t bench_ids[(BENCH_SLOTS + 1) * BENCH_ID_SIZE], bench_arena[BENCH_ARENA], bench_tx[BENCH_TX];

/* The members of a config for these. */
#define BENCH_STORED \
	.slots = bench_slots, .word = &bench_word, .ids = bench_ids, .arena = bench_arena, .tx = bench_tx, \
	.word_size = sizeof bench_word.text, .counters = &bench_counters, \
	.arena_size = sizeof bench_arena, .tx_size = sizeof bench_tx, .slot_count = BENCH_SLOTS, \
	.id_size = BENCH_ID_SIZE

extern const quash_config bench_plain_config;

void bench_begin(const quash_config *config);

/* Feeds `n` bytes of a message in pieces of at most `most`; each is a sample. */
void bench_feed(const uint8_t *text, size_t n, size_t most);
void bench_must_be_taken(bool taken);

/* One step, and all that is to be written: `n` bytes. */
const uint8_t *bench_answer(size_t *n);

/* Whether the arena has room for a message. */
bool bench_fits(uint8_t i);

/* A row for each request that fits: its message with the line feed, and its answer. */
void bench_requests(const char *what);

#endif
