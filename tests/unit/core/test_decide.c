/* SPDX-License-Identifier: MIT
 * What no client sees of a cancel: handles, reasons, calls from inside of handlers. test_decide_table.c has the table, and
 * tests/talk the answers. */
#include "device.h"

static void test_silenced_request_reports_nothing(void **state)
{
	(void)state;
	device_start(&quash_mcp);
	say_and_step(REQUEST("1", "stubborn"));
	quash_request *const request = live("1");
	assert_true(quash_may_report(request));
	say(MCP_CANCEL("1"));
	assert_false(quash_may_report(request));
}

/* --- What ends outside of the other side's sight */

static int32_t waits(quash_request *request)
{
	(void)request;
	return QUASH_PENDING;
}

static int32_t answers_and_hangs_up(quash_request *request)
{
	(void)quash_reply_int(request, 1);
	quash_gone(&device.peer);
	return QUASH_DONE;
}

static int32_t answers_and_receives(quash_request *request)
{
	(void)quash_reply_int(request, 1);
	say(REQUEST("1", "dropped"));
	say(CANCEL("1"));
	return QUASH_DONE;
}

static unsigned live_in_hook;

static int32_t hangs_up(quash_request *request)
{
	quash_gone(quash_peer_of(request));
	live_in_hook = quash_live_count(quash_peer_of(request));
	return QUASH_DONE;
}

static void start_with_ends(void)
{
	static const quash_method list[] = {
		{ .name = "dropped", .handler = waits, .motion = { .end = hangs_up, .longest = QUASH_NO_LIMIT } },
		{ .name = "hangs up", .handler = answers_and_hangs_up },
		{ .name = "receives", .handler = answers_and_receives },
	};
	DEVICE_PREPARE(&quash_acp, list);
	device_begin();
}

/* No byte of it stood in TX: it is discarded, and counted. */
static void test_an_answer_is_discarded(void **state)
{
	(void)state;
	start_with_ends();
	say_and_step(REQUEST("1", "hangs up"));
	COUNTED(results, 0);
	COUNTED(discarded, 1);
	COUNTED(cancelled[QUASH_BY_LINK], 0);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* The handler has answered, and has not returned: its answer waits, and a cancel is late. */
static void test_an_answered_id_is_live(void **state)
{
	(void)state;
	start_with_ends();
	ANSWERS_TO(REQUEST("1", "receives"), 2, RESULT("1", "1") INVALID("null"));
	COUNTED(duplicate_ids, 1);
	COUNTED(late_cancels, 1);
}

static void test_a_slot_is_held_by_its_end_hook(void **state)
{
	(void)state;
	start_with_ends();
	say_and_step(REQUEST("1", "dropped"));
	fill_tx();
	quash_cancel(live("1"));
	live_in_hook = 0;
	quash_step(&device.peer);
	assert_int_equal(live_in_hook, 1);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* --- Deadlines */

static void test_longest_deadline(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say_and_step(REQUEST("1", "wait"));
	quash_deadline(live("1"), UINT32_MAX);
	quash_tick(&device.peer, device.now - 1 + INT32_MAX);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	quash_tick(&device.peer, device.now + INT32_MAX);
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_DEADLINE);
}

/* What has been cancelled or answered gets none any more. */
static void test_deadline_that_comes_too_late(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "stubborn"));
	say(REQUEST("2", "now"));
	device.stalled = true;
	step();
	say(CANCEL("1"));
	quash_deadline(live("1"), 5);
	step();
	assert_int_equal(quash_idle_ms(&device.peer), 0); /* the handler goes on */
	loop_step(&device, 100);
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_OTHER_SIDE);
	COUNTED(cancelled[QUASH_BY_DEADLINE], 0);
}

static void test_deadline_in_place_of_another(void **state)
{
	(void)state;
	device_start(&quash_lsp);
	say_and_step(REQUEST("1", "limited"));
	quash_deadline(live("1"), 500);
	loop_step(&device, 499);
	ANSWERS("");
	loop_step(&device, 1);
	ANSWERS(FAILED("1"));
}

/* --- From an interrupt or another thread */

static void test_async(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say_and_step(REQUEST("1", "wait"));
	const quash_handle handle = quash_handle_of(live("1"));
	assert_false(quash_handle_cancelled(handle));
	quash_cancel_async(handle);
	assert_true(quash_handle_cancelled(handle));
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LOCAL_CODE);
	assert_false(quash_may_report(live("1")));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 0);
	quash_tick(&device.peer, device.now);
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 1);
	ANSWERS_AFTER(1, CANCELLED("1"));
	DID("wait(1) wait(1) end(1)");
}

/* A worker that is still at it stops, whatever became of the request, and whoever has its slot. */
static void test_handle_of_an_ended_request(void **state)
{
	(void)state;
	device_start_with_slots(&quash_acp, 2);
	say(REQUEST_WITH("1", "wait", "{'steps':0}"));
	const quash_handle handle = quash_handle_of(live("1"));
	assert_false(quash_handle_cancelled(handle));
	ANSWERS_AFTER(1, RESULT("1", "'waited'"));
	assert_true(quash_handle_cancelled(handle));
	quash_cancel_async(handle);
	say(REQUEST("2", "wait"));
	say(REQUEST("3", "wait"));
	assert_true(quash_handle_cancelled(handle));
	assert_false(quash_handle_cancelled(quash_handle_of(live("2"))));
	step();
	assert_true(quash_handle_cancelled(handle));
	assert_int_equal(quash_cancelled(live("2")), QUASH_NOT_CANCELLED);
}

/* Too late: the answer is recorded. The program sleeps all the same. */
static void test_async_of_what_has_answered(void **state)
{
	(void)state;
	device_start(&quash_acp);
	device_at_rest = false;
	say_and_step(REQUEST("1", "ramp"));
	(void)quash_wait(live("1"), 1000);
	quash_cancel_async(quash_handle_of(live("1")));
	assert_int_equal(quash_idle_ms(&device.peer), 1000);
	step();
	assert_int_equal(quash_idle_ms(&device.peer), 999);
	device_at_rest = true;
	loop_step(&device, 1000);
	ANSWERS(RESULT("1", "1"));
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 0);
}

/* As another thread may, or an interrupt: when the handler has looked at the flag already. */
static int32_t cancelled_too_late_to_see(quash_request *request)
{
	(void)quash_reply_bool(request, true);
	quash_cancel_async(quash_handle_of(request));
	return QUASH_DONE;
}

/* From then on nothing is recorded. */
static int32_t cancelled_before_it_answers(quash_request *request)
{
	quash_cancel_async(quash_handle_of(request));
	return quash_reply_bool(request, true);
}

static int32_t cancelled_and_seen(quash_request *request)
{
	quash_cancel_async(quash_handle_of(request));
	return QUASH_CANCELLED;
}

static void test_async_while_a_handler_ends(void **state)
{
	static const quash_method methods[] = {
		{ .name = "late", .handler = cancelled_too_late_to_see },
		{ .name = "early", .handler = cancelled_before_it_answers },
		{ .name = "seen", .handler = cancelled_and_seen },
	};
	(void)state;
	DEVICE_PREPARE(&quash_acp, methods);
	device_begin();
	ANSWERS_TO(REQUEST("1", "late"), 1, RESULT("1", "true"));
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 0);
	ANSWERS_TO(REQUEST("1", "early"), 1, CANCELLED("1"));
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 1);
	ANSWERS_TO(REQUEST("2", "seen"), 1, CANCELLED("2"));
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 2);
	COUNTED(cancelled[QUASH_BY_HANDLER], 0);
}

/* Nor does it undo another's cancel of that request, before the peer has seen it. */
static void test_late_async_undoes_nothing(void **state)
{
	(void)state;
	device_start_with_slots(&quash_acp, 2);
	say(REQUEST_WITH("1", "wait", "{'steps':1}"));
	const quash_handle late = quash_handle_of(live("1"));
	ANSWERS_AFTER(2, RESULT("1", "'waited'"));
	ANSWERS_TO(REQUEST_WITH("2", "wait", "{'steps':1}"), 2, RESULT("2", "'waited'"));
	say_and_step(REQUEST("3", "wait"));
	assert_ptr_equal(live("3"), late.request);
	quash_cancel_async(quash_handle_of(live("3")));
	quash_cancel_async(late);
	ANSWERS_AFTER(1, CANCELLED("3"));
}

/* A late store never hits the slot's next request: not in 300 generations of the same slot. */
static void test_late_async(void **state)
{
	static quash_handle late[300];
	(void)state;
	device_start_with_slots(&quash_acp, 2);
	for (size_t i = 0; i < COUNT_OF(late); i++) {
		say(REQUEST_WITH("1", "wait", "{'steps':1}"));
		late[i] = quash_handle_of(live("1"));
		for (size_t k = i < 250 ? 0 : i - 250; k < i; k++) {
			quash_cancel_async(late[k]);
			quash_tick(&device.peer, device.now);
			assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
		}
		assert_int_not_equal(late[i].generation, 0);
		ANSWERS_AFTER(2, RESULT("1", "'waited'"));
		device_forget();
	}
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 0);
}

/* docs/cancellation.md: it takes 65,535 requests of one slot (255) until a handle matches again, and not fewer. */
static void test_a_generation_comes_late_again(void **state)
{
	const unsigned others = ROUNDS_OF((quash_generation)-1);
	(void)state;
	device_start_with_slots(&quash_acp, 1);
	say(REQUEST("1", "now"));
	const quash_handle first = quash_handle_of(live("1"));
	for (unsigned i = 1; i < others; i++) {
		step();
		(void)loop_heard(&device);
		device_forget();
		say(REQUEST("1", "now"));
		assert_int_not_equal(quash_handle_of(live("1")).generation, first.generation);
	}
}

static void test_generation_skips_zero(void **state)
{
	(void)state;
	device_start_with_slots(&quash_acp, 2);
	if (UNIT_HASTE > 1)
		device.slots[0].generation = device.slots[1].generation = (quash_generation)-0x80;
	for (uint32_t i = 0; i < (UNIT_HASTE > 1 ? 0x200 : 0x20100); i++) {
		loop_say_message(&device, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"wait\"}");
		const quash_handle handle = quash_handle_of(live("1"));
		assert_int_not_equal(handle.generation, 0);
		assert_false(quash_handle_cancelled(handle));
		quash_cancel(handle.request);
		loop_heard(&device);
	}
}

static void test_without_room_for_tags(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.tags = NULL;
	device.config.tag_size = 0;
	device_begin();
	say(REQUEST_WITH("1", "session/prompt", "{'sessionId':'a'}"));
	ANSWERS_TO(NOTE_WITH("session/cancel", "{'sessionId':'a'}"), 0, "");
	COUNTED(late_cancels, 1);
}

/* --- Reasons */

static void test_no_reason(void **state)
{
	(void)state;
	device_start(&quash_mcp);
	say(REQUEST("1", "stubborn"));
	say_and_step(REQUEST("2", "stubborn"));
	assert_string_equal(quash_reason(live("1")), "");
	say(MCP_CANCEL("1"));
	assert_string_equal(quash_reason(live("1")), "");
	say(MCP_CANCEL_FOR("2", "{'a':'b'}"));
	assert_string_equal(quash_reason(live("2")), "");
	quash_cancel_all(&device.peer);
	assert_string_equal(quash_reason(live("2")), "");
}

static void test_reason_is_overwritten(void **state)
{
	(void)state;
	device_start(&quash_mcp);
	say(REQUEST("1", "stubborn"));
	say_and_step(REQUEST("2", "stubborn"));
	say(MCP_CANCEL_FOR("1", "'one'"));
	assert_string_equal(quash_reason(live("1")), "one");
	assert_string_equal(quash_reason(live("2")), "");
	say(MCP_CANCEL_FOR("2", "'two'"));
	assert_string_equal(quash_reason(live("1")), "");
	assert_string_equal(quash_reason(live("2")), "two");
}

static void test_reason_is_not_the_next_ones(void **state)
{
	(void)state;
	device_start_with_slots(&quash_mcp, 1);
	for (unsigned i = 0; i < 2; i++) {
		say_and_step(REQUEST_WITH("1", "stubborn", "{'steps':1}"));
		say(MCP_CANCEL_FOR("1", "'one'"));
		assert_string_equal(quash_reason(live("1")), "one");
		step();
		say_and_step(REQUEST_WITH("2", "stubborn", "{'steps':1}"));
		assert_string_equal(quash_reason(live("2")), "");
		ANSWERS_AFTER(1, RESULT("2", "'done'"));
		quash_reopen(&device.peer);
	}
}

static void test_without_room_for_reasons(void **state)
{
	(void)state;
	device_prepare(&quash_mcp);
	device.config.reason = NULL;
	device.config.reason_size = 0;
	device_begin();
	say_and_step(REQUEST("1", "stubborn"));
	say(MCP_CANCEL_FOR("1", "'one'"));
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_OTHER_SIDE);
	assert_string_equal(quash_reason(live("1")), "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_silenced_request_reports_nothing),
		cmocka_unit_test(test_an_answer_is_discarded),
		cmocka_unit_test(test_an_answered_id_is_live),
		cmocka_unit_test(test_a_slot_is_held_by_its_end_hook),
		cmocka_unit_test(test_longest_deadline),
		cmocka_unit_test(test_deadline_that_comes_too_late),
		cmocka_unit_test(test_deadline_in_place_of_another),
		cmocka_unit_test(test_async),
		cmocka_unit_test(test_handle_of_an_ended_request),
		cmocka_unit_test(test_async_of_what_has_answered),
		cmocka_unit_test(test_late_async),
		cmocka_unit_test(test_late_async_undoes_nothing),
		cmocka_unit_test(test_async_while_a_handler_ends),
		cmocka_unit_test(test_a_generation_comes_late_again),
		cmocka_unit_test(test_generation_skips_zero),
		cmocka_unit_test(test_without_room_for_tags),
		cmocka_unit_test(test_no_reason),
		cmocka_unit_test(test_reason_is_overwritten),
		cmocka_unit_test(test_reason_is_not_the_next_ones),
		cmocka_unit_test(test_without_room_for_reasons),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
