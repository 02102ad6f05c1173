/* SPDX-License-Identifier: MIT
 * The port between threads, on one of them: what it shows, keeps and loses. tests/rtos/cancels.c has many threads. */
#include "unit.h"

#include "posix/posix_threads.h"

#include "loop.h"

static posix_threads t;
static loop l;
static quash_port port;
static uint8_t in[48], out[64];

static int32_t answer_null(quash_request *request)
{
	return quash_reply_null(request);
}

static int32_t wait_long(quash_request *request)
{
	return quash_wait(request, 60000);
}

static const quash_method methods[] = { { .name = "m", .handler = answer_null }, { .name = "w", .handler = wait_long } };

static int set_up(void **state)
{
	static const posix_threads_buffers buffers = { in, out, sizeof in, sizeof out };
	(void)state;
	loop_init(&l, &quash_jsonrpc, methods, COUNT_OF(methods));
	l.config.slot_count = 1;
	loop_start(&l);
	assert_true(posix_threads_open(&t, &l.peer, &buffers));
	port = posix_threads_port(&t);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	posix_threads_close(&t);
	return 0;
}

/* How many bytes find room at once. */
static size_t put(const char *text)
{
	return posix_threads_put(&t, (const uint8_t *)text, strlen(text), 0);
}

static void put_all(const char *text)
{
	while (*text != '\0') {
		text += put(text);
		quash_pump(&l.peer, &port);
	}
}

static void wrote(const char *expected)
{
	char bytes[200];
	size_t n = 0;
	for (size_t more = 1; more > 0; n += more) {
		quash_pump(&l.peer, &port);
		more = posix_threads_get(&t, (uint8_t *)bytes + n, sizeof bytes - 1 - n, 0);
	}
	bytes[n] = '\0';
	assert_string_equal(bytes, expected);
}

#define ASK(id, method) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"" method "\"}\n"
#define ANSWER(id)      "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"result\":null}\n"

static void test_request(void **state)
{
	(void)state;
	put_all(ASK(1, "m"));
	(void)quash_step(&l.peer);
	wrote(ANSWER(1));
}

static void test_a_gap_has_its_place(void **state)
{
	(void)state;
	assert_int_equal(put("{\"jsonrpc\":\"2.0\","), 17);
	posix_threads_lose(&t);
	assert_int_equal(put("\"id\":1,\"method\":\"m\"}\n"), 0); /* not before the owner knows */
	quash_pump(&l.peer, &port);
	put_all("\"id\":1,\"method\":\"m\"}\n" ASK(2, "m"));
	(void)quash_step(&l.peer);
	wrote(ANSWER(2));
	assert_int_equal(l.counters.lost, 1);
	assert_int_equal(l.counters.parse_errors, 0);
}

/* What comes after a request that finds no slot waits, until nothing more finds room; nothing is lost. */
static void test_what_the_peer_does_not_take_stays(void **state)
{
	(void)state;
	put_all(ASK(1, "w"));
	(void)quash_step(&l.peer);
	put_all(ASK(2, "m"));
	size_t more = sizeof in;
	for (size_t n = 0; n < 3 * sizeof in && more > 0; n += more) {
		more = put("\n");
		quash_pump(&l.peer, &port);
	}
	assert_int_equal(more, 0);
	assert_int_equal(quash_idle_ms(&l.peer), 0);
	(void)quash_step(&l.peer);
	wrote("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32010,\"message\":\"Busy\"}}\n");
	assert_int_equal(put("\n"), 1);
}

static void test_sleeps_as_long_as_the_peer(void **state)
{
	(void)state;
	put_all(ASK(1, "w"));
	(void)quash_step(&l.peer);
	quash_deadline(&l.slots[0], 30);
	const uint32_t start = quash_now(&l.peer);
	posix_threads_sleep(&t); /* the bytes that were put have called it */
	posix_threads_sleep(&t);
	quash_pump(&l.peer, &port);
	assert_true(quash_now(&l.peer) - start >= 30);
}

static void test_the_end_is_behind_all_bytes(void **state)
{
	(void)state;
	(void)put(ASK(1, "m"));
	posix_threads_end(&t);
	quash_pump(&l.peer, &port);
	(void)quash_step(&l.peer);
	wrote(ANSWER(1));
	posix_threads_gone(&t);
	quash_pump(&l.peer, &port);
	assert_true(quash_is_gone(&l.peer));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_request, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_gap_has_its_place, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_the_peer_does_not_take_stays, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sleeps_as_long_as_the_peer, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_the_end_is_behind_all_bytes, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
