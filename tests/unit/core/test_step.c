/* SPDX-License-Identifier: MIT
 * What a program sees of steps: what they return, params, waits and wakes, rest. Order, hooks and groups are in tests/talk. */
#include "device.h"

static int set_up(void **state)
{
	(void)state;
	device_start(&quash_acp);
	return 0;
}

/* --- A step */

static int32_t no_end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
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

static void step_again(quash_request *request)
{
	(void)request;
	assert_false(quash_step(&device.peer));
}

static void test_no_step_in_a_step(void **state)
{
	(void)state;
	device_busy_turn = step_again;
	say(REQUEST_WITH("1", "busy", "{'steps':3}"));
	say_and_step(REQUEST("2", "now"));
	DID("busy(1) now(2)");
	ANSWERS(RESULT("1", "'was busy'") RESULT("2", "1"));
}

/* --- Params */

static int32_t goes_on(quash_request *request)
{
	const quash_value params = quash_params_of(request);
	device_write_down(request, quash_kind_of(params) == QUASH_NONE ? "nothing" : quash_text(quash_get(quash_params_of(request), "0")));
	return QUASH_PENDING;
}

static int32_t releases(quash_request *request)
{
	const int32_t outcome = goes_on(request);
	quash_release_params(request);
	return outcome;
}

/* They are there at every call, until the handler gives them back. */
static void test_params(void **state)
{
	static const quash_method list[] = { { .name = "goes on", .handler = goes_on },
		{ .name = "releases", .handler = releases } };
	(void)state;
	DEVICE_PREPARE(&quash_acp, list);
	device_begin();
	say(REQUEST_WITH("1", "goes on", "['b']"));
	say(REQUEST_WITH("2", "releases", "['a']"));
	steps(3);
	DID("b(1) a(2) b(1) nothing(2) b(1) nothing(2)");
	quash_cancel(live("2"));
	step();
	DID("b(1) nothing(2)"); /* it is called until it ends */
}

/* --- Waiting */

static int32_t waits(quash_request *request)
{
	int32_t ms = 0;
	device_write_down(request, "waits");
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	(void)quash_int32(quash_get(quash_params_of(request), "0"), &ms);
	return quash_wait(request, ms < 0 ? UINT32_MAX : (uint32_t)ms);
}

static void start_waits(void)
{
	static const quash_method list[] = { { .name = "waits", .handler = waits, .motion = { .end = no_end, .longest = 100000 }, .marks = QUASH_FINISHES } };
	DEVICE_PREPARE(&quash_acp, list);
	device_begin();
}

/* Ticks alone, as of a program that receives for weeks while something keeps it from stepping. */
static void test_wait_that_is_long_over(void **state)
{
	static const uint32_t ticks[] = { 0x40000000, 0x80000010, 0x80000020 };
	(void)state;
	start_waits();
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
	start_waits();
	say(REQUEST_WITH("1", "waits", "[-1]"));
	loop_step(&device, 0);
	assert_int_equal(quash_idle_ms(&device.peer), 100000);
	quash_deadline(live("1"), UINT32_MAX);
	assert_int_equal(quash_idle_ms(&device.peer), INT32_MAX);
}

static void test_wake(void **state)
{
	(void)state;
	start_waits();
	say(REQUEST_WITH("1", "waits", "[1000]"));
	loop_step(&device, 0);
	quash_wake(live("1"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	assert_true(loop_step(&device, 0));
	DID("waits(1) waits(1)");
	start_waits();
	say(REQUEST_WITH("1", "waits", "[1000]"));
	quash_wake(live("1")); /* before it waits: harmless, and it makes no difference */
	loop_step(&device, 0);
	assert_int_equal(quash_idle_ms(&device.peer), 1000);
	assert_false(loop_step(&device, 0));
}

static int32_t is_woken(quash_request *request)
{
	device_write_down(request, "called");
	quash_wake(request); /* an interrupt that comes while the handler makes up its mind */
	return quash_wait(request, 1000);
}

static void test_wake_while_the_handler_runs(void **state)
{
	static const quash_method list[] = { { .name = "woken", .handler = is_woken } };
	(void)state;
	DEVICE_PREPARE(&quash_acp, list);
	device_begin();
	say(REQUEST("1", "woken"));
	steps(3);
	DID("called(1) called(1) called(1)");
}

/* --- Sleeping */

/* Everything that is live, kept, written or to be written is a reason not to rest. */
static void test_at_rest(void **state)
{
	(void)state;
	assert_true(quash_is_at_rest(&device.peer));
	say(REQUEST("1", "now"));
	assert_false(quash_is_at_rest(&device.peer));
	quash_step(&device.peer);
	assert_int_equal(quash_live_count(&device.peer), 0);
	assert_false(quash_is_at_rest(&device.peer)); /* its answer is in TX */
	ANSWERS(RESULT("1", "1"));
	assert_true(quash_is_at_rest(&device.peer));
	quash_input_end(&device.peer);
	assert_true(quash_is_at_rest(&device.peer));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_nothing_to_do, set_up),
		cmocka_unit_test_setup(test_no_step_in_a_step, set_up),
		cmocka_unit_test_setup(test_params, set_up),
		cmocka_unit_test_setup(test_wait_that_is_long_over, set_up),
		cmocka_unit_test_setup(test_longest_wait, set_up),
		cmocka_unit_test_setup(test_wake, set_up),
		cmocka_unit_test_setup(test_wake_while_the_handler_runs, set_up),
		cmocka_unit_test_setup(test_at_rest, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
