/* SPDX-License-Identifier: MIT
 * Strict arguments: an object of one member, whose name is any few bytes and whose value is of any kind, is bound by a table
 * of each type, or refused, and what is wrong is put. Then a peer whose handler binds these very messages. No other thread
 * takes part (volatile= in the settings).
 *
 * Which name is the nearest hangs on lengths, so each length is a run of its own. */
/* Frama-C knows no _Generic. */
#undef __STDC_VERSION__
#define __STDC_VERSION__ 199901L

#include "any.h"
#include "quash.h"
#include "quash/params.h"
#include "json/tape.h"
#include "json/value.h"
#include "wire/tx.h"
#include "params/params_inner.h"

#ifndef NAME
#define NAME 3
#endif

enum { ARENA = 48, TX = 200, STEPS = 3, MESSAGES = 7 };

struct all {
	int32_t steps, list[2];
	uint8_t mode, count;
	bool back;
	char text[4];
};

static const char *const modes[] = { "slow", "b", NULL };
static const char *const ignored[] = { "trace", "b", NULL };
static const quash_param list[] = {
	QUASH_ARG_INT_OR(struct all, steps, 1, 1000, 7, "how far"),
	QUASH_ARG_BOOL_OR(struct all, back, false, NULL),
	QUASH_ARG_ENUM_OR(struct all, mode, modes, 1, NULL),
	QUASH_ARG_TEXT_OR(struct all, text, "abc", NULL),
	QUASH_ARG_INTS_OR(struct all, list, count, -1, 1, NULL),
	QUASH_ARG_STRING_OR("a", NULL),
};
static const quash_params table = QUASH_PARAMS_IGNORING(struct all, list, ignored);

static const quash_param needed[] = { QUASH_ARG_TEXT(struct all, text, "it is not left out") };
static const quash_params strict = QUASH_PARAMS(struct all, needed);

/* --- Any name and value */

static uint8_t arena[ARENA];
static quash_tape tape;

static void store(quash_lex_event event)
{
	quash_tape_event(&tape, arena, ARENA, event);
}

static void store_text(size_t n)
{
	uint8_t text[NAME];
	any_bytes(text, sizeof text);
	quash_tape_text(&tape, arena, ARENA, text, n);
	store(QUASH_LEX_END);
}

static void store_value(quash_lex_event kind, size_t n)
{
	store(kind);
	if (kind == QUASH_LEX_NUMBER || kind == QUASH_LEX_STRING)
		store_text(n);
	if (kind == QUASH_LEX_ARRAY)
		store(QUASH_LEX_ARRAY_END);
	if (kind == QUASH_LEX_OBJECT)
		store(QUASH_LEX_OBJECT_END);
}

static quash_value any_params(void)
{
	const size_t name = any_size(NAME), text = any_size(1);
	const quash_lex_event kind = (quash_lex_event)Frama_C_interval(QUASH_LEX_NULL, QUASH_LEX_OBJECT);
	/*@ split name; */
	/*@ split text; */
	/*@ split kind; */
	quash_tape_begin(&tape, 0);
	store(QUASH_LEX_OBJECT);
	store(QUASH_LEX_KEY);
	store_text(name);
	store_value(kind, text);
	store(QUASH_LEX_OBJECT_END);
	return quash_value_of(arena, ARENA, 0, tape.length);
}

static void bind_any(void)
{
	static uint8_t tx[TX];
	const quash_params *const by = any_bool() ? &table : &strict;
	const quash_value params = any_params();
	struct all target = { .count = 0 };
	quash_param_error error;
	quash_writer w;
	quash_tx_init(&w, tx, TX);
	quash_tx_begin(&w);
	if (quash_bind_all(by, by->ignored, &params, &target, &error) == QUASH_PARAM_FITS) {
		quash_put_struct(&w, by, &target);
		return;
	}
	quash_put_param_error_(&w, &error);
}

static void put_schemas(void)
{
	static uint8_t tx[TX];
	quash_writer w;
	quash_fault fault = { .table = "params" };
	const bool right = quash_params_check(&table, &fault);
	/*@ assert right == 1; */
	(void)right;
	quash_tx_init(&w, tx, TX);
	quash_tx_begin(&w);
	quash_put_schema(&w, &table);
	quash_put_schema(&w, &strict);
}

/* --- A peer */

static quash_request slots[1];
static quash_word word;
static quash_counters counters;
static uint8_t ids[2 * QUASH_ID_MIN], received[ARENA], sent[TX];
static struct all states[1];
static quash_peer peer;

static int32_t handle(quash_request *request)
{
	int32_t code;
	if (!quash_bind_or_answer(request, &table, &code))
		return code;
	const char first = quash_text(quash_argument(request, "a"))[0];
	(void)first;
	return quash_reply_struct(request, &table);
}

static const quash_method methods[] = { { .name = "a", .handler = handle, .state_size = sizeof(struct all) } };

static const quash_config config = {
	.dialect = &quash_jsonrpc,
	.methods = methods,
	.slots = slots,
	.word = &word,
	.counters = &counters,
	.ids = ids,
	.states = states,
	.arena = received,
	.tx = sent,
	.arena_size = ARENA,
	.tx_size = TX,
	.state_size = sizeof(struct all),
	.method_count = 1,
	.slot_count = 1,
	.id_size = QUASH_ID_MIN,
	.word_size = sizeof word.text,
};

#define MESSAGE(params) "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":" params "}\n"

static const char *message(int which)
{
	switch (which) {
	case 0: return MESSAGE("{\"step\":1}");
	case 1: return MESSAGE("{\"steps\":0}");
	case 2: return MESSAGE("{\"a\":\"x\",\"list\":[1,0]}");
	case 3: return MESSAGE("[]");
	case 4: return MESSAGE("{\"text\":\"a\\u0000\"}");
	case 5: return MESSAGE("{\"_meta\":0,\"trace\":1}");
	default: return MESSAGE("{\"\":0}");
	}
}

static void bind_message(void)
{
	const int which = Frama_C_interval(0, MESSAGES - 1);
	/*@ split which; */
	const char *const text = message(which);
	size_t length = 0;
	quash_start_with_(&peer, &config);
	while (text[length] != '\0')
		length++;
	(void)quash_feed(&peer, (const uint8_t *)text, length);
	for (int i = 0; i < STEPS; i++) {
		size_t n;
		(void)quash_step(&peer);
		(void)quash_out(&peer, &n);
		quash_sent(&peer, n);
	}
}

int main(void)
{
	switch (Frama_C_interval(0, 2)) {
	case 0: bind_any(); break;
	case 1: put_schemas(); break;
	default: bind_message(); break;
	}
	return 0;
}
