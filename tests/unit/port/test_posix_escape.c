/* SPDX-License-Identifier: MIT
 * boards/host/common/host_escape.h: what is shown of a text, byte by byte. */
#define _POSIX_C_SOURCE 200809L
#include "unit.h"

#include "host_escape.h"

#include <string.h>

static const char *written(enum escape_form form, const char *text, size_t length)
{
	static char to[256];
	const size_t n = escape_write(to, sizeof to, form, text, length);
	assert_int_equal(n, strlen(to));
	return to;
}

static void shows(enum escape_form form, const char *text, const char *expected)
{
	assert_string_equal(written(form, text, strlen(text)), expected);
}

static void plain_text_stays(void **state)
{
	(void)state;
	for (int form = ESCAPE_LINE; form <= ESCAPE_JSON; form++)
		shows((enum escape_form)form, "Gr\xC3\xB6\xC3\x9F" "e \xE2\x82\xAC \xF0\x9D\x84\x9E 7'", "Gr\xC3\xB6\xC3\x9F" "e \xE2\x82\xAC \xF0\x9D\x84\x9E 7'");
	shows(ESCAPE_LINE, "\"\\", "\"\\");
	shows(ESCAPE_QUOTED, "\"\\", "\\\"\\\\");
	shows(ESCAPE_JSON, "\"\\", "\\\"\\\\");
}

static void controls_are_escaped(void **state)
{
	(void)state;
	shows(ESCAPE_LINE, "\x1B[2J\a\x7F", "\\u001b[2J\\u0007\\u007f");
	shows(ESCAPE_LINE, "\b\f\n\r\t", "\\b\\f\\n\\r\\t");
	shows(ESCAPE_LINES, "\b\f\n\r\t", "\\b\\f\n\\r\t");
	assert_string_equal(written(ESCAPE_JSON, "a\0b", 3), "a\\u0000b");
	shows(ESCAPE_LINE, "\xC2\x80\xC2\x9B\xC2\x9F\xC2\xA0", "\\u0080\\u009b\\u009f\xC2\xA0");
}

static void ends_of_lines_and_directions_are_escaped(void **state)
{
	(void)state;
	shows(ESCAPE_LINES, "\xD8\x9C\xE2\x80\x8E\xE2\x80\x8F", "\\u061c\\u200e\\u200f");
	shows(ESCAPE_LINES, "\xE2\x80\xA7\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA\xE2\x80\xAE\xE2\x80\xAF", "\xE2\x80\xA7\\u2028\\u2029\\u202a\\u202e\xE2\x80\xAF");
	shows(ESCAPE_LINES, "\xE2\x81\xA5\xE2\x81\xA6\xE2\x81\xA9\xE2\x81\xAA", "\xE2\x81\xA5\\u2066\\u2069\xE2\x81\xAA");
}

/* Too short, too long a form, a surrogate, beyond the last character. */
static void what_is_no_utf_8_is_shown_byte_by_byte(void **state)
{
	(void)state;
	shows(ESCAPE_LINE, "\xFF" "a\x80\xC3(", "\\xffa\\x80\\xc3(");
	shows(ESCAPE_JSON, "\xFF" "a\x80\xC3(", "\\ufffda\\ufffd\\ufffd(");
	shows(ESCAPE_LINE, "\xC0\x80\xE0\x9F\xBF\xF0\x8F\xBF\xBF", "\\xc0\\x80\\xe0\\x9f\\xbf\\xf0\\x8f\\xbf\\xbf");
	shows(ESCAPE_LINE, "\xED\x9F\xBF\xED\xA0\x80\xEE\x80\x80", "\xED\x9F\xBF\\xed\\xa0\\x80\xEE\x80\x80");
	shows(ESCAPE_LINE, "\xF4\x8F\xBF\xBF\xF4\x90\x80\x80\xF5", "\xF4\x8F\xBF\xBF\\xf4\\x90\\x80\\x80\\xf5");
	for (size_t n = 1; n < 4; n++)
		assert_int_equal(strlen(written(ESCAPE_LINE, "\xF0\x9D\x84\x9E", n)), 4 * n);
}

static void nothing_is_cut_inside(void **state)
{
	char to[8];
	(void)state;
	assert_int_equal(escape_write(to, 4, ESCAPE_LINE, "a\xE2\x82\xAC", 4), 1);
	assert_string_equal(to, "a");
	assert_int_equal(escape_write(to, 5, ESCAPE_LINE, "a\xE2\x82\xAC", 4), 4);
	assert_int_equal(escape_write(to, 7, ESCAPE_LINE, "a\x1B", 2), 1);
	assert_int_equal(escape_write(to, 8, ESCAPE_LINE, "a\x1B", 2), 7);
	assert_int_equal(escape_write(to, 1, ESCAPE_LINE, "a", 1), 0);
	assert_int_equal(escape_cut("a\xE2\x82\xAC", 4, 0), 0);
	assert_int_equal(escape_cut("a\xE2\x82\xAC", 4, 3), 1);
	assert_int_equal(escape_cut("a\xE2\x82\xAC", 4, 4), 4);
	assert_int_equal(escape_cut("a\xE2\x82\xAC", 4, 9), 4);
	assert_int_equal(escape_cut("\xFF\xFF", 2, 1), 1);
}

static void a_stream_gets_the_same(void **state)
{
	static const char text[] = "\x1B\xC2\x9B\"\xFF\xE2\x82\xAC";
	char bytes[64] = "";
	FILE *const to = fmemopen(bytes, sizeof bytes, "w");
	(void)state;
	assert_non_null(to);
	escape_put(to, ESCAPE_JSON, text, sizeof text - 1);
	assert_int_equal(fclose(to), 0);
	assert_string_equal(bytes, written(ESCAPE_JSON, text, sizeof text - 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_text_stays),
		cmocka_unit_test(controls_are_escaped),
		cmocka_unit_test(ends_of_lines_and_directions_are_escaped),
		cmocka_unit_test(what_is_no_utf_8_is_shown_byte_by_byte),
		cmocka_unit_test(nothing_is_cut_inside),
		cmocka_unit_test(a_stream_gets_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
