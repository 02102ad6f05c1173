/* SPDX-License-Identifier: MIT
 * In JSON texts ' stands for ". */
#include "values.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double read_double(const char *json)
{
	double number = 4711;
	if (quash_double(value_of(json), &number) != QUASH_NUMBER_OK)
		fail_msg("the outcome of %s", json);
	return number;
}

static bool same_bits(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

static void reads_exactly(const char *json)
{
	const double expected = strtod(json, NULL), number = read_double(json);
	if (!same_bits(number, expected))
		fail_msg("%s is %.17g instead of %.17g", json, number, expected);
}

static void reads_nearly(const char *json)
{
	const double expected = strtod(json, NULL), number = read_double(json);
	if (!(fabs(number - expected) <= fabs(expected) * 8 * DBL_EPSILON))
		fail_msg("%s is %.17g instead of %.17g", json, number, expected);
}

/* Some tests have more digits than a float, and on some boards a double is no longer. */
static void needs_long_doubles(void)
{
	assert_room(DBL_MANT_DIG >= 53);
}

static void test_exact(void **state)
{
	static const char *const texts[] = { "0", "-0", "0.0", "1", "-1", "1.5", "0.1", "0.2", "0.3",
		"3.14159", "1e22", "1e-22", "123456789012345", "9007199254740992", "9007199254740991",
		"1.7976931348623", "-2.5e-5", "100e-2", "0e400", "-0e-400", "0.000001",
		"4503599627370497.5", "1111111111111111111" };
	(void)state;
	needs_long_doubles();
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		reads_exactly(texts[i]);
}

/* What the header says: correctly rounded for up to 15 digits and powers of ten within +-22. */
static void test_seeded(void **state)
{
	uint64_t seed = 88172645463325252u;
	(void)state;
	needs_long_doubles();
	for (unsigned i = 0; i < ROUNDS_OF(100000); i++) {
		char text[64];
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		const unsigned digits = 1 + (unsigned)(seed >> 32) % 15;
		uint64_t limit = 1;
		for (unsigned k = 0; k < digits; k++)
			limit *= 10;
		snprintf(text, sizeof text, "%llue%d", (unsigned long long)(seed % limit),
			(int)(seed >> 40 & 31) - 15);
		reads_exactly(text);
	}
}

static void test_many_digits(void **state)
{
	uint64_t seed = 1181783497276652981u;
	(void)state;
	needs_long_doubles();
	for (unsigned i = 0; i < ROUNDS_OF(20000); i++) {
		char text[64];
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		snprintf(text, sizeof text, "%llue%d", (unsigned long long)(seed % 10000000000000000000u),
			(int)(seed >> 40) % 45 - 22);
		reads_nearly(text);
	}
}

static void test_large_exponents(void **state)
{
	static const char *const texts[] = { "1e100", "1e-100", "1.7976931348623157e308",
		"2.2250738585072014e-308", "1e300", "123456789012345678901234567890",
		"0.000000000000000000000000000000000012345", "99999999999999999999999999999999999999e-38",
		"1e-300" };
	(void)state;
	needs_long_doubles();
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		reads_nearly(texts[i]);
	assert_true(read_double("1e-400") >= 0 && read_double("1e-400") <= DBL_MIN);
	assert_true(same_bits(read_double("1e-99999999999999999999"), 0.0));
	assert_true(same_bits(read_double("-1e-99999999999999999999"), -0.0));
}

static void test_not_finite(void **state)
{
	double number = 1;
	(void)state;
	assert_int_equal(quash_double(value_of("1e309"), &number), QUASH_NUMBER_RANGE);
	assert_true(same_bits(number, DBL_MAX));
	assert_int_equal(quash_double(value_of("-1e309"), &number), QUASH_NUMBER_RANGE);
	assert_true(same_bits(number, -DBL_MAX));
	assert_int_equal(quash_double(value_of("1e99999999999999999999"), &number), QUASH_NUMBER_RANGE);
}

static void test_not_numbers(void **state)
{
	static const char *const texts[] = { "null", "true", "'1'", "[1]", "{}" };
	double number = 1.25;
	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		assert_int_equal(quash_double(value_of(texts[i]), &number), QUASH_NUMBER_TYPE);
	assert_true(same_bits(number, 1.25));
}

/* --- Written */

static void writes(double value, uint8_t digits, const char *expected)
{
	quash_put_double(fresh_writer(), value, digits);
	assert_string_equal(was_written(), expected);
}

static void test_put(void **state)
{
	(void)state;
	needs_long_doubles();
	writes(0.0, 6, "0");
	writes(1.0, 6, "1");
	writes(-1.0, 6, "-1");
	writes(1.5, 6, "1.5");
	writes(0.1, 6, "0.1");
	writes(-0.25, 6, "-0.25");
	writes(23.456789, 4, "23.46");
	writes(23.456789, 9, "23.456789");
	writes(3.14159265358979, 9, "3.14159265");
	writes(1.0 / 3.0, 3, "0.333");
	writes(2.0 / 3.0, 3, "0.667");
	writes(1234.0, 2, "1200");
	writes(99.99, 3, "100");
	writes(9.5, 1, "10");
	writes(0.00099999, 3, "0.001");
	writes(1000000.0, 1, "1000000");
	writes(123456789.0, 9, "123456789");
}

/* From 0.00001 on, and up to 15 digits in front of the point, there is no exponent. Also with doubles of 32 bits. */
static void test_put_plain_or_not(void **state)
{
	(void)state;
	writes(9e14, 1, "900000000000000");
	writes(1e15, 1, "1e15");
	writes(-1.25e15, 3, "-1.25e15");
	writes(1e-5, 1, "0.00001");
	writes(9e-6, 1, "9e-6");
	writes(-1e-6, 1, "-1e-6");
}

static void test_put_with_exponents(void **state)
{
	static const double values[] = { 1e15, 1.5e20, 1e-5, 1e-6, 1.25e-10,
		123456789e10,
#if DBL_MAX_10_EXP >= 300
		1e300, 1.7976931348623157e308, 1e-300, 2.2250738585072014e-308, 5e-324,
#endif
	};
	(void)state;
	needs_long_doubles();
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		quash_put_double(fresh_writer(), values[i], 9);
		const double again = strtod(was_written(), NULL);
		if (!(fabs(again - values[i]) <= values[i] * 1e-8))
			fail_msg("%.17g was written as %s", values[i], was_written());
	}
}

static void test_put_not_finite(void **state)
{
	(void)state;
	writes((double)INFINITY, 6, "null");
	writes(-(double)INFINITY, 6, "null");
	writes((double)NAN, 6, "null");
}

static void test_put_out_of_digits(void **state)
{
	(void)state;
	needs_long_doubles();
	writes(1.25, 0, "1");
	writes(1.23456789012, 200, "1.23456789");
}

static void test_put_in_a_list(void **state)
{
	quash_writer *const w = fresh_writer();
	(void)state;
	quash_put_array(w);
	quash_put_double(w, 1.5, 6);
	quash_put_double(w, -1e20, 6);
	quash_put_double(w, 0.0, 6);
	quash_put_int(w, 1);
	quash_put_double(w, 2.0, 6);
	quash_put_end(w);
	assert_string_equal(was_written(), "[1.5,-1e20,0,1,2]");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_seeded),
		cmocka_unit_test(test_many_digits),
		cmocka_unit_test(test_large_exponents),
		cmocka_unit_test(test_not_finite),
		cmocka_unit_test(test_not_numbers),
		cmocka_unit_test(test_put),
		cmocka_unit_test(test_put_plain_or_not),
		cmocka_unit_test(test_put_with_exponents),
		cmocka_unit_test(test_put_not_finite),
		cmocka_unit_test(test_put_out_of_digits),
		cmocka_unit_test(test_put_in_a_list),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
