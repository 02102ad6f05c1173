/* SPDX-License-Identifier: MIT
 * A peer that is counted from a request's first byte to the last byte of its answer. */
#include "serving.h"

quash_peer bench_peer;
uint8_t bench_arena[BENCH_ARENA], bench_tx[BENCH_TX];
quash_request bench_slots[BENCH_SLOTS];
uint8_t bench_ids[BENCH_SLOTS * BENCH_ID_SIZE];

void bench_begin(const quash_config *config)
{
	const char *const wrong = quash_init(&bench_peer, config);
	if (wrong != NULL)
		report_wrong("config", wrong);
}

void bench_must_be_heard(bool heard)
{
	if (!heard)
		report_wrong("not heard", "");
}

void bench_hear(const uint8_t *text, size_t n, size_t most)
{
	while (n > 0) {
		const size_t piece = n < most ? n : most;
		const uint8_t *const bytes = bench_bytes(text, piece);
		const uint32_t from = counter_now();
		const size_t heard = quash_feed(&bench_peer, bytes, piece);
		report_sample(from, counter_now());
		bench_must_be_heard(heard == piece);
		text += piece;
		n -= piece;
	}
}

const uint8_t *bench_answer(size_t *n)
{
	quash_step(&bench_peer);
	const uint8_t *const said = quash_out(&bench_peer, n);
	quash_sent(&bench_peer, *n);
	return said;
}

static void count_answer(void)
{
	size_t n;
	const uint32_t from = counter_now();
	const uint8_t *const said = bench_answer(&n);
	report_sample(from, counter_now());
	report_said(said, n);
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
		bench_hear(message->text, bench_size(message) + 1, BENCH_PIECE);
		count_answer();
	}
}
