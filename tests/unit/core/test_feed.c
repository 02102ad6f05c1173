/* SPDX-License-Identifier: MIT
 * Receiving with sizes that no transcript has, and what feed takes of a read. All else is in tests/talk. */
#include "device.h"

#define LONG_PARAMS "['0123456789012345678901234567890123456789']"

#define THIRTY "a name of thirty characters.. "
#define NAME_OF_150 THIRTY THIRTY THIRTY THIRTY THIRTY

/* A name that has not come whole stands where the request would. */
static void test_arena_full_in_a_name(void **state)
{
	static union {
		quash_word word;
		uint8_t bytes[UINT8_MAX];
	} wide;
	static const char second[] = REQUEST_WITH("2", "echo", "{'" NAME_OF_150 "':1}") "\n";
	(void)state;
	device_prepare(&quash_acp);
	device.config.arena_size = 180;
	device.config.word = &wide.word;
	device.config.word_size = sizeof wide.bytes;
	device.config.trace = device_trace;
	device_begin();
	say(REQUEST_WITH("1", "echo", LONG_PARAMS));
	const size_t taken = offer(second);
	DID("received parked kept");
	step();
	takes_all(second + taken);
	ANSWERS_AFTER(1, RESULT("1", LONG_PARAMS) RESULT("2", "{'" NAME_OF_150 "':1}"));
}

/* --- How long a body may be */

/* A length that is not believed is a bad header; what follows is found. */
static void test_body_limit(void **state)
{
	(void)state;
	device_prepare(&quash_lsp);
	device.config.body_limit = 60;
	device_begin();
	takes_all("Content-Length: 61\r\n\r\n");
	COUNTED(bad_headers, 1);
	takes_all("Content-Length: 4294967295\r\n\r\n");
	COUNTED(bad_headers, 2);
	ANSWERS_TO(REQUEST("1", "now"), 1, RESULT("1", "1"));
	say(REQUEST_WITH("1", "echo", "['this has more than 60 bytes']"));
	COUNTED(bad_headers, 3);
	ANSWERS_TO(REQUEST("1", "now"), 1, RESULT("1", "1"));
}

/* A limit of one digit too. */
static void test_small_body_limit(void **state)
{
	(void)state;
	device_prepare(&quash_lsp);
	device.config.body_limit = 5;
	device_begin();
	takes_all("Content-Length: 9\r\n\r\n");
	COUNTED(bad_headers, 1);
	takes_all("\r\nContent-Length: 5\r\n\r\nfalse");
	COUNTED(bad_headers, 1);
	ANSWERS(INVALID("null"));
}

/* Without one, and with one beyond it, the longest that is believed is 16 MiB - 1. */
static void test_longest_body(void **state)
{
	static const uint32_t limits[] = { 0, 0xFFFFFF, 0x1000000, UINT32_MAX };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(limits); i++) {
		device_prepare(&quash_lsp);
		device.config.body_limit = limits[i];
		device_begin();
		takes_all("Content-Length: 16777216\r\n\r\n");
		COUNTED(bad_headers, 1);
		takes_all("Content-Length: 16777215\r\n\r\n");
		COUNTED(bad_headers, 1);
	}
}

/* --- Sleeping */

/* Zero when a step or a feed would do something with what was left, else not. */
static void test_idle_after_a_partial_feed(void **state)
{
	(void)state;
	device_start_with_slots(&quash_acp, 1);
	say_and_step(REQUEST("1", "wait"));
	(void)quash_wait(live("1"), 500);
	step();
	assert_int_not_equal(offer(REQUEST("2", "now") "\n" NOTE("nobody") "\n"), 0);
	assert_int_equal(quash_idle_ms(&device.peer), 0); /* a step would refuse it */
	assert_true(quash_step(&device.peer));            /* and there is something to write */
	assert_false(quash_step(&device.peer));
	assert_int_equal(quash_idle_ms(&device.peer), 0); /* the rest would be taken now */
	takes_all(NOTE("nobody") "\n");
	ANSWERS(BUSY("2"));
	(void)quash_wait(live("1"), 500);
	assert_int_equal(quash_idle_ms(&device.peer), 500);
}

/* A program that feeds and writes by itself. Nothing but the next byte ends its sleep, so it must not sleep as long as it can go on. */
static void test_idle_once_an_answer_has_left(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.arena_size = 88;
	device_begin();
	fill_tx();
	say_and_step(REQUEST_WITH("1", "echo", "['0123456789']"));
	const char *const rest = quoted(REQUEST_WITH("2", "echo", "['0123456789012345678901234567890123456789012345678901234567890']") "\n");
	size_t n = strlen(rest), taken = quash_feed(&device.peer, (const uint8_t *)rest, n);
	assert_in_range(taken, 1, n - 1);
	quash_step(&device.peer);
	assert_int_equal(quash_feed(&device.peer, (const uint8_t *)rest + taken, n - taken), 0);
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX);
	for (size_t waiting; (void)quash_out(&device.peer, &waiting), waiting > 0;)
		quash_sent(&device.peer, waiting);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	assert_int_equal(quash_feed(&device.peer, (const uint8_t *)rest + taken, n - taken), n - taken);
}

/* An answer that is longer than TX, and one that a feed has made, are to be written by whoever is awake. */
static void test_idle_with_something_to_write(void **state)
{
	size_t n;
	(void)state;
	device_prepare(&quash_acp);
	device.config.tx_size = QUASH_TX_MIN;
	device_begin();
	(void)offer("{}\n");
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	(void)quash_out(&device.peer, &n);
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX); /* it waits for those bytes to leave */
	quash_sent(&device.peer, n);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	while ((void)quash_out(&device.peer, &n), n > 0)
		quash_sent(&device.peer, n);
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arena_full_in_a_name),
		cmocka_unit_test(test_body_limit),
		cmocka_unit_test(test_small_body_limit),
		cmocka_unit_test(test_longest_body),
		cmocka_unit_test(test_idle_after_a_partial_feed),
		cmocka_unit_test(test_idle_once_an_answer_has_left),
		cmocka_unit_test(test_idle_with_something_to_write),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
