/* SPDX-License-Identifier: MIT
 * Cancellation, row by row. test_decide_table.c has the table itself. */
#include "device.h"

#include <stdio.h>

static const quash_dialect *const all_dialects[] = { &quash_acp, &quash_lsp, &quash_mcp, &quash_jsonrpc };

static bool is(const quash_dialect *dialect)
{
	return device.config.dialect == dialect;
}

/* The cancel of request 1, as the dialect spells it. */
static void say_cancel_1(void)
{
	say(is(&quash_lsp) ? LSP_CANCEL("1") : is(&quash_mcp) ? MCP_CANCEL("1") : CANCEL("1"));
}

/* What the other side's cancel of request 1 puts on the wire. */
static const char *cancel_answer(void)
{
	return is(&quash_mcp) ? "" : CANCELLED("1");
}

/* What a cause of our own puts there. */
static const char *own_cancel_answer(void)
{
	return is(&quash_lsp) ? FAILED("1") : CANCELLED("1");
}

/* Runs the test's row once for each dialect. */
static void in_every_dialect(void (*row)(void))
{
	for (size_t i = 0; i < COUNT_OF(all_dialects); i++) {
		device_start(all_dialects[i]);
		row();
		steps(5);
		ANSWERS("");
		assert_int_equal(quash_live_count(&device.peer), 0);
	}
}

#define ROW(name) \
	static void row_##name(void); \
	static void test_##name(void **state) \
	{ \
		(void)state; \
		in_every_dialect(row_##name); \
	} \
	static void row_##name(void)

/* --- Unknown, finished or written: ignored, counted, never remembered, never answered */

ROW(unknown)
{
	say_cancel_1();
	steps(2);
	ANSWERS("");
	COUNTED(late_cancels, 1);
	say(REQUEST("1", "now"));
	step();
	ANSWERS(RESULT("1", "1"));
	COUNTED(cancelled[QUASH_BY_OTHER_SIDE], 0);
	DID("now(1)");
}

ROW(finished)
{
	say(REQUEST("1", "now"));
	step();
	say_cancel_1();
	step();
	ANSWERS(RESULT("1", "1"));
	COUNTED(late_cancels, 1);
	COUNTED(cancelled[QUASH_BY_OTHER_SIDE], 0);
}

ROW(written_but_not_sent)
{
	say(REQUEST("1", "now"));
	quash_step(&device.peer);
	say_cancel_1();
	step();
	ANSWERS(RESULT("1", "1"));
	COUNTED(late_cancels, 1);
}

/* --- Parked: the handler is never called */

ROW(parked)
{
	say(REQUEST("1", "wait"));
	say_cancel_1();
	ANSWERS(cancel_answer());
	step();
	DID("");
	COUNTED(cancelled[QUASH_BY_OTHER_SIDE], 1);
	COUNTED(late_cancels, 0);
	COUNTED(silenced, is(&quash_mcp) ? 1 : 0);
	COUNTED(errors, is(&quash_mcp) ? 0 : 1);
}

ROW(parked_stubborn_and_drops)
{
	say(REQUEST("1", "stubborn"));
	say_cancel_1();
	ANSWERS(cancel_answer());
	say(REQUEST("1", "drops"));
	say_cancel_1();
	ANSWERS(cancel_answer());
	step();
	DID("");
}

ROW(parked_own_cause)
{
	say(REQUEST("1", "wait"));
	quash_cancel(live("1"));
	ANSWERS(own_cancel_answer());
	step();
	DID("");
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 1);
}

/* --- Running: once the handler ends, the answer is the cancelled one, whatever it returned */

ROW(running)
{
	say(REQUEST("1", "wait"));
	step();
	DID("wait(1)");
	say_cancel_1();
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_OTHER_SIDE);
	ANSWERS("");
	step();
	DID("wait(1) end(1)");
	ANSWERS(cancel_answer());
}

ROW(running_and_never_looks)
{
	say(REQUEST_WITH("1", "stubborn", "{'steps':3}"));
	step();
	say_cancel_1();
	steps(2);
	ANSWERS("");
	step();
	DID("stubborn(1) stubborn(1) stubborn(1) stubborn(1) end(1)");
	ANSWERS(cancel_answer());
}

ROW(running_own_cause)
{
	say(REQUEST("1", "wait"));
	step();
	quash_cancel(live("1"));
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LOCAL_CODE);
	ANSWERS("");
	step();
	DID("wait(1) wait(1) end(1)");
	ANSWERS(own_cancel_answer());
}

/* --- Marked as dropped on cancel: not called again, its end hook is, answered at once */

ROW(drops)
{
	say(REQUEST("1", "drops"));
	step();
	say_cancel_1();
	DID("drops(1)");
	if (is(&quash_mcp))
		ANSWERS("");
	else
		ANSWERS(CANCELLED("1"));
	step();
	DID("end(1)");
	ANSWERS("");
}

ROW(drops_own_cause)
{
	say(REQUEST("1", "drops"));
	step();
	quash_cancel(live("1"));
	ANSWERS(own_cancel_answer());
	step();
	DID("drops(1) end(1)");
}

/* --- Marked as giving partial results: called also for the first time, its own answer is sent */

ROW(partial_parked)
{
	say(REQUEST("1", "partial"));
	say_cancel_1();
	ANSWERS("");
	step();
	ANSWERS(is(&quash_mcp) ? "" : RESULT("1", "'part'"));
	DID(is(&quash_mcp) ? "" : "partial(1) end(1)");
}

ROW(partial_running)
{
	say(REQUEST("1", "partial"));
	step();
	say_cancel_1();
	ANSWERS("");
	step();
	ANSWERS(is(&quash_mcp) ? "" : RESULT("1", "'part'"));
	DID("partial(1) partial(1) end(1)");
	COUNTED(cancelled[QUASH_BY_OTHER_SIDE], 1);
}

ROW(partial_own_cause)
{
	say(REQUEST("1", "partial"));
	quash_cancel(live("1"));
	step();
	ANSWERS(RESULT("1", "'part'"));
	DID("partial(1) end(1)");
}

/* Nobody is to be told any more: it is not begun. */
ROW(partial_parked_and_silenced)
{
	say(REQUEST("1", "partial"));
	quash_cancel(live("1"));
	quash_gone(&device.peer);
	steps(2);
	DID("");
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* --- Cancelled already: the first cause stands, but in MCP the other side's cancel always silences */

ROW(cancelled_twice)
{
	say(REQUEST_WITH("1", "stubborn", "{'steps':2}"));
	step();
	say_cancel_1();
	say_cancel_1();
	COUNTED(late_cancels, 1);
	COUNTED(cancelled[QUASH_BY_OTHER_SIDE], 1);
	quash_cancel_all(&device.peer);
	COUNTED(cancelled[QUASH_BY_SHUTDOWN], 0);
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_OTHER_SIDE);
	steps(2);
	ANSWERS(cancel_answer());
}

ROW(own_cause_then_other_side)
{
	say(REQUEST_WITH("1", "stubborn", "{'steps':2}"));
	step();
	quash_cancel(live("1"));
	say_cancel_1();
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LOCAL_CODE);
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 1);
	COUNTED(cancelled[QUASH_BY_OTHER_SIDE], 0);
	steps(2);
	ANSWERS(is(&quash_mcp) ? "" : own_cancel_answer());
	COUNTED(silenced, is(&quash_mcp) ? 1 : 0);
}

ROW(other_side_then_own_cause)
{
	say(REQUEST_WITH("1", "stubborn", "{'steps':2}"));
	step();
	say_cancel_1();
	quash_cancel(live("1"));
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_OTHER_SIDE);
	steps(2);
	ANSWERS(cancel_answer());
}

/* --- Recorded: the answer stands; MCP, the other side's cancel, no byte in TX: silence */

ROW(recorded)
{
	say(REQUEST_WITH("1", "returns", "{'code':-5}"));
	fill_tx();
	quash_step(&device.peer);
	DID("end(1)");
	say_cancel_1();
	quash_cancel_all(&device.peer);
	drain_fill();
	steps(2);
	ANSWERS(is(&quash_mcp) ? "" : ERROR("1", "-5", "Server error"));
	COUNTED(cancelled[QUASH_BY_OTHER_SIDE], is(&quash_mcp) ? 1 : 0);
	COUNTED(cancelled[QUASH_BY_SHUTDOWN], 0);
	COUNTED(late_cancels, is(&quash_mcp) ? 0 : 1);
}

/* The answer to a cancel by a cause of our own that still waits. */
ROW(recorded_cancelled)
{
	say(REQUEST("1", "wait"));
	fill_tx();
	quash_cancel(live("1"));
	say_cancel_1();
	drain_fill();
	step();
	ANSWERS(is(&quash_mcp) ? "" : own_cancel_answer());
	DID("");
}

/* --- Causes of our own */

ROW(handler)
{
	say(REQUEST_WITH("1", "returns", "{'code':-32800}"));
	step();
	ANSWERS(own_cancel_answer());
	DID("end(1)");
	COUNTED(cancelled[QUASH_BY_HANDLER], 1);
}

ROW(deadline)
{
	say(REQUEST("1", "limited"));
	loop_step(&device, 99);
	ANSWERS("");
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	quash_tick(&device.peer, 100);
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_DEADLINE);
	device.now = 100;
	step();
	ANSWERS(own_cancel_answer());
	DID("limited(1) limited(1) end(1)");
	COUNTED(cancelled[QUASH_BY_DEADLINE], 1);
}

ROW(deadline_while_parked)
{
	say(REQUEST("1", "limited"));
	quash_tick(&device.peer, 99);
	ANSWERS("");
	quash_tick(&device.peer, 100);
	ANSWERS(own_cancel_answer());
	device.now = 100;
	step();
	DID("");
}

ROW(shutdown)
{
	say(REQUEST("1", "wait"));
	step();
	quash_cancel_all(&device.peer);
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_SHUTDOWN);
	step();
	ANSWERS(own_cancel_answer());
	COUNTED(cancelled[QUASH_BY_SHUTDOWN], 1);
	DID("wait(1) wait(1) end(1)");
}

ROW(link_gone)
{
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "now"));
	say(REQUEST("3", "partial"));
	quash_step(&device.peer);
	quash_gone(&device.peer);
	ANSWERS("");
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LINK);
	step();
	ANSWERS("");
	DID("wait(1) now(2) partial(3) wait(1) end(1) partial(3) end(3)");
	COUNTED(cancelled[QUASH_BY_LINK], 2);
	COUNTED(discarded, 2);
}

/* --- The cancelled result */

ROW(cancelled_result)
{
	say(REQUEST("1", "constant"));
	step();
	say_cancel_1();
	step();
	ANSWERS(is(&quash_mcp) ? "" : RESULT("1", "{'stop':'cancelled'}"));
	COUNTED(results, is(&quash_mcp) ? 0 : 1);
	COUNTED(errors, 0);
}

ROW(cancelled_result_while_parked)
{
	say(REQUEST("1", "constant"));
	say_cancel_1();
	ANSWERS(is(&quash_mcp) ? "" : RESULT("1", "{'stop':'cancelled'}"));
	DID("");
}

ROW(cancelled_result_own_cause)
{
	say(REQUEST("1", "constant"));
	quash_cancel(live("1"));
	ANSWERS(RESULT("1", "{'stop':'cancelled'}"));
}

static int32_t gives_up(quash_request *request)
{
	return quash_cancelled(request) == QUASH_NOT_CANCELLED ? -5 : QUASH_PENDING;
}

/* It stands for the answer to a cancel only. */
static void test_no_cancelled_result_for_an_error(void **state)
{
	static const quash_method list[] = { { .name = "gives up", .handler = gives_up, .cancelled = "{}" } };
	(void)state;
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = 1;
	device_begin();
	say(REQUEST("1", "gives up"));
	step();
	ANSWERS(ERROR("1", "-5", "Server error"));
}

/* --- A silenced request gives up its id at once */

static void test_silenced_id_is_free(void **state)
{
	(void)state;
	device_start(&quash_mcp);
	say(REQUEST_WITH("1", "stubborn", "{'steps':3}"));
	step();
	say(MCP_CANCEL("1"));
	say(REQUEST_WITH("1", "wait", "{'steps':1}"));
	assert_int_equal(quash_live_count(&device.peer), 2);
	say(MCP_CANCEL("7"));
	steps(2);
	ANSWERS(RESULT("1", "'waited'"));
	COUNTED(duplicate_ids, 0);
	say(REQUEST("1", "wait"));
	step();
	say(MCP_CANCEL("1"));
	steps(2);
	ANSWERS("");
	assert_int_equal(quash_live_count(&device.peer), 0);
	COUNTED(silenced, 2);
	DID("stubborn(1) stubborn(1) wait(1) stubborn(1) wait(1) end(1) stubborn(1) end(1) wait(1) wait(1) "
	    "end(1)");
}

static void test_silenced_request_reports_nothing(void **state)
{
	(void)state;
	device_start(&quash_mcp);
	say(REQUEST("1", "stubborn"));
	step();
	quash_request *const request = live("1");
	assert_true(quash_may_report(request));
	say(MCP_CANCEL("1"));
	assert_false(quash_may_report(request));
}

static void test_initialize_is_never_cancelled_in_mcp(void **state)
{
	(void)state;
	device_start(&quash_mcp);
	say(REQUEST_WITH("0", "initialize", "{'steps':1}"));
	say(MCP_CANCEL("0"));
	step();
	say(MCP_CANCEL("0"));
	step();
	ANSWERS(RESULT("0", "'waited'"));
	COUNTED(late_cancels, 2);
	COUNTED(cancelled[QUASH_BY_OTHER_SIDE], 0);
	device_start(&quash_acp);
	say(REQUEST("0", "initialize"));
	say(CANCEL("0"));
	ANSWERS(CANCELLED("0"));
}

static void test_initialize_has_causes_of_our_own(void **state)
{
	(void)state;
	device_start(&quash_mcp);
	say(REQUEST("0", "initialize"));
	quash_cancel_all(&device.peer);
	ANSWERS(CANCELLED("0"));
}

/* --- Time from flag to end */

static void test_cancel_times(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("0", "now"));
	loop_step(&device, 20);
	ANSWERS(RESULT("0", "1"));
	COUNTED(last_cancel_ms, 0); /* none was cancelled */
	say(REQUEST_WITH("1", "stubborn", "{'steps':2}"));
	loop_step(&device, 1);
	loop_step(&device, 10);
	say(CANCEL("1"));
	loop_step(&device, 30);
	ANSWERS(CANCELLED("1"));
	COUNTED(last_cancel_ms, 30);
	COUNTED(slowest_cancel_ms, 30);
	say(REQUEST("2", "wait"));
	loop_step(&device, 50);
	say(CANCEL("2"));
	loop_step(&device, 7);
	COUNTED(last_cancel_ms, 7);
	COUNTED(slowest_cancel_ms, 30);
	say(REQUEST("3", "wait"));
	loop_step(&device, 50);
	say(REQUEST("4", "wait"));
	say(CANCEL("4"));
	COUNTED(last_cancel_ms, 0);
	say(CANCEL("3"));
	device.now += 100;
	quash_tick(&device.peer, device.now);
	loop_step(&device, 0);
	COUNTED(last_cancel_ms, 100);
	COUNTED(slowest_cancel_ms, 100);
	ANSWERS(CANCELLED("2") CANCELLED("3") CANCELLED("4"));
}

/* --- What ends outside of the other side's sight */

static int32_t fails(quash_request *request)
{
	(void)request;
	return -5;
}

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
	say(REQUEST("1", "fails"));
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
		{ .name = "fails", .handler = fails, .deadline = 100 },
		{ .name = "dropped", .handler = waits, .end = hangs_up, .marks = QUASH_DROPS },
		{ .name = "hangs up", .handler = answers_and_hangs_up },
		{ .name = "receives", .handler = answers_and_receives },
	};
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = COUNT_OF(list);
	device_begin();
}

static void test_an_answer_that_waits_wakes_nobody(void **state)
{
	(void)state;
	start_with_ends();
	fill_tx();
	say(REQUEST("1", "fails"));
	quash_step(&device.peer);
	assert_int_equal(quash_live_count(&device.peer), 1);
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX);
	drain_fill();
	ANSWERS(ERROR("1", "-5", "Server error"));
}

static void test_an_answer_that_waits_keeps_no_params(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.arena_size = 30;
	device_begin();
	fill_tx();
	say(REQUEST_WITH("1", "echo", "['0123456789']"));
	quash_cancel(live("1"));
	quash_step(&device.peer);
	say(REQUEST_WITH("2", "echo", "['0123456789']"));
	assert_int_equal(quash_live_count(&device.peer), 2);
	COUNTED(busy, 0);
}

/* No byte of it stood in TX: it is discarded, and counted. */
static void test_an_answer_is_discarded(void **state)
{
	(void)state;
	start_with_ends();
	say(REQUEST("1", "hangs up"));
	step();
	COUNTED(results, 0);
	COUNTED(discarded, 1);
	COUNTED(cancelled[QUASH_BY_LINK], 0);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static void test_nothing_is_discarded_twice_or_of_a_notification(void **state)
{
	(void)state;
	device_start(&quash_mcp);
	say(REQUEST("1", "stubborn"));
	step();
	say(NOTE("note"));
	say(MCP_CANCEL("1"));
	quash_gone(&device.peer);
	COUNTED(silenced, 1);
	COUNTED(discarded, 0);
}

/* The handler has answered, and has not returned: its answer waits, and a cancel is late. */
static void test_an_answered_id_is_live(void **state)
{
	(void)state;
	start_with_ends();
	say(REQUEST("1", "receives"));
	steps(2);
	ANSWERS(RESULT("1", "1") INVALID("null"));
	COUNTED(duplicate_ids, 1);
	COUNTED(late_cancels, 1);
}

static void test_a_slot_is_held_by_its_end_hook(void **state)
{
	(void)state;
	start_with_ends();
	say(REQUEST("1", "dropped"));
	step();
	fill_tx();
	quash_cancel(live("1"));
	live_in_hook = 0;
	quash_step(&device.peer);
	assert_int_equal(live_in_hook, 1);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static void test_time_of_silence(void **state)
{
	(void)state;
	device_start(&quash_mcp);
	say(REQUEST_WITH("1", "stubborn", "{'steps':1}"));
	step();
	say(MCP_CANCEL("1"));
	loop_step(&device, 40);
	COUNTED(last_cancel_ms, 40);
	ANSWERS("");
}

/* --- Deadlines */

static void test_deadline_across_the_wrap(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.now = UINT32_MAX - 49;
	device_begin();
	say(REQUEST("1", "limited"));
	step();
	loop_step(&device, 48);
	assert_int_equal(device.now, UINT32_MAX);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	loop_step(&device, 1);
	assert_int_equal(device.now, 0);
	loop_step(&device, 49);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	loop_step(&device, 1);
	ANSWERS(CANCELLED("1"));
	COUNTED(cancelled[QUASH_BY_DEADLINE], 1);
}

static void test_overdue_is_latched(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "limited"));
	loop_step(&device, 1);
	quash_tick(&device.peer, 100);
	quash_tick(&device.peer, 50);
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_DEADLINE);
	step();
	ANSWERS(CANCELLED("1"));
}

static void test_longest_deadline(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	step();
	quash_deadline(live("1"), UINT32_MAX);
	quash_tick(&device.peer, INT32_MAX);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	quash_tick(&device.peer, 1 + (uint32_t)INT32_MAX);
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
	say(REQUEST("1", "limited"));
	step();
	quash_deadline(live("1"), 500);
	loop_step(&device, 499);
	ANSWERS("");
	loop_step(&device, 1);
	ANSWERS(FAILED("1"));
}

static void test_deadline_of_no_time(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	step();
	quash_deadline(live("1"), 0);
	step();
	ANSWERS(CANCELLED("1"));
	DID("wait(1) wait(1) end(1)");
}

/* --- From an interrupt or another thread */

static void test_async(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	step();
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
	step();
	ANSWERS(CANCELLED("1"));
	DID("wait(1) wait(1) end(1)");
}

/* A worker that is still at it stops, whatever became of the request, and whoever has its slot. */
static void test_handle_of_an_ended_request(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.slot_count = 2;
	device_begin();
	say(REQUEST_WITH("1", "wait", "{'steps':0}"));
	const quash_handle handle = quash_handle_of(live("1"));
	assert_false(quash_handle_cancelled(handle));
	step();
	ANSWERS(RESULT("1", "'waited'"));
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

static void test_async_while_parked(void **state)
{
	(void)state;
	device_start(&quash_lsp);
	say(REQUEST("1", "wait"));
	quash_cancel_async(quash_handle_of(live("1")));
	ANSWERS("");
	step();
	ANSWERS(FAILED("1"));
	DID("");
}

static void test_async_ends_a_wait(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	step();
	(void)quash_wait(live("1"), 1000);
	step();
	DID("wait(1)");
	quash_cancel_async(quash_handle_of(live("1")));
	step();
	DID("wait(1) end(1)");
	ANSWERS(CANCELLED("1"));
}

/* Too late: the answer is recorded. The program sleeps all the same. */
static void test_async_of_what_has_answered(void **state)
{
	(void)state;
	device_start(&quash_acp);
	device_at_rest = false;
	say(REQUEST("1", "ramp"));
	step();
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
	device_prepare(&quash_acp);
	device.config.methods = methods;
	device.config.method_count = COUNT_OF(methods);
	device_begin();
	say(REQUEST("1", "late"));
	step();
	ANSWERS(RESULT("1", "true"));
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 0);
	say(REQUEST("1", "early"));
	step();
	ANSWERS(CANCELLED("1"));
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 1);
	say(REQUEST("2", "seen"));
	step();
	ANSWERS(CANCELLED("2"));
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 2);
	COUNTED(cancelled[QUASH_BY_HANDLER], 0);
}

/* Nor does it undo another's cancel of that request, before the peer has seen it. */
static void test_late_async_undoes_nothing(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.slot_count = 2;
	device_begin();
	say(REQUEST_WITH("1", "wait", "{'steps':1}"));
	const quash_handle late = quash_handle_of(live("1"));
	steps(2);
	ANSWERS(RESULT("1", "'waited'"));
	say(REQUEST_WITH("2", "wait", "{'steps':1}"));
	steps(2);
	ANSWERS(RESULT("2", "'waited'"));
	say(REQUEST("3", "wait"));
	step();
	assert_ptr_equal(live("3"), late.request);
	quash_cancel_async(quash_handle_of(live("3")));
	quash_cancel_async(late);
	step();
	ANSWERS(CANCELLED("3"));
}

/* A late store never hits the slot's next request: not in 300 generations of the same slot. */
static void test_late_async(void **state)
{
	static quash_handle late[300];
	(void)state;
	device_prepare(&quash_acp);
	device.config.slot_count = 2;
	device_begin();
	for (size_t i = 0; i < COUNT_OF(late); i++) {
		say(REQUEST_WITH("1", "wait", "{'steps':1}"));
		late[i] = quash_handle_of(live("1"));
		for (size_t k = i < 250 ? 0 : i - 250; k < i; k++) {
			quash_cancel_async(late[k]);
			quash_tick(&device.peer, device.now);
			assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
		}
		assert_int_not_equal(late[i].generation, 0);
		steps(2);
		ANSWERS(RESULT("1", "'waited'"));
		device_forget();
	}
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 0);
}

/* docs/cancellation.md: it takes 65,535 requests of one slot (255) until a handle matches again, and not fewer. */
static void test_a_generation_comes_late_again(void **state)
{
	const unsigned others = ROUNDS_OF((quash_generation)-1);
	(void)state;
	device_prepare(&quash_acp);
	device.config.slot_count = 1;
	device_begin();
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
	device_prepare(&quash_acp);
	device.config.slot_count = 2;
	device_begin();
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

/* --- Tag cancels */

#define PROMPT(id, session) REQUEST_WITH(id, "session/prompt", "{'sessionId':" session "}")
#define STOP(session)       NOTE_WITH("session/cancel", "{'sessionId':" session "}")
#define STOPPED(id)         RESULT(id, "{'stopReason':'cancelled'}")

static void test_tag_cancel(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(PROMPT("1", "'a'"));
	say(PROMPT("2", "'b'"));
	step();
	say(PROMPT("3", "'a'"));
	say(REQUEST_WITH("4", "wait", "{'sessionId':'a','steps':1}"));
	say(STOP("'a'"));
	ANSWERS(STOPPED("3"));
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_OTHER_SIDE);
	assert_int_equal(quash_cancelled(live("2")), QUASH_NOT_CANCELLED);
	step();
	ANSWERS(STOPPED("1"));
	step();
	ANSWERS(RESULT("4", "'waited'"));
	COUNTED(cancelled[QUASH_BY_OTHER_SIDE], 2);
	COUNTED(late_cancels, 0);
	say(STOP("'b'"));
	step();
	ANSWERS(STOPPED("2"));
}

static void test_tag_cancels_of_nothing(void **state)
{
	static const char *const cancels[] = { STOP("'b'"), STOP("''"), STOP("'aa'"), STOP("1"), STOP("null"),
		STOP("['a']"), NOTE("session/cancel"), NOTE_WITH("session/cancel", "['a']"),
		NOTE_WITH("session/cancel", "{'x':{'sessionId':'a'}}"),
		NOTE_WITH("session/cancelled", "{'sessionId':'a'}") };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cancels); i++) {
		device_start(&quash_acp);
		say(PROMPT("1", "'a'"));
		say(PROMPT("2", "1"));
		say(REQUEST("3", "session/prompt"));
		say(cancels[i]);
		ANSWERS("");
		COUNTED(cancelled[QUASH_BY_OTHER_SIDE], 0);
	}
}

static void test_tag_of_any_length(void **state)
{
	(void)state;
	device_start(&quash_acp);
	assert_int_equal(LOOP_ID, 40);
	say(PROMPT("1", "'0123456789012345678901234567890123456789'"));
	say(PROMPT("2", "'01234567890123456789012345678901234567890'"));
	say(STOP("'01234567890123456789012345678901234567890'")); /* longer than tag_size: no target */
	ANSWERS("");
	COUNTED(late_cancels, 1);
	say(STOP("'0123456789012345678901234567890123456789'"));
	ANSWERS(STOPPED("1"));
}

/* Its length is not counted over: the last two of 258 are no tag. */
static void test_tag_longer_than_can_be_counted(void **state)
{
	char text[400], tag[259];
	(void)state;
	device_start(&quash_acp);
	say(PROMPT("1", "'ab'"));
	memset(tag, 'x', sizeof tag - 3);
	strcpy(tag + sizeof tag - 3, "ab");
	sprintf(text, STOP("'%s'"), tag);
	say(text);
	ANSWERS("");
	COUNTED(late_cancels, 1);
	say(STOP("'ab'"));
	ANSWERS(STOPPED("1"));
}

static void test_tag_in_any_spelling(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say("{'params':{'sessionId':'x','sessionId':'\\u0061\\n'},'method':'session/"
	    "prompt','id':1,'jsonrpc':'2.0'}");
	say("{'params':{'a':[1],'sessionId':'\\u0061\\u000A','b':{}},'method':'session/"
	    "cancel','jsonrpc':'2.0'}");
	ANSWERS(STOPPED("1"));
}

static void test_tags_are_of_one_dialect(void **state)
{
	(void)state;
	device_start(&quash_jsonrpc);
	say(PROMPT("1", "'a'"));
	say(STOP("'a'"));
	ANSWERS("");
	COUNTED(ignored, 1);
	device_prepare(&quash_acp);
	device.config.tags = NULL;
	device.config.tag_size = 0;
	device_begin();
	say(PROMPT("1", "'a'"));
	say(STOP("'a'"));
	ANSWERS("");
	COUNTED(late_cancels, 1);
}

/* --- Reasons */

static void reason_is(const char *given, const char *kept)
{
	char message[512] = "{'jsonrpc':'2.0','method':'notifications/"
			    "cancelled','params':{'requestId':1,'reason':'";
	device_start(&quash_mcp);
	assert_int_equal(device.config.reason_size, 32);
	say(REQUEST("1", "stubborn"));
	step();
	strcat(message, given);
	say(strcat(message, "'}}"));
	assert_string_equal(quash_reason(live("1")), kept);
}

static void test_reasons(void **state)
{
	(void)state;
	reason_is("Timed out.", "Timed out.");
	reason_is("", "");
	reason_is("\\u0041\\n", "A\n");
	reason_is("0123456789012345678901234567890", "0123456789012345678901234567890");
	reason_is("01234567890123456789012345678901", "0123456789012345678901234567890");
	reason_is("0123456789012345678901234567890123456789", "0123456789012345678901234567890");
	/* Cut at a character. */
	reason_is("012345678901234567890123456789\xC3\xBC", "012345678901234567890123456789");
	reason_is("01234567890123456789012345678\xE2\x82\xAC", "01234567890123456789012345678");
	reason_is("0123456789012345678901234567\xF0\x9F\x98\x80", "0123456789012345678901234567");
	reason_is("0123456789012345678901234567\xF0\x9F\x98\x80z", "0123456789012345678901234567");
	/* Not cut when it just fits. */
	reason_is("01234567890123456789012345678\xC3\xBC", "01234567890123456789012345678\xC3\xBC");
	reason_is("01234567890123456789012345678\xC3\xBCz", "01234567890123456789012345678\xC3\xBC");
}

static void test_reason_in_any_order(void **state)
{
	(void)state;
	device_start(&quash_mcp);
	say(REQUEST("1", "stubborn"));
	step();
	say("{'params':{'reason':'first','requestId':1},'method':'notifications/cancelled','jsonrpc':'2.0'}");
	assert_string_equal(quash_reason(live("1")), "first");
}

static void test_no_reason(void **state)
{
	(void)state;
	device_start(&quash_mcp);
	say(REQUEST("1", "stubborn"));
	say(REQUEST("2", "stubborn"));
	step();
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
	say(REQUEST("2", "stubborn"));
	step();
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
	device_prepare(&quash_mcp);
	device.config.slot_count = 1;
	device_begin();
	for (unsigned i = 0; i < 2; i++) {
		say(REQUEST_WITH("1", "stubborn", "{'steps':1}"));
		step();
		say(MCP_CANCEL_FOR("1", "'one'"));
		assert_string_equal(quash_reason(live("1")), "one");
		step();
		say(REQUEST_WITH("2", "stubborn", "{'steps':1}"));
		step();
		assert_string_equal(quash_reason(live("2")), "");
		step();
		ANSWERS(RESULT("2", "'done'"));
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
	say(REQUEST("1", "stubborn"));
	step();
	say(MCP_CANCEL_FOR("1", "'one'"));
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_OTHER_SIDE);
	assert_string_equal(quash_reason(live("1")), "");
}

/* --- Trace */

static void start_traced(const quash_dialect *dialect)
{
	device_prepare(dialect);
	device.config.trace = device_trace;
	device_begin();
}

static void test_trace_of_a_request(void **state)
{
	(void)state;
	start_traced(&quash_acp);
	say(REQUEST("1", "now"));
	DID("received parked");
	step();
	DID("started now(1) recorded written freed");
	say(REQUEST("2", "nothing"));
	DID("received refused(-32601) recorded(-32601)");
	say("{");
	DID("refused(-32700) recorded(-32700)");
	ANSWERS(RESULT("1", "1") UNKNOWN("2") PARSE_ERROR);
	DID("written(-32601) freed written(-32700) freed");
	say(NOTE("note"));
	step();
	DID("received parked started note(-) end(-) freed");
	say(NOTE("nothing"));
	DID("");
}

static void test_trace_of_a_cancel(void **state)
{
	(void)state;
	start_traced(&quash_acp);
	say(REQUEST("1", "wait"));
	say(CANCEL("1"));
	DID("received parked flagged(1) recorded(-32800)");
	say(CANCEL("1"));
	DID("late");
	ANSWERS(CANCELLED("1"));
	DID("written(-32800) freed");
	say(REQUEST("1", "wait"));
	step();
	say(CANCEL("1"));
	step();
	DID("received parked started wait(1) flagged(1) wait(1) recorded(-32800) end(1) written(-32800) freed");
	say(REQUEST("1", "drops"));
	step();
	quash_cancel(live("1"));
	step();
	DID("received parked started drops(1) flagged(5) recorded(-32800) end(1) written(-32800) freed");
}

static void test_trace_of_silence(void **state)
{
	(void)state;
	start_traced(&quash_mcp);
	say(REQUEST("1", "wait"));
	say(MCP_CANCEL("1"));
	DID("received parked flagged(1) silenced freed");
	say(REQUEST("1", "drops"));
	step();
	say(MCP_CANCEL("1"));
	step();
	DID("received parked started drops(1) flagged(1) silenced end(1) freed");
	say(REQUEST("1", "stubborn"));
	step();
	quash_cancel(live("1"));
	say(MCP_CANCEL("1"));
	DID("received parked started stubborn(1) flagged(5) silenced");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_finished),
		cmocka_unit_test(test_written_but_not_sent),
		cmocka_unit_test(test_parked),
		cmocka_unit_test(test_parked_stubborn_and_drops),
		cmocka_unit_test(test_parked_own_cause),
		cmocka_unit_test(test_running),
		cmocka_unit_test(test_running_and_never_looks),
		cmocka_unit_test(test_running_own_cause),
		cmocka_unit_test(test_drops),
		cmocka_unit_test(test_drops_own_cause),
		cmocka_unit_test(test_partial_parked),
		cmocka_unit_test(test_partial_running),
		cmocka_unit_test(test_partial_own_cause),
		cmocka_unit_test(test_partial_parked_and_silenced),
		cmocka_unit_test(test_cancelled_twice),
		cmocka_unit_test(test_own_cause_then_other_side),
		cmocka_unit_test(test_other_side_then_own_cause),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_recorded_cancelled),
		cmocka_unit_test(test_handler),
		cmocka_unit_test(test_deadline),
		cmocka_unit_test(test_deadline_while_parked),
		cmocka_unit_test(test_shutdown),
		cmocka_unit_test(test_link_gone),
		cmocka_unit_test(test_cancelled_result),
		cmocka_unit_test(test_cancelled_result_while_parked),
		cmocka_unit_test(test_cancelled_result_own_cause),
		cmocka_unit_test(test_no_cancelled_result_for_an_error),
		cmocka_unit_test(test_silenced_id_is_free),
		cmocka_unit_test(test_silenced_request_reports_nothing),
		cmocka_unit_test(test_initialize_is_never_cancelled_in_mcp),
		cmocka_unit_test(test_initialize_has_causes_of_our_own),
		cmocka_unit_test(test_cancel_times),
		cmocka_unit_test(test_an_answer_that_waits_wakes_nobody),
		cmocka_unit_test(test_an_answer_that_waits_keeps_no_params),
		cmocka_unit_test(test_an_answer_is_discarded),
		cmocka_unit_test(test_nothing_is_discarded_twice_or_of_a_notification),
		cmocka_unit_test(test_an_answered_id_is_live),
		cmocka_unit_test(test_a_slot_is_held_by_its_end_hook),
		cmocka_unit_test(test_time_of_silence),
		cmocka_unit_test(test_deadline_across_the_wrap),
		cmocka_unit_test(test_overdue_is_latched),
		cmocka_unit_test(test_longest_deadline),
		cmocka_unit_test(test_deadline_that_comes_too_late),
		cmocka_unit_test(test_deadline_in_place_of_another),
		cmocka_unit_test(test_deadline_of_no_time),
		cmocka_unit_test(test_async),
		cmocka_unit_test(test_handle_of_an_ended_request),
		cmocka_unit_test(test_async_while_parked),
		cmocka_unit_test(test_async_ends_a_wait),
		cmocka_unit_test(test_async_of_what_has_answered),
		cmocka_unit_test(test_late_async),
		cmocka_unit_test(test_late_async_undoes_nothing),
		cmocka_unit_test(test_async_while_a_handler_ends),
		cmocka_unit_test(test_a_generation_comes_late_again),
		cmocka_unit_test(test_generation_skips_zero),
		cmocka_unit_test(test_tag_cancel),
		cmocka_unit_test(test_tag_cancels_of_nothing),
		cmocka_unit_test(test_tag_of_any_length),
		cmocka_unit_test(test_tag_longer_than_can_be_counted),
		cmocka_unit_test(test_tag_in_any_spelling),
		cmocka_unit_test(test_tags_are_of_one_dialect),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_reason_in_any_order),
		cmocka_unit_test(test_no_reason),
		cmocka_unit_test(test_reason_is_overwritten),
		cmocka_unit_test(test_reason_is_not_the_next_ones),
		cmocka_unit_test(test_without_room_for_reasons),
		cmocka_unit_test(test_trace_of_a_request),
		cmocka_unit_test(test_trace_of_a_cancel),
		cmocka_unit_test(test_trace_of_silence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
