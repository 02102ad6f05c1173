/* SPDX-License-Identifier: MIT
 * In JSON texts ' stands for ". */
#include "values.h"

static void reads32(const char *json, quash_number outcome, int32_t expected)
{
	int32_t number = 4711;
	if (quash_int32(value_of(json), &number) != outcome)
		fail_msg("the outcome of %s", json);
	assert_int_equal(number, outcome == QUASH_NUMBER_TYPE ? 4711 : expected);
}

static void reads64(const char *json, quash_number outcome, int64_t expected)
{
	int64_t number = 4711;
	if (quash_int64(value_of(json), &number) != outcome)
		fail_msg("the outcome of %s", json);
	if (number != (outcome == QUASH_NUMBER_TYPE ? 4711 : expected))
		fail_msg("the value of %s", json);
}

static void both(const char *json, int32_t expected)
{
	reads32(json, QUASH_NUMBER_OK, expected);
	reads64(json, QUASH_NUMBER_OK, expected);
}

static void test_small(void **state)
{
	(void)state;
	both("0", 0);
	both("-0", 0);
	both("1", 1);
	both("-1", -1);
	both("10", 10);
	both("-2147483648", INT32_MIN);
	both("2147483647", INT32_MAX);
}

static void test_same_number_in_other_words(void **state)
{
	(void)state;
	both("1.0", 1);
	both("1.000", 1);
	both("1e0", 1);
	both("1E+2", 100);
	both("1.5e1", 15);
	both("1.50e1", 15);
	both("-1.25e2", -125);
	both("100e-2", 1);
	both("1200.00e-2", 12);
	both("0.01e2", 1);
	both("0.0", 0);
	both("0e5", 0);
	both("0e99999999999999999999", 0);
	both("-0.0e-99999999999999999999", 0);
	both("0.000000000000000000000000000001e30", 1);
	both("1000000000000000000000000000000e-30", 1);
	both("2147483647.0", INT32_MAX);
	both("214748364.7e1", INT32_MAX);
}

static void test_not_integers(void **state)
{
	static const char *const texts[] = { "0.5", "1.5", "-0.1", "1e-1", "15e-1", "1.05e1",
		"1e-99999999999999999999", "1000000000000000000000000000000000001e-1", "null", "true", "'1'",
		"[1]", "{}", "''" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		reads32(texts[i], QUASH_NUMBER_TYPE, 0);
		reads64(texts[i], QUASH_NUMBER_TYPE, 0);
	}
}

static void test_too_large_for_32(void **state)
{
	(void)state;
	reads32("2147483648", QUASH_NUMBER_RANGE, INT32_MAX);
	reads32("-2147483649", QUASH_NUMBER_RANGE, INT32_MIN);
	reads32("4294967296", QUASH_NUMBER_RANGE, INT32_MAX);
	reads32("4294967297", QUASH_NUMBER_RANGE, INT32_MAX);
	reads32("1e10", QUASH_NUMBER_RANGE, INT32_MAX);
	reads32("-1e10", QUASH_NUMBER_RANGE, INT32_MIN);
	reads32("9223372036854775808", QUASH_NUMBER_RANGE, INT32_MAX);
	reads32("-18446744073709551617", QUASH_NUMBER_RANGE, INT32_MIN);
	reads64("2147483648", QUASH_NUMBER_OK, 2147483648);
	reads64("-2147483649", QUASH_NUMBER_OK, -2147483649);
}

static void test_limits_of_64(void **state)
{
	(void)state;
	reads64("9223372036854775807", QUASH_NUMBER_OK, INT64_MAX);
	reads64("-9223372036854775808", QUASH_NUMBER_OK, INT64_MIN);
	reads64("-9223372036854775807", QUASH_NUMBER_OK, -INT64_MAX);
	reads64("9223372036854775808", QUASH_NUMBER_RANGE, INT64_MAX);
	reads64("-9223372036854775809", QUASH_NUMBER_RANGE, INT64_MIN);
	reads64("18446744073709551615", QUASH_NUMBER_RANGE, INT64_MAX);
	reads64("18446744073709551616", QUASH_NUMBER_RANGE, INT64_MAX);
	reads64("92233720368547758070", QUASH_NUMBER_RANGE, INT64_MAX);
	reads64("1e18", QUASH_NUMBER_OK, 1000000000000000000);
	reads64("1e19", QUASH_NUMBER_RANGE, INT64_MAX);
	reads64("-1e400", QUASH_NUMBER_RANGE, INT64_MIN);
	reads64("1e99999999999999999999", QUASH_NUMBER_RANGE, INT64_MAX);
	reads64("9.223372036854775807e18", QUASH_NUMBER_OK, INT64_MAX);
	reads64("9.223372036854775808e18", QUASH_NUMBER_RANGE, INT64_MAX);
	reads64("123456789012345678901234567890", QUASH_NUMBER_RANGE, INT64_MAX);
}

/* Too large and not an integer: not an integer. */
static void test_too_large_with_fraction(void **state)
{
	(void)state;
	reads64("123456789012345678901234567890.5", QUASH_NUMBER_TYPE, 0);
}

static void test_put_int64(void **state)
{
	quash_writer *const w = fresh_writer();
	(void)state;
	quash_put_array(w);
	quash_put_int64(w, 0);
	quash_put_int64(w, -1);
	quash_put_int64(w, 4294967296);
	quash_put_int64(w, INT64_MAX);
	quash_put_int64(w, INT64_MIN);
	quash_put_int64(w, 1000000000000000000);
	quash_put_end(w);
	assert_string_equal(was_written(),
		"[0,-1,4294967296,9223372036854775807,-9223372036854775808,1000000000000000000]");
}

static void reads_unsigned(const char *json, quash_number outcome, uint32_t expected)
{
	uint32_t number = 4711;
	if (quash_uint32(value_of(json), &number) != outcome)
		fail_msg("the outcome of %s", json);
	assert_int_equal(number, outcome == QUASH_NUMBER_TYPE ? 4711 : expected);
}

static void test_unsigned(void **state)
{
	(void)state;
	reads_unsigned("0", QUASH_NUMBER_OK, 0);
	reads_unsigned("7", QUASH_NUMBER_OK, 7);
	reads_unsigned("2147483648", QUASH_NUMBER_OK, 2147483648u);
	reads_unsigned("4294967295", QUASH_NUMBER_OK, UINT32_MAX);
	reads_unsigned("429496729.50e1", QUASH_NUMBER_OK, UINT32_MAX);
	reads_unsigned("1e3", QUASH_NUMBER_OK, 1000);
	reads_unsigned("0e9999999999", QUASH_NUMBER_OK, 0);
}

static void test_unsigned_range(void **state)
{
	(void)state;
	reads_unsigned("4294967296", QUASH_NUMBER_RANGE, UINT32_MAX);
	reads_unsigned("4294967300", QUASH_NUMBER_RANGE, UINT32_MAX);
	reads_unsigned("42949672950", QUASH_NUMBER_RANGE, UINT32_MAX);
	reads_unsigned("8589934592", QUASH_NUMBER_RANGE, UINT32_MAX);
	reads_unsigned("1e400", QUASH_NUMBER_RANGE, UINT32_MAX);
	reads_unsigned("-1", QUASH_NUMBER_RANGE, 0);
	reads_unsigned("-4294967295", QUASH_NUMBER_RANGE, 0);
	reads_unsigned("-1e400", QUASH_NUMBER_RANGE, 0);
	reads_unsigned("-0", QUASH_NUMBER_OK, 0);
	reads_unsigned("-0.0e3", QUASH_NUMBER_OK, 0);
}

static void test_unsigned_type(void **state)
{
	(void)state;
	reads_unsigned("1.5", QUASH_NUMBER_TYPE, 0);
	reads_unsigned("-1.5", QUASH_NUMBER_TYPE, 0);
	reads_unsigned("'1'", QUASH_NUMBER_TYPE, 0);
	reads_unsigned("true", QUASH_NUMBER_TYPE, 0);
	reads_unsigned("null", QUASH_NUMBER_TYPE, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_same_number_in_other_words),
		cmocka_unit_test(test_not_integers),
		cmocka_unit_test(test_too_large_for_32),
		cmocka_unit_test(test_limits_of_64),
		cmocka_unit_test(test_too_large_with_fraction),
		cmocka_unit_test(test_put_int64),
		cmocka_unit_test(test_unsigned),
		cmocka_unit_test(test_unsigned_range),
		cmocka_unit_test(test_unsigned_type),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
