/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "json/tape.h"
#include "quash/lex.h"

enum { ARENA = 512, START = 5, GUARD = 0xA5 };

static uint8_t arena[ARENA];

/* What the lexer has written goes to the tape: copied, or taken where it stands. */
static void put_text(quash_tape *tape, quash_size size, quash_lex *lex, bool copies)
{
	if (copies)
		quash_tape_text(tape, arena, size, lex->text, lex->length);
	else
		quash_tape_took(tape, size, lex->length);
	lex->length = 0;
}

/* Where text goes next: to the tape's end if there is room, else to `scratch`. True if it is copied from there. */
static bool place_text(const quash_tape *tape, quash_size size, quash_lex *lex, uint8_t *scratch)
{
	const uint32_t end = (uint32_t)tape->start + tape->length;
	const bool copies = !quash_tape_whole(tape) || end + QUASH_LEX_ROOM > size;
	lex->text = copies ? scratch : arena + end;
	lex->size = (quash_size)(copies ? QUASH_LEX_ROOM : size - end);
	return copies;
}

/* Puts the text on a tape in the first `size` bytes of the arena. */
static void put(quash_tape *tape, quash_size size, const char *json, bool in_place)
{
	const size_t n = strlen(json);
	uint8_t scratch[QUASH_LEX_ROOM];
	quash_lex lex;
	quash_lex_event event;
	size_t at = 0;
	memset(arena, GUARD, sizeof arena);
	quash_lex_init(&lex, scratch, sizeof scratch);
	quash_tape_begin(tape, START);
	do {
		const bool copies = !in_place || place_text(tape, size, &lex, scratch);
		event = quash_lex_run(&lex, (const uint8_t *)json, n, &at);
		assert_int_not_equal(event, QUASH_LEX_ERROR);
		if (event == QUASH_LEX_TEXT || event == QUASH_LEX_END)
			put_text(tape, size, &lex, copies);
		if (event != QUASH_LEX_TEXT && event != QUASH_LEX_MORE)
			quash_tape_event(tape, arena, size, event);
	} while (event != QUASH_LEX_MORE);
}

static void check(const char *json, const uint8_t *expected, size_t n)
{
	for (int in_place = 0; in_place <= 1; in_place++) {
		quash_tape tape;
		put(&tape, ARENA, json, in_place);
		assert_true(quash_tape_whole(&tape));
		assert_int_equal(tape.start, START);
		assert_int_equal(tape.length, n);
		assert_memory_equal(arena + START, expected, n);
		assert_int_equal(arena[START - 1], GUARD);
		assert_int_equal(arena[START + n], GUARD);
	}
}

#define HOLDS(json, ...) \
	do { \
		static const uint8_t expected[] = { __VA_ARGS__ }; \
		check(json, expected, sizeof expected); \
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

static void check_size(quash_size size, const char *json, bool in_place, uint32_t need)
{
	quash_tape tape;
	put(&tape, size, json, in_place);
	assert_int_equal(tape.length + tape.missing, need);
	assert_int_equal(quash_tape_whole(&tape), size == START + need);
	assert_true(START + tape.length <= size || tape.length == 0);
	for (size_t k = size; k < ARENA; k++)
		assert_int_equal(arena[k], GUARD);
}

/* With less room nothing is written after it, and what would have been needed is known. */
static void test_every_size(void **state)
{
	static const char *const texts[] = { "[]", "{\"a\":{\"b\":[1,\"text\",null]}}",
		"[\"\\ud83d\\ude00abcdefgh\",[[[]]]]", "[1,2,3,{\"k\":true},\"\"]" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		quash_tape tape;
		put(&tape, ARENA, texts[i], false);
		const uint32_t need = tape.length;
		assert_int_equal(tape.missing, 0);
		for (quash_size size = 0; size <= START + need; size++) {
			check_size(size, texts[i], false, need);
			check_size(size, texts[i], true, need);
		}
	}
}

static void test_long_string(void **state)
{
	char json[400] = "[\"";
	(void)state;
	memset(json + 2, 'x', 300);
	strcpy(json + 302, "\"]");
	for (int in_place = 0; in_place <= 1; in_place++) {
		quash_tape tape;
		put(&tape, ARENA, json, in_place);
		assert_int_equal(arena[START], QUASH_ARRAY);
		assert_int_equal(arena[START + 1] | arena[START + 2] << 8, 306);
		assert_int_equal(arena[START + 5] | arena[START + 6] << 8, 301);
		assert_int_equal(arena[START + 8 + 300], 0);
	}
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
