/* SPDX-License-Identifier: MIT
 * boards/host/common/reading.h: JSON that is whole in memory. */
#include "unit.h"

#include "reading.h"

static struct reading r;

static void begin(const char *json)
{
	reading_begin(&r, json, strlen(json));
}

#define NEXT(event) assert_int_equal(reading_next(&r), event)

/* A key, string or number that ends with this text. */
static void ends(quash_lex_event event, const char *text)
{
	NEXT(event);
	NEXT(QUASH_LEX_END);
	assert_int_equal(r.length, strlen(text));
	assert_string_equal(r.text, text);
	assert_true(reading_is(&r, text));
	assert_false(reading_is(&r, "another"));
}

static void every_text_is_whole(void **state)
{
	(void)state;
	begin("{\"a\\u00e9\":[-1.5e3,\"\",\"b\"],\"c\":true}");
	NEXT(QUASH_LEX_OBJECT);
	ends(QUASH_LEX_KEY, "a\xC3\xA9");
	NEXT(QUASH_LEX_ARRAY);
	ends(QUASH_LEX_NUMBER, "-1.5e3");
	ends(QUASH_LEX_STRING, "");
	ends(QUASH_LEX_STRING, "b");
	NEXT(QUASH_LEX_ARRAY_END);
	ends(QUASH_LEX_KEY, "c");
	NEXT(QUASH_LEX_TRUE);
	NEXT(QUASH_LEX_OBJECT_END);
	NEXT(QUASH_LEX_MORE);
	assert_true(quash_lex_complete(&r.lex));
}

static void string_of(char *json, size_t length, const char *last)
{
	json[0] = '"';
	memset(json + 1, 'x', length);
	strcpy(json + 1 + length, last);
	strcat(json, "\"");
	begin(json);
	NEXT(QUASH_LEX_STRING);
	NEXT(QUASH_LEX_END);
}

/* Of a text that has no room only the length is known. */
static void long_texts_have_a_length(void **state)
{
	char json[1024];
	(void)state;
	for (size_t length = 0; length < 1000; length++) {
		char whole[1024] = "";
		string_of(json, length, "");
		memset(whole, 'x', length);
		assert_int_equal(r.length, length);
		assert_int_equal(reading_is(&r, whole), length <= READING_TEXT);
		string_of(json, length, "\\ud83d\\ude00");
		assert_int_equal(r.length, length + 4);
	}
}

static void a_nul_ends_no_text(void **state)
{
	(void)state;
	begin("\"id\\u0000\"");
	NEXT(QUASH_LEX_STRING);
	NEXT(QUASH_LEX_END);
	assert_int_equal(r.length, 3);
	assert_false(reading_is(&r, "id"));
}

static void errors_come_through(void **state)
{
	(void)state;
	begin("[1,}");
	NEXT(QUASH_LEX_ARRAY);
	ends(QUASH_LEX_NUMBER, "1");
	NEXT(QUASH_LEX_ERROR);
	NEXT(QUASH_LEX_ERROR);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_text_is_whole),
		cmocka_unit_test(long_texts_have_a_length),
		cmocka_unit_test(a_nul_ends_no_text),
		cmocka_unit_test(errors_come_through),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
