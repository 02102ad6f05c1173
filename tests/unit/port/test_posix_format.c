/* SPDX-License-Identifier: MIT
 * Text by a format is what printf writes, cut where the buffer ends. */
#include "format.h"
#include "unit.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* In each size, from a null byte alone to more than there is. */
#define SAME_AS_PRINTF(...) do { \
		char expected[200], made[200]; \
		const size_t whole = (size_t)snprintf(expected, sizeof expected, __VA_ARGS__); \
		assert_true(whole < sizeof expected); \
		for (size_t size = 1; size <= whole + 2; size++) { \
			memset(made, '#', sizeof made); \
			const size_t length = format_text(made, size, __VA_ARGS__); \
			(void)snprintf(expected, size, __VA_ARGS__); \
			assert_int_equal(length, whole < size ? whole : size - 1); \
			assert_string_equal(made, expected); \
			assert_int_equal(made[size], '#'); \
		} \
	} while (0)

static void test_texts(void **state)
{
	(void)state;
	SAME_AS_PRINTF("plain, 100 %%");
	SAME_AS_PRINTF("%s", "");
	SAME_AS_PRINTF("%s: %s%s", "arm", "noise", "");
	SAME_AS_PRINTF("%.*s|%.*s|%.*s", 3, "abcdef", 9, "ab", 0, "ab");
	SAME_AS_PRINTF("\\%c%c", 'n', '"');
}

/* What stands behind the precision may be no string. */
static void test_a_text_without_its_end(void **state)
{
	const char letters[] = { 'a', 'b', 'c' };
	(void)state;
	SAME_AS_PRINTF("<%.*s>", 3, letters);
}

static void test_numbers(void **state)
{
	(void)state;
	SAME_AS_PRINTF("%d %d %d", 0, INT_MAX, INT_MIN);
	SAME_AS_PRINTF("%ld %ld", LONG_MAX, LONG_MIN);
	SAME_AS_PRINTF("%lld %lld", LLONG_MAX, LLONG_MIN);
	SAME_AS_PRINTF("%u %u", 0u, UINT_MAX);
	SAME_AS_PRINTF("%lu %zu", ULONG_MAX, SIZE_MAX);
	SAME_AS_PRINTF("%x %02x %02x %02x", 0xABCDEFu, 5u, 0u, 0x1FFu);
	SAME_AS_PRINTF("\\u%04x_%08lx", 0x61Cu, 0xBEEFul);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_a_text_without_its_end),
		cmocka_unit_test(test_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
