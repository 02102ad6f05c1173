/* SPDX-License-Identifier: MIT
 * boards/host/common/cut.h: where messages begin and end on a line on which other bytes stand, too. */
#include "unit.h"

#include "cut.h"

#include <stdio.h>

/* What was found, in writing: a message and |, . for an empty line, ! for noise. */
static char found[ROOM_FOR(4096)];

static void write_down(const struct cut *cut, enum cut_event event)
{
	const size_t length = strlen(found);
	assert_room(length + cut->length + 2 < sizeof found);
	if (event == CUT_MESSAGE)
		memcpy(found + length, cut->bytes, cut->length);
	strcpy(found + length + (event == CUT_MESSAGE ? cut->length : 0), event == CUT_MESSAGE ? "|" : event == CUT_SIGN ? "." : "!");
}

static void read_as(quash_framing framing, const char *text, size_t n, size_t piece)
{
	struct cut cut = { .heap = &heap_standard, .framing = framing };
	found[0] = '\0';
	for (size_t from = 0; from < n; from += piece) {
		const size_t to = n - from < piece ? n : from + piece;
		size_t at = from;
		while (at < to) {
			const enum cut_event event = cut_read(&cut, (const uint8_t *)text, to, &at);
			if (event != CUT_MORE)
				write_down(&cut, event);
		}
	}
	if (cut_end(&cut))
		write_down(&cut, CUT_MESSAGE);
	cut_free(&cut);
}

static void cuts(quash_framing framing, const char *text, size_t n, const char *expected)
{
	for (size_t piece = 1; piece <= n; piece++) {
		read_as(framing, text, n, piece);
		assert_string_equal(found, expected);
	}
}

#define LINES(text, expected)   cuts(QUASH_LINES, text, sizeof(text) - 1, expected)
#define HEADERS(text, expected) cuts(&quash_content_length, text, sizeof(text) - 1, expected)
#define MARK                    "\xEF\xBB\xBF"

static void test_byte_order_mark(void **state)
{
	(void)state;
	LINES(MARK "{}\n" MARK "{}\n", "{}|" MARK "{}|");
	LINES(MARK "\n{}", ".{}|");
	LINES(MARK "1", "1|");
	LINES("\xEF\xBB{}\n", "\xEF\xBB{}|");
	LINES("\xEF\xBB", "\xEF\xBB|");
	LINES("\n" MARK "{}\n", "." MARK "{}|");
	HEADERS(MARK "Content-Length: 2\r\n\r\n{}", "{}|");
}

/* --- Headers */

#define GOOD "Content-Length: 2\r\n\r\n{}"

static void test_headers(void **state)
{
	(void)state;
	HEADERS("content-LENGTH \t:\t2 \r\n\r\n{}" GOOD, "{}|{}|");
	HEADERS("Content-Length: 7\r\n" GOOD, "{}|");
	HEADERS("X-Content-Length: 7\r\n" GOOD, "{}|");
	HEADERS("Content-Length: 2\r\nX-Content-Length: 7\r\n\r\n{}", "!{}|");
	HEADERS("Content-Length: 2x\r\n" GOOD, "!{}|");
	HEADERS("Content-Length: 2 2\r\n" GOOD, "!{}|");
	HEADERS("Content-Length:\r\n" GOOD, "!{}|");
	HEADERS("Content-Length\r\n" GOOD, "!{}|");
	HEADERS("{\"a\":1}" GOOD, "{}|");
	HEADERS("Content-Length: 0\r\n\r\n" GOOD, "|{}|");
}

static void test_header_behind_other_bytes(void **state)
{
	(void)state;
	for (unsigned c = 0; c <= UINT8_MAX; c++) {
		for (size_t n = 1; n < 30; n += n < 4 ? 1 : 7) {
			char text[60];
			memset(text, (int)c, n);
			memcpy(text + n, GOOD, sizeof GOOD);
			read_as(&quash_content_length, text, n + sizeof GOOD - 1, 100);
			assert_string_equal(found + strspn(found, ".!"), "{}|");
		}
	}
	for (size_t n = 1; n < sizeof GOOD - 3; n++) {
		char text[60] = GOOD;
		memcpy(text + n, "Content-Length: 3\r\n\r\n[1]", 24);
		read_as(&quash_content_length, text, n + 24, 100);
		assert_string_equal(found + strspn(found, ".!"), "[1]|");
	}
}

/* --- What stands in front of a message on its line */

#define RPC "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"

/* The message after so many bytes of noise; `n` bytes: none. */
static void stands_at(size_t at, const char *text, size_t n)
{
	assert_int_equal(look_for(text, n), at);
}

#define BEHIND(noise, message) stands_at(sizeof(noise) - 1, noise message, sizeof(noise message) - 1)
#define NOWHERE(text)          stands_at(sizeof(text) - 1, text, sizeof(text) - 1)

static void test_message_behind_noise(void **state)
{
	static const char *const messages[] = { RPC, "{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":{}}", "{ \"jsonrpc\" : \"2.0\" , \"method\":\"x\" } ",
		"{\t\"result\":{\"a\":{\"jsonrpc\":\"2.0\",\"method\":\"y\"}},\"jsonrpc\":\"2.0\",\"id\":1}", "{\"\\u006asonrpc\":\"2.0\",\"method\":\"x\"}",
		"{\"method\":\"x\",\"params\":[{\"id\":2}],\"jsonrpc\":\"2.0\"}", "{\"error\":{\"code\":1,\"message\":\"{\"},\"id\":null,\"jsonrpc\":\"2.0\"}" };
	static const char *const noises[] = { "", "x", "{", "{{{{{{", "{\"a\":{\"b\":", "{\"jsonrpc\":\"2.0\",\"id\":1,\"res", "[info] {} ", "\xEF\xBB\xBF", "\x00\x7F\xFF",
		"\"", "{\"x\":\"y\"}", "1", RPC, "{\"jsonrpc\":\"2.0\"}", "\x1b[0m{boot} ", "{\"a\":\"" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(messages); i++) {
		for (size_t k = 0; k < COUNT_OF(noises); k++) {
			char text[400];
			const size_t noise = k == 8 ? 3 : strlen(noises[k]), message = strlen(messages[i]);
			memcpy(text, noises[k], noise);
			memcpy(text + noise, messages[i], message);
			stands_at(noise, text, noise + message);
		}
	}
	for (unsigned c = 0; c <= UINT8_MAX; c++) {
		char text[100];
		text[0] = (char)c;
		memcpy(text + 1, RPC, sizeof RPC - 1);
		stands_at(1, text, sizeof RPC);
	}
}

static void test_no_message(void **state)
{
	(void)state;
	NOWHERE("");
	NOWHERE("{");
	NOWHERE("x {}");
	NOWHERE("x " RPC "x");
	NOWHERE("x " RPC "}");
	NOWHERE("{\"jsonrpc\":\"2.0\",\"id\":1}");
	NOWHERE("{\"jsonrpc\":\"1.0\",\"method\":\"x\"}");
	NOWHERE("x{\"a\":" RPC "}");
	NOWHERE("x[" RPC "]");
}

/* Braces without end take no time without end, and hide no message. */
static void test_many_braces(void **state)
{
	static char text[50000];
	(void)state;
	memset(text, '{', 40000);
	memcpy(text + 40000, RPC, sizeof RPC - 1);
	stands_at(40000, text, 40000 + sizeof RPC - 1);
	for (size_t i = 0; i + 4 < sizeof text; i += 5)
		memcpy(text + i, "{\"\":[", 5);
	stands_at(sizeof text / 5 * 5, text, sizeof text / 5 * 5);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_byte_order_mark),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_header_behind_other_bytes),
		cmocka_unit_test(test_message_behind_noise),
		cmocka_unit_test(test_no_message),
		cmocka_unit_test(test_many_braces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
