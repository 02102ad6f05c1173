/* SPDX-License-Identifier: MIT
 * Values that are larger than the memory of a board: lengths on the tape have 24 bits. */
#include "unit.h"

#include <stdlib.h>

#include "json/tape.h"
#include "json/value.h"

enum { SIZE = 70000 };

static uint8_t arena[SIZE + 64];

static void on_tape(quash_tape *tape, quash_lex_event event)
{
	quash_tape_event(tape, arena, sizeof arena, event);
}

/* ["xxx...", 7]: a string of more than 64 KiB, and what stands after it. */
static void test_long_string(void **state)
{
	quash_tape tape;
	quash_value cursor = { 0 }, value;
	int32_t behind = 0;
	uint8_t *const text = malloc(SIZE);
	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < SIZE; i++)
		text[i] = (uint8_t)('a' + i % 26);
	quash_tape_begin(&tape, 0);
	on_tape(&tape, QUASH_LEX_ARRAY);
	on_tape(&tape, QUASH_LEX_STRING);
	quash_tape_text(&tape, arena, sizeof arena, text, SIZE);
	on_tape(&tape, QUASH_LEX_END);
	on_tape(&tape, QUASH_LEX_NUMBER);
	quash_tape_text(&tape, arena, sizeof arena, (const uint8_t *)"7", 1);
	on_tape(&tape, QUASH_LEX_END);
	on_tape(&tape, QUASH_LEX_ARRAY_END);
	assert_true(quash_tape_whole(&tape));
	const quash_value list = quash_value_of(arena, sizeof arena, 0, tape.length);
	assert_true(quash_next(list, &cursor, NULL, &value));
	assert_int_equal(quash_length(value), SIZE);
	assert_memory_equal(quash_text(value), text, SIZE);
	assert_true(quash_next(list, &cursor, NULL, &value));
	assert_int_equal(quash_int32(value, &behind), QUASH_NUMBER_OK);
	assert_int_equal(behind, 7);
	assert_false(quash_next(list, &cursor, NULL, &value));
	free(text);
}

/* ["xxx...", [[], 7]]: an array that begins beyond 64 KiB has its own length, not that of the one around it. */
static void test_far_arrays(void **state)
{
	static const quash_lex_event events[] = { QUASH_LEX_ARRAY, QUASH_LEX_ARRAY, QUASH_LEX_ARRAY_END, QUASH_LEX_NULL, QUASH_LEX_ARRAY_END, QUASH_LEX_ARRAY_END };
	static uint8_t text[SIZE];
	quash_tape tape;
	quash_value cursor = { 0 }, value;
	(void)state;
	quash_tape_begin(&tape, 0);
	on_tape(&tape, QUASH_LEX_ARRAY);
	on_tape(&tape, QUASH_LEX_STRING);
	quash_tape_text(&tape, arena, sizeof arena, text, SIZE);
	on_tape(&tape, QUASH_LEX_END);
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		on_tape(&tape, events[i]);
	const quash_value list = quash_value_of(arena, sizeof arena, 0, tape.length);
	assert_true(quash_next(list, &cursor, NULL, &value) && quash_next(list, &cursor, NULL, &value));
	assert_int_equal(value.end - value.at, 2 * (TAPE_HEAD + 1) + 1);
	assert_false(quash_next(list, &cursor, NULL, &value));
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(test_long_string), cmocka_unit_test(test_far_arrays) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
