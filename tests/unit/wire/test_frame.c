/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdio.h>

#include "wire/frame_inner.h"

/* What was found, in writing: the body's bytes, | for a message's end, . for an empty line, ! for a bad header. */
static quash_frame frame;
static char found[ROOM_FOR(4096)];
static size_t found_length;

static void write_down(char c)
{
	assert_room(found_length < sizeof found - 1);
	found[found_length++] = c;
	found[found_length] = '\0';
}

static void begin(void)
{
	quash_frame_init(&frame, 0xFFFFFF);
	found_length = 0;
	found[0] = '\0';
}

static void take(const char *text, size_t n)
{
	const uint8_t *const data = (const uint8_t *)text;
	size_t at = 0;
	while (at < n) {
		const size_t before = at;
		size_t to = n;
		const enum frame_found what = quash_frame_length(&frame, data, n, &at, &to);
		if (what == FRAME_BODY) {
			assert_int_equal(at, before);
			assert_in_range(to, at + 1, n);
			while (at < to)
				write_down((char)data[at++]);
			if (quash_frame_took(&frame, at - before))
				write_down('|');
			continue;
		}
		assert_in_range(at, before + 1, n);
		if (what != FRAME_NOTHING)
			write_down(what == FRAME_END ? '|' : what == FRAME_EMPTY ? '.' : '!');
	}
}

/* The text is found to be that, whole, cut in two anywhere and byte by byte. */
static void finds(const char *text, size_t n, const char *expected)
{
	for (size_t cut = 0; cut <= n; cut++) {
		begin();
		take(text, cut);
		take(text + cut, n - cut);
		assert_string_equal(found, expected);
	}
	begin();
	for (size_t i = 0; i < n; i++)
		take(text + i, 1);
	assert_string_equal(found, expected);
}

#define LENGTH(text, expected) finds(text, sizeof text - 1, expected)

static void test_length(void **state)
{
	(void)state;
	LENGTH("Content-Length: 2\r\n\r\n{}", "{}|");
	LENGTH("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", "{}|[1]|");
	LENGTH("Content-Length: 5\r\n\r\n{\r\n\r}", "{\r\n\r}|");
	LENGTH("Content-Length: 3\r\n\r\n{}", "{}");
	LENGTH("Content-Length: 12\r\n\r\n[1234567890]", "[1234567890]|");
	LENGTH("Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n1", "|1|");
	LENGTH("Content-Length: 0002\r\n\r\n{}", "{}|");
	LENGTH("Content-Length: 18\r\n\r\nContent-Length: 2\r", "Content-Length: 2\r|");
}

static void test_names_and_blanks(void **state)
{
	(void)state;
	LENGTH("content-length: 2\r\n\r\n{}", "{}|");
	LENGTH("CONTENT-LENGTH: 2\r\n\r\n{}", "{}|");
	LENGTH("cOnTeNt-lEnGtH:2\r\n\r\n{}", "{}|");
	LENGTH("Content-Length:  \t 2 \t\r\n\r\n{}", "{}|");
	LENGTH("Content-Length : 2\r\n\r\n{}", "{}|");
	LENGTH("Content-Length: 2\n\n{}", "{}|");
}

static void test_other_headers(void **state)
{
	(void)state;
	LENGTH("Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: 2\r\n\r\n{}",
		"{}|");
	LENGTH("Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}",
		"{}|");
	LENGTH("X-Anything: Content-Length: 7\r\nContent-Length: 2\r\n\r\n{}", "{}|");
	LENGTH("X: a:b:c\r\nContent-Length: 2\r\nY:\r\n\r\n{}", "{}|");
	LENGTH("Content-Len: 7\r\nContent-Length: 2\r\n\r\n{}", "{}|");
	LENGTH("Content-LengthX: 7\r\nContent-Length: 2\r\n\r\n{}", "{}|");
	LENGTH("Content-Length-X: 7\r\nContent-Length: 2\r\n\r\n{}", "{}|");
	LENGTH("XContent-Length: 7\r\nContent-Length: 2\r\n\r\n{}", "{}|");
	LENGTH("Content-Length X: 7\r\nContent-Length: 2\r\n\r\n{}", "{}|");
	LENGTH("Content-LengthContent-Length: 7\r\nContent-Length: 2\r\n\r\n{}", "{}|");
}

/* A bad header is counted once and the next message is found. */
static void test_bad_headers(void **state)
{
	(void)state;
#define GOOD "Content-Length: 2\r\n\r\n{}"
	LENGTH("\r\n" GOOD, ".{}|");
	LENGTH("\n\r\n" GOOD "\n", "..{}|.");
	LENGTH("X: 1\r\n\r\n" GOOD, "!{}|");
	LENGTH("Content-Length: \r\n\r\n" GOOD, "!{}|");
	LENGTH("Content-Length: x\r\n\r\n" GOOD, "!{}|");
	LENGTH("Content-Length: -2\r\n\r\n{}" GOOD, "!{}|");
	LENGTH("Content-Length: +2\r\n\r\n{}" GOOD, "!{}|");
	LENGTH("Content-Length: 2.0\r\n\r\n{}" GOOD, "!{}|");
	LENGTH("Content-Length: 0x2\r\n\r\n{}" GOOD, "!{}|");
	LENGTH("Content-Length: 2 2\r\n\r\n{}" GOOD, "!{}|");
	LENGTH("Content-Length: 2a\r\n\r\n{}" GOOD, "!{}|");
	LENGTH("Content-Length\r\n\r\n{}" GOOD, "!{}|");
	LENGTH("{\"a\":1}\n{}\n" GOOD, "!{}|");
	LENGTH("noise\n noise " GOOD, "!{}|");
	LENGTH("Content-Length: 16777216\r\n\r\n{}" GOOD, "!{}|");
	LENGTH("Content-Length: 4294967295\r\n\r\n{}" GOOD, "!{}|");
	LENGTH("Content-Length: 4294967296\r\n\r\n{}" GOOD, "!{}|");
	LENGTH("Content-Length: 99999999999999999999\r\n\r\n{}" GOOD, "!{}|");
	LENGTH("noise\nContent-Length: x\n" GOOD, "!!{}|");
}

/* Whatever stands in front of a header on its line, and wherever the one before it breaks off, it is found. */
static void test_behind_other_bytes(void **state)
{
	(void)state;
	for (unsigned c = 0; c <= UINT8_MAX; c++) {
		for (size_t n = 1; n < 30; n += n < 4 ? 1 : 7) {
			char text[60];
			memset(text, (int)c, n);
			memcpy(text + n, GOOD, sizeof GOOD);
			begin();
			take(text, n + sizeof GOOD - 1);
			assert_string_equal(found + strspn(found, ".!"), "{}|");
		}
	}
	for (size_t n = 1; n < sizeof GOOD - 3; n++) {
		char text[60] = GOOD;
		memcpy(text + n, "Content-Length: 3\r\n\r\n[1]", 24);
		begin();
		take(text, n + 24);
		assert_string_equal(found + strspn(found, ".!"), "[1]|");
	}
	LENGTH("\xEF\xBB\xBF" GOOD, "{}|");
	LENGTH("x" GOOD "y:z" GOOD "::" GOOD, "{}|{}|{}|");
	LENGTH("X-Content-Length: 7\r\n" GOOD, "{}|");
	LENGTH("Content-Length: 2\r\nX-Content-Length: 7\r\nX: Content-Length: 7\r\n\r\n{}", "{}|");
	LENGTH("x: Content-Length: y\r\n" GOOD, "!{}|");
	LENGTH("Content-Length: 2\r\nx: Content-Length: y\r\n\r\n{}", "{}|");
}

/* The rest of a body whose length is too small, from any byte on, and what of a larger one is left. */
static void test_wrong_lengths(void **state)
{
#define TWO "{\"a\": {\"b\":1, \"c\":[\"d:e\"]},\n\"f\":2}"
	(void)state;
	for (unsigned length = 0; length <= sizeof TWO + 50; length++) {
		char text[200];
		const int n = snprintf(text, sizeof text, "Content-Length: %u\r\n\r\n" TWO "Content-Length: 3\r\n\r\n[1]" TWO GOOD, length);
		begin();
		take(text, (size_t)n);
		assert_non_null(strstr(found, "{}|"));
		if (length < sizeof TWO)
			assert_non_null(strstr(found, "[1]|"));
	}
}

static void test_largest_length(void **state)
{
	(void)state;
	begin();
	take("Content-Length: 16777215\r\n\r\n{}", 30);
	assert_string_equal(found, "{}");
}

/* What is longer than the limit is a bad header, and what follows is found all the same. */
static void test_limit(void **state)
{
	static const char text[] = "Content-Length: 10\r\n\r\n0123456789Content-Length: 11\r\n\r\nContent-Length: 2\r\n\r\n{}";
	(void)state;
	begin();
	quash_frame_init(&frame, 10);
	take(text, sizeof text - 1);
	assert_string_equal(found, "0123456789|!{}|");
}

static void test_length_given_twice(void **state)
{
	(void)state;
	LENGTH("Content-Length: 7\r\nContent-Length: 2\r\n\r\n{}", "{}|");
}

static void test_lost_body(void **state)
{
	(void)state;
	begin();
	take("Content-Length: 9\r\n\r\n{", 22);
	quash_frame_lost(&frame);
	take("}}}Conten" GOOD GOOD, 9 + 2 * 23);
	assert_string_equal(found, "{{}|{}|");
}

/* Every 32-bit length is read exactly. */
static void test_lengths(void **state)
{
	static const unsigned lengths[] = { 1, 9, 10, 11, 99, 100, 101, 999, 1000, 1001, 2047 };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(lengths); i++) {
		char text[40];
		const int n = snprintf(text, sizeof text, "Content-Length: %u\r\n\r\n", lengths[i]);
		begin();
		take(text, (size_t)n);
		for (unsigned k = 0; k < lengths[i]; k++)
			take("x", 1);
		assert_int_equal(found_length, lengths[i] + 1);
		assert_int_equal(found[lengths[i]], '|');
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_length),
		cmocka_unit_test(test_names_and_blanks),
		cmocka_unit_test(test_other_headers),
		cmocka_unit_test(test_bad_headers),
		cmocka_unit_test(test_behind_other_bytes),
		cmocka_unit_test(test_wrong_lengths),
		cmocka_unit_test(test_largest_length),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_length_given_twice),
		cmocka_unit_test(test_lost_body),
		cmocka_unit_test(test_lengths),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
