/* SPDX-License-Identifier: MIT
 * In JSON texts ' stands for ". */
#include "values.h"

#include "profile/token.h"

enum { SIZE = 6, UNTOUCHED = 0x55 };

static char kept[SIZE + 2];
static uint8_t length;

static uint8_t keep(const char *json)
{
	const quash_value token = value_of(json);
	memset(kept, UNTOUCHED, sizeof kept);
	length = UNTOUCHED;
	return quash_keep_token(&token, kept, SIZE, &length);
}

static void keeps(const char *json, uint8_t kind, const char *text)
{
	quash_writer *const w = fresh_writer();
	assert_int_equal(keep(json), kind);
	assert_int_equal(length, strlen(text));
	assert_string_equal(kept, text);
	assert_int_equal(kept[SIZE + 1], UNTOUCHED);
	quash_put_token(w, kind, kept, length);
	assert_string_equal(was_written(), json);
}

static void keeps_nothing(const char *json)
{
	assert_int_equal(keep(json), QUASH_NONE);
	assert_int_equal(length, UNTOUCHED);
	for (size_t i = 0; i < sizeof kept; i++)
		assert_int_equal(kept[i], UNTOUCHED);
}

static bool is_token(const char *json)
{
	const quash_value value = value_of(json);
	return quash_is_token(&value);
}

static void test_what_is_a_token(void **state)
{
	(void)state;
	assert_true(is_token("''"));
	assert_true(is_token("'1.5'"));
	assert_true(is_token("-7"));
	assert_true(is_token("123456789012345678901234567890"));
	assert_false(is_token("1.5"));
	assert_false(is_token("null"));
	assert_false(is_token("true"));
	assert_false(is_token("['a']"));
	assert_false(is_token("{'a':1}"));
}

static void test_kept_and_put(void **state)
{
	(void)state;
	keeps("'abc'", QUASH_STRING, "abc");
	keeps("''", QUASH_STRING, "");
	keeps("-17", QUASH_NUMBER, "-17");
	keeps("1.50", QUASH_NUMBER, "1.50");
}

static void test_the_longest(void **state)
{
	(void)state;
	keeps("'abcdef'", QUASH_STRING, "abcdef");
	keeps("123456", QUASH_NUMBER, "123456");
	keeps_nothing("'abcdefg'");
	keeps_nothing("1234567");
}

static void test_a_nul_in_it(void **state)
{
	quash_writer *const w = fresh_writer();
	(void)state;
	assert_int_equal(keep("'a\\u0000b'"), QUASH_STRING);
	assert_int_equal(length, 3);
	quash_put_token(w, QUASH_STRING, kept, length);
	assert_string_equal(was_written(), "'a\\u0000b'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_a_token),
		cmocka_unit_test(test_kept_and_put),
		cmocka_unit_test(test_the_longest),
		cmocka_unit_test(test_a_nul_in_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
