/* SPDX-License-Identifier: MIT
 * Leases that the program itself begins and ends; what the wire does to them stands in tests/talk/lease.talk. */
#include "core/lease.h"
#include "device.h"

static quash_method methods[DEVICE_METHODS];

/* `wait`, `drops` and `partial` have a lease. */
static int set_up(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	memcpy(methods, device_methods, sizeof methods);
	for (size_t i = 0; i < COUNT_OF(methods); i++) {
		const char *const name = methods[i].name;
		if (strcmp(name, "wait") == 0 || strcmp(name, "drops") == 0 || strcmp(name, "partial") == 0) {
			methods[i].motion.lease = 1000;
			methods[i].motion.longest = 100000;
		}
	}
	device.config.methods = methods;
	device_begin();
	return 0;
}

/* Only what has a lease, and is not cancelled yet. */
static void test_end_of_all(void **state)
{
	(void)state;
	quash_end_leases(&device.peer);
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "stubborn"));
	say(REQUEST("3", "partial"));
	say(REQUEST("4", "wait"));
	steps(5);
	quash_cancel(live("4"));
	quash_end_leases(&device.peer);
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LEASE);
	assert_int_equal(quash_cancelled(live("2")), QUASH_NOT_CANCELLED);
	assert_int_equal(quash_cancelled(live("3")), QUASH_BY_LEASE);
	assert_int_equal(quash_cancelled(live("4")), QUASH_BY_LOCAL_CODE);
	COUNTED(cancelled[QUASH_BY_LEASE], 2);
	quash_end_leases(&device.peer);
	COUNTED(cancelled[QUASH_BY_LEASE], 2);
	ANSWERS_AFTER(8, CANCELLED("1") RESULT("3", "'part'") CANCELLED("4"));
	assert_int_equal(quash_live_count(&device.peer), 1);
}

/* What has not begun is never called, unless it answers with what it has. Later requests are as ever. */
static void test_end_before_the_first_call(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "partial"));
	quash_end_leases(&device.peer);
	steps(5);
	DID("partial(2) end(2)");
	ANSWERS(CANCELLED("1") RESULT("2", "'part'"));
	ANSWERS_TO(REQUEST_WITH("3", "wait", "{'steps':1}"), 5, RESULT("3", "'waited'"));
}

/* The one of a single request; it counts only once there was a sign of life, an empty line. */
static void test_lease_of_one(void **state)
{
	(void)state;
	say(NOTE("nobody"));
	say_and_step(REQUEST("1", "stubborn"));
	say("");
	quash_lease(live("1"), 50);
	loop_step(&device, 49);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	loop_step(&device, 1);
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LEASE);
}

/* One that is taken back, and one that is longer than any. */
static void test_no_lease(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	say_and_step(REQUEST("2", "wait"));
	say(""); /* they are two: it is no second end of one of them */
	quash_lease(live("1"), 0);
	quash_lease(live("2"), UINT32_MAX);
	for (unsigned i = 0; i < 50; i++)
		loop_step(&device, 1000);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	assert_int_equal(quash_cancelled(live("2")), QUASH_NOT_CANCELLED);
	quash_end_leases(&device.peer);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	assert_int_equal(quash_cancelled(live("2")), QUASH_BY_LEASE);
}

/* A member of a batch that has not come whole is not called, and has nothing to wait for. */
static void test_deadline_of_what_is_cancelled(void **state)
{
	(void)state;
	device.config.dialect = &quash_jsonrpc;
	device_begin();
	(void)offer("[" REQUEST("1", "partial") ",");
	assert_int_equal(quash_idle_ms(&device.peer), 100000);
	quash_cancel(live("1"));
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX);
}

/* Of the methods in the table, and no others. */
static void test_shortest(void **state)
{
	(void)state;
	methods[0].motion.lease = 500;
	assert_int_equal(quash_shortest_lease(&device.config), 500);
	methods[COUNT_OF(methods) - 1].motion.lease = 400;
	assert_int_equal(quash_shortest_lease(&device.config), 400);
	device.config.method_count--;
	assert_int_equal(quash_shortest_lease(&device.config), 500);
	device.config.method_count = 1;
	methods[0].motion.lease = 0;
	methods[1].motion.lease = 1;
	assert_int_equal(quash_shortest_lease(&device.config), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_end_of_all, set_up),
		cmocka_unit_test_setup(test_end_before_the_first_call, set_up),
		cmocka_unit_test_setup(test_lease_of_one, set_up),
		cmocka_unit_test_setup(test_no_lease, set_up),
		cmocka_unit_test_setup(test_deadline_of_what_is_cancelled, set_up),
		cmocka_unit_test_setup(test_shortest, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
