/* SPDX-License-Identifier: MIT
 * Arguments of each type, one at a time, required or not: a value of any kind, a text or a number of any bytes, an array of up to
 * three elements. It is read into a struct, or only checked; then the struct is put, also one in which any bytes stand, or what is
 * wrong is. Numbers with a fraction have any range; they are a proof of their own (NUMBERS). */
/* Frama-C knows no _Generic. */
#undef __STDC_VERSION__
#define __STDC_VERSION__ 199901L

#include "any.h"
#include "quash.h"
#include "quash/params.h"
#include "json/tape.h"
#include "json/value.h"
#include "params/params_inner.h"
#include "wire/tx.h"

#include <float.h>

/* A short text of each length, or a long one: no number has so many digits that count. */
enum { ARENA = 48, TX = 200, SHORT = 4, LONG = 22, ELEMENTS = 3 };

struct all {
	double number;
	uint8_t mode, count;
	bool back;
	char text[4];
	int32_t steps, list[2]; /* nothing stands behind */
};

static const char *const modes[] = { "a", "slow", NULL };
static quash_range range;

static const quash_param list[] = {
	QUASH_ARG_INT(struct all, steps, -9, 1000, "how far"),
	QUASH_ARG_INT_OR(struct all, steps, 1, 1000, 7, NULL),
	QUASH_ARG_BOOL(struct all, back, NULL),
	QUASH_ARG_BOOL_OR(struct all, back, true, NULL),
	QUASH_ARG_ENUM(struct all, mode, modes, NULL),
	QUASH_ARG_ENUM_OR(struct all, mode, modes, 1, NULL),
	QUASH_ARG_TEXT(struct all, text, NULL),
	QUASH_ARG_TEXT_OR(struct all, text, "abc", NULL),
	QUASH_ARG_INTS(struct all, list, count, -1, 9, NULL),
	QUASH_ARG_INTS_OR(struct all, list, count, -1, 9, NULL),
	QUASH_ARG_STRING("uri", NULL),
	QUASH_ARG_STRING_OR("uri", NULL),
	QUASH_ARG_NUMBER(struct all, number, &range, NULL),
	QUASH_ARG_NUMBER_OR(struct all, number, &range, NULL),
};
enum { ALL = sizeof list / sizeof list[0], OTHERS = ALL - 2 };
#ifdef NUMBERS
enum { FIRST = OTHERS, LAST = ALL - 1 };
#else
enum { FIRST = 0, LAST = OTHERS - 1 };
#endif

/* --- Any value */

static uint8_t arena[ARENA];
#include "taped.h"

static void store_any(quash_lex_event kind, size_t n)
{
	uint8_t text[LONG];
	any_bytes(text, sizeof text);
	store_bytes(kind, text, n);
}

/* `n` is the length of a text or a number, or how many elements an array has. */
static void store_value(quash_lex_event kind, size_t n)
{
	if (kind == QUASH_LEX_NUMBER || kind == QUASH_LEX_STRING)
		store_any(kind, n < SHORT + 1 ? n : LONG);
	else
		store(kind);
	for (size_t i = 0; kind == QUASH_LEX_ARRAY && i < n && i < ELEMENTS; i++)
		store_any(QUASH_LEX_NUMBER, 1);
	if (kind == QUASH_LEX_ARRAY)
		store(QUASH_LEX_ARRAY_END);
	if (kind == QUASH_LEX_OBJECT)
		store(QUASH_LEX_OBJECT_END);
}

/* No object, one without the member, or one with it. */
enum shape { NO_OBJECT, EMPTY, MEMBER };

static quash_value params_of(enum shape shape, const char *name, quash_lex_event kind, size_t n)
{
	quash_tape_begin(&tape, 0);
	store(shape == NO_OBJECT ? QUASH_LEX_NULL : QUASH_LEX_OBJECT);
	if (shape == MEMBER) {
		store_text(QUASH_LEX_KEY, name);
		store_value(kind, n);
	}
	if (shape != NO_OBJECT)
		store(QUASH_LEX_OBJECT_END);
	return quash_value_of(arena, ARENA, 0, tape.length);
}

static double any_double(void)
{
	return Frama_C_double_interval(-DBL_MAX, DBL_MAX);
}

/* --- Reading and putting */

static quash_writer *begin(void)
{
	static uint8_t tx[TX];
	static quash_writer w;
	quash_tx_init(&w, tx, TX);
	quash_tx_begin(&w);
	return &w;
}

static void read_into(const quash_params *table, quash_value params)
{
	struct all target = { .count = 0 };
	quash_param_error error;
	if (quash_read_params(table, params, any_bool() ? &target : NULL, any_bool() ? &error : NULL))
		quash_put_struct(begin(), table, &target);
	if (quash_read_all(table, &params, NULL, &error) != QUASH_PARAM_FITS)
		quash_put_param_error_(begin(), &error);
}

/* Whatever stands in its fields; a text ends. */
static void put_any(const quash_params *table)
{
	const struct all source = { .number = any_double(), .steps = any_int(), .list = { any_int(), any_int() }, .mode = any_byte(),
		.count = any_byte(), .back = any_bool(), .text = { (char)any_byte(), (char)any_byte(), (char)any_byte(), '\0' } };
	quash_put_struct(begin(), table, &source);
}

static void put_texts(const quash_params *table)
{
	const quash_param_error error = { &table->list[0], QUASH_PARAM_WRONG, table->list[0].name };
	quash_put_param_error_(begin(), &error);
	quash_put_schema(begin(), table);
}

static bool has_length(quash_lex_event kind)
{
	return kind == QUASH_LEX_NUMBER || kind == QUASH_LEX_STRING || kind == QUASH_LEX_ARRAY;
}

/* Of each shape, kind and length a run of its own. */
static void read_any(const quash_params *table)
{
	const enum shape shape = Frama_C_interval(NO_OBJECT, MEMBER);
	quash_lex_event kind = QUASH_LEX_NULL;
	size_t n = 0;
	/*@ split shape; */
	if (shape == MEMBER)
		kind = (quash_lex_event)Frama_C_interval(QUASH_LEX_NULL, QUASH_LEX_OBJECT);
	/*@ split kind; */
	if (has_length(kind))
		n = any_size(SHORT + 1);
	/*@ split n; */
	read_into(table, params_of(shape, table->list[0].name, kind, n));
}

int main(void)
{
	const int which = Frama_C_interval(FIRST, LAST);
	/*@ split which; */
	const quash_params table = { &list[which], (quash_size)sizeof(struct all), 1, NULL };
	range = (quash_range){ any_double(), any_double(), any_double() };
	switch (Frama_C_interval(0, 2)) {
	case 0: read_any(&table); break;
	case 1: put_any(&table); break;
	default: put_texts(&table); break;
	}
	return 0;
}
