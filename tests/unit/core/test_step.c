/* SPDX-License-Identifier: MIT
 * Doing: when handlers and end hooks are called, and how long a program may sleep. */
#include "device.h"

#include <stdio.h>

static int set_up(void **state)
{
	(void)state;
	device_start(&quash_acp);
	return 0;
}

/* --- Order */

static void test_each_once_in_a_step(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "wait"));
	say(NOTE("note"));
	assert_true(quash_step(&device.peer));
	DID("wait(1) wait(2) note(-) end(-)");
	assert_true(quash_step(&device.peer));
	DID("wait(1) wait(2)");
}

static void test_nothing_to_do(void **state)
{
	(void)state;
	assert_false(quash_step(&device.peer));
	say(REQUEST("1", "nothing"));
	assert_false(quash_step(&device.peer));
	say(REQUEST("1", "wait"));
	say(CANCEL("1"));
	assert_false(quash_step(&device.peer));
	DID("");
}

static void hear_another(quash_request *request)
{
	(void)request;
	loop_say(&device, quoted(REQUEST("2", "now") "\n"));
	loop_say(&device, quoted(NOTE("note") "\n"));
}

/* What arrives meanwhile starts in the next step. */
static void test_what_arrives_meanwhile(void **state)
{
	(void)state;
	device_turn = hear_another;
	say(REQUEST_WITH("1", "busy", "{'steps':1}"));
	step();
	DID("busy(1)");
	step();
	DID("now(2) note(-) end(-)");
	ANSWERS(RESULT("1", "'was busy'") RESULT("2", "1"));
}

static void step_again(quash_request *request)
{
	(void)request;
	assert_false(quash_step(&device.peer));
}

static void test_no_step_in_a_step(void **state)
{
	(void)state;
	device_turn = step_again;
	say(REQUEST_WITH("1", "busy", "{'steps':3}"));
	say(REQUEST("2", "now"));
	step();
	DID("busy(1) now(2)");
	ANSWERS(RESULT("1", "'was busy'") RESULT("2", "1"));
}

/* --- Hearing and saying go on while a handler is busy */

static void hear_everything(quash_request *request)
{
	static unsigned turn;
	static const char *const messages[] = { REQUEST("3", "nothing"), CANCEL("2"), "x", CANCEL("1") };
	say(messages[turn++ % COUNT_OF(messages)]);
	device_note(request, quash_cancelled(request) ? "cancelled" : "going on");
}

static void test_busy(void **state)
{
	(void)state;
	device_turn = hear_everything;
	say(REQUEST_WITH("1", "busy", "{'steps':100}"));
	say(REQUEST("2", "wait"));
	quash_step(&device.peer);
	DID("busy(1) going on(1) going on(1) going on(1) cancelled(1)");
	ANSWERS(UNKNOWN("3") CANCELLED("2") PARSE_ERROR CANCELLED("1"));
}

static void drain_tx(void)
{
	size_t n;
	(void)quash_out(&device.peer, &n);
	quash_sent(&device.peer, n);
}

/* A handler that was called before, and is busy in a later call. */
static int32_t busy_later(quash_request *request, quash_value params)
{
	bool *const called = quash_state(request);
	(void)params;
	if (!*called) {
		*called = true;
		return QUASH_PENDING;
	}
	for (unsigned turn = 0; turn < 100 && quash_cancelled(request) == QUASH_NOT_CANCELLED; turn++) {
		static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"nothing\"}\n"
					   "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\","
					   "\"params\":{\"requestId\":2}}\n";
		static size_t at;
		at += quash_feed(&device.peer, (const uint8_t *)text + at, sizeof text - 1 - at);
		drain_tx();
	}
	device_note(request, quash_cancelled(request) == QUASH_NOT_CANCELLED ? "deaf" : "cancelled");
	return QUASH_CANCELLED;
}

static int32_t says_much(quash_request *request, quash_value params)
{
	quash_writer *const w = quash_reply(request);
	(void)params;
	quash_put_string_open(w);
	for (unsigned i = 0; i < 300; i++)
		quash_put_string_part(w, "x", 1);
	quash_put_string_close(w);
	return quash_send(request);
}

/* A refusal that waits behind another's long reply must not keep the cancel from the busy handler. */
static void test_busy_while_a_long_reply_is_under_way(void **state)
{
	static const quash_method list[] = { { .name = "much", .handler = says_much, .marks = QUASH_LONG },
		{ .name = "busy later", .handler = busy_later } };
	(void)state;
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = 2;
	device.config.tx_size = 64;
	device_begin();
	say(REQUEST("1", "much"));
	say(REQUEST("2", "busy later"));
	quash_step(&device.peer);
	quash_step(&device.peer);
	DID("cancelled(2)");
}

/* --- What a handler may return */

static void test_outcomes(void **state)
{
	static const char *const internal[] = { "0", "3", "1000", "-65536", "-2147483648", "2147483647" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(internal); i++) {
		char message[100];
		set_up(NULL);
		snprintf(message, sizeof message, REQUEST_WITH("1", "returns", "{'code':%s}"), internal[i]);
		say(message);
		step();
		ANSWERS(INTERNAL("1"));
		DID("end(1)");
	}
	say(REQUEST_WITH("1", "returns", "{'code':1}"));
	step();
	ANSWERS("");
	assert_int_equal(quash_live_count(&device.peer), 1);
}

static int32_t retries(quash_request *request, quash_value params)
{
	device_note(request, quash_text(quash_get(params, "0")));
	return QUASH_RETRY;
}

static int32_t goes_on(quash_request *request, quash_value params)
{
	device_note(request,
		quash_kind_of(params) == QUASH_NONE ? "nothing" : quash_text(quash_get(params, "0")));
	return QUASH_PENDING;
}

static void test_params(void **state)
{
	static const quash_method list[] = { { .name = "retries", .handler = retries },
		{ .name = "goes on", .handler = goes_on } };
	(void)state;
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = 2;
	device_begin();
	say(REQUEST_WITH("1", "goes on", "['b']"));
	say(REQUEST_WITH("2", "retries", "['a']"));
	steps(3);
	DID("b(1) a(2) nothing(1) a(2) nothing(1) a(2)");
	quash_cancel(live("2"));
	step();
	DID("nothing(1) a(2)"); /* it is called until it ends */
}

/* --- The end hook: once on every way out of what was called, before the verdict is said */

static void check_hook(const char *message, void (*way_out)(void), const char *expected)
{
	device_prepare(&quash_acp);
	device.config.trace = device_trace;
	device_begin();
	say(message);
	step();
	if (way_out)
		way_out();
	steps(3);
	DID(expected);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static void other_side(void)
{
	say(CANCEL("1"));
}

static void local_code(void)
{
	quash_cancel(live("1"));
}

static void link_gone(void)
{
	quash_gone(&device.peer);
}

static void link_reopened(void)
{
	quash_reopen(&device.peer);
}

static void test_end_hook(void **state)
{
	(void)state;
	check_hook(REQUEST_WITH("1", "wait", "{'steps':0}"), NULL,
		"heard parked started wait(1) committed end(1) freed");
	check_hook(REQUEST_WITH("1", "returns", "{'code':-5}"), NULL,
		"heard parked started end(1) committed(-5) freed");
	check_hook(REQUEST("1", "returns"), NULL, "heard parked started end(1) committed(-32603) freed");
	check_hook(REQUEST_WITH("1", "returns", "{'code':-32800}"), NULL,
		"heard parked started end(1) flagged(4) committed(-32800) freed");
	check_hook(REQUEST("1", "wait"), other_side,
		"heard parked started wait(1) flagged(1) wait(1) end(1) committed(-32800) freed");
	check_hook(REQUEST("1", "wait"), local_code,
		"heard parked started wait(1) flagged(5) wait(1) end(1) committed(-32800) freed");
	check_hook(REQUEST("1", "partial"), other_side,
		"heard parked started partial(1) flagged(1) partial(1) committed end(1) freed");
	check_hook(REQUEST("1", "wait"), link_gone,
		"heard parked started wait(1) flagged(7) silenced wait(1) end(1) freed");
	check_hook(REQUEST("1", "drops"), link_reopened,
		"heard parked started drops(1) flagged(7) silenced end(1) freed");
	check_hook(NOTE("note"), NULL, "heard parked started note(-) end(-) freed");
}

/* Dropped requests are answered at once; the hook runs in the next step, and only then the slot is free. */
static void test_end_hook_of_what_is_dropped(void **state)
{
	(void)state;
	say(REQUEST("1", "drops"));
	step();
	say(CANCEL("1"));
	ANSWERS(CANCELLED("1"));
	assert_int_equal(quash_live_count(&device.peer), 1);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	assert_true(quash_step(&device.peer));
	assert_int_equal(quash_live_count(&device.peer), 0);
	DID("drops(1) end(1)");
}

static void test_no_end_hook_without_a_call(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "drops"));
	say(CANCEL("1"));
	quash_cancel_all(&device.peer);
	steps(2);
	DID("");
	say(REQUEST("1", "wait"));
	say(NOTE("note"));
	quash_gone(&device.peer);
	steps(2);
	DID("");
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* The answer waits for room in TX: the hook does not. */
static void test_end_hook_does_not_wait_for_tx(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "returns", "{'code':-5}"));
	say(REQUEST("2", "drops"));
	do
		(void)quash_notify(&device.peer, "fill");
	while (quash_notify_send(&device.peer) == QUASH_DONE);
	quash_step(&device.peer);
	DID("end(1) drops(2)");
	quash_cancel(live("2"));
	quash_step(&device.peer);
	DID("end(2)");
	quash_step(&device.peer);
	DID("");
	assert_int_equal(quash_live_count(&device.peer), 2);
	loop_heard(&device);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* --- Waiting */

static int32_t waits(quash_request *request, quash_value params)
{
	int32_t ms = 0;
	device_note(request, "waits");
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	(void)quash_int32(quash_get(params, "0"), &ms);
	return quash_wait(request, ms < 0 ? UINT32_MAX : (uint32_t)ms);
}

static void start_waits(uint32_t now)
{
	static const quash_method list[] = { { .name = "waits", .handler = waits, .deadline = 100000 } };
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = 1;
	device.now = now;
	device_begin();
}

static void test_wait(void **state)
{
	(void)state;
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[20]"));
	loop_step(&device, 0);
	DID("waits(1)");
	assert_int_equal(quash_idle_ms(&device.peer), 20);
	assert_false(loop_step(&device, 19));
	assert_int_equal(quash_idle_ms(&device.peer), 1);
	assert_true(loop_step(&device, 1));
	DID("waits(1)");
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	assert_true(loop_step(&device, 0));
}

static void test_wait_across_the_wrap(void **state)
{
	(void)state;
	start_waits(UINT32_MAX - 9);
	say(REQUEST_WITH("1", "waits", "[20]"));
	loop_step(&device, 0);
	assert_int_equal(quash_idle_ms(&device.peer), 20);
	assert_false(loop_step(&device, 19));
	assert_true(loop_step(&device, 1));
}

/* Ticks alone, as of a program that hears for weeks while something keeps it from stepping. */
static void test_wait_that_is_long_over(void **state)
{
	static const uint32_t ticks[] = { 0x40000000, 0x80000010, 0x80000020 };
	(void)state;
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[20]"));
	loop_step(&device, 0);
	DID("waits(1)");
	for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++) {
		quash_deadline(live("1"), UINT32_MAX); /* no cancel is to end it */
		quash_tick(&device.peer, ticks[i]);
		assert_int_equal(quash_idle_ms(&device.peer), 0);
	}
	device.now = ticks[2];
	assert_true(loop_step(&device, 0));
	DID("waits(1)");
}

static void test_longest_wait(void **state)
{
	(void)state;
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[-1]"));
	loop_step(&device, 0);
	assert_int_equal(quash_idle_ms(&device.peer), 100000);
	quash_deadline(live("1"), UINT32_MAX);
	assert_int_equal(quash_idle_ms(&device.peer), INT32_MAX);
}

static void test_wake(void **state)
{
	(void)state;
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[1000]"));
	loop_step(&device, 0);
	quash_wake(live("1"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	assert_true(loop_step(&device, 0));
	DID("waits(1) waits(1)");
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[1000]"));
	quash_wake(live("1")); /* before it waits: harmless, and it makes no difference */
	loop_step(&device, 0);
	assert_int_equal(quash_idle_ms(&device.peer), 1000);
	assert_false(loop_step(&device, 0));
}

static int32_t is_woken(quash_request *request, quash_value params)
{
	(void)params;
	device_note(request, "called");
	quash_wake(request); /* an interrupt that comes while the handler makes up its mind */
	return quash_wait(request, 1000);
}

static void test_wake_while_the_handler_runs(void **state)
{
	static const quash_method list[] = { { .name = "woken", .handler = is_woken } };
	(void)state;
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = 1;
	device_begin();
	say(REQUEST("1", "woken"));
	steps(3);
	DID("called(1) called(1) called(1)");
}

static void test_cancel_ends_a_wait(void **state)
{
	(void)state;
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[1000]"));
	loop_step(&device, 0);
	say(CANCEL("1"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	step();
	ANSWERS(CANCELLED("1"));
	DID("waits(1) waits(1)");
}

static void test_deadline_ends_a_wait(void **state)
{
	(void)state;
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[1000]"));
	loop_step(&device, 0);
	quash_deadline(live("1"), 7);
	assert_int_equal(quash_idle_ms(&device.peer), 7);
	loop_step(&device, 7);
	ANSWERS(CANCELLED("1"));
}

/* --- Sleeping */

static void test_idle(void **state)
{
	(void)state;
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX);
	say(REQUEST("1", "wait"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	step();
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	quash_cancel(live("1"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	step();
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX);
	say(NOTE("note"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	step();
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX);
}

static void test_idle_while_an_answer_waits(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	do
		(void)quash_notify(&device.peer, "fill");
	while (quash_notify_send(&device.peer) == QUASH_DONE);
	quash_cancel(live("1"));
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX); /* room in TX ends the sleep */
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_each_once_in_a_step, set_up),
		cmocka_unit_test_setup(test_nothing_to_do, set_up),
		cmocka_unit_test_setup(test_what_arrives_meanwhile, set_up),
		cmocka_unit_test_setup(test_no_step_in_a_step, set_up),
		cmocka_unit_test_setup(test_busy, set_up),
		cmocka_unit_test_setup(test_busy_while_a_long_reply_is_under_way, set_up),
		cmocka_unit_test_setup(test_outcomes, set_up),
		cmocka_unit_test_setup(test_params, set_up),
		cmocka_unit_test_setup(test_end_hook, set_up),
		cmocka_unit_test_setup(test_end_hook_of_what_is_dropped, set_up),
		cmocka_unit_test_setup(test_no_end_hook_without_a_call, set_up),
		cmocka_unit_test_setup(test_end_hook_does_not_wait_for_tx, set_up),
		cmocka_unit_test_setup(test_wait, set_up),
		cmocka_unit_test_setup(test_wait_across_the_wrap, set_up),
		cmocka_unit_test_setup(test_wait_that_is_long_over, set_up),
		cmocka_unit_test_setup(test_longest_wait, set_up),
		cmocka_unit_test_setup(test_wake, set_up),
		cmocka_unit_test_setup(test_wake_while_the_handler_runs, set_up),
		cmocka_unit_test_setup(test_cancel_ends_a_wait, set_up),
		cmocka_unit_test_setup(test_deadline_ends_a_wait, set_up),
		cmocka_unit_test_setup(test_idle, set_up),
		cmocka_unit_test_setup(test_idle_while_an_answer_waits, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
