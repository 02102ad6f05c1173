/* SPDX-License-Identifier: MIT
 * Texts with values in them: at once, and of values that were stored before. In expected texts ' stands for ". */
#include "unit.h"

#include <limits.h>
#include <stdio.h>

#include "chance.h"
#include "json/format.h"
#include "json/writer.h"
#include "quash/why.h"

enum { ROOM = 200, TEXT = 400 };

static uint8_t buffer[TEXT + 1], room[ROOM];
static quash_writer writer, *const w = &writer;

static void begin(void)
{
	static const quash_writer fresh = { .buffer = buffer, .size = TEXT };
	writer = fresh;
	quash_place_begin(&writer.place);
}

static const char *written(void)
{
	quash_put_ends(w);
	assert_int_equal(w->why, QUASH_WHY_NONE);
	assert_false(w->full);
	buffer[w->at] = '\0';
	for (char *at = (char *)buffer; *at != '\0'; at++)
		*at = *at == '"' ? '\'' : *at;
	return (const char *)buffer;
}

/* No compiler compares these formats with their values. */
static void at_once(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	begin();
	quash_put_values(w, format, args);
	va_end(args);
}

static bool keep(size_t size, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	memset(room, '#', sizeof room);
	const bool all = quash_keep_values(format, args, room, size);
	va_end(args);
	for (size_t i = size; i < sizeof room; i++)
		assert_int_equal(room[i], '#');
	return all;
}

static const char *kept(size_t size, const char *format)
{
	begin();
	quash_put_kept_values(w, format, room, size);
	return written();
}

/* At once, and stored. */
#define PUTS(expected, ...) \
	do { \
		at_once(__VA_ARGS__); \
		assert_string_equal(written(), "'" expected "'"); \
		assert_true(keep(ROOM, __VA_ARGS__)); \
		assert_string_equal(kept(ROOM, FIRST(__VA_ARGS__, 0)), "'" expected "'"); \
	} while (0)
#define FIRST(format, ...) format

/* --- Each conversion */

static void test_constant_text(void **state)
{
	(void)state;
	PUTS("", "", 0);
	PUTS("steps", "steps", 0);
	PUTS("100%", "100%%", 0);
	PUTS("%%d", "%%%%d", 0);
	PUTS("a\\nb\\u0001", "a\nb\x01", 0);
}

static void test_integers(void **state)
{
	char expected[60];
	(void)state;
	PUTS("0 steps", "%d steps", 0);
	PUTS("-1", "%d", -1);
	PUTS("10,100", "%d,%d", 10, 100);
	PUTS("32767 -32768 65535", "%d %d %u", 32767, -32767 - 1, 65535u);
	at_once("%d %d %u", INT_MIN, INT_MAX, UINT_MAX);
	snprintf(expected, sizeof expected, "'%d %d %u'", INT_MIN, INT_MAX, UINT_MAX);
	assert_string_equal(written(), expected);
	at_once("%ld %ld", LONG_MIN, LONG_MAX);
	snprintf(expected, sizeof expected, "'%ld %ld'", LONG_MIN, LONG_MAX);
	assert_string_equal(written(), expected);
	at_once("%lu %lu", ULONG_MAX, 0ul);
	snprintf(expected, sizeof expected, "'%lu 0'", ULONG_MAX);
	assert_string_equal(written(), expected);
	PUTS("-2147483648 4294967295", "%ld %lu", -2147483647L - 1, 4294967295ul);
}

/* An int and a long have places of their own among what is passed. */
static void test_widths(void **state)
{
	(void)state;
	PUTS("-2 70000 3 4000000000 5", "%d %ld %u %lu %d", -2, 70000L, 3u, 4000000000ul, 5);
	PUTS("1 a 70000 text 2", "%d %c %ld %s %d", 1, 'a', 70000L, "text", 2);
}

static void test_fixed_point(void **state)
{
	(void)state;
	PUTS("12.34", "%.2d", 1234);
	PUTS("-0.05", "%.2d", -5);
	PUTS("0.00", "%.2d", 0);
	PUTS("-0.9", "%.1ld", -9L);
	PUTS("-1.0", "%.1ld", -10L);
	PUTS("7", "%.0d", 7);
	PUTS("1.000000000", "%.9ld", 1000000000L);
	PUTS("-0.000000001", "%.9ld", -1L);
	PUTS("-2.147483648", "%.9ld", -2147483647L - 1);
	PUTS("4294967.295", "%.3lu", 4294967295ul);
	PUTS("65.535", "%.3u", 65535u);
	PUTS("21.5 C, 48 %", "%.1d C, %d %%", 215, 48);
}

static void test_texts(void **state)
{
	(void)state;
	PUTS("to home", "to %s", "home");
	PUTS("[][a]", "[%s][%s]", "", "a");
	PUTS("[]", "[%s]", (const char *)NULL);
	PUTS("\\'\\\\\\n%d", "%s", "\"\\\n%d");
	PUTS("gr\xC3\xBC\xC3\x9F", "%s", "gr\xC3\xBC\xC3\x9F");
	PUTS("\xEF\xBF\xBD \xEF\xBF\xBD.", "%s %s.", "\xC3", "\xFF");
	PUTS("x\\'", "%c%c", 'x', '"');
	PUTS("[\xEF\xBF\xBD]", "[%c]", 0xFF);
	PUTS("[]", "[%c]", 0);
}

/* Nothing is read for it, so whatever was passed harms nobody. */
static void test_what_is_no_conversion(void **state)
{
	(void)state;
	PUTS("%", "%", 0);
	PUTS("5%", "%d%", 5);
	PUTS("%x %d", "%x %d", 1, 2);
	PUTS("1 %5d %s %%", "%d %5d %s %%", 1, 2, "three");
	PUTS("%l", "%l", 1);
	PUTS("%ls", "%ls", "text");
	PUTS("%lc", "%lc", 1);
	PUTS("%lld", "%lld", 1);
	PUTS("%.", "%.", 1);
	PUTS("%.1", "%.1", 1);
	PUTS("%.d", "%.d", 1);
	PUTS("%.10d", "%.10d", 1);
	PUTS("%.2s", "%.2s", "text");
	PUTS("%.*d", "%.*d", 1, 2);
	PUTS("%f %d", "%f %d", 1, 2);
}

static void test_literal(void **state)
{
	(void)state;
	begin();
	quash_put_object(w);
	quash_put_key(w, "at");
	quash_put_textf(w, "%.1d mm, %s", 15, "\"half\"");
	quash_put_key(w, "n");
	quash_put_int(w, 1);
	assert_string_equal(written(), "{'at':'1.5 mm, \\'half\\'','n':1}");
}

/* --- No room */

#define KEEPS(size, expected, ...) \
	do { \
		assert_true(keep(size, __VA_ARGS__)); \
		assert_string_equal(kept(size, FIRST(__VA_ARGS__, 0)), "'" expected "'"); \
	} while (0)
#define CUTS(size, expected, ...) \
	do { \
		assert_false(keep(size, __VA_ARGS__)); \
		assert_string_equal(kept(size, FIRST(__VA_ARGS__, 0)), "'" expected "'"); \
	} while (0)

static void test_no_room(void **state)
{
	(void)state;
	KEEPS(0, "still", "still", 0);
	CUTS(0, "... of ..., ...", "%d of %d, %s", 1, 2, "a");
	KEEPS(9, "at 12345678", "at %ld", 12345678L);
	CUTS(8, "at 12345678...", "at %ld", 12345678L);
	CUTS(3, "at 123... mm", "at %ld mm", 12345678L);
	KEEPS(4, "a b", "%s %s", "a", "b");
	CUTS(3, "a b...", "%s %s", "a", "b");
	CUTS(2, "a ... end", "%s %s end", "a", "b");
	CUTS(4, "ab c... ... ...", "%s %s %d %c", "ab", "cd", 1, 'x');
}

/* A character is put whole or not at all. */
static void test_no_room_for_a_character(void **state)
{
	(void)state;
	KEEPS(4, "a\xC3\xBC", "%s", "a\xC3\xBC");
	CUTS(2, "a....", "%s", "a\xC3\xBC");
	CUTS(3, "a.....", "%s", "a\xC3\xBC");
	CUTS(3, "......", "%s", "\xE2\x82\xAC");
	CUTS(2, ".....", "%s", "\xF0\x9F\x98\x80");
	CUTS(1, "....", "%s", "\xF0\x9F\x98\x80");
	CUTS(3, "ab....", "%s", "ab\xF0\x9F\x98\x80");
	CUTS(2, ".....", "%s", "\x80\x80\x80");
}

/* --- Against the C library, whose text it is for what both know */

static const char *any_text(char *to, size_t most)
{
	const size_t n = random_below((unsigned)most);
	for (size_t i = 0; i < n; i++)
		to[i] = (char)('a' + random_below(26));
	to[n] = '\0';
	return to;
}

static unsigned long any_number(void)
{
	unsigned long number = 0;
	for (size_t i = 0; i < sizeof number; i++)
		number = number << 8 | random_below(256);
	return number >> random_below(sizeof number * 8);
}

static void compare(const char *format, ...)
{
	char expected[TEXT] = "'";
	va_list args;
	va_start(args, format);
	vsnprintf(expected + 1, sizeof expected - 2, format, args);
	va_end(args);
	strcat(expected, "'");
	va_start(args, format);
	begin();
	quash_put_values(w, format, args);
	va_end(args);
	assert_string_equal(written(), expected);
	va_start(args, format);
	assert_true(quash_keep_values(format, args, room, sizeof room));
	va_end(args);
	assert_string_equal(kept(sizeof room, format), expected);
}

static void test_like_printf(void **state)
{
	char format[TEXT], one[12], two[12], text[20];
	(void)state;
	seed = 41;
	for (unsigned i = 0; i < 2000; i++) {
		const long l = (long)any_number();
		const unsigned long u = any_number();
		const int d = (int)any_number(), c = 'a' + (int)random_below(26);
		(void)any_text(one, sizeof one);
		(void)any_text(two, sizeof two);
		(void)any_text(text, sizeof text);
		snprintf(format, sizeof format, "%s%%d%s%%ld%%%%%%s%s%%lu%%u%s%%c", one, two, two, one);
		compare(format, d, -l, text, u, (unsigned)u, c);
		snprintf(format, sizeof format, "%%lu%s%%c%s%%s%%d%%ld %%s%s", two, one, one);
		compare(format, u, c, text, -d, l, two);
	}
}

static void test_fixed_point_like_division(void **state)
{
	char expected[60], format[] = "%.0ld", with_zeros[] = "'%s%lu.%00lu'"; /* the C library of AVRs knows no `*` */
	(void)state;
	seed = 43;
	for (unsigned i = 0; i < 2000; i++) {
		const uint32_t value = (uint32_t)(any_number() & 0x7FFFFFFF);
		const bool minus = random_below(2) == 1 && value > 0;
		const unsigned decimals = 1 + random_below(9);
		uint32_t power = 1;
		for (unsigned k = 0; k < decimals; k++)
			power *= 10;
		format[2] = (char)('0' + decimals);
		with_zeros[9] = (char)('0' + decimals);
		snprintf(expected, sizeof expected, with_zeros, minus ? "-" : "", (unsigned long)(value / power),
			(unsigned long)(value % power));
		at_once(format, minus ? -(long)value : (long)value);
		assert_string_equal(written(), expected);
	}
}

/* Whatever the room, what is stored is put: a beginning of it, and dots. */
static void test_any_room(void **state)
{
	char whole[TEXT];
	(void)state;
	for (size_t size = 0; size < 40; size++) {
		const bool all = keep(size, "%d%s%ld", 1234, "some gr\xC3\xBC\xC3\x9F", 5678901L);
		strcpy(whole, kept(size, "%d%s%ld"));
		assert_int_equal(all, strcmp(whole, "'1234some gr\xC3\xBC\xC3\x9F" "5678901'") == 0);
		assert_int_equal(all, strstr(whole, "...") == NULL);
		assert_int_equal(all, size >= 5 + 12 + 8);
		assert_null(strstr(whole, "\xEF\xBF\xBD"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_constant_text),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_fixed_point),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_what_is_no_conversion),
		cmocka_unit_test(test_literal),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_no_room_for_a_character),
		cmocka_unit_test(test_like_printf),
		cmocka_unit_test(test_fixed_point_like_division),
		cmocka_unit_test(test_any_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
