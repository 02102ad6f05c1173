/* SPDX-License-Identifier: MIT */
#include "meaning.h"

#include <stdio.h>

/* --- A second opinion: RFC 8259 read by recursion */

static const size_t no = SIZE_MAX;

static size_t blank(const uint8_t *s, size_t n, size_t i)
{
	while (i < n && s[i] != 0 && strchr(" \t\r\n", s[i]))
		i++;
	return i;
}

static size_t digits(const uint8_t *s, size_t n, size_t i)
{
	const size_t from = i;
	while (i < n && s[i] >= '0' && s[i] <= '9')
		i++;
	return i > from ? i : no;
}

static size_t number(const uint8_t *s, size_t n, size_t i)
{
	if (i < n && s[i] == '-')
		i++;
	if (i < n && s[i] == '0')
		i++;
	else
		i = digits(s, n, i);
	if (i != no && i < n && s[i] == '.')
		i = digits(s, n, i + 1);
	if (i == no || i >= n || (s[i] | 0x20) != 'e')
		return i;
	i++;
	return digits(s, n, i < n && (s[i] == '-' || s[i] == '+') ? i + 1 : i);
}

/* RFC 3629: the code point that stands there, 0 if none does. */
static uint32_t code_point(const uint8_t *s, size_t n, size_t i, size_t *length)
{
	static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t c = s[i];
	*length = c < 0x80 ? 1 : c < 0xC0 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF8 ? 4 : 0;
	if (*length < 2)
		return *length ? c : 0;
	c &= 0xFFu >> (*length + 1);
	for (size_t k = 1; k < *length; k++) {
		if (i + k >= n || (s[i + k] & 0xC0) != 0x80)
			return 0;
		c = c << 6 | (s[i + k] & 0x3F);
	}
	return c < least[*length] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF) ? 0 : c;
}

static size_t escape(const uint8_t *s, size_t n, size_t i)
{
	if (i >= n || s[i] == 0)
		return no;
	if (s[i] != 'u')
		return strchr("\"\\/bfnrt", s[i]) ? i + 1 : no;
	for (size_t k = 1; k <= 4; k++) {
		if (i + k >= n || s[i + k] == 0 || !strchr("0123456789abcdefABCDEF", s[i + k]))
			return no;
	}
	return i + 5;
}

static size_t string(const uint8_t *s, size_t n, size_t i)
{
	while (i < n && s[i] != '"') {
		size_t length = 0;
		if (s[i] < 0x20)
			return no;
		if (s[i] == '\\')
			i = escape(s, n, i + 1);
		else
			i = code_point(s, n, i, &length) ? i + length : no;
		if (i == no)
			return no;
	}
	return i < n ? i + 1 : no;
}

static size_t value(const uint8_t *s, size_t n, size_t i);

static size_t container(const uint8_t *s, size_t n, size_t i, char last)
{
	i = blank(s, n, i);
	if (i < n && s[i] == (uint8_t)last)
		return i + 1;
	for (;;) {
		i = blank(s, n, i);
		if (last == '}') {
			i = i < n && s[i] == '"' ? string(s, n, i + 1) : no;
			i = i == no ? no : blank(s, n, i);
			if (i >= n || s[i++] != ':')
				return no;
		}
		i = value(s, n, blank(s, n, i));
		i = i == no ? no : blank(s, n, i);
		if (i >= n)
			return no;
		if (s[i] == (uint8_t)last)
			return i + 1;
		if (s[i++] != ',')
			return no;
	}
}

static size_t value(const uint8_t *s, size_t n, size_t i)
{
	static const char *const words[] = { "true", "false", "null" };
	if (i >= n)
		return no;
	if (s[i] == '{' || s[i] == '[')
		return container(s, n, i + 1, s[i] == '{' ? '}' : ']');
	if (s[i] == '"')
		return string(s, n, i + 1);
	for (size_t k = 0; k < COUNT_OF(words); k++) {
		const size_t length = strlen(words[k]);
		if (n - i >= length && memcmp(s + i, words[k], length) == 0)
			return i + length;
	}
	return number(s, n, i);
}

static bool is_json(const char *text, size_t n)
{
	const uint8_t *const s = (const uint8_t *)text;
	const size_t end = value(s, n, blank(s, n, 0));
	return end != no && blank(s, n, end) == n;
}

/* --- Structure */

static void test_values(void **state)
{
	(void)state;
	MEANS("null", "z=");
	MEANS("true", "t=");
	MEANS("false", "f=");
	MEANS(" \t\r\n0 \t\r\n", "n<0>=");
	MEANS("\"\"", "s<>=");
	MEANS("[]", "[]=");
	MEANS("{}", "{}=");
	MEANS("[ ]", "[]=");
	MEANS("{ }", "{}=");
	MEANS("[1,\"a\",true,false,null,[],{}]", "[n<1>s<a>tfz[]{}]=");
	MEANS("{\"a\":1,\"\":\"b\",\"c\":{\"d\":[{}]}}", "{k<a>n<1>k<>s<b>k<c>{k<d>[{}]}}=");
	MEANS("{ \"a\" : 1 , \"b\" : [ 2 , 3 ] }", "{k<a>n<1>k<b>[n<2>n<3>]}=");
}

static void test_not_json(void **state)
{
	(void)state;
	MEANS("]", "!");
	MEANS("}", "!");
	MEANS("[}", "[!");
	MEANS("{]", "{!");
	MEANS("[1}", "[n<1>!");
	MEANS("{\"a\":1]", "{k<a>n<1>!");
	MEANS("[,1]", "[!");
	MEANS("[1,]", "[n<1>!");
	MEANS("[1 2]", "[n<1>!");
	MEANS("{,}", "{!");
	MEANS("{\"a\"}", "{k<a>!");
	MEANS("{\"a\":}", "{k<a>!");
	MEANS("{\"a\":1,}", "{k<a>n<1>!");
	MEANS("{\"a\" 1}", "{k<a>!");
	MEANS("{1:1}", "{!");
	MEANS("{\"a\":1 \"b\":2}", "{k<a>n<1>!");
	MEANS("[\"a\":1]", "[s<a>!");
	MEANS(":", "!");
	MEANS(",", "!");
	MEANS("1 2", "n<1>!");
	MEANS("[] []", "[]!");
	MEANS("{}x", "{}!");
	MEANS("True", "!");
	MEANS("trux", "!");
	MEANS("nul ", "!");
	MEANS("falsy", "!");
	MEANS("nulll", "z!");
	MEANS("'a'", "!");
	MEANS("/**/1", "!");
	MEANS("\xEF\xBB\xBF{}", "!");
	MEANS("\f1", "!");
	MEANS("\v1", "!");
}

static void test_not_complete(void **state)
{
	(void)state;
	MEANS("", "");
	MEANS("  ", "");
	MEANS("[", "[");
	MEANS("[[]", "[[]");
	MEANS("{\"a\"", "{k<a>");
	MEANS("{\"a\":", "{k<a>");
	MEANS("\"a", "s<a");
	MEANS("\"a\\", "s<a");
	MEANS("tru", "");
	MEANS("-", "n<-");
	MEANS("1.", "n<1.");
	MEANS("1e", "n<1e");
	MEANS("1e+", "n<1e+");
	MEANS("1", "n<1=");
	MEANS("1.5e-3", "n<1.5e-3=");
	MEANS("[1", "[n<1");
}

static void test_blank(void **state)
{
	quash_lex lex;
	bool again;
	(void)state;
	begin(&lex);
	assert_true(quash_lex_blank_(&lex));
	for (const char *c = " \t\r\n"; *c; c++)
		assert_int_equal(quash_lex_byte(&lex, (uint8_t)*c, &again), QUASH_LEX_MORE);
	assert_true(quash_lex_blank_(&lex));
	assert_false(quash_lex_complete(&lex));
	quash_lex_byte(&lex, 't', &again);
	assert_false(quash_lex_blank_(&lex));
	begin(&lex);
	quash_lex_byte(&lex, '1', &again);
	assert_true(again);
	assert_false(quash_lex_blank_(&lex));
	begin(&lex);
	quash_lex_byte(&lex, '[', &again);
	quash_lex_byte(&lex, ']', &again);
	assert_false(quash_lex_blank_(&lex));
	begin(&lex);
	quash_lex_byte(&lex, '?', &again);
	assert_false(quash_lex_blank_(&lex));
}

static void test_broken_stays_broken(void **state)
{
	static const uint8_t bytes[] = "x[]1";
	quash_lex lex;
	size_t at = 0;
	(void)state;
	begin(&lex);
	while (quash_lex_run(&lex, bytes, 4, &at) != QUASH_LEX_ERROR)
		assert_int_equal(at, 0);
	for (unsigned i = 0; i < 3; i++) {
		bool again;
		const size_t before = at;
		assert_int_equal(quash_lex_run(&lex, bytes, 4, &at), QUASH_LEX_ERROR);
		assert_int_equal(at, before);
		assert_int_equal(quash_lex_byte(&lex, '1', &again), QUASH_LEX_ERROR);
		assert_false(quash_lex_complete(&lex));
	}
	begin(&lex);
	at = 1;
	assert_int_equal(quash_lex_run(&lex, bytes, 4, &at), QUASH_LEX_ARRAY);
	assert_int_equal(at, 2);
}

/* The byte that begins a number is told of before it is used, the byte that ends one is used as itself. */
static void test_number_boundaries(void **state)
{
	static const uint8_t bytes[] = "[12]";
	quash_lex lex;
	size_t at = 0;
	(void)state;
	begin(&lex);
	assert_int_equal(quash_lex_run(&lex, bytes, 4, &at), QUASH_LEX_ARRAY);
	assert_int_equal(at, 1);
	assert_int_equal(quash_lex_run(&lex, bytes, 4, &at), QUASH_LEX_NUMBER);
	assert_int_equal(at, 1);
	assert_int_equal(quash_lex_run(&lex, bytes, 4, &at), QUASH_LEX_END);
	assert_int_equal(lex.length, 2);
	assert_memory_equal(lex.text, "12", 2);
	assert_int_equal(at, 3);
	assert_int_equal(quash_lex_run(&lex, bytes, 4, &at), QUASH_LEX_ARRAY_END);
	assert_int_equal(at, 4);
	assert_int_equal(quash_lex_run(&lex, bytes, 4, &at), QUASH_LEX_MORE);
}

/* --- Numbers */

static void test_numbers(void **state)
{
	(void)state;
	MEANS("[0,-0,10,-1.5,1e5,1E+5,1e-05,0.0,0e0,123456789012345678901234567890]",
		"[n<0>n<-0>n<10>n<-1.5>n<1e5>n<1E+5>n<1e-05>n<0.0>n<0e0>n<123456789012345678901234567890>]=");
	MEANS("{\"a\":1}", "{k<a>n<1>}=");
	MEANS("1\n", "n<1>=");
}

static void test_bad_numbers(void **state)
{
	(void)state;
	MEANS("[01]", "[n<0>!");
	MEANS("[-]", "[n<-!");
	MEANS("[--1]", "[n<-!");
	MEANS("[+1]", "[!");
	MEANS("[.5]", "[!");
	MEANS("[1.]", "[n<1.!");
	MEANS("[1.e1]", "[n<1.!");
	MEANS("[1e]", "[n<1e!");
	MEANS("[1e+]", "[n<1e+!");
	MEANS("[1e1.5]", "[n<1e1>!");
	MEANS("[1.5.5]", "[n<1.5>!");
	MEANS("[1-2]", "[n<1>!");
	MEANS("[0x1]", "[n<0>!");
	MEANS("[1e+-1]", "[n<1e+!");
	MEANS("[-a]", "[n<-!");
	MEANS("NaN", "!");
	MEANS("Infinity", "!");
	MEANS("[1,2a]", "[n<1>n<2>!");
}

/* --- Strings */

static void test_text(void **state)
{
	(void)state;
	MEANS("\"abc def\"", "s<abc def>=");
	MEANS("\"gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80\"",
		"s<gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80>=");
	MEANS("\"\x7F\"", "s<\x7F>=");
	MEANS("\"\xE2\x80\xA8\xE2\x80\xA9\"", "s<\xE2\x80\xA8\xE2\x80\xA9>=");
}

static void test_control_characters(void **state)
{
	(void)state;
	for (unsigned c = 0; c < 0x20; c++) {
		const char text[] = { '"', (char)c, '"', '\0' };
		assert_string_equal(in_pieces(text, 3, 4), "s<!");
	}
}

static void test_escapes(void **state)
{
	(void)state;
	MEANS("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "s<\"\\/\b\f\n\r\t>=");
	MEANS("{\"\\n\":0}", "{k<\n>n<0>}=");
	for (unsigned c = 0; c < 256; c++) {
		const char text[] = { '"', '\\', (char)c, '"' };
		const bool good = c != 0 && strchr("\"\\/bfnrt", (int)c);
		assert_int_equal(accepted(text, 4), good);
	}
}

static void test_hex_digits(void **state)
{
	(void)state;
	MEANS("\"\\u0041\\u00e9\\u00E9\\u20ac\\uFFFF\\u0000\"",
		"s<A\xC3\xA9\xC3\xA9\xE2\x82\xAC\xEF\xBF\xBF~>=");
	for (unsigned place = 0; place < 4; place++) {
		for (unsigned c = 0; c < 256; c++) {
			char text[] = "\"\\u0000\"";
			text[3 + place] = (char)c;
			const bool good = c != 0 && strchr("0123456789abcdefABCDEF", (int)c);
			assert_int_equal(accepted(text, 8), good);
		}
	}
	MEANS("\"\\u12\"", "s<!");
	MEANS("\"\\u\"", "s<!");
	MEANS("\"\\U0041\"", "s<!");
}

static size_t encode(uint32_t c, char *text)
{
	if (c < 0x80) {
		text[0] = (char)(c ? c : '~');
		return 1;
	}
	const size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (size_t i = n; i-- > 1; c >>= 6)
		text[i] = (char)(0x80 | (c & 0x3F));
	text[0] = (char)((0xF00 >> n & 0xFF) | c);
	return n;
}

static void test_every_unit(void **state)
{
	(void)state;
	for (uint32_t c = 0; c <= 0xFFFF; c += STRIDE) {
		char text[16], expected[16] = "s<";
		const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
		snprintf(text, sizeof text, c & 1 ? "\"\\u%04x\"" : "\"\\u%04X\"", (unsigned)c);
		strcpy(expected + 2 + encode(surrogate ? 0xFFFD : c, expected + 2), ">=");
		MEANS(text, expected);
	}
}

static void test_every_plane(void **state)
{
	(void)state;
	for (uint32_t c = 0x10000; c <= 0x10FFFF; c += c < 0x10800 ? 1 : 0x3FF) {
		char text[32], expected[16] = "s<";
		snprintf(text, sizeof text, "\"\\u%04X\\u%04x\"", (unsigned)(0xD7C0 + (c >> 10)),
			(unsigned)(0xDC00 + (c & 0x3FF)));
		strcpy(expected + 2 + encode(c, expected + 2), ">=");
		MEANS(text, expected);
	}
	MEANS("\"\\uD800\\uDC00\\uDBFF\\uDFFF\"", "s<\xF0\x90\x80\x80\xF4\x8F\xBF\xBF>=");
}

#define LONE "\xEF\xBF\xBD"

static void test_lone_surrogates(void **state)
{
	(void)state;
	MEANS("\"\\uD800\"", "s<" LONE ">=");
	MEANS("\"\\uDC00\"", "s<" LONE ">=");
	MEANS("\"\\uD800a\"", "s<" LONE "a>=");
	MEANS("\"\\uDC00a\"", "s<" LONE "a>=");
	MEANS("\"a\\uD800\"", "s<a" LONE ">=");
	MEANS("\"\\uD800\\n\"", "s<" LONE "\n>=");
	MEANS("\"\\uD800\\\"\"", "s<" LONE "\">=");
	MEANS("\"\\uD800\\u0041\"", "s<" LONE "A>=");
	MEANS("\"\\uD800\\u0000\"", "s<" LONE "~>=");
	MEANS("\"\\uD800\\uD800\"", "s<" LONE LONE ">=");
	MEANS("\"\\uD800\\uD800\\uDC00\"", "s<" LONE "\xF0\x90\x80\x80>=");
	MEANS("\"\\uD800\\uD800\\uD800x\"", "s<" LONE LONE LONE "x>=");
	MEANS("\"\\uDC00\\uD800\"", "s<" LONE LONE ">=");
	MEANS("\"\\uD800\\uDC00\\uDC00\"", "s<\xF0\x90\x80\x80" LONE ">=");
	MEANS("\"\\uD800\xE2\x82\xAC\"", "s<" LONE "\xE2\x82\xAC>=");
	MEANS("{\"\\uD800\":\"\\uDFFF\"}", "{k<" LONE ">s<" LONE ">}=");
	MEANS("\"\\uD800\\x\"", "s<" LONE "!");
	MEANS("\"\\uD800\\u12\"", "s<!");
	MEANS("\"\\uD800\x01\"", "s<" LONE "!");
	MEANS("\"\\uD800", "s<");
}

/* Whether the last string of the text had a lone surrogate. */
static bool lone(const char *text)
{
	quash_lex lex;
	begin(&lex);
	read_piece(&lex, (const uint8_t *)text, strlen(text));
	return lex.lone;
}

static void test_lone_is_told(void **state)
{
	(void)state;
	assert_true(lone("\"\\uD800\""));
	assert_true(lone("\"\\uDC00\""));
	assert_true(lone("[\"a\\uD800\\n\""));
	assert_false(lone("\"\\uD800\\uDC00\""));
	assert_false(lone("\"\\uFFFD\""));
	assert_false(lone("[\"\\uD800\",\"a\""));
	assert_true(lone("[\"a\",\"\\uD800\",1"));
}

/* --- UTF-8 */

static void check_sequence(const uint8_t *bytes, size_t n)
{
	char text[8] = "\"";
	memcpy(text + 1, bytes, n);
	text[n + 1] = '"';
	if (accepted(text, n + 2) != is_json(text, n + 2))
		fail_msg("%02X %02X %02X %02X (%zu bytes)", bytes[0], bytes[1], bytes[2], bytes[3], n);
}

static void test_one_and_two_bytes(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 0x10000; i += STRIDE) {
		const uint8_t bytes[4] = { (uint8_t)(i >> 8), (uint8_t)i };
		check_sequence(bytes, 2);
		if (bytes[1] == 0)
			check_sequence(bytes, 1);
	}
}

static void test_three_and_four_bytes(void **state)
{
	static const uint8_t edges[] = { 0x22, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2,
		0xE0, 0xFF };
	(void)state;
	for (unsigned first = 0xC0; first < 0x100; first++) {
		for (unsigned second = 0; second < 0x100; second += STRIDE) {
			for (size_t k = 0; k < COUNT_OF(edges) * COUNT_OF(edges); k++) {
				const uint8_t bytes[4] = { (uint8_t)first, (uint8_t)second,
					edges[k % COUNT_OF(edges)], edges[k / COUNT_OF(edges)] };
				check_sequence(bytes, 4);
				if (k < COUNT_OF(edges))
					check_sequence(bytes, 3);
			}
		}
	}
}

static void test_utf8_boundaries(void **state)
{
	(void)state;
	MEANS("\"\xC2\x80\xDF\xBF\"", "s<\xC2\x80\xDF\xBF>=");
	MEANS("\"\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\"",
		"s<\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF>=");
	MEANS("\"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\"", "s<\xF0\x90\x80\x80\xF4\x8F\xBF\xBF>=");
	assert_false(accepted("\"\xC0\x80\"", 4));
	assert_false(accepted("\"\xC1\xBF\"", 4));
	assert_false(accepted("\"\xE0\x9F\xBF\"", 5));
	assert_false(accepted("\"\xED\xA0\x80\"", 5));
	assert_false(accepted("\"\xED\xBF\xBF\"", 5));
	assert_false(accepted("\"\xF0\x8F\xBF\xBF\"", 6));
	assert_false(accepted("\"\xF4\x90\x80\x80\"", 6));
	assert_false(accepted("\"\xF5\x80\x80\x80\"", 6));
	assert_false(accepted("\"\x80\"", 3));
	assert_false(accepted("\"\xFE\"", 3));
	assert_false(accepted("\xC3\xBC", 2));
	assert_false(accepted("[\xC2\xA0]", 4));
}

/* --- Depth */

static const char *nested(unsigned depth, const char *middle, bool object)
{
	static char text[ROOM_FOR(4096)];
	text[0] = '\0';
	for (unsigned i = 0; i < depth; i++)
		strcat(text, object ? "{\"a\":" : "[");
	strcat(text, middle);
	for (unsigned i = 0; i < depth; i++)
		strcat(text, object ? "}" : "]");
	return text;
}

static void test_depth_32(void **state)
{
	(void)state;
	assert_int_equal(QUASH_DEPTH, 32);
	MEANS(nested(32, "", false), "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]=");
	assert_null(strchr(meaning(nested(32, "1", true)), '^'));
	assert_string_equal(written + written_length - 5, "}}}}=");
	/* The kinds of all 32 are known. */
	MEANS("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[{]", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[{!");
	MEANS("{\"\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
		"{k<>[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]!");
}

#define OPEN_32  "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
#define CLOSE_32 "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"

static void test_depth_33(void **state)
{
	(void)state;
	MEANS(OPEN_32 "[]" CLOSE_32, OPEN_32 "^" CLOSE_32 "=");
	MEANS(OPEN_32 "{}" CLOSE_32, OPEN_32 "^" CLOSE_32 "=");
	MEANS(OPEN_32 "[1,\"a\",{\"b\":[null]}],2" CLOSE_32, OPEN_32 "^n<2>" CLOSE_32 "=");
	MEANS(OPEN_32 "[],[]" CLOSE_32, OPEN_32 "^^" CLOSE_32 "=");
	MEANS(OPEN_32 "[\"]\\\"]\\\\\",[\"[\"]]" CLOSE_32, OPEN_32 "^" CLOSE_32 "=");
	MEANS(OPEN_32 "[]1", OPEN_32 "^!");
	MEANS(OPEN_32 "[\n[\r\n],\"\n\"\n]\n" CLOSE_32, OPEN_32 "^" CLOSE_32 "=");
	MEANS(OPEN_32 "[", OPEN_32 "^");
	assert_non_null(strchr(meaning(nested(33, "1", true)), '^'));
	assert_string_equal(written + written_length - 5, "}}}}=");
}

static void test_much_too_deep(void **state)
{
	quash_lex lex;
	bool again;
	(void)state;
	begin(&lex);
	for (int i = 0; i < 10000; i++)
		assert_true(read_piece(&lex, (const uint8_t *)"[", 1));
	for (int i = 0; i < 9999; i++)
		assert_true(read_piece(&lex, (const uint8_t *)"]", 1));
	assert_string_equal(written, OPEN_32 "^]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
	assert_false(quash_lex_complete(&lex));
	assert_int_equal(quash_lex_byte(&lex, ']', &again), QUASH_LEX_ARRAY_END);
	assert_true(quash_lex_complete(&lex));
}

/* --- Cut anywhere, and the second opinion */

static const char *const corpus[] = {
	"{\"jsonrpc\":\"2.0\",\"id\":\"a-\\u00e9\",\"method\":\"tools/"
	"call\",\"params\":{\"n\":[1,-2.5e+3,0],\"t\":true}}",
	" [ null , true , false , \"\\ud83d\\ude00\" , \"\\ud83dx\\ude00\" , {} , [ ] ] ",
	"[\"\xF0\x9F\x98\x80\xE2\x82\xAC\xC3\xBC\",\"\\b\\f\\n\\r\\t\\/\\\\\\\"\"]",
	"[\"\\ud800\\ud800\\udc00\\n\\udc00\"]",
	OPEN_32 "[\"]\\\"\",{\"a\":[1]}],{}" CLOSE_32,
	"{\"a\":{\"b\":{\"c\":[[],{},[{}]]}},\"\":\"\"}",
	"-0.10E-20",
	"123",
	"\"\"",
	"nul",
	"[1,2",
	"[\"\xE2\x82",
	"[\"\xED\xA0\x80\"]",
	"[1.e5]",
	"{\"a\":1,}",
	"[\"\\ud800\\u00zz\"]",
	"[\"\\ud800\\q\"]",
};

static void test_cut_everywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(corpus); i++)
		cut_everywhere(corpus[i], strlen(corpus[i]));
}

static bool is_deep(const char *text)
{
	return strstr(text, OPEN_32) != NULL;
}

/* Every text with one byte replaced or left out is JSON if and only if the second opinion says so. */
static void test_one_byte_off(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(corpus); i++) {
		const size_t n = strlen(corpus[i]);
		char text[256];
		if (is_deep(corpus[i]))
			continue;
		for (size_t at = 0; at < n * 257; at += STRIDE) {
			const size_t place = at / 257, byte = at % 257;
			memcpy(text, corpus[i], n);
			if (byte < 256)
				text[place] = (char)byte;
			else
				memmove(text + place, text + place + 1, n - place - 1);
			const size_t length = byte < 256 ? n : n - 1;
			if (accepted(text, length) != is_json(text, length))
				fail_msg("%.*s", (int)length, text);
		}
	}
}

/* Every text of up to five of these characters. */
static void test_all_short_texts(void **state)
{
	static const char letters[] = "[]{},:\"0-.e ";
	const uint32_t count = sizeof letters - 1;
	(void)state;
	uint32_t all = 1;
	for (size_t length = 0; length <= 5; length++, all *= count) {
		for (uint32_t i = 0; i < all; i += STRIDE) {
			char text[8];
			uint32_t rest = i;
			for (size_t k = 0; k < length; k++, rest /= count)
				text[k] = letters[rest % count];
			if (accepted(text, length) != is_json(text, length))
				fail_msg("%.*s", (int)length, text);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_not_json),
		cmocka_unit_test(test_not_complete),
		cmocka_unit_test(test_blank),
		cmocka_unit_test(test_broken_stays_broken),
		cmocka_unit_test(test_number_boundaries),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_bad_numbers),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_control_characters),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_hex_digits),
		cmocka_unit_test(test_every_unit),
		cmocka_unit_test(test_every_plane),
		cmocka_unit_test(test_lone_surrogates),
		cmocka_unit_test(test_lone_is_told),
		cmocka_unit_test(test_one_and_two_bytes),
		cmocka_unit_test(test_three_and_four_bytes),
		cmocka_unit_test(test_utf8_boundaries),
		cmocka_unit_test(test_depth_32),
		cmocka_unit_test(test_depth_33),
		cmocka_unit_test(test_much_too_deep),
		cmocka_unit_test(test_cut_everywhere),
		cmocka_unit_test(test_one_byte_off),
		cmocka_unit_test(test_all_short_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
