/* SPDX-License-Identifier: MIT
 * A lexer that stops at a line's end. */
#include "unit.h"

#include "quash/lex.h"

static quash_lex lex;
static uint8_t written[64];

static void begin(bool line)
{
	quash_lex_init(&lex, written, sizeof written);
	assert_false(lex.line);
	lex.line = line;
}

static quash_lex_event run(const char *text, size_t *at)
{
	return quash_lex_run(&lex, (const uint8_t *)text, strlen(text), at);
}

/* Reads up to LINE, ERROR or the end. */
static quash_lex_event run_on(const char *text, size_t *at)
{
	quash_lex_event event;
	do
		event = run(text, at);
	while (event != QUASH_LEX_MORE && event != QUASH_LEX_ERROR && event != QUASH_LEX_LINE);
	return event;
}

/* Whatever stands before it, the line ends where it ends, and whether the text was complete is known. */
static void test_everywhere(void **state)
{
	static const char whole[] = "{\"k\\n\":[1.5e3,\"a\\u20ac\xE2\x82\xAC\\ud83d\\ude00\",true,null,-0],\"\":{}}";
	char text[sizeof whole + 8];
	(void)state;
	for (size_t n = 0; n < sizeof whole; n++) {
		size_t at = 0;
		memcpy(text, whole, n);
		strcpy(text + n, "\n]x\n");
		begin(true);
		assert_int_equal(run_on(text, &at), QUASH_LEX_LINE);
		assert_int_equal(at, n);
		assert_int_equal(text[at], '\n');
		assert_int_equal(quash_lex_complete(&lex), n == sizeof whole - 1);
		assert_int_equal(quash_lex_blank_(&lex), n == 0);
		assert_int_equal(run_on(text, &at), QUASH_LEX_LINE);
		assert_int_equal(at, n);
	}
}

/* The same byte by byte. */
static void test_everywhere_by_bytes(void **state)
{
	static const char whole[] = "[\"a\\u20ac\xE2\x82\xAC\",{\"k\":0.5}]\n";
	(void)state;
	for (size_t n = 0; n < sizeof whole - 1; n++) {
		bool again;
		begin(true);
		for (size_t i = 0; i < n; i++) {
			assert_int_not_equal(quash_lex_byte(&lex, (uint8_t)whole[i], &again), QUASH_LEX_LINE);
			if (again)
				(void)quash_lex_byte(&lex, (uint8_t)whole[i], &again);
			assert_false(again);
		}
		if (quash_lex_byte(&lex, '\n', &again) == QUASH_LEX_END)
			assert_true(again);
		assert_int_equal(quash_lex_byte(&lex, '\n', &again), QUASH_LEX_LINE);
		assert_true(again);
		assert_int_equal(quash_lex_complete(&lex), n == sizeof whole - 2);
	}
}

static void test_number_ends_first(void **state)
{
	size_t at = 0;
	(void)state;
	begin(true);
	assert_int_equal(run("12\n", &at), QUASH_LEX_NUMBER);
	assert_int_equal(run("12\n", &at), QUASH_LEX_END);
	assert_int_equal(run("12\n", &at), QUASH_LEX_LINE);
	assert_int_equal(at, 2);
	assert_true(quash_lex_complete(&lex));
}

static void test_number_cut_off(void **state)
{
	static const char *const texts[] = { "-\n", "1.\n", "1e\n", "1e+\n" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		size_t at = 0;
		begin(true);
		assert_int_equal(run_on(texts[i], &at), QUASH_LEX_LINE);
		assert_int_equal(at, strlen(texts[i]) - 1);
		assert_false(quash_lex_complete(&lex));
	}
}

static void test_in_text(void **state)
{
	size_t at = 0;
	(void)state;
	begin(true);
	assert_int_equal(run("\"plain text\n", &at), QUASH_LEX_STRING);
	assert_int_equal(run("\"plain text\n", &at), QUASH_LEX_LINE);
	assert_int_equal(at, 11);
	assert_int_equal(lex.length, 10);
	assert_memory_equal(written, "plain text", 10);
}

static void test_behind_an_error(void **state)
{
	static const char text[] = "[1,}]\n";
	size_t at = 0;
	(void)state;
	begin(true);
	assert_int_equal(run_on(text, &at), QUASH_LEX_ERROR);
	assert_int_equal(at, 3);
	assert_int_equal(run(text, &at), QUASH_LEX_ERROR);
	at = 5;
	assert_int_equal(run(text, &at), QUASH_LEX_LINE);
	assert_int_equal(at, 5);
	assert_false(quash_lex_complete(&lex));
}

static void test_too_deep(void **state)
{
	static const char *const inside[] = { "", "[1,", "\"s", "\"\\" };
	char text[64];
	(void)state;
	for (size_t i = 0; i < COUNT_OF(inside); i++) {
		size_t at = 0;
		memset(text, '[', QUASH_DEPTH + 1);
		strcpy(text + QUASH_DEPTH + 1, inside[i]);
		strcat(text, "\n");
		begin(true);
		assert_int_equal(run_on(text, &at), QUASH_LEX_LINE);
		assert_int_equal(at, strlen(text) - 1);
	}
}

/* Blanks before and after the value are none of its lines. */
static void test_white_space(void **state)
{
	size_t at = 0;
	(void)state;
	begin(true);
	assert_int_equal(run_on(" \t\r{} \t\r\n", &at), QUASH_LEX_LINE);
	assert_int_equal(at, 8);
	assert_true(quash_lex_complete(&lex));
	at = 0;
	begin(true);
	assert_int_equal(run_on(" \t\r\n", &at), QUASH_LEX_LINE);
	assert_int_equal(at, 3);
	assert_true(quash_lex_blank_(&lex));
}

static void test_without(void **state)
{
	size_t at = 0;
	(void)state;
	begin(false);
	assert_int_equal(run_on("\n[1\n,\n\"a\"\n]\n", &at), QUASH_LEX_MORE);
	assert_int_equal(at, 12);
	assert_true(quash_lex_complete(&lex));
	at = 0;
	begin(false);
	assert_int_equal(run_on("\"a\n\"", &at), QUASH_LEX_ERROR);
	assert_int_equal(at, 2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_everywhere),
		cmocka_unit_test(test_everywhere_by_bytes),
		cmocka_unit_test(test_number_ends_first),
		cmocka_unit_test(test_number_cut_off),
		cmocka_unit_test(test_in_text),
		cmocka_unit_test(test_behind_an_error),
		cmocka_unit_test(test_too_deep),
		cmocka_unit_test(test_white_space),
		cmocka_unit_test(test_without),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
