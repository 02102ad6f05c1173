/* SPDX-License-Identifier: MIT
 * First what is known: the checks see what is not linear, and the counter counts. */
#include "served.h"

static char letters[16384];
static size_t length;

static void put_long(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_string(w, letters, length);
}

static int32_t long_text(quash_request *request)
{
	return quash_reply(request, put_long);
}

static const quash_method methods[] = { { .name = "long", .handler = long_text } };

/* By its contract the square of its length. */
static bool is_seen(quash_size tx)
{
	const struct cost_setup setup = { "a long answer", &quash_jsonrpc, methods, NULL, 256, tx, 0, 1, 1, false, false };
	struct cost_point points[COST_POINTS];
	uint8_t text[100];
	const size_t n = cost_message("{'jsonrpc':'2.0','id':1,'method':'long'}", text, sizeof text);
	for (unsigned i = 0; i < COST_POINTS; i++) {
		length = (size_t)256 << 2 * i;
		const struct cost_run run = cost_serve(&setup, text, n, n);
		points[i] = (struct cost_point){ run.blocks, length, run.written, run.rounds };
	}
	return cost_is_linear(points);
}

static uint64_t cost_of_lexing(size_t n)
{
	static const uint8_t text[] = "[1,2,3,4]";
	const uint64_t before = cost_blocks;
	uint8_t decoded[8];
	quash_lex lex;
	size_t at = 0;
	quash_lex_init(&lex, decoded, sizeof decoded);
	while (quash_lex_run(&lex, text, n, &at) != QUASH_LEX_MORE)
		;
	return cost_blocks - before;
}

void cost_of_known(void)
{
	for (unsigned i = 0; i < sizeof letters; i++)
		letters[i] = 'a';
	cost_check(!is_seen(64), "a long answer through a small TX costs more than linearly");
	cost_check(is_seen(COST_TX), "a long answer through a large TX costs linearly");
	cost_check(cost_of_lexing(4) > cost_of_lexing(2) && cost_of_lexing(4) == cost_of_lexing(4), "the counter counts, and counts the same");
}
