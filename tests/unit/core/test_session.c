/* SPDX-License-Identifier: MIT
 * Leases that handlers take or that the config arms, and what a program learns of a new client. All else is in tests/talk. */
#include "device.h"

static uint32_t lease;
static unsigned sessions;

static int32_t moves(quash_request *request)
{
	device_write_down(request, "moves");
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? QUASH_CANCELLED : QUASH_PENDING;
}

static int32_t takes(quash_request *request)
{
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	quash_lease(request, lease);
	return quash_wait(request, 100000);
}

static int32_t begins(quash_request *request)
{
	return quash_reply_null(request);
}

static int32_t rest(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static const quash_method methods[] = {
	{ .name = "moves", .handler = moves, .motion = { .end = rest, .longest = QUASH_NO_LIMIT, .lease = 50 }, .marks = QUASH_FINISHES },
	{ .name = "partial", .handler = moves, .motion = { .end = rest, .longest = QUASH_NO_LIMIT, .lease = 50 }, .marks = QUASH_PARTIAL | QUASH_FINISHES },
	{ .name = "takes", .handler = takes },
	{ .name = "takes another", .handler = takes, .motion = { .end = rest, .longest = QUASH_NO_LIMIT, .lease = 10 }, .marks = QUASH_FINISHES },
	{ .name = "begins", .handler = begins, .marks = QUASH_SESSION },
};

static void count_session(quash_peer *peer)
{
	assert_ptr_equal(peer, &device.peer);
	sessions++;
}

static int set_up(void **state)
{
	(void)state;
	DEVICE_PREPARE(&quash_acp, methods);
	device.config.new_session = count_session;
	device_begin();
	sessions = 0;
	lease = 70;
	return 0;
}

/* --- Leases */

static void is_cancelled_after(uint32_t ms)
{
	loop_step(&device, ms - 1);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	loop_step(&device, 1);
	ANSWERS(CANCELLED("1"));
	COUNTED(cancelled[QUASH_BY_LEASE], 1);
}

static void test_lease_always(void **state)
{
	(void)state;
	device.config.lease_always = true;
	device_begin();
	say(REQUEST("1", "moves"));
	loop_step(&device, 0);
	is_cancelled_after(50);
}

/* A handler gives itself one, in place of its method's; the program sleeps no longer than it. */
static void test_lease_of_a_handler(void **state)
{
	(void)state;
	takes_all("\n");
	say(REQUEST("1", "takes another"));
	loop_step(&device, 0);
	assert_int_equal(quash_idle_ms(&device.peer), 70);
	is_cancelled_after(70);
	lease = 0;
	takes_all("\n");
	say(REQUEST("1", "takes another"));
	loop_step(&device, 0);
	assert_int_equal(quash_idle_ms(&device.peer), 100000);
	loop_step(&device, 99999);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
}

/* A lease beyond the longest time is that long, and does not wrap around. */
static void test_longest_lease_of_a_handler(void **state)
{
	(void)state;
	lease = UINT32_MAX;
	const uint32_t sign = device.peer.now; /* of life */
	takes_all("\n");
	say_and_step(REQUEST("1", "takes"));
	quash_tick(&device.peer, sign + INT32_MAX - 1);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	quash_tick(&device.peer, sign + INT32_MAX);
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LEASE);
}

/* --- The end of input */

/* What is kept for want of a slot is received in the very step that would call it. */
static void test_kept_behind_the_end_of_input(void **state)
{
	(void)state;
	device.config.slot_count = 1;
	device_begin();
	fill_tx();
	say_and_step(REQUEST("1", "begins"));
	say(REQUEST("2", "moves"));
	quash_input_end(&device.peer);
	drain_fill();
	size_t n;
	(void)quash_out(&device.peer, &n); /* the slot comes free */
	assert_true(quash_step(&device.peer));
	ANSWERS_AFTER(2, RESULT("1", "null") CANCELLED("2"));
	DID("");
	COUNTED(cancelled[QUASH_BY_LEASE], 1);
	assert_true(quash_is_at_rest(&device.peer));
}

/* What gives partial results is called when it is cancelled before it began, but not to move. */
static void test_partial_motion_behind_the_end_of_input(void **state)
{
	(void)state;
	say(REQUEST("1", "partial"));
	quash_input_end(&device.peer);
	ANSWERS_AFTER(2, CANCELLED("1"));
	DID("");
	assert_true(quash_is_at_rest(&device.peer));
}

/* A handler that takes a lease sees at once that none is to be had. */
static void test_lease_of_a_handler_behind_the_end_of_input(void **state)
{
	(void)state;
	say(REQUEST("1", "takes"));
	quash_input_end(&device.peer);
	loop_step(&device, 0);
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LEASE);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	loop_step(&device, 0);
	ANSWERS(CANCELLED("1"));
}

/* --- A new client */

/* The hook is called once for each session but the first, whoever tells of it. */
static void test_the_hook_of_a_session(void **state)
{
	(void)state;
	device.config.trace = device_trace;
	device_begin();
	say_and_step(REQUEST("0", "begins"));
	assert_int_equal(sessions, 0);
	say(REQUEST("1", "moves"));
	device_forget();
	quash_new_session(&device.peer);
	DID("session flagged(8) silenced freed");
	assert_int_equal(sessions, 1);
	say_and_step(REQUEST("0", "begins"));
	assert_int_equal(sessions, 2);
	ANSWERS(RESULT("0", "null") RESULT("0", "null"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_lease_always, set_up),
		cmocka_unit_test_setup(test_longest_lease_of_a_handler, set_up),
		cmocka_unit_test_setup(test_lease_of_a_handler, set_up),
		cmocka_unit_test_setup(test_kept_behind_the_end_of_input, set_up),
		cmocka_unit_test_setup(test_partial_motion_behind_the_end_of_input, set_up),
		cmocka_unit_test_setup(test_lease_of_a_handler_behind_the_end_of_input, set_up),
		cmocka_unit_test_setup(test_the_hook_of_a_session, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
