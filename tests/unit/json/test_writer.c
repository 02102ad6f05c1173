/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "json/writer.h"
#include "quash/why.h"

static uint8_t buffer[ROOM_FOR(4096)];
static quash_writer writer, *const w = &writer;

static void begin(quash_size size)
{
	static const quash_writer fresh = { .buffer = buffer };
	memset(buffer, '#', sizeof buffer);
	writer = fresh;
	writer.size = size;
	quash_place_begin(&writer.place);
}

/* Ends the text and gives it. */
static const char *written(void)
{
	quash_put_ends(w);
	assert_int_equal(w->why, QUASH_WHY_NONE);
	assert_false(w->full);
	assert_int_equal(w->at, w->count);
	buffer[w->at] = '\0';
	return (const char *)buffer;
}

#define WRITES(expected) assert_string_equal(written(), expected)

static int set_up(void **state)
{
	(void)state;
	begin(sizeof buffer - 1);
	return 0;
}

/* --- Values */

static void test_literals(void **state)
{
	(void)state;
	quash_put_array(w);
	quash_put_null(w);
	quash_put_bool(w, true);
	quash_put_bool(w, false);
	quash_put_end(w);
	WRITES("[null,true,false]");
}

static void test_int(void **state)
{
	static const int32_t values[] = { 0, 1, -1, 9, 10, -10, 99, 100, 1000000000, INT32_MAX, -INT32_MAX,
		INT32_MIN };
	(void)state;
	quash_put_array(w);
	for (size_t i = 0; i < COUNT_OF(values); i++)
		quash_put_int(w, values[i]);
	WRITES("[0,1,-1,9,10,-10,99,100,1000000000,2147483647,-2147483647,-2147483648]");
}

static void test_uint(void **state)
{
	(void)state;
	quash_put_array(w);
	for (uint32_t power = 1; power <= 100000000; power *= 10) {
		quash_put_uint(w, power);
		quash_put_uint(w, power * 10 - 1);
	}
	quash_put_uint(w, UINT32_MAX);
	WRITES("[1,9,10,99,100,999,1000,9999,10000,99999,100000,999999,1000000,9999999,10000000,99999999,"
	       "100000000,"
	       "999999999,4294967295]");
}

static void test_number_alone(void **state)
{
	(void)state;
	quash_put_uint(w, 0);
	WRITES("0");
}

/* --- Strings */

static void test_text(void **state)
{
	(void)state;
	quash_put_array(w);
	quash_put_text(w, "");
	quash_put_text(w, "a \"quoted\" \\ back / slash");
	quash_put_text(w, "\b\f\n\r\t");
	quash_put_text(w, "\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80\x7F");
	WRITES("[\"\",\"a \\\"quoted\\\" \\\\ back / slash\",\"\\b\\f\\n\\r\\t\","
	       "\"\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80\x7F\"]");
}

/* Every byte of ASCII: the shortest escape for controls, quote and backslash, itself otherwise. */
static void test_every_ascii(void **state)
{
	static const char hex[] = "0123456789abcdef";
	static const char shorts[] = "\bb\ff\nn\rr\tt\"\"\\\\";
	for (unsigned c = 0; c < 128; c++) {
		const char text[1] = { (char)c };
		char expected[16] = "\"", *e = expected + 1;
		const char *const letter = c ? strchr(shorts, (int)c) : NULL;
		set_up(state);
		quash_put_string(w, text, 1);
		if (c < 0x20 || c == '"' || c == '\\')
			*e++ = '\\';
		if (letter && (c < 0x20 || c == '"' || c == '\\')) {
			*e++ = letter[1];
		} else if (c < 0x20) {
			memcpy(e, "u00", 3);
			e[3] = hex[c >> 4];
			e[4] = hex[c & 15];
			e += 5;
		} else {
			*e++ = (char)c;
		}
		memcpy(e, "\"", 2);
		WRITES(expected);
	}
}

static void test_string_with_nuls(void **state)
{
	(void)state;
	quash_put_array(w);
	quash_put_string(w, "a\0b", 3);
	quash_put_string(w, "abc", 0);
	quash_put_string(w, "abc", 2);
	WRITES("[\"a\\u0000b\",\"\",\"ab\"]");
}

static void test_string_in_pieces(void **state)
{
	(void)state;
	quash_put_array(w);
	quash_put_string_open(w);
	quash_put_string_part(w, "a\"", 2);
	quash_put_string_part(w, "", 0);
	quash_put_string_int(w, -12);
	quash_put_string_int(w, INT32_MIN);
	quash_put_string_int(w, 0);
	quash_put_string_part(w, "\n", 1);
	quash_put_string_close(w);
	quash_put_int(w, 1);
	quash_put_string_open(w);
	quash_put_string_close(w);
	WRITES("[\"a\\\"-12-21474836480\\n\",1,\"\"]");
}

static void test_quote(void **state)
{
	(void)state;
	quash_put_object(w);
	quash_put_key(w, "text");
	quash_put_quote_open(w);
	quash_put_object(w);
	quash_put_key(w, "a\"\n");
	quash_put_text(w, "b\\");
	quash_put_key(w, "c");
	quash_put_array(w);
	quash_put_int(w, 1);
	quash_put_raw(w, "{\"d\":2}");
	quash_put_end(w);
	quash_put_end(w);
	quash_put_quote_close(w);
	quash_put_key(w, "n");
	quash_put_int(w, 2);
	WRITES("{\"text\":\"{\\\"a\\\\\\\"\\\\n\\\":\\\"b\\\\\\\\\\\",\\\"c\\\":[1,{\\\"d\\\":2}]}\",\"n\":"
	       "2}");
}

static void test_quote_ends_what_is_open_in_it(void **state)
{
	(void)state;
	quash_put_array(w);
	quash_put_quote_open(w);
	quash_put_array(w);
	quash_put_object(w);
	quash_put_key(w, "a");
	quash_put_quote_close(w);
	quash_put_quote_open(w);
	quash_put_quote_close(w);
	WRITES("[\"[{\\\"a\\\":null}]\",\"null\"]");
}

static void test_quote_alone(void **state)
{
	(void)state;
	quash_put_quote_open(w);
	quash_put_text(w, "a");
	quash_put_quote_close(w);
	WRITES("\"\\\"a\\\"\"");
}

/* Line ends in a constant would end the message. */
static void test_raw_on_several_lines(void **state)
{
	(void)state;
	quash_put_raw(w, "{\r\n\t\"a b\": [1, 2]\n}\n");
	WRITES("{\"a b\": [1, 2]}");
}

#ifdef QUASH_CHECKED
static void test_raw_that_is_no_json(void **state)
{
	static const char *const texts[] = { "", "{", "{}{}", "[1,]", "'a'", "1 2", "nul", "\"a", "-" };
	static const char *const fine[] = { "{}", " [1, 2.5]\n", "-0", "\"\\ud83d\"" };
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		(void)set_up(state);
		quash_put_raw(w, texts[i]);
		assert_int_equal(w->why, QUASH_WHY_UNBALANCED);
	}
	for (size_t i = 0; i < COUNT_OF(fine); i++) {
		(void)set_up(state);
		quash_put_raw(w, fine[i]);
		assert_int_equal(w->why, QUASH_WHY_NONE);
	}
}
#endif

/* --- Structure */

static void test_commas(void **state)
{
	(void)state;
	quash_put_array(w);
	quash_put_array(w);
	quash_put_end(w);
	quash_put_object(w);
	quash_put_end(w);
	quash_put_object(w);
	quash_put_key(w, "a");
	quash_put_int(w, 1);
	quash_put_key(w, "b");
	quash_put_array(w);
	quash_put_end(w);
	quash_put_key(w, "c");
	quash_put_object(w);
	quash_put_end(w);
	quash_put_key(w, "d\"");
	quash_put_text(w, "e");
	quash_put_end(w);
	quash_put_raw(w, "{\"x\":[1, 2]}");
	quash_put_null(w);
	quash_put_end(w);
	WRITES("[[],{},{\"a\":1,\"b\":[],\"c\":{},\"d\\\"\":\"e\"},{\"x\":[1, 2]},null]");
}

static void test_open_containers_are_closed(void **state)
{
	(void)state;
	quash_put_array(w);
	quash_put_object(w);
	quash_put_key(w, "a");
	quash_put_array(w);
	quash_put_object(w);
	WRITES("[{\"a\":[{}]}]");
}

static void test_missing_value_is_null(void **state)
{
	(void)state;
	quash_put_array(w);
	quash_put_object(w);
	quash_put_key(w, "a");
	quash_put_end(w);
	quash_put_object(w);
	quash_put_key(w, "b");
	WRITES("[{\"a\":null},{\"b\":null}]");
}

static void test_depth(void **state)
{
	(void)state;
	for (unsigned i = 0; i < QUASH_DEPTH; i++) {
		if (i % 3 == 0) {
			quash_put_object(w);
			quash_put_key(w, "k");
		} else {
			quash_put_array(w);
		}
	}
	quash_put_int(w, 1);
	WRITES("{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{"
	       "\"k\":[1]}]]}]]}"
	       "]]}]]}]]}]]}]]}]]}]]}]]}");
}

/* --- What the library puts around the values of others */

static void test_message(void **state)
{
	(void)state;
	quash_put_plain(w, "{\"jsonrpc\":\"2.0\",");
	quash_put_head(w, "\"id\":");
	quash_put_comma(w);
	quash_put_digits(w, 7);
	quash_put_byte(w, ',');
	quash_put_head(w, "\"result\":");
	assert_true(quash_writer_is_due(w));
	quash_put_array(w);
	assert_false(quash_writer_is_due(w));
	quash_put_ends(w);
	quash_put_byte(w, '}');
	WRITES("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":[]}");
}

static void test_message_without_a_value(void **state)
{
	(void)state;
	quash_put_head(w, "{\"result\":");
	quash_put_ends(w);
	quash_put_byte(w, '}');
	WRITES("{\"result\":null}");
}

/* Between enter and leave there is one value, whatever is open around it. */
static void test_enter_and_leave(void **state)
{
	uint8_t floor;
	(void)state;
	quash_put_object(w);
	quash_put_key(w, "data");
	floor = quash_place_enter(w);
	quash_put_array(w);
	quash_put_object(w);
	quash_place_leave(w, floor);
	quash_put_key(w, "list");
	quash_put_array(w);
	for (uint8_t i = 0; i < 3; i++) {
		floor = quash_place_enter(w);
		if (i != 1)
			quash_put_int(w, i);
		quash_place_leave(w, floor);
	}
	WRITES("{\"data\":[{}],\"list\":[0,null,2]}");
}

static void test_enter_inside_of_a_quote(void **state)
{
	uint8_t floor;
	(void)state;
	quash_put_array(w);
	quash_put_quote_open(w);
	floor = quash_place_enter(w);
	quash_put_object(w);
	quash_put_key(w, "a");
	quash_place_leave(w, floor);
	quash_put_quote_close(w);
	quash_put_int(w, 1);
	WRITES("[\"{\\\"a\\\":null}\",1]");
}

/* A text may stop anywhere and go on at its place, also in the middle of a character. */
static void test_place(void **state)
{
	quash_place place;
	(void)state;
	quash_put_array(w);
	quash_put_string_open(w);
	quash_put_string_part(w, "a\xE2\x82", 3);
	place = w->place;
	quash_put_string_part(w, "?", 1);
	w->place = place;
	w->count = w->at = 3;
	quash_put_string_part(w, "\xAC", 1);
	quash_put_string_close(w);
	WRITES("[\"a\xE2\x82\xAC\"]");
}

/* --- Room */

static void put_example(void)
{
	quash_put_object(w);
	quash_put_key(w, "number");
	quash_put_int(w, -12345);
	quash_put_key(w, "text");
	quash_put_text(w, "a\nb\xC3\xBC");
	quash_put_key(w, "list");
	quash_put_array(w);
	quash_put_bool(w, true);
	quash_put_null(w);
	quash_put_ends(w);
}

static const char example[] = "{\"number\":-12345,\"text\":\"a\\nb\xC3\xBC\",\"list\":[true,null]}";
enum { EXAMPLE = sizeof example - 1 };

/* Whatever the size, nothing is written after it, all of it is counted, and that there was no room is known. */
static void test_every_size(void **state)
{
	(void)state;
	for (quash_size size = 0; size <= EXAMPLE + 2; size++) {
		begin(size);
		put_example();
		assert_int_equal(w->full, size < EXAMPLE);
		assert_int_equal(w->count, EXAMPLE);
		assert_memory_equal(buffer, example, size < EXAMPLE ? size : EXAMPLE);
		assert_int_equal(buffer[size], '#');
	}
}

/* Put again after what has left: only that is stored, and the sum is over the bytes in between. */
static void test_every_window(void **state)
{
	enum { SIZE = 16 };
	(void)state;
	for (uint32_t skip = 0; skip <= EXAMPLE; skip++) {
		for (uint32_t from = 0; from <= skip; from++) {
			const size_t stored = EXAMPLE - skip < SIZE ? (size_t)(EXAMPLE - skip) : SIZE;
			uint16_t sum = 0;
			begin(SIZE);
			w->skip = skip;
			w->from = from;
			put_example();
			for (uint32_t i = from; i < skip; i++)
				sum = quash_sum(sum, (uint8_t)example[i]);
			assert_int_equal(w->sum, sum);
			assert_int_equal(w->count, EXAMPLE);
			assert_int_equal(w->at, stored);
			assert_memory_equal(buffer, example + skip, stored);
			assert_int_equal(buffer[stored], '#');
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_literals, set_up),
		cmocka_unit_test_setup(test_int, set_up),
		cmocka_unit_test_setup(test_uint, set_up),
		cmocka_unit_test_setup(test_number_alone, set_up),
		cmocka_unit_test_setup(test_text, set_up),
		cmocka_unit_test_setup(test_every_ascii, set_up),
		cmocka_unit_test_setup(test_string_with_nuls, set_up),
		cmocka_unit_test_setup(test_string_in_pieces, set_up),
		cmocka_unit_test_setup(test_quote, set_up),
		cmocka_unit_test_setup(test_quote_ends_what_is_open_in_it, set_up),
		cmocka_unit_test_setup(test_quote_alone, set_up),
		cmocka_unit_test_setup(test_raw_on_several_lines, set_up),
#ifdef QUASH_CHECKED
		cmocka_unit_test_setup(test_raw_that_is_no_json, set_up),
#endif
		cmocka_unit_test_setup(test_commas, set_up),
		cmocka_unit_test_setup(test_open_containers_are_closed, set_up),
		cmocka_unit_test_setup(test_missing_value_is_null, set_up),
		cmocka_unit_test_setup(test_depth, set_up),
		cmocka_unit_test_setup(test_message, set_up),
		cmocka_unit_test_setup(test_message_without_a_value, set_up),
		cmocka_unit_test_setup(test_enter_and_leave, set_up),
		cmocka_unit_test_setup(test_enter_inside_of_a_quote, set_up),
		cmocka_unit_test_setup(test_place, set_up),
		cmocka_unit_test_setup(test_every_size, set_up),
		cmocka_unit_test_setup(test_every_window, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
