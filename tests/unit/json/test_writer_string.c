/* SPDX-License-Identifier: MIT
 * Bytes that are no UTF-8 become U+FFFD, one for each part that could have begun a character. */
#include "unit.h"

#include "json/writer.h"
#include "quash/why.h"

#define FFFD "\xEF\xBF\xBD"

static uint8_t buffer[ROOM_FOR(512)];
static quash_writer writer, *const w = &writer;

static void begin(void)
{
	static const quash_writer fresh = { .buffer = buffer, .size = sizeof buffer - 1 };
	writer = fresh;
	quash_place_begin(&writer.place);
}

static const char *written(void)
{
	quash_put_ends(w);
	assert_int_equal(w->why, QUASH_WHY_NONE);
	assert_false(w->full);
	buffer[w->at] = '\0';
	return (const char *)buffer;
}

/* In one part, and cut into two at every byte. */
static void check(const char *text, const char *expected)
{
	const size_t n = strlen(text);
	for (size_t cut = 0; cut <= n; cut++) {
		begin();
		quash_put_string_open(w);
		quash_put_string_part(w, text, cut);
		quash_put_string_part(w, text + cut, n - cut);
		quash_put_string_close(w);
		assert_string_equal(written(), expected);
	}
	begin();
	quash_put_text(w, text);
	assert_string_equal(written(), expected);
}

static void test_characters(void **state)
{
	(void)state;
	check("a\xC3\xBC" "b\xE2\x82\xAC\xF0\x9F\x98\x80" "c", "\"a\xC3\xBC" "b\xE2\x82\xAC\xF0\x9F\x98\x80" "c\"");
	check("\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF", "\"\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\"");
	check("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", "\"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\"");
	check("\xED\x9F\xBF\xEE\x80\x80", "\"\xED\x9F\xBF\xEE\x80\x80\"");
}

static void test_bytes_that_begin_nothing(void **state)
{
	(void)state;
	check("\x80", "\"" FFFD "\"");
	check("a\xBF\xBF" "b", "\"a" FFFD FFFD "b\"");
	check("\xC0\x80", "\"" FFFD FFFD "\"");
	check("\xC1\xBF", "\"" FFFD FFFD "\"");
	check("\xF5\x80\x80\x80", "\"" FFFD FFFD FFFD FFFD "\"");
	check("\xFF\xFE", "\"" FFFD FFFD "\"");
}

static void test_characters_cut_off(void **state)
{
	(void)state;
	check("\xC3", "\"" FFFD "\"");
	check("\xE2\x82", "\"" FFFD "\"");
	check("\xF0\x9F\x98", "\"" FFFD "\"");
	check("\xF0\x9F\x98\n", "\"" FFFD "\\n\"");
	check("\xE2\x82\"", "\"" FFFD "\\\"\"");
	check("\xE2\x82\xE2\x82\xAC", "\"" FFFD "\xE2\x82\xAC\"");
	check("\xF0\x9F\x98\xC3\xBC", "\"" FFFD "\xC3\xBC\"");
}

static void test_no_characters(void **state)
{
	(void)state;
	check("\xE0\x9F\xBF", "\"" FFFD FFFD FFFD "\"");          /* overlong */
	check("\xF0\x8F\xBF\xBF", "\"" FFFD FFFD FFFD FFFD "\""); /* overlong */
	check("\xED\xA0\x80", "\"" FFFD FFFD FFFD "\"");          /* a surrogate */
	check("\xF4\x90\x80\x80", "\"" FFFD FFFD FFFD FFFD "\""); /* beyond U+10FFFF */
}

static void test_keys(void **state)
{
	(void)state;
	begin();
	quash_put_object(w);
	quash_put_key(w, "\xC3\xBC\xC3");
	quash_put_int(w, 1);
	assert_string_equal(written(), "{\"\xC3\xBC" FFFD "\":1}");
}

static void test_integer_behind_half_a_character(void **state)
{
	(void)state;
	begin();
	quash_put_string_open(w);
	quash_put_string_part(w, "\xE2\x82", 2);
	quash_put_string_int(w, -1);
	quash_put_string_part(w, "\xAC", 1);
	quash_put_string_close(w);
	assert_string_equal(written(), "\"" FFFD "-1" FFFD "\"");
}

static void test_in_a_quote(void **state)
{
	(void)state;
	begin();
	quash_put_quote_open(w);
	quash_put_text(w, "\xC3\xBC\n\xC3");
	quash_put_quote_close(w);
	assert_string_equal(written(), "\"\\\"\xC3\xBC\\\\n" FFFD "\\\"\"");
}

/* --- Against the lexer */

static bool accepted(const uint8_t *text, size_t n)
{
	uint8_t decoded[32];
	quash_lex lex;
	size_t at = 0;
	assert_in_range(n, 0, sizeof decoded - QUASH_LEX_ROOM);
	quash_lex_init(&lex, decoded, sizeof decoded);
	while (at < n) {
		if (quash_lex_run(&lex, text, n, &at) == QUASH_LEX_ERROR)
			return false;
	}
	return quash_lex_complete(&lex);
}

/* What the lexer takes goes out as it is; what it does not take goes out as something that it takes. */
static void check_bytes(const uint8_t bytes[4])
{
	const uint8_t quoted[] = { '"', bytes[0], bytes[1], bytes[2], bytes[3], '"' };
	begin();
	quash_put_string(w, (const char *)bytes, 4);
	(void)written();
	assert_true(accepted(buffer, w->at));
	assert_int_equal(accepted(quoted, sizeof quoted),
		w->at == sizeof quoted && memcmp(buffer, quoted, sizeof quoted) == 0);
}

/* Every four bytes out of those where the rules change. */
static void test_as_the_lexer_has_it(void **state)
{
	static const uint8_t edges[] = { 'a', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
		0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF };
	const uint32_t all = COUNT_OF(edges) * COUNT_OF(edges) * COUNT_OF(edges) * COUNT_OF(edges);
	(void)state;
	for (uint32_t k = 0; k < all; k += STRIDE) {
		uint8_t bytes[4];
		uint32_t rest = k;
		for (size_t i = 0; i < sizeof bytes; i++, rest /= (uint32_t)COUNT_OF(edges))
			bytes[i] = edges[rest % COUNT_OF(edges)];
		check_bytes(bytes);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_characters),
		cmocka_unit_test(test_bytes_that_begin_nothing),
		cmocka_unit_test(test_characters_cut_off),
		cmocka_unit_test(test_no_characters),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_integer_behind_half_a_character),
		cmocka_unit_test(test_in_a_quote),
		cmocka_unit_test(test_as_the_lexer_has_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
