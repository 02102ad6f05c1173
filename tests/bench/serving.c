/* SPDX-License-Identifier: MIT
 * A peer that is counted from a request's first byte to the last byte of its answer. */
#include "serving.h"

quash_peer bench_peer;
uint8_t bench_arena[BENCH_ARENA], bench_tx[BENCH_TX];
quash_request bench_slots[BENCH_SLOTS];
quash_word bench_word;
quash_counters bench_counters;
uint8_t bench_ids[(BENCH_SLOTS + 1) * BENCH_ID_SIZE];

void bench_begin(const quash_config *config)
{
	quash_fault fault;
	if (!quash_init(&bench_peer, config, &fault))
		report_wrong("config", fault.member);
}

void bench_must_be_taken(bool taken)
{
	if (!taken)
		report_wrong("not taken", "");
}

void bench_feed(const uint8_t *text, size_t n, size_t most)
{
	while (n > 0) {
		const size_t piece = n < most ? n : most;
		const uint8_t *const bytes = bench_bytes(text, piece);
		const uint32_t from = counter_now();
		const size_t taken = quash_feed(&bench_peer, bytes, piece);
		report_sample(from, counter_now());
		bench_must_be_taken(taken == piece);
		text += piece;
		n -= piece;
	}
}

const uint8_t *bench_answer(size_t *n)
{
	quash_step(&bench_peer);
	const uint8_t *const bytes = quash_out(&bench_peer, n);
	quash_sent(&bench_peer, *n);
	return bytes;
}

static void count_answer(void)
{
	size_t n;
	const uint32_t from = counter_now();
	const uint8_t *const answer = bench_answer(&n);
	report_sample(from, counter_now());
	report_answer(answer, n);
}

bool bench_fits(uint8_t i)
{
	return bench_size(&bench_messages[i]) <= sizeof bench_arena;
}

void bench_requests(const char *what)
{
	static const uint8_t which[] = { BENCH_INITIALIZE, BENCH_CALL, BENCH_CALL_4K };
	for (uint8_t i = 0; i < sizeof which; i++) {
		const bench_message *const message = &bench_messages[which[i]];
		if (!bench_fits(which[i]))
			continue;
		report_row(what, message->name);
		bench_feed(message->text, bench_size(message) + 1, BENCH_PIECE);
		count_answer();
	}
}
