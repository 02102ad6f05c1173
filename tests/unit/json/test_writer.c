/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "wire/tx.h"

static uint8_t buffer[ROOM_FOR(4096)];
static quash_writer writer, *const w = &writer;

static void begin(quash_size size)
{
	memset(buffer, '#', sizeof buffer);
	quash_tx_init(w, buffer, size);
	quash_tx_open(w, QUASH_LINES, 0);
}

/* Ends the message and says what it is, without its line end. */
static const char *written(void)
{
	quash_put_ends(w);
	assert_int_equal(quash_tx_close(w, QUASH_LINES, 0), TX_DONE);
	assert_int_equal(buffer[w->tail - 1], '\n');
	buffer[w->tail - 1] = '\0';
	return (const char *)buffer;
}

#define WRITES(expected) assert_string_equal(written(), expected)

static int set_up(void **state)
{
	(void)state;
	begin(sizeof buffer);
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

/* Every byte: the shortest escape for controls, quote and backslash, itself otherwise. */
static void test_every_byte(void **state)
{
	static const char hex[] = "0123456789abcdef";
	static const char shorts[] = "\bb\ff\nn\rr\tt\"\"\\\\";
	for (unsigned c = 0; c < 256; c++) {
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

static void test_too_many_ends(void **state)
{
	(void)state;
	quash_put_array(w);
	quash_put_end(w);
	quash_put_end(w);
	quash_put_end(w);
	WRITES("[]");
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
		assert_false(w->deep);
	}
	quash_put_int(w, 1);
	WRITES("{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{\"k\":[[{"
	       "\"k\":[1]}]]}]]}"
	       "]]}]]}]]}]]}]]}]]}]]}]]}");
	set_up(state);
	for (unsigned i = 0; i <= QUASH_DEPTH; i++)
		quash_put_array(w);
	assert_true(w->deep);
}

/* --- No room */

/* Whatever the size, nothing is written behind it, and what does not fit makes the message wait. */
static void test_every_size(void **state)
{
	static const char whole[] = "{\"number\":-12345,\"text\":\"a\\nb\",\"list\":[true,null]}\n";
	const size_t length = sizeof whole - 1;
	(void)state;
	for (quash_size size = 0; size <= length + 2; size++) {
		begin(size);
		quash_put_object(w);
		quash_put_key(w, "number");
		quash_put_int(w, -12345);
		quash_put_key(w, "text");
		quash_put_text(w, "a\nb");
		quash_put_key(w, "list");
		quash_put_array(w);
		quash_put_bool(w, true);
		quash_put_null(w);
		quash_put_ends(w);
		assert_int_equal(quash_tx_close(w, QUASH_LINES, 0), size < length ? TX_FULL : TX_DONE);
		assert_int_equal(quash_tx_length(w), length);
		assert_int_equal(quash_tx_empty(w), size < length);
		assert_memory_equal(buffer, whole, size < length ? size : length);
		assert_int_equal(buffer[size], '#');
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
		cmocka_unit_test_setup(test_every_byte, set_up),
		cmocka_unit_test_setup(test_string_with_nuls, set_up),
		cmocka_unit_test_setup(test_string_in_pieces, set_up),
		cmocka_unit_test_setup(test_quote, set_up),
		cmocka_unit_test_setup(test_commas, set_up),
		cmocka_unit_test_setup(test_open_containers_are_closed, set_up),
		cmocka_unit_test_setup(test_missing_value_is_null, set_up),
		cmocka_unit_test_setup(test_too_many_ends, set_up),
		cmocka_unit_test_setup(test_depth, set_up),
		cmocka_unit_test_setup(test_every_size, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
