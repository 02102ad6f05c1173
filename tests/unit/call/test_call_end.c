/* SPDX-License-Identifier: MIT
 * How calls end: cancelled, with their parent or alone, across peers; released, let go, overdue, by their link. */
#include "hops.h"

static quash_call one, two, three;

static int set_up(void **state)
{
	(void)state;
	hops_start(&quash_acp);
	return 0;
}

static quash_call *ask_for(quash_request *request, loop *hop, quash_call *call)
{
	hop_start_call_for(request, hop, fresh(call, "ping"));
	return call;
}

static quash_call *ask_with_callback(quash_request *request, loop *hop, quash_call *call)
{
	fresh(call, "ping")->done = note_end;
	if (request != NULL)
		hop_start_call_for(request, hop, call);
	else
		hop_start_call(hop, call);
	return call;
}

/* --- Cascade */

static void test_children_on_two_other_peers_and_on_the_same(void **state)
{
	(void)state;
	hop_start(&back, &quash_lsp, LOOP_TX);
	hop_start(&side, &quash_mcp, LOOP_TX);
	quash_request *request = parent("'p'");
	ask_for(request, &back, &one);
	ask_for(request, &side, &two);
	ask_for(request, &device, &three);
	ANSWERS(REQUEST("1", "ping") "\n");
	WRITES(&back, REQUEST("1", "ping") "\n");
	WRITES(&side, REQUEST("1", "ping") "\n");
	say(CANCEL("'p'"));
	WRITES(&back, LSP_CANCEL("1") "\n");
	WRITES(&side, MCP_CANCEL("1") "\n");
	ANSWERS(CANCEL("1") "\n");
	ENDED(&one, "open");
	ENDED(&two, "cancelled"); /* MCP: no answer is to be expected */
	ANSWERS_AFTER(1, CANCELLED("'p'"));
	assert_int_equal(quash_live_count(&device.peer), 0);
	assert_false(quash_call_in_use(&one));
	assert_false(quash_call_in_use(&two));
	assert_false(quash_call_in_use(&three));
	hop_receive(&side, ANSWER("1", "1"));
	hop_receive(&back, ANSWER("1", "1"));
	assert_int_equal(side.counters.late_responses, 1);
	assert_int_equal(back.counters.late_responses, 1);
}

/* The device asks, with `back`, the server `far`; that one asks, with `farther`, the server `farthest`. */
static void test_three_hops_down(void **state)
{
	static const quash_dialect *const dialects[] = { &quash_acp, &quash_lsp, &quash_mcp, &quash_jsonrpc };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(dialects); i++) {
		hops_start(&quash_acp);
		hop_start(&back, dialects[i], LOOP_TX);
		hop_start(&far, dialects[i], LOOP_TX);
		hop_start(&farther, dialects[(i + 1) % COUNT_OF(dialects)], 64);
		hop_start(&farthest, dialects[(i + 1) % COUNT_OF(dialects)], 64);
		quash_request *request = parent("'top'");
		hop_start_call_for(request, &back, fresh(&one, "wait"));
		hops_exchange(&back, &far);
		hop_start_call_for(hop_request(&far), &farther, fresh(&two, "wait"));
		hops_exchange(&farther, &farthest);
		assert_int_equal(quash_cancelled(hop_request(&farthest)), QUASH_NOT_CANCELLED);
		device_forget();
		say(CANCEL("'top'"));
		hops_exchange(&back, &far);
		hops_exchange(&farther, &farthest);
		hops_exchange(&back, &far);
		ANSWERS_AFTER(1, CANCELLED("'top'"));
		assert_int_equal(far.counters.cancelled[QUASH_BY_OTHER_SIDE], 1);
		assert_int_equal(farthest.counters.cancelled[QUASH_BY_OTHER_SIDE], 1);
		assert_int_equal(back.counters.call_cancels, 1);
		assert_int_equal(farther.counters.call_cancels, 1);
		assert_int_equal(quash_live_count(&device.peer), 0);
		assert_int_equal(quash_live_count(&far.peer) + quash_live_count(&farthest.peer), 0);
		assert_int_equal(quash_call_count(&back.peer) + quash_call_count(&farther.peer), 0);
	}
}

static void test_three_hops_up(void **state)
{
	(void)state;
	quash_request *request = parent("'top'");
	hop_start_call_for(request, &back, fresh(&one, "wait"));
	hops_exchange(&back, &far);
	hop_start_call_for(hop_request(&far), &farther, fresh(&two, "stubborn"));
	hops_exchange(&farther, &farthest);
	quash_cancel(hop_request(&far)); /* in the middle: down as a cancel, up as an answer */
	hops_exchange(&farther, &farthest);
	hops_exchange(&back, &far);
	ENDED(&one, "error {'code':-32800,'message':'Request cancelled'}");
	assert_int_equal(quash_cancelled(request), QUASH_NOT_CANCELLED);
	quash_call_cancel_parent(&one);
	assert_int_equal(quash_cancelled(request), QUASH_BY_LOCAL_CODE);
	assert_int_equal(farthest.counters.cancelled[QUASH_BY_OTHER_SIDE], 1);
	assert_int_equal(back.counters.call_cancels, 0);
}

static void test_asked_for_what_is_cancelled_already(void **state)
{
	(void)state;
	quash_request *request = parent("1");
	quash_cancel(request);
	ENDED(ask_for(request, &back, &one), "cancelled");
	assert_int_equal(quash_call_code(&one), QUASH_CANCELLED);
	WRITES(&back, "");
	request = parent("2");
	quash_cancel_async(quash_handle_of(request));
	ENDED(ask_for(request, &back, &two), "cancelled");
	step();
	ENDED(ask_for(request, &back, &three), "cancelled"); /* it has ended */
	assert_null(three.parent);
	WRITES(&back, "");
	assert_int_equal(back.counters.calls, 0);
}

static void test_asked_for_what_does_not_run(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	ask_for(live("1"), &back, &one);
	ENDED(&one, "cancelled");
	WRITES(&back, "");
}

static void test_asked_again_beside_a_sibling(void **state)
{
	(void)state;
	quash_request *request = parent("1");
	ask_for(request, &back, &one);
	ask_for(request, &back, &two);
	(void)loop_heard(&back);
	hop_receive(&back, ANSWER("1", "1"));
	hop_start_call_for(request, &back, &one);
	ask_for(request, &back, &three);
	(void)loop_heard(&back);
	say_and_step(CANCEL("1"));
	WRITES(&back, CANCEL("2") "\n" CANCEL("3") "\n" CANCEL("4") "\n");
	ANSWERS(CANCELLED("1"));
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static void test_the_slot_does_not_wait_for_a_link_that_goes(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	quash_request *request = parent("1");
	back.stalled = true;
	ask_for(request, &back, &one);
	say_and_step(CANCEL("1"));
	assert_int_equal(quash_live_count(&device.peer), 1);
	quash_gone(&back.peer);
	assert_int_equal(quash_live_count(&device.peer), 0);
	assert_false(quash_call_in_use(&one));
}

/* --- Alone */

static void test_what_is_never_cancelled_ends_without_a_word(void **state)
{
	static const quash_cancel_method stop = { "$/stop", NULL };
	static const quash_dialect own = { .cancels = &stop, .cancel_count = 1, .cancel_id = "which", .never_cancelled = "hello",
		.other_code = QUASH_CANCELLED, .own_code = QUASH_CANCELLED };
	static const quash_dialect *const dialects[] = { &quash_mcp, &own };
	static const char *const never[] = { "initialize", "hello" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(dialects); i++) {
		hop_start(&back, dialects[i], LOOP_TX);
		fresh(&one, never[i])->done = note_end;
		hop_start_call(&back, &one);
		(void)loop_heard(&back);
		quash_call_cancel(&one);
		hop_step(&back);
		CALLED_BACK("1: cancelled\n");
		WRITES(&back, "");
		hop_receive(&back, ANSWER("1", "{}"));
		assert_int_equal(back.counters.late_responses, 1);
		assert_int_equal(back.counters.call_cancels, 0);
	}
	hop_start_call(&back, fresh(&two, "other"));
	quash_call_cancel(&two);
	WRITES(&back, REQUEST("2", "other") "\n" NOTE_WITH("$/stop", "{'which':2}") "\n");
}

/* --- Deadlines */

static void test_overdue_though_cancelled_before(void **state)
{
	(void)state;
	fresh(&one, "ping")->deadline = 100;
	hop_start_call(&back, &one);
	quash_call_cancel(&one);
	WRITES(&back, REQUEST("1", "ping") "\n" CANCEL("1") "\n");
	loop_step(&back, 100);
	ENDED(&one, "overdue");
	WRITES(&back, "");
}

static void test_the_longest_deadline(void **state)
{
	(void)state;
	fresh(&one, "ping")->deadline = 0x7FFFFFFF;
	hop_start_call(&back, &one);
	(void)loop_heard(&back);
	assert_int_equal(quash_idle_ms(&back.peer), 0x7FFFFFFF);
	loop_step(&back, 0x7FFFFFFE);
	ENDED(&one, "open");
	loop_step(&back, 1);
	ENDED(&one, "overdue");
}

/* --- Released, let go */

static void test_released_while_open(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	back.stalled = true;
	ask_with_callback(NULL, &back, &one);
	assert_false(quash_call_release(&one));
	assert_true(quash_call_in_use(&one));
	assert_false(quash_call_start(&back.peer, &one));
	assert_false(quash_call_start_for(parent("1"), &back.peer, &one));
	assert_false(quash_call_release(&one));
	back.stalled = false;
	WRITES(&back, REQUEST("1", "ping") "\n" CANCEL("1") "\n");
	assert_false(quash_call_in_use(&one));
	assert_true(quash_call_release(&one));
	hop_step(&back);
	CALLED_BACK("");
	back.stalled = true;
	ask_with_callback(NULL, &back, &two);
	ask_with_callback(NULL, &back, &three);
	assert_true(quash_call_release(&three)); /* it was not written */
	assert_false(quash_call_in_use(&three));
}

static void test_let_go(void **state)
{
	(void)state;
	quash_request *request = parent("1");
	ask_with_callback(request, &back, &one);
	(void)loop_heard(&back);
	quash_call_let_go(&one);
	assert_null(one.parent);
	quash_call_let_go(&one);
	quash_call_cancel_parent(&one);
	ANSWERS_TO(CANCEL("1"), 1, CANCELLED("1"));
	assert_int_equal(quash_live_count(&device.peer), 0);
	hop_receive(&back, ANSWER("1", "1"));
	hop_step(&back);
	CALLED_BACK("1: result 1\n");
	WRITES(&back, "");
}

static int32_t asks_and_ends(quash_request *request)
{
	ask_for(request, &back, &one);
	return quash_reply_int(request, 1);
}

static void start_where_all_ask(void)
{
	static const quash_method list[] = {
		{ .name = "ask", .handler = asks_and_ends },
		{ .name = "hint", .handler = asks_and_ends, .marks = QUASH_NOTIFICATION },
	};
	hop_start(&back, &quash_acp, 64);
	back.stalled = true;
	DEVICE_PREPARE(&quash_acp, list);
	device.config.calls = &quash_calls;
	device.config.arena_size = 30;
	device_begin();
}

/* Nobody knows when the other link takes the cancel: it does not come free like what waits for TX. */
static void test_a_slot_that_waits_for_another_link_is_held(void **state)
{
	(void)state;
	start_where_all_ask();
	ANSWERS_TO(REQUEST_WITH("1", "ask", "['0123456789']"), 1, RESULT("1", "1"));
	assert_int_equal(quash_live_count(&device.peer), 1);
	hop_receive_and_step(&device, REQUEST_WITH("2", "ask", "['0123456789']"));
	COUNTED(kept, 1);
	ANSWERS(BUSY("2"));
	back.stalled = false;
	hop_step(&back);
	assert_int_equal(quash_live_count(&device.peer), 0);
	ANSWERS_TO(REQUEST_WITH("3", "ask", "['0123456789']"), 1, RESULT("3", "1"));
}

static void test_a_slot_that_waits_is_not_cancelled(void **state)
{
	(void)state;
	start_where_all_ask();
	say_and_step(NOTE("hint"));
	assert_int_equal(quash_live_count(&device.peer), 1);
	quash_cancel_all(&device.peer);
	COUNTED(cancelled[QUASH_BY_SHUTDOWN], 0);
	back.stalled = false;
	hop_step(&back);
	hop_step(&back);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static void test_let_go_while_the_slot_waits(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	back.stalled = true;
	quash_request *request = parent("1");
	ask_for(request, &back, &one);
	say_and_step(CANCEL("1"));
	assert_int_equal(quash_live_count(&device.peer), 1);
	quash_call_let_go(&one);
	assert_int_equal(quash_live_count(&device.peer), 0);
	back.stalled = false;
	WRITES(&back, REQUEST("1", "ping") "\n" CANCEL("1") "\n");
	assert_false(quash_call_in_use(&one));
}

/* --- Links */

static void test_the_parents_link_is_lost(void **state)
{
	(void)state;
	quash_request *request = parent("1");
	ask_for(request, &back, &one);
	quash_gone(&device.peer);
	WRITES(&back, REQUEST("1", "ping") "\n" CANCEL("1") "\n");
	step();
	assert_int_equal(quash_live_count(&device.peer), 0);
	assert_false(quash_call_in_use(&one));
}

static void test_shutdown(void **state)
{
	(void)state;
	quash_request *request = parent("1");
	ask_for(request, &back, &one);
	ask_with_callback(NULL, &back, &two);
	quash_cancel_all(&device.peer);
	quash_cancel_all(&back.peer); /* has no requests; its own calls are not the other side's */
	WRITES(&back, REQUEST("1", "ping") "\n" REQUEST("2", "ping") "\n" CANCEL("1") "\n");
	ENDED(&two, "open");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_children_on_two_other_peers_and_on_the_same, set_up),
		cmocka_unit_test_setup(test_three_hops_down, set_up),
		cmocka_unit_test_setup(test_three_hops_up, set_up),
		cmocka_unit_test_setup(test_asked_for_what_is_cancelled_already, set_up),
		cmocka_unit_test_setup(test_asked_for_what_does_not_run, set_up),
		cmocka_unit_test_setup(test_asked_again_beside_a_sibling, set_up),
		cmocka_unit_test_setup(test_the_slot_does_not_wait_for_a_link_that_goes, set_up),
		cmocka_unit_test_setup(test_what_is_never_cancelled_ends_without_a_word, set_up),
		cmocka_unit_test_setup(test_overdue_though_cancelled_before, set_up),
		cmocka_unit_test_setup(test_the_longest_deadline, set_up),
		cmocka_unit_test_setup(test_released_while_open, set_up),
		cmocka_unit_test_setup(test_let_go, set_up),
		cmocka_unit_test_setup(test_a_slot_that_waits_for_another_link_is_held, set_up),
		cmocka_unit_test_setup(test_a_slot_that_waits_is_not_cancelled, set_up),
		cmocka_unit_test_setup(test_let_go_while_the_slot_waits, set_up),
		cmocka_unit_test_setup(test_the_parents_link_is_lost, set_up),
		cmocka_unit_test_setup(test_shutdown, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
