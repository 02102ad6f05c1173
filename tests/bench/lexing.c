/* SPDX-License-Identifier: MIT
 * The lexer alone: a message in one chunk, and byte by byte. */
#include "bench.h"

/* Text goes here and is left there. */
static uint8_t decoded[32];

static void check(const bench_message *message, const quash_lex *lex)
{
	if (!quash_lex_complete(lex))
		report_wrong("not lexed", message->name);
}

/* In the largest pieces that there are. */
static void whole(const bench_message *message, const uint8_t *text, size_t n)
{
	quash_lex lex;
	quash_lex_init(&lex, decoded, sizeof decoded);
	while (n > 0) {
		const size_t piece = n < BENCH_PIECE ? n : BENCH_PIECE;
		const uint8_t *const bytes = bench_bytes(text, piece);
		quash_lex_event event;
		size_t at = 0;
		const uint32_t from = counter_now();
		do {
			lex.length = 0;
			event = quash_lex_run(&lex, bytes, piece, &at);
		} while (event != QUASH_LEX_MORE && event != QUASH_LEX_ERROR);
		report_sample(from, counter_now());
		text += piece;
		n -= piece;
	}
	check(message, &lex);
}

static void byte_by_byte(const bench_message *message, const uint8_t *text, size_t n)
{
	quash_lex lex;
	quash_lex_init(&lex, decoded, sizeof decoded);
	for (size_t i = 0; i < n; i++) {
		const uint8_t byte = *bench_bytes(text + i, 1);
		quash_lex_event event;
		bool again;
		const uint32_t from = counter_now();
		do {
			lex.length = 0;
			event = quash_lex_byte(&lex, byte, &again);
		} while (again && event != QUASH_LEX_ERROR);
		report_sample(from, counter_now());
	}
	check(message, &lex);
}

/* Each line is a sample. */
static void lines(const bench_message *message)
{
	report_row("lex", message->name);
	for (const uint8_t *line = message->text; line < message->end;) {
		const uint8_t *end = line;
		while (*end != '\n')
			end++;
		whole(message, line, (size_t)(end - line));
		line = end + 1;
	}
}

void bench_lexing(void)
{
	for (uint8_t i = 0; i < bench_message_count && i <= BENCH_RESULT_64K; i++) {
		report_row("lex", bench_messages[i].name);
		whole(&bench_messages[i], bench_messages[i].text, bench_size(&bench_messages[i]));
	}
	for (uint8_t i = BENCH_INITIALIZE; i <= BENCH_CALL_4K; i++) {
		report_row("bytes", bench_messages[i].name);
		byte_by_byte(&bench_messages[i], bench_messages[i].text, bench_size(&bench_messages[i]));
	}
	if (bench_message_count > BENCH_STREAM)
		lines(&bench_messages[BENCH_STREAM]);
}
