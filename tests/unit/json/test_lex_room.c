/* SPDX-License-Identifier: MIT
 * Where a lexer writes text: what stands there, and when the room is full. */
#include "meaning.h"

/* The meaning of a text, | where room for `size` bytes is full. */
static const char *parts(const char *text, quash_size size)
{
	text_size = size;
	parted = true;
	return meaning(text);
}

#define PARTS(text, size, expected) assert_string_equal(parts(text, size), expected)

static void test_plain_text(void **state)
{
	(void)state;
	PARTS("\"abcdef\"", 4, "s<a|b|c|d|e|f|>=");
	PARTS("\"abcdef\"", 5, "s<ab|cd|ef|>=");
	PARTS("\"abcdef\"", 6, "s<abc|def|>=");
	PARTS("\"abcdef\"", 7, "s<abcd|ef>=");
	PARTS("\"abcdef\"", 9, "s<abcdef|>=");
	PARTS("\"abcdef\"", 10, "s<abcdef>=");
	PARTS("\"\"", 4, "s<>=");
	PARTS("{\"ab\":[\"c\",\"\"]}", 4, "{k<a|b|>[s<c|>s<>]}=");
	PARTS("{\"abc\":\"abc\"}", 5, "{k<ab|c>s<ab|c>}=");
}

static void test_numbers(void **state)
{
	(void)state;
	PARTS("[-12.5e+10,0]", 4, "[n<-|1|2|.|5|e|+|1|0|>n<0|>]=");
	PARTS("[-12.5e+10,0]", 6, "[n<-12|.5e|+10|>n<0>]=");
	PARTS("-12.5e+10", 12, "n<-12.5e+10|=");
	PARTS("-12.5e+10", 13, "n<-12.5e+10=");
}

/* What an escape means comes whole, the bytes of a character that stands as it is come one by one. */
static void test_characters(void **state)
{
	(void)state;
	PARTS("\"\\n\\t\"", 4, "s<\n|\t|>=");
	PARTS("\"a\\u20ACb\"", 4, "s<a|\xE2\x82\xAC|b|>=");
	PARTS("\"a\\u20ACb\"", 8, "s<a\xE2\x82\xAC" "b|>=");
	PARTS("\"abc\\ud83d\\ude00d\"", 8, "s<abc\xF0\x9F\x98\x80|d>=");
	PARTS("\"abcd\\ud83d\\ude00\"", 8, "s<abcd\xF0\x9F\x98\x80|>=");
	PARTS("\"\xE2\x82\xAC\xC3\xBC\"", 4, "s<\xE2|\x82|\xAC|\xC3|\xBC|>=");
	PARTS("\"\xE2\x82\xAC\xC3\xBC\"", 5, "s<\xE2\x82|\xAC\xC3|\xBC>=");
}

#define LONE "\xEF\xBF\xBD"

/* A lone surrogate is text at the byte after it, which is then read as itself. */
static void test_lone_surrogates(void **state)
{
	(void)state;
	PARTS("\"\\uD800\"", 4, "s<" LONE "|>=");
	PARTS("\"\\uD800a\"", 4, "s<" LONE "|a|>=");
	PARTS("\"\\uD800\\n\"", 4, "s<" LONE "|\n|>=");
	PARTS("\"\\uD800\\u0041\"", 4, "s<" LONE "|A|>=");
	PARTS("\"\\uD800\\uD800\\uDC00\"", 4, "s<" LONE "|\xF0\x90\x80\x80|>=");
	PARTS("\"\\uDC00\\uD800\\u00e4\"", 4, "s<" LONE "|" LONE "|\xC3\xA4|>=");
	PARTS("\"\\uD800\xC3\xBC\"", 6, "s<" LONE "|\xC3\xBC>=");
	PARTS("{\"\\uD800\":\"\\uDFFF\"}", 7, "{k<" LONE ">s<" LONE ">}=");
}

static void test_errors(void **state)
{
	(void)state;
	PARTS("\"abc\x01", 6, "s<abc|!");
	PARTS("\"abcd\x01", 6, "s<abc|d!");
	PARTS("[1.x", 4, "[n<1|.|!");
	PARTS("[\"\\uD800\\x\"]", 4, "[s<" LONE "|!");
	PARTS("[x", 4, "[!");
}

static const char *const corpus[] = {
	"{\"jsonrpc\":\"2.0\",\"id\":\"a-\\u00e9\",\"method\":\"tools/call\",\"params\":{\"n\":[1,-2.5e+3,0],\"t\":true}}",
	"[\"\\ud83d\\ude00\",\"\\ud83dx\\ude00\",\"\\ud800\\ud800\\udc00\\n\\udc00\",\"\\ud800\"]",
	"[\"\xF0\x9F\x98\x80\xE2\x82\xAC\xC3\xBC\",\"\\b\\f\\n\\r\\t\\/\\\\\\\"\",\"\\uD800\xE2\x82\xAC\"]",
	"{\"a name of 22 characters\":\"and a text that is longer than that, of fifty-nine!\"}",
	"-123456789012345678901234567890.12e-10",
	"[\"abcdefgh\x01",
	"[\"ab\\ud800\\q\"]",
	"[1234.e5]",
};

/* However the input is cut: the same events, and at each the same text (the guard behind it is looked at as well). */
static void test_every_cut_and_size(void **state)
{
	(void)state;
	parted = true;
	for (text_size = QUASH_LEX_ROOM; text_size <= TEXT_SIZE_MOST; text_size++) {
		for (size_t i = 0; i < COUNT_OF(corpus); i++)
			cut_everywhere(corpus[i], strlen(corpus[i]));
	}
}

/* In parts it is the same text as whole. */
static void test_parts_make_the_whole(void **state)
{
	(void)state;
	parted = false;
	for (size_t i = 0; i < COUNT_OF(corpus); i++) {
		char whole[256];
		text_size = TEXT_SIZE_MOST;
		strcpy(whole, meaning(corpus[i]));
		for (text_size = QUASH_LEX_ROOM; text_size < TEXT_SIZE_MOST; text_size++)
			assert_string_equal(meaning(corpus[i]), whole);
	}
}

/* Who has more room gives it, and leaves what stands there. */
static void test_more_room(void **state)
{
	static const char json[] = "\"ab\\u20ac\\ud800\\ud83d\\ude00cdefg\xC3\xBC\\n\"";
	static const char decoded[] = "ab\xE2\x82\xAC" LONE "\xF0\x9F\x98\x80" "cdefg\xC3\xBC\n";
	(void)state;
	for (quash_size more = 1; more < 16; more++) {
		uint8_t room[64];
		quash_lex lex;
		quash_lex_event event;
		size_t at = 0;
		quash_lex_init(&lex, room, QUASH_LEX_ROOM);
		do {
			event = quash_lex_run(&lex, (const uint8_t *)json, sizeof json - 1, &at);
			if (event == QUASH_LEX_TEXT)
				lex.size = (quash_size)(lex.length + QUASH_LEX_ROOM - 1 + more);
		} while (event == QUASH_LEX_STRING || event == QUASH_LEX_TEXT);
		assert_int_equal(event, QUASH_LEX_END);
		assert_int_equal(lex.length, sizeof decoded - 1);
		assert_memory_equal(room, decoded, sizeof decoded - 1);
	}
}

/* Each text may have a place of its own, and go on at another one. */
static void test_another_place(void **state)
{
	static const uint8_t json[] = "[\"abcd\",12]";
	uint8_t first[8], second[8];
	quash_lex lex;
	size_t at = 0;
	(void)state;
	quash_lex_init(&lex, first, 6);
	assert_int_equal(quash_lex_run(&lex, json, sizeof json - 1, &at), QUASH_LEX_ARRAY);
	assert_int_equal(quash_lex_run(&lex, json, sizeof json - 1, &at), QUASH_LEX_STRING);
	assert_int_equal(quash_lex_run(&lex, json, sizeof json - 1, &at), QUASH_LEX_TEXT);
	assert_int_equal(lex.length, 3);
	assert_memory_equal(first, "abc", 3);
	lex.text = second;
	lex.size = sizeof second;
	lex.length = 0;
	assert_int_equal(quash_lex_run(&lex, json, sizeof json - 1, &at), QUASH_LEX_END);
	assert_int_equal(lex.length, 1);
	assert_int_equal(second[0], 'd');
	assert_int_equal(quash_lex_run(&lex, json, sizeof json - 1, &at), QUASH_LEX_NUMBER);
	lex.text = first;
	assert_int_equal(quash_lex_run(&lex, json, sizeof json - 1, &at), QUASH_LEX_END);
	assert_int_equal(lex.length, 2);
	assert_memory_equal(first, "12c", 3);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_text),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_characters),
		cmocka_unit_test(test_lone_surrogates),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_every_cut_and_size),
		cmocka_unit_test(test_parts_make_the_whole),
		cmocka_unit_test(test_more_room),
		cmocka_unit_test(test_another_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
