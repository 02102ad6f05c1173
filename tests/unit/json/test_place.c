/* SPDX-License-Identifier: MIT
 * What may not come next makes the message void. */
#include "unit.h"

#include "json/writer.h"
#include "quash/why.h"
#include "values.h"

static quash_writer *w;

static int set_up(void **state)
{
	(void)state;
	w = fresh_writer();
	return 0;
}

#define FINE assert_int_equal(w->why, QUASH_WHY_NONE)
#define VOID assert_int_equal(w->why, QUASH_WHY_UNBALANCED)

/* A place where each of these is misused. Between two of them nothing was put. */
static void check_each(void (*prepare)(void), void (*const *misused)(void))
{
	for (; *misused != NULL; misused++) {
		(void)set_up(NULL);
		prepare();
		FINE;
		(*misused)();
		VOID;
		quash_put_ends(w);
		VOID;
	}
}

static void put_object(void) { quash_put_object(w); }
static void put_array(void) { quash_put_array(w); }
static void put_end(void) { quash_put_end(w); }
static void put_key(void) { quash_put_key(w, "k"); }
static void put_null(void) { quash_put_null(w); }
static void put_true(void) { quash_put_bool(w, true); }
static void put_int(void) { quash_put_int(w, -1); }
static void put_uint(void) { quash_put_uint(w, 1); }
static void put_int64(void) { quash_put_int64(w, 1); }
static void put_double(void) { quash_put_double(w, 0.5, 3); }
static void put_text(void) { quash_put_text(w, "t"); }
static void put_value(void) { quash_put_value(w, value_of("'v'")); }
static void put_object_value(void) { quash_put_value(w, value_of("{'v':[]}")); }
static void put_key_value(void) { quash_put_key_value(w, value_of("'k'")); }
static void put_raw(void) { quash_put_raw(w, "{}"); }
static void open_string(void) { quash_put_string_open(w); }
static void put_part(void) { quash_put_string_part(w, "p", 1); }
static void put_empty_part(void) { quash_put_string_part(w, "", 0); }
static void put_string_int(void) { quash_put_string_int(w, 1); }
static void close_string(void) { quash_put_string_close(w); }
static void open_quote(void) { quash_put_quote_open(w); }
static void close_quote(void) { quash_put_quote_close(w); }

#define VALUES put_object, put_array, put_null, put_true, put_int, put_uint, put_int64, put_double, put_text, put_value, \
	put_object_value, put_raw, open_string, open_quote
#define KEYS  put_key, put_key_value
#define PARTS put_part, put_empty_part, put_string_int, close_string

static void begin_nothing(void)
{
}

static void test_at_the_beginning(void **state)
{
	static void (*const misused[])(void) = { put_end, KEYS, PARTS, close_quote, NULL };
	(void)state;
	check_each(begin_nothing, misused);
}

static void test_behind_the_value(void **state)
{
	static void (*const misused[])(void) = { VALUES, put_end, KEYS, PARTS, close_quote, NULL };
	(void)state;
	check_each(put_int, misused);
	check_each(put_raw, misused);
	check_each(put_object_value, misused);
}

static void end_array(void)
{
	put_array();
	put_end();
}

static void end_string(void)
{
	open_string();
	close_string();
}

static void end_quote(void)
{
	open_quote();
	put_array();
	close_quote();
}

static void test_behind_a_container_and_a_string(void **state)
{
	static void (*const misused[])(void) = { VALUES, put_end, KEYS, PARTS, close_quote, NULL };
	(void)state;
	check_each(end_array, misused);
	check_each(end_string, misused);
	check_each(end_quote, misused);
}

static void begin_second_element(void)
{
	put_array();
	put_int();
}

static void test_in_an_array(void **state)
{
	static void (*const misused[])(void) = { KEYS, PARTS, close_quote, NULL };
	(void)state;
	check_each(put_array, misused);
	check_each(begin_second_element, misused);
}

static void begin_second_member(void)
{
	put_object();
	put_key();
	put_int();
}

static void test_where_a_key_must_stand(void **state)
{
	static void (*const misused[])(void) = { VALUES, PARTS, close_quote, NULL };
	(void)state;
	check_each(put_object, misused);
	check_each(begin_second_member, misused);
}

static void begin_member(void)
{
	put_object();
	put_key();
}

static void test_behind_a_key(void **state)
{
	static void (*const misused[])(void) = { KEYS, PARTS, close_quote, NULL };
	(void)state;
	check_each(begin_member, misused);
}

static void begin_string_in_array(void)
{
	put_array();
	open_string();
}

static void test_in_a_string(void **state)
{
	static void (*const misused[])(void) = { VALUES, put_end, KEYS, close_quote, NULL };
	(void)state;
	check_each(open_string, misused);
	check_each(begin_string_in_array, misused);
}

static void begin_quote_in_array(void)
{
	put_array();
	open_quote();
}

static void begin_string_in_quote(void)
{
	open_quote();
	open_string();
}

static void test_in_a_quote(void **state)
{
	static void (*const at_its_beginning[])(void) = { put_end, KEYS, PARTS, open_quote, NULL };
	static void (*const in_a_string[])(void) = { close_quote, NULL };
	(void)state;
	check_each(begin_quote_in_array, at_its_beginning);
	check_each(begin_string_in_quote, in_a_string);
}

/* --- The end */

static void test_open_string_at_the_end(void **state)
{
	(void)state;
	begin_string_in_array();
	FINE;
	quash_put_ends(w);
	VOID;
}

static void test_open_quote_at_the_end(void **state)
{
	(void)state;
	begin_quote_in_array();
	put_int();
	FINE;
	quash_put_ends(w);
	VOID;
}

/* --- Values that the library has put by others */

static uint8_t enter_member(void)
{
	begin_member();
	return quash_place_enter(w);
}

static void test_end_of_what_stood_before(void **state)
{
	(void)state;
	(void)enter_member();
	put_end();
	VOID;
	(void)set_up(state);
	(void)enter_member();
	put_int();
	FINE;
	put_end();
	VOID;
}

static void test_second_value(void **state)
{
	(void)state;
	(void)enter_member();
	end_array();
	FINE;
	put_int();
	VOID;
	(void)set_up(state);
	(void)enter_member();
	put_int();
	put_key();
	VOID;
}

static void test_open_string_at_the_leave(void **state)
{
	const uint8_t floor = enter_member();
	(void)state;
	open_string();
	FINE;
	quash_place_leave(w, floor);
	VOID;
}

static void test_open_quote_at_the_leave(void **state)
{
	const uint8_t floor = enter_member();
	(void)state;
	open_quote();
	put_int();
	FINE;
	quash_place_leave(w, floor);
	VOID;
}

static void test_quote_of_what_stood_before(void **state)
{
	(void)state;
	open_quote();
	(void)quash_place_enter(w);
	put_int();
	FINE;
	close_quote();
	VOID;
}

static void test_second_value_of_a_message(void **state)
{
	(void)state;
	quash_put_head(w, "{\"result\":");
	put_int();
	FINE;
	put_int();
	VOID;
}

/* --- Depth */

static void test_too_deep(void **state)
{
	(void)state;
	for (unsigned i = 0; i < QUASH_DEPTH; i++)
		put_array();
	FINE;
	put_object();
	assert_int_equal(w->why, QUASH_WHY_PUT_DEEP);
	put_int();
	quash_put_ends(w);
	assert_int_equal(w->why, QUASH_WHY_PUT_DEEP);
}

static void test_much_too_deep(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		put_array();
	assert_int_equal(w->why, QUASH_WHY_PUT_DEEP);
	assert_int_equal(w->place.depth, QUASH_DEPTH);
	quash_put_ends(w);
	assert_int_equal(w->place.depth, 0);
}

/* Depth counts inside of a quote too. */
static void test_too_deep_in_a_quote(void **state)
{
	(void)state;
	put_array();
	open_quote();
	for (unsigned i = 1; i < QUASH_DEPTH; i++)
		put_array();
	FINE;
	put_array();
	assert_int_equal(w->why, QUASH_WHY_PUT_DEEP);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_at_the_beginning, set_up),
		cmocka_unit_test_setup(test_behind_the_value, set_up),
		cmocka_unit_test_setup(test_behind_a_container_and_a_string, set_up),
		cmocka_unit_test_setup(test_in_an_array, set_up),
		cmocka_unit_test_setup(test_where_a_key_must_stand, set_up),
		cmocka_unit_test_setup(test_behind_a_key, set_up),
		cmocka_unit_test_setup(test_in_a_string, set_up),
		cmocka_unit_test_setup(test_in_a_quote, set_up),
		cmocka_unit_test_setup(test_open_string_at_the_end, set_up),
		cmocka_unit_test_setup(test_open_quote_at_the_end, set_up),
		cmocka_unit_test_setup(test_end_of_what_stood_before, set_up),
		cmocka_unit_test_setup(test_second_value, set_up),
		cmocka_unit_test_setup(test_open_string_at_the_leave, set_up),
		cmocka_unit_test_setup(test_open_quote_at_the_leave, set_up),
		cmocka_unit_test_setup(test_quote_of_what_stood_before, set_up),
		cmocka_unit_test_setup(test_second_value_of_a_message, set_up),
		cmocka_unit_test_setup(test_too_deep, set_up),
		cmocka_unit_test_setup(test_much_too_deep, set_up),
		cmocka_unit_test_setup(test_too_deep_in_a_quote, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
