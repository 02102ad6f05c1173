/* SPDX-License-Identifier: MIT
 * boards/host/common/span.h: values in texts that may be no JSON. Each text stands in memory of its own size, so that sanitizers see
 * a byte that is read behind it. */
#include "unit.h"

#include "reading.h"
#include "span.h"

#include <stdlib.h>

static const char message[] = " {\"id\" : \"7\", \"method\":\"a\\u0062\",\"id\":[1,{\"x\":-2.5e3}] }\n";

static char *copy_of(const char *text, size_t n)
{
	char *const copy = malloc(n > 0 ? n : 1);
	assert_non_null(copy);
	memcpy(copy, text, n);
	return copy;
}

static void assert_text(struct span span, const char *text)
{
	assert_true(span_same(span, span_of(text)));
}

static void a_container_stands_without_the_space_around_it(void **state)
{
	(void)state;
	assert_text(span_container(" [1] ", 5), "[1]");
	assert_text(span_container("{}", 2), "{}");
	static const char *const others[] = { "", " ", "1", "\"[]\"", "null", "[1]]", "{} {}", "[1,]", "{\"a\"}", "{\"a\":}" };
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		assert_null(span_container(others[i], strlen(others[i])).at);
}

static void members_are_found_by_their_text(void **state)
{
	(void)state;
	const struct span object = span_container(message, sizeof message - 1);
	assert_true(span_is(span_member(object, "method"), "ab"));
	assert_text(span_member(object, "id"), "[1,{\"x\":-2.5e3}]"); /* of two the last */
	assert_null(span_member(object, "i").at);
	assert_null(span_member(span_member(object, "id"), "x").at);
}

static void a_part_of_a_text_is_none(void **state)
{
	(void)state;
	for (size_t n = 0; n < sizeof message - 3; n++) {
		char *const part = copy_of(message, n);
		assert_null(span_container(part, n).at);
		free(part);
	}
}

static void only_whole_values_have_a_kind(void **state)
{
	(void)state;
	char deep[2 * QUASH_DEPTH + 3] = "";
	memset(deep, '[', QUASH_DEPTH + 1);
	memset(deep + QUASH_DEPTH + 1, ']', QUASH_DEPTH + 1);
	assert_int_equal(json_kind("12"), QUASH_NUMBER);
	assert_int_equal(json_kind(" {\"a\":[]} "), QUASH_OBJECT);
	assert_int_equal(json_kind("true"), QUASH_TRUE);
	assert_int_equal(json_kind("\"a\""), QUASH_STRING);
	assert_int_equal(json_kind("\"a"), QUASH_NONE);
	assert_int_equal(json_kind("1 2"), QUASH_NONE);
	assert_int_equal(json_kind(""), QUASH_NONE);
	assert_int_equal(json_kind(deep), QUASH_NONE);
	deep[2 * QUASH_DEPTH + 1] = '\0';
	assert_int_equal(json_kind(deep + 1), QUASH_ARRAY);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_container_stands_without_the_space_around_it),
		cmocka_unit_test(members_are_found_by_their_text),
		cmocka_unit_test(a_part_of_a_text_is_none),
		cmocka_unit_test(only_whole_values_have_a_kind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
