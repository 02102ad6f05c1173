/* SPDX-License-Identifier: MIT
 * Signs of life, leases, and clients that begin anew. */
#include "device.h"

#include <stdio.h>

static unsigned sessions;

static void forget_session(quash_peer *peer)
{
	assert_ptr_equal(peer, &device.peer);
	sessions++;
}

static int32_t rest(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static quash_method methods[DEVICE_METHODS];

/* Motion that only its lease ends. */
static void move_in(quash_method *method, uint32_t lease)
{
	if (method->end == NULL)
		method->end = rest;
	method->deadline = QUASH_NO_LIMIT;
	method->lease = lease;
}

static void start(const quash_dialect *dialect)
{
	device_prepare(dialect);
	memcpy(methods, device_methods, sizeof methods);
	for (unsigned i = 0; i < DEVICE_METHODS; i++) {
		if (strcmp(methods[i].name, "wait") == 0)
			move_in(&methods[i], 50);
		if (strcmp(methods[i].name, "initialize") == 0)
			methods[i].marks = QUASH_SESSION;
	}
	device.config.methods = methods;
	device.config.new_session = forget_session;
	device_begin();
	sessions = 0;
}

static int set_up(void **state)
{
	(void)state;
	start(&quash_acp);
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

/* Who never gave a sign of life has promised none. */
static void test_no_lease_without_a_sign(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	loop_step(&device, 0);
	loop_step(&device, 100000);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	assert_int_equal(quash_idle_ms(&device.peer), 0); /* it is called in every step */
}

static void test_lease(void **state)
{
	(void)state;
	takes_all("\n");
	COUNTED(life_signs, 1);
	say(REQUEST("1", "wait"));
	loop_step(&device, 0);
	is_cancelled_after(50);
	DID("wait(1) wait(1) wait(1) end(1)");
}

/* The first sign arms the leases of what is live already. */
static void test_first_sign_arms(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	loop_step(&device, 1000);
	takes_all("\n");
	is_cancelled_after(50);
}

/* Each sign, and each byte of a message that is valid so far, begins it anew. */
static void test_signs_of_life(void **state)
{
	static const char *const signs[] = { "\n", "\r\n", "{'jsonrpc':", "'2.0'", ",", "'method'", ":'nobody'}", " \n" };
	(void)state;
	takes_all("\n");
	say(REQUEST("1", "wait"));
	for (unsigned i = 0; i < COUNT_OF(signs); i++) {
		loop_step(&device, 49);
		takes_all(signs[i]);
	}
	is_cancelled_after(50);
	COUNTED(parse_errors, 0);
}

/* Noise is no sign: not even a byte that could be one, after some that could not. */
static void test_noise_is_no_sign(void **state)
{
	(void)state;
	takes_all("\n");
	say(REQUEST("1", "wait"));
	loop_step(&device, 20);
	takes_all("x");
	loop_step(&device, 20);
	takes_all("{}'a'1");
	is_cancelled_after(10);
}

static void test_lease_with_headers(void **state)
{
	(void)state;
	start(&quash_lsp);
	takes_all("\r\n");
	say(REQUEST("1", "wait"));
	loop_step(&device, 40);
	takes_all("noise");
	loop_step(&device, 9);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	loop_step(&device, 1);
	ANSWERS(FAILED("1"));
}

static void test_lease_always(void **state)
{
	(void)state;
	device.config.lease_always = true;
	device_begin();
	say(REQUEST("1", "wait"));
	loop_step(&device, 0);
	is_cancelled_after(50);
}

/* The next session has promised nothing yet. */
static void test_lease_ends_with_the_link(void **state)
{
	(void)state;
	takes_all("\n");
	quash_reopen(&device.peer);
	say(REQUEST("1", "wait"));
	loop_step(&device, 0);
	loop_step(&device, 1000);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	takes_all("\n");
	quash_new_session(&device.peer);
	step();
	say(REQUEST("1", "wait"));
	loop_step(&device, 1000);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
}

static uint32_t lease;

static int32_t leased(quash_request *request)
{
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	quash_lease(request, lease);
	return quash_wait(request, 100000);
}

/* A handler gives itself one, in place of its method's; the program sleeps no longer than it. */
static void test_lease_of_a_handler(void **state)
{
	static const quash_method list[] = { { .name = "leased", .handler = leased, .end = rest, .deadline = QUASH_NO_LIMIT, .lease = 10 } };
	(void)state;
	device.config.methods = list;
	device.config.method_count = 1;
	device_begin();
	lease = 70;
	takes_all("\n");
	say(REQUEST("1", "leased"));
	loop_step(&device, 0);
	assert_int_equal(quash_idle_ms(&device.peer), 70);
	is_cancelled_after(70);
	lease = 0;
	takes_all("\n");
	say(REQUEST("1", "leased"));
	loop_step(&device, 0);
	assert_int_equal(quash_idle_ms(&device.peer), 100000);
	loop_step(&device, 99999);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
}

/* A lease beyond the longest time is that long, and does not wrap around. */
static void test_longest_lease_of_a_handler(void **state)
{
	static const quash_method list[] = { { .name = "leased", .handler = leased } };
	(void)state;
	device.config.methods = list;
	device.config.method_count = 1;
	device_begin();
	lease = UINT32_MAX;
	const uint32_t sign = device.peer.now; /* of life */
	takes_all("\n");
	say(REQUEST("1", "leased"));
	step();
	quash_tick(&device.peer, sign + INT32_MAX - 1);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	quash_tick(&device.peer, sign + INT32_MAX);
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LEASE);
}

static void test_lease_while_parked_and_across_the_wrap(void **state)
{
	(void)state;
	device.now = UINT32_MAX - 20;
	device_begin();
	takes_all("\n");
	say(REQUEST("1", "wait"));
	quash_tick(&device.peer, 28);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	quash_tick(&device.peer, 29);
	device.now = 29;
	step();
	ANSWERS(CANCELLED("1"));
	DID("");
}

/* An answer that is recorded needs no lease. */
static void test_lease_of_what_has_answered(void **state)
{
	(void)state;
	takes_all("\n");
	fill_tx();
	say(REQUEST_WITH("1", "wait", "{'steps':0}"));
	loop_step(&device, 0);
	loop_step(&device, 1000);
	drain_fill();
	ANSWERS(RESULT("1", "'waited'"));
	COUNTED(cancelled[QUASH_BY_LEASE], 0);
}

/* --- The end of input */

/* What is kept for want of a slot is received in the very step that would call it. */
static void test_kept_behind_the_end_of_input(void **state)
{
	(void)state;
	device.config.slot_count = 1;
	device_begin();
	fill_tx();
	say(REQUEST("1", "now"));
	step();
	say(REQUEST("2", "wait"));
	quash_input_end(&device.peer);
	device_forget();
	drain_fill();
	size_t n;
	(void)quash_out(&device.peer, &n); /* the slot comes free */
	assert_true(quash_step(&device.peer));
	steps(2);
	ANSWERS(RESULT("1", "1") CANCELLED("2"));
	DID("");
	COUNTED(cancelled[QUASH_BY_LEASE], 1);
	assert_true(quash_is_at_rest(&device.peer));
}

/* What gives partial results is called when it is cancelled before it began, but not to move. */
static void test_partial_motion_behind_the_end_of_input(void **state)
{
	(void)state;
	for (unsigned i = 0; i < DEVICE_METHODS; i++)
		methods[i].lease = 0;
	for (unsigned i = 0; i < DEVICE_METHODS; i++) {
		if (strcmp(methods[i].name, "partial") == 0)
			move_in(&methods[i], 50);
	}
	say(REQUEST("1", "partial"));
	quash_input_end(&device.peer);
	steps(2);
	ANSWERS(CANCELLED("1"));
	DID("");
	assert_true(quash_is_at_rest(&device.peer));
}

/* A handler that takes a lease sees at once that none is to be had. */
static void test_lease_of_a_handler_behind_the_end_of_input(void **state)
{
	static const quash_method list[] = { { .name = "leased", .handler = leased } };
	(void)state;
	device.config.methods = list;
	device.config.method_count = 1;
	device_begin();
	lease = 70;
	say(REQUEST("1", "leased"));
	quash_input_end(&device.peer);
	loop_step(&device, 0);
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LEASE);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	loop_step(&device, 0);
	ANSWERS(CANCELLED("1"));
}

/* --- A new client */

static void test_first_session(void **state)
{
	(void)state;
	say(REQUEST_WITH("0", "initialize", "{'steps':0}"));
	step();
	ANSWERS(RESULT("0", "'waited'"));
	COUNTED(sessions, 0);
	assert_int_equal(sessions, 0);
}

static void initialized(void)
{
	say(REQUEST_WITH("0", "initialize", "{'steps':0}"));
	step();
	ANSWERS(RESULT("0", "'waited'"));
}

/* What is live is flagged and never answered; the id of the new client's request may be the same. */
static void test_second_session(void **state)
{
	(void)state;
	initialized();
	say(REQUEST_WITH("1", "stubborn", "{'steps':3}"));
	say(REQUEST("2", "drops"));
	step();
	say(REQUEST("3", "wait"));
	say(REQUEST_WITH("1", "initialize", "{'steps':0}"));
	assert_int_equal(sessions, 1);
	COUNTED(sessions, 1);
	COUNTED(cancelled[QUASH_BY_SESSION], 3);
	COUNTED(silenced, 3);
	device_forget();
	steps(4);
	ANSWERS(RESULT("1", "'waited'"));
	DID("stubborn(1) end(2) initialize(1) stubborn(1) stubborn(1) end(1)");
	assert_true(quash_is_at_rest(&device.peer));
}

/* Before there was a session, only what runs is of somebody who has gone. */
static void test_first_session_over_what_runs(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	say(REQUEST_WITH("0", "initialize", "{'steps':0}"));
	COUNTED(sessions, 0);
	steps(2);
	ANSWERS(RESULT("0", "'waited'"));
	quash_reopen(&device.peer);
	step();
	device_forget();
	say(REQUEST("1", "wait"));
	step();
	say(REQUEST_WITH("0", "initialize", "{'steps':0}"));
	COUNTED(sessions, 1);
	steps(2);
	ANSWERS(RESULT("0", "'waited'"));
	DID("wait(1) wait(1) end(1) initialize(0)");
}

/* A message that is begun is finished; one that waits is silenced. */
static void test_answers_of_the_last_session(void **state)
{
	(void)state;
	initialized();
	device.config.tx_size = 64;
	device_begin();
	initialized();
	device.stalled = true;
	say(REQUEST_WITH("1", "echo", "['0123456789012345678901234567890123456789']"));
	say(REQUEST_WITH("2", "echo", "[2]"));
	step();
	say(REQUEST_WITH("3", "initialize", "{'steps':0}"));
	device.stalled = false;
	steps(2);
	ANSWERS(RESULT("1", "['0123456789012345678901234567890123456789']") RESULT("3", "'waited'"));
	COUNTED(silenced, 1);
	COUNTED(cancelled[QUASH_BY_SESSION], 0); /* both had answered */
}

/* The id of one that is begun names nothing any more: the new client may have the same, and cancels its own. */
static void test_id_of_a_begun_answer(void **state)
{
	(void)state;
	device.config.tx_size = 64;
	device_begin();
	initialized();
	device.stalled = true;
	say(REQUEST_WITH("0", "echo", "['0123456789012345678901234567890123456789']"));
	step();
	say(REQUEST_WITH("0", "initialize", "{'steps':0}"));
	COUNTED(duplicate_ids, 0);
	step();
	device.stalled = false;
	steps(2);
	ANSWERS(RESULT("0", "['0123456789012345678901234567890123456789']") RESULT("0", "'waited'"));
	assert_true(quash_is_at_rest(&device.peer));
}

/* A session begins only with a request that is well formed. */
static void test_what_begins_no_session(void **state)
{
	static const char *const messages[] = { NOTE("initialize"), "{'jsonrpc':'2.0','id':1,'method':'initialize','params':1}",
		"{'id':1,'method':'initialize'}", "{'jsonrpc':'2.0','id':null,'method':'initialize'}",
		"{'jsonrpc':'2.0','id':1,'method':'initialize'", "{'jsonrpc':'2.0','id':1,'method':'initialize','result':1}" };
	(void)state;
	initialized();
	say(REQUEST("7", "wait"));
	step();
	for (unsigned i = 0; i < COUNT_OF(messages); i++)
		say(messages[i]);
	COUNTED(sessions, 0);
	assert_int_equal(quash_cancelled(live("7")), QUASH_NOT_CANCELLED);
}

/* In a batch the same: with each of them, and with none but the one that is well formed. */
static void test_what_begins_no_session_in_a_batch(void **state)
{
	static const char *const members[] = { NOTE("initialize"), "{'jsonrpc':'2.0','id':1,'method':'initialize','params':1}",
		"{'id':1,'method':'initialize'}", "{'jsonrpc':'2.0','id':null,'method':'initialize'}",
		"{'jsonrpc':'2.0','id':1,'method':'initialize','result':1}", REQUEST("1", "now"),
		REQUEST_WITH("1", "initialize", "{'steps':0}") };
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(members); i++) {
		char batch[120];
		const bool begins = i + 1 == COUNT_OF(members);
		start(&quash_jsonrpc);
		initialized();
		say(REQUEST("7", "wait"));
		step();
		snprintf(batch, sizeof batch, "[%s]", members[i]);
		say(batch);
		COUNTED(sessions, begins);
		assert_int_equal(quash_cancelled(live("7")), begins ? QUASH_BY_SESSION : QUASH_NOT_CANCELLED);
	}
}

/* It frees the slot that it needs, and is told once though it is kept. */
static void test_session_that_is_kept(void **state)
{
	(void)state;
	device.config.slot_count = 1;
	device_begin();
	initialized();
	say(REQUEST_WITH("1", "stubborn", "{'steps':1}"));
	step();
	say(REQUEST_WITH("2", "initialize", "{'steps':0}"));
	COUNTED(sessions, 1);
	COUNTED(kept, 1);
	steps(3);
	ANSWERS(RESULT("2", "'waited'"));
	COUNTED(sessions, 1);
	assert_int_equal(sessions, 1);
}

/* The end hook runs: the motor stops. */
static void test_motor_of_the_last_session(void **state)
{
	(void)state;
	initialized();
	device_at_rest = false;
	say(REQUEST("1", "ramp"));
	step();
	loop_heard(&device);
	say(REQUEST_WITH("0", "initialize", "{'steps':0}"));
	device_forget();
	step();
	DID("end(1) initialize(0)");
	device_at_rest = true;
	step();
	DID("end(1) released(1)");
	ANSWERS(RESULT("0", "'waited'"));
	assert_true(quash_is_at_rest(&device.peer));
}

static void test_session_by_the_program(void **state)
{
	(void)state;
	device.config.trace = device_trace;
	device_begin();
	say(REQUEST("1", "wait"));
	device_forget();
	quash_new_session(&device.peer);
	DID("session flagged(8) silenced freed");
	assert_int_equal(sessions, 1);
	steps(2);
	ANSWERS("");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_no_lease_without_a_sign, set_up),
		cmocka_unit_test_setup(test_lease, set_up),
		cmocka_unit_test_setup(test_first_sign_arms, set_up),
		cmocka_unit_test_setup(test_signs_of_life, set_up),
		cmocka_unit_test_setup(test_noise_is_no_sign, set_up),
		cmocka_unit_test_setup(test_lease_with_headers, set_up),
		cmocka_unit_test_setup(test_lease_always, set_up),
		cmocka_unit_test_setup(test_lease_ends_with_the_link, set_up),
		cmocka_unit_test_setup(test_longest_lease_of_a_handler, set_up),
		cmocka_unit_test_setup(test_lease_of_a_handler, set_up),
		cmocka_unit_test_setup(test_lease_while_parked_and_across_the_wrap, set_up),
		cmocka_unit_test_setup(test_kept_behind_the_end_of_input, set_up),
		cmocka_unit_test_setup(test_partial_motion_behind_the_end_of_input, set_up),
		cmocka_unit_test_setup(test_lease_of_a_handler_behind_the_end_of_input, set_up),
		cmocka_unit_test_setup(test_lease_of_what_has_answered, set_up),
		cmocka_unit_test_setup(test_first_session, set_up),
		cmocka_unit_test_setup(test_second_session, set_up),
		cmocka_unit_test_setup(test_first_session_over_what_runs, set_up),
		cmocka_unit_test_setup(test_answers_of_the_last_session, set_up),
		cmocka_unit_test_setup(test_id_of_a_begun_answer, set_up),
		cmocka_unit_test_setup(test_what_begins_no_session, set_up),
		cmocka_unit_test_setup(test_what_begins_no_session_in_a_batch, set_up),
		cmocka_unit_test_setup(test_session_that_is_kept, set_up),
		cmocka_unit_test_setup(test_motor_of_the_last_session, set_up),
		cmocka_unit_test_setup(test_session_by_the_program, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
