/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "json/tape.h"
#include "quash/lex.h"

enum { ARENA = 512, START = 5, GUARD = 0xA5 };

static uint8_t arena[ARENA];

/* Puts the text on a tape in the first `size` bytes of the arena. */
static void put(quash_tape *tape, quash_size size, const char *json)
{
	const size_t n = strlen(json);
	quash_lex lex;
	quash_lex_event event;
	size_t at = 0;
	memset(arena, GUARD, sizeof arena);
	quash_lex_init(&lex);
	quash_tape_begin(tape, START);
	do {
		const size_t before = at;
		event = quash_lex_run(&lex, (const uint8_t *)json, n, &at);
		assert_int_not_equal(event, QUASH_LEX_ERROR);
		if (event == QUASH_LEX_TEXT)
			quash_tape_text(tape, arena, size, (const uint8_t *)json, before, at);
		else if (event == QUASH_LEX_CHAR)
			quash_tape_text(tape, arena, size, lex.utf8, 0, lex.count);
		else if (event != QUASH_LEX_MORE)
			quash_tape_event(tape, arena, size, event);
	} while (event != QUASH_LEX_MORE);
}

#define HOLDS(json, ...) \
	do { \
		static const uint8_t expected[] = { __VA_ARGS__ }; \
		quash_tape tape; \
		put(&tape, ARENA, json); \
		assert_true(quash_tape_whole(&tape)); \
		assert_int_equal(tape.start, START); \
		assert_int_equal(tape.length, sizeof expected); \
		assert_memory_equal(arena + START, expected, sizeof expected); \
		assert_int_equal(arena[START - 1], GUARD); \
		assert_int_equal(arena[START + sizeof expected], GUARD); \
	} while (0)

static void test_leaves(void **state)
{
	(void)state;
	HOLDS("[null]", QUASH_ARRAY, 2, 0, 0, QUASH_NULL, TAPE_END);
	HOLDS("[true,false]", QUASH_ARRAY, 3, 0, 0, QUASH_TRUE, QUASH_FALSE, TAPE_END);
	HOLDS("[\"ab\"]", QUASH_ARRAY, 8, 0, 0, QUASH_STRING, 3, 0, 0, 'a', 'b', 0, TAPE_END);
	HOLDS("[\"\"]", QUASH_ARRAY, 6, 0, 0, QUASH_STRING, 1, 0, 0, 0, TAPE_END);
	HOLDS("[-1.5]", QUASH_ARRAY, 10, 0, 0, QUASH_NUMBER, 5, 0, 0, '-', '1', '.', '5', 0, TAPE_END);
	HOLDS("[\"\\u00e9\\n\"]", QUASH_ARRAY, 9, 0, 0, QUASH_STRING, 4, 0, 0, 0xC3, 0xA9, '\n', 0, TAPE_END);
}

static void test_containers(void **state)
{
	(void)state;
	HOLDS("[]", QUASH_ARRAY, 1, 0, 0, TAPE_END);
	HOLDS("{}", QUASH_OBJECT, 1, 0, 0, TAPE_END);
	HOLDS("[[],{}]", QUASH_ARRAY, 11, 0, 0, QUASH_ARRAY, 1, 0, 0, TAPE_END, QUASH_OBJECT, 1, 0, 0,
		TAPE_END, TAPE_END);
	HOLDS("{\"a\":[1]}", QUASH_OBJECT, 18, 0, 0, QUASH_STRING, 2, 0, 0, 'a', 0, QUASH_ARRAY, 7, 0, 0,
		QUASH_NUMBER, 2, 0, 0, '1', 0, TAPE_END, TAPE_END);
}

/* With less room nothing is written after it, and what would have been needed is known. */
static void test_every_size(void **state)
{
	static const char *const texts[] = { "[]", "{\"a\":{\"b\":[1,\"text\",null]}}",
		"[\"\\ud83d\\ude00abcdefgh\",[[[]]]]", "[1,2,3,{\"k\":true},\"\"]" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		quash_tape tape;
		put(&tape, ARENA, texts[i]);
		const uint32_t need = tape.length + tape.missing;
		assert_int_equal(need, tape.length);
		for (quash_size size = 0; size <= START + need; size++) {
			put(&tape, size, texts[i]);
			assert_int_equal(tape.length + tape.missing, need);
			assert_int_equal(quash_tape_whole(&tape), size == START + need);
			assert_true(START + tape.length <= size || tape.length == 0);
			for (size_t k = size; k < ARENA; k++)
				assert_int_equal(arena[k], GUARD);
		}
	}
}

static void test_long_string(void **state)
{
	char json[400] = "[\"";
	quash_tape tape;
	(void)state;
	memset(json + 2, 'x', 300);
	strcpy(json + 302, "\"]");
	put(&tape, ARENA, json);
	assert_int_equal(arena[START], QUASH_ARRAY);
	assert_int_equal(arena[START + 1] | arena[START + 2] << 8, 306);
	assert_int_equal(arena[START + 5] | arena[START + 6] << 8, 301);
	assert_int_equal(arena[START + 8 + 300], 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leaves),
		cmocka_unit_test(test_containers),
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_long_string),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
