/* SPDX-License-Identifier: MIT
 * boards/host/common/text.h: numbers in texts. */
#include "unit.h"

#include "text.h"

#include <string.h>

static void test_digits(void **state)
{
	static const struct { const char *text; uint32_t number; size_t n; } of[] = {
		{ "", 0, 0 }, { "x1", 0, 0 }, { "-1", 0, 0 }, { "0", 0, 1 }, { "007-2", 7, 3 }, { "1000,", 1000, 4 },
		{ "4294967294", 4294967294u, 10 }, { "4294967295", UINT32_MAX, 10 }, { "4294967296", UINT32_MAX, 10 },
		{ "18446744073709551617", UINT32_MAX, 20 }, { "99999999999999999999999999999999999999999", UINT32_MAX, 41 },
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(of); i++) {
		size_t n = 99;
		assert_int_equal(text_digits(of[i].text, &n), of[i].number);
		assert_int_equal(n, of[i].n);
	}
}

static void test_same_numbers(void **state)
{
	static const char *const same[][4] = {
		{ "1", "1.0", "10e-1", "+0.001E3" }, { "0", "-0", "0.000", "0e99" }, { "-2.5e3", "-2500", "-25E+2", "-0.00025e7" },
		{ "100", "1e2", "0.1e+3", "100." }, { "9007199254740993", "9007199254740993.0", "90071992547409930e-1", ".9007199254740993e16" },
		{ "1e4294967296", "1e4294967295", "1e99999999999999999999", "1e4294967297" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(same); i++) {
		for (size_t a = 0; a < 4; a++) {
			for (size_t b = 0; b < 4; b++)
				assert_true(text_is_same_number(same[i][a], same[i][b]));
			for (size_t other = 0; other < COUNT_OF(same); other++)
				assert_int_equal(text_is_same_number(same[i][a], same[other][0]), other == i);
		}
	}
}

static void test_no_numbers(void **state)
{
	static const char *const none[] = { "", "-", "+", ".", "e1", "1e", "1e+", "1x", " 1", "1 ", "0x10", "inf", "nan", "1.2.3", "--1", "1e1.0", "true" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(none); i++) {
		assert_false(text_is_same_number(none[i], none[i]));
		assert_false(text_is_same_number(none[i], "1"));
		assert_false(text_is_same_number("1", none[i]));
	}
	assert_false(text_is_same_number("9007199254740993", "9007199254740992"));
	assert_false(text_is_same_number("1", "-1"));
	assert_false(text_is_same_number("1", "10"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_same_numbers),
		cmocka_unit_test(test_no_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
