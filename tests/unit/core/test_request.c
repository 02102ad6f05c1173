/* SPDX-License-Identifier: MIT
 * What handlers and status displays ask of a request. */
#include "device.h"

#include "core/slots.h"

static int set_up(void **state)
{
	(void)state;
	device_start(&quash_acp);
	return 0;
}

/* --- State, method, peer */

static int32_t looks(quash_request *request)
{
	static const uint8_t zeros[LOOP_STATE];
	uint8_t *const bytes = quash_state(request, LOOP_STATE);
	if (bytes[0] == 0) {
		assert_memory_equal(bytes, zeros, sizeof zeros);
		memset(bytes, 0x5A, sizeof zeros);
		return QUASH_PENDING;
	}
	for (size_t i = 0; i < sizeof zeros; i++)
		assert_int_equal(bytes[i], 0x5A);
	assert_ptr_equal(quash_peer_of(request), &device.peer);
	assert_string_equal(quash_method_of(request)->name, "looks");
	assert_string_equal(quash_data(request), "mine");
	return quash_reply_null(request);
}

static int32_t looked(quash_request *request)
{
	assert_int_equal(*(uint8_t *)quash_state(request, 1), 0x5A);
	device_write_down(request, "looked");
	return QUASH_DONE;
}

static void test_state(void **state)
{
	static const quash_method list[] = {
		{ .name = "looks", .handler = looks, .motion = { .end = looked, .longest = QUASH_NO_LIMIT }, .data = "mine", .marks = QUASH_FINISHES }
	};
	(void)state;
	DEVICE_PREPARE(&quash_acp, list);
	device.config.slot_count = 4;
	device_begin();
	for (unsigned i = 0; i < 10; i++) {
		say(REQUEST_WITH("1", "looks", "[]"));
		ANSWERS_TO(REQUEST_WITH("2", "looks", "[]"), 2, RESULT("1", "null") RESULT("2", "null"));
		DID("looked(1) looked(2)");
	}
}

/* The last state is that of the last slot; what is received has none. */
static void test_no_state_without_a_slot(void **state)
{
	(void)state;
	ANSWERS_TO(REQUEST("1", "nothing"), 0, UNKNOWN("1"));
	assert_non_null(quash_state(&device.slots[LOOP_SLOTS - 1], LOOP_STATE));
	COUNTED(misuses, 0);
	assert_null(quash_state(quash_received(&device.peer), 1));
	COUNTED(misuses, 1);
}

static void test_states_are_apart(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "wait"));
	uint8_t *const one = quash_state(live("1"), LOOP_STATE), *const two = quash_state(live("2"), LOOP_STATE);
	assert_true(one + LOOP_STATE <= two || two + LOOP_STATE <= one);
	assert_true(one >= (uint8_t *)device.states &&
		one + LOOP_STATE <= (uint8_t *)device.states + sizeof device.states);
	assert_ptr_equal(quash_data(live("1")), NULL);
	assert_ptr_equal(quash_const_state(live("2"), 1), two);
	assert_null(quash_state(live("1"), LOOP_STATE + 1));
	assert_null(quash_const_state(live("1"), LOOP_STATE + 1));
}

/* --- May progress be sent? */

static void test_may_report(void **state)
{
	(void)state;
	say(REQUEST("1", "stubborn"));
	assert_false(quash_may_report(live("1")));
	step();
	assert_true(quash_may_report(live("1")));
	quash_cancel(live("1"));
	assert_false(quash_may_report(live("1")));
}

static void report(quash_request *request)
{
	device_write_down(request, quash_may_report(request) ? "may report" : "may not");
	if (!quash_may_report(request))
		return;
	assert_int_equal(quash_reply_null(request), QUASH_DONE);
	device_write_down(request, quash_may_report(request) ? "may report" : "may not");
}

static void test_may_not_report_when_answered(void **state)
{
	(void)state;
	device_busy_turn = report;
	say_and_step(REQUEST_WITH("1", "busy", "{'steps':1}"));
	DID("busy(1) may report(1) may not(1)");
	ANSWERS(RESULT("1", "null"));
}

/* --- Time */

static void test_now(void **state)
{
	(void)state;
	assert_int_equal(quash_now(&device.peer), device.now);
	quash_tick(&device.peer, 77);
	assert_int_equal(quash_now(&device.peer), 77);
	quash_tick(&device.peer, UINT32_MAX);
	assert_int_equal(quash_now(&device.peer), UINT32_MAX);
}

/* --- Cancelling */

static void test_cancel(void **state)
{
	(void)state;
	say(REQUEST("1", "stubborn"));
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	step();
	quash_cancel(live("1"));
	quash_cancel(live("1"));
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 1);
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LOCAL_CODE);
}

/* --- Status displays */

static void test_walk(void **state)
{
	quash_live one = { 0 };
	(void)state;
	assert_false(quash_next_live(&device.peer, &one));
	assert_int_equal(quash_live_count(&device.peer), 0);
	say(REQUEST("'zwei\\u0000'", "wait"));
	loop_step(&device, 30);
	say(REQUEST("-12", "stubborn"));
	loop_step(&device, 0);
	quash_cancel(live("-12"));
	say(NOTE("note"));
	loop_step(&device, 0);
	say(NOTE("note"));
	quash_tick(&device.peer, device.now + 20);
	assert_int_equal(quash_live_count(&device.peer), 3);

	one = (quash_live){ 0 };
	assert_true(quash_next_live(&device.peer, &one));
	assert_string_equal(one.method, "wait");
	assert_int_equal(one.id_length, 5);
	assert_memory_equal(one.id, "zwei", 5);
	assert_false(one.id_is_number);
	assert_true(one.started);
	assert_int_equal(one.age, 50);
	assert_int_equal(one.cause, QUASH_NOT_CANCELLED);

	assert_true(quash_next_live(&device.peer, &one));
	assert_string_equal(one.method, "stubborn");
	assert_int_equal(one.id_length, 3);
	assert_memory_equal(one.id, "-12", 3);
	assert_true(one.id_is_number);
	assert_true(one.started);
	assert_int_equal(one.age, 20);
	assert_int_equal(one.cause, QUASH_BY_LOCAL_CODE);

	assert_true(quash_next_live(&device.peer, &one));
	assert_string_equal(one.method, "note");
	assert_null(one.id);
	assert_int_equal(one.id_length, 0);
	assert_false(one.started);
	assert_int_equal(one.age, 20);
	assert_false(quash_next_live(&device.peer, &one));
}

static void test_many_peers(void **state)
{
	static loop other;
	(void)state;
	loop_init(&other, &quash_mcp, device_methods, DEVICE_METHODS);
	loop_start(&other);
	say(REQUEST("1", "wait"));
	loop_say(&other, quoted(REQUEST("1", "wait") "\n" MCP_CANCEL("1") "\n"));
	assert_int_equal(quash_live_count(&device.peer), 1);
	assert_int_equal(quash_live_count(&other.peer), 0);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	COUNTED(silenced, 0);
	assert_int_equal(other.counters.silenced, 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_state, set_up),
		cmocka_unit_test_setup(test_no_state_without_a_slot, set_up),
		cmocka_unit_test_setup(test_states_are_apart, set_up),
		cmocka_unit_test_setup(test_may_report, set_up),
		cmocka_unit_test_setup(test_may_not_report_when_answered, set_up),
		cmocka_unit_test_setup(test_now, set_up),
		cmocka_unit_test_setup(test_cancel, set_up),
		cmocka_unit_test_setup(test_walk, set_up),
		cmocka_unit_test_setup(test_many_peers, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
