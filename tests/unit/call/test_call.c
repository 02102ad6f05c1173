/* SPDX-License-Identifier: MIT
 * Starting calls, receiving answers, callbacks, as the program sees them; what a client sees is in tests/talk. Ends and cancels:
 * test_call_end.c; on their way: test_call_write.c. */
#include "hops.h"

#include <stdio.h>

static quash_call one, two, three;

static int set_up(void **state)
{
	(void)state;
	hops_start(&quash_acp);
	return 0;
}

static void ask(quash_call *call, const char *method)
{
	hop_start_call(&back, fresh(call, method));
}

static void ask_with_callback(quash_call *call, const char *method)
{
	fresh(call, method)->done = note_end;
	hop_start_call(&back, call);
}

/* --- A call's life */

static void test_asked_answered_and_asked_again(void **state)
{
	(void)state;
	assert_false(quash_call_in_use(fresh(&one, "ping")));
	ask(&one, "ping");
	assert_true(quash_call_in_use(&one));
	assert_false(quash_call_has_ended(&one));
	ENDED(&one, "open");
	assert_int_equal(quash_call_code(&one), 0);
	assert_int_equal(quash_kind_of(quash_call_answer(&one)), QUASH_NONE);
	assert_int_equal(quash_call_count(&back.peer), 1);
	assert_ptr_equal(one.peer, &back.peer);
	assert_null(one.parent);
	assert_int_equal(one.id, 1);
	assert_false(quash_call_start(&back.peer, &one));
	assert_false(quash_call_start(&side.peer, &one));
	WRITES(&back, REQUEST("1", "ping") "\n");
	hop_receive(&back, ANSWER("1", "{'x':1}"));
	assert_true(quash_call_has_ended(&one));
	ENDED(&one, "result {'x':1}");
	assert_int_equal(quash_call_code(&one), 0);
	assert_true(quash_call_in_use(&one));
	assert_int_equal(quash_call_count(&back.peer), 1); /* its answer is kept until it is released */
	hop_start_call(&back, &one);
	assert_int_equal(quash_call_count(&back.peer), 1);
	WRITES(&back, REQUEST("2", "ping") "\n");
	hop_receive(&back, REFUSAL("2", "{'code':-5,'message':'no'}"));
	ENDED(&one, "error {'code':-5,'message':'no'}");
	assert_int_equal(quash_call_code(&one), -5);
	assert_true(quash_call_release(&one));
	assert_false(quash_call_in_use(&one));
	assert_int_equal(quash_kind_of(quash_call_answer(&one)), QUASH_NONE);
	assert_int_equal(quash_call_count(&back.peer), 0);
	assert_true(quash_call_release(&one));
}

static void test_without_a_callback_the_answer_is_kept(void **state)
{
	(void)state;
	ask(&one, "ping");
	hop_receive(&back, ANSWER("1", "['kept']"));
	for (int i = 0; i < 10; i++)
		hop_step(&back);
	ENDED(&one, "result ['kept']");
}

/* --- Callbacks */

static void test_called_back_once_and_the_answer_kept(void **state)
{
	(void)state;
	ask_with_callback(&one, "ping");
	hop_receive(&back, ANSWER("1", "'a'"));
	done_returns = QUASH_CALL_KEEP;
	hop_step(&back);
	hop_step(&back);
	CALLED_BACK("1: result 'a'\n");
	ENDED(&one, "result 'a'");
	assert_int_equal(quash_idle_ms(&back.peer), UINT32_MAX);
	hop_start_call(&back, &one);
	hop_receive(&back, ANSWER("2", "'b'"));
	done_returns = QUASH_DONE;
	hop_step(&back);
	CALLED_BACK("2: result 'b'\n");
}

static int32_t ask_again(quash_call *call)
{
	(void)note_end(call);
	if (call->id < 3)
		assert_true(quash_call_start(call->peer, call));
	return done_returns;
}

static void test_asked_again_in_its_callback(void **state)
{
	static const int32_t returns[] = { QUASH_DONE, QUASH_PENDING, QUASH_CALL_KEEP };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(returns); i++) {
		hops_start(&quash_acp);
		done_returns = returns[i];
		fresh(&one, "ping")->done = ask_again;
		hop_start_call(&back, &one);
		hop_receive(&back, ANSWER("1", "'a'"));
		hop_step(&back);
		hop_receive(&back, ANSWER("2", "'b'"));
		hop_step(&back);
		CALLED_BACK("1: result 'a'\n2: result 'b'\n");
		assert_false(quash_call_has_ended(&one));
		done_returns = QUASH_DONE;
		hop_receive(&back, ANSWER("3", "'c'"));
		hop_step(&back);
		CALLED_BACK("3: result 'c'\n");
		assert_false(quash_call_in_use(&one));
	}
}

static void test_asked_again_on_a_link_that_is_gone(void **state)
{
	(void)state;
	fresh(&one, "ping")->done = ask_again;
	hop_start_call(&back, &one);
	quash_gone(&back.peer);
	for (int i = 0; i < 5; i++)
		hop_step(&back);
	CALLED_BACK("1: link\n2: link\n3: link\n");
	assert_false(quash_call_in_use(&one));
}

static int32_t release(quash_call *call)
{
	(void)note_end(call);
	assert_true(quash_call_release(call));
	fresh(call, "other");
	return done_returns;
}

static void test_released_in_its_callback(void **state)
{
	static const int32_t returns[] = { QUASH_DONE, QUASH_PENDING, QUASH_CALL_KEEP };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(returns); i++) {
		hops_start(&quash_acp);
		done_returns = returns[i];
		fresh(&one, "ping")->done = release;
		hop_start_call(&back, &one);
		hop_receive(&back, ANSWER("1", "'a'"));
		hop_step(&back);
		hop_step(&back);
		CALLED_BACK("1: result 'a'\n");
		assert_false(quash_call_in_use(&one));
		assert_int_equal(quash_call_count(&back.peer), 0);
	}
}

static int32_t notify(quash_call *call)
{
	quash_put_value(quash_notify(call->peer, "ended"), quash_call_answer(call));
	assert_false(quash_step(call->peer));
	return quash_notify_send(call->peer) ? QUASH_DONE : QUASH_PENDING;
}

static void test_a_callback_may_notify_and_is_called_again_for_want_of_room(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	back.stalled = true;
	fresh(&one, "ping")->done = notify;
	hop_start_call(&back, &one);
	hop_receive(&back, ANSWER("1", "['x']"));
	hop_step(&back);
	hop_step(&back);
	assert_true(quash_call_in_use(&one));
	back.stalled = false;
	hop_step(&back);
	hop_step(&back);
	WRITES(&back, REQUEST("1", "ping") "\n" NOTE_WITH("ended", "['x']") "\n");
	assert_false(quash_call_in_use(&one));
}

static int32_t leave_it_open(quash_call *call)
{
	quash_put_value(quash_notify(call->peer, "half"), quash_call_answer(call));
	return QUASH_DONE;
}

static void test_a_callback_that_leaves_a_message_open(void **state)
{
	(void)state;
	fresh(&one, "ping")->done = leave_it_open;
	hop_start_call(&back, &one);
	hop_receive(&back, ANSWER("1", "1"));
	hop_step(&back);
	ask(&two, "pong");
	WRITES(&back, REQUEST("1", "ping") "\n" REQUEST("2", "pong") "\n");
}

static void test_the_parent_is_woken_by_the_answer_and_by_the_callback(void **state)
{
	quash_request *request;
	(void)state;
	request = parent("7");
	fresh(&one, "ping")->done = note_end;
	hop_start_call_for(request, &back, &one);
	assert_ptr_equal(one.parent, request);
	quash_wait(request, 1000);
	assert_int_equal(quash_idle_ms(&device.peer), 1000);
	hop_receive(&back, ANSWER("1", "1"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	step();
	quash_wait(request, 1000);
	assert_int_equal(quash_idle_ms(&device.peer), 1000);
	hop_step(&back);
	CALLED_BACK("1: result 1\n");
	assert_int_equal(quash_idle_ms(&device.peer), 0);
}

static void test_the_parent_is_woken_when_there_is_nobody_to_ask(void **state)
{
	quash_request *request;
	(void)state;
	request = parent("7");
	quash_gone(&back.peer);
	assert_true(quash_call_start_for(request, &back.peer, fresh(&one, "ping")));
	quash_wait(request, 1000);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	ENDED(&one, "link");
	assert_int_equal(quash_call_code(&one), QUASH_LINK_LOST);
}

/* --- Ids */

static void test_ids_end_at_the_limit(void **state)
{
	(void)state;
	back.peer.last_id = 0x7FFFFFFF - 1;
	ask(&one, "ping");
	ask(&two, "ping");
	WRITES(&back, REQUEST("2147483647", "ping") "\n");
	ENDED(&one, "open");
	ENDED(&two, "link");
	assert_int_equal(two.id, 0);
	hop_receive(&back, ANSWER("0", "1"));
	hop_receive(&back, ANSWER("-0", "1"));
	hop_receive(&back, ANSWER("2147483648", "1"));
	COUNTED(stray_responses, 0);
	assert_int_equal(back.counters.stray_responses, 3);
	ENDED(&one, "open");
	hop_receive(&back, ANSWER("2147483647", "'last'"));
	ENDED(&one, "result 'last'");
	assert_false(quash_call_cancel_id(&back.peer, 0));
	loop_start(&back);
	ask(&three, "ping");
	assert_int_equal(three.id, 1);
}

static void test_each_connection_counts_for_itself(void **state)
{
	(void)state;
	ask(&one, "a");
	hop_start_call(&side, fresh(&two, "b"));
	ask(&three, "c");
	assert_int_equal(one.id, 1);
	assert_int_equal(two.id, 1);
	assert_int_equal(three.id, 2);
	hop_receive(&side, ANSWER("2", "1"));
	assert_int_equal(side.counters.stray_responses, 1);
	hop_receive(&side, ANSWER("1", "'side'"));
	ENDED(&one, "open");
	ENDED(&two, "result 'side'");
}

/* --- The arena */

static void test_kept_answers_fill_the_arena_until_they_are_released(void **state)
{
	(void)state;
	back.config.arena_size = 64;
	loop_start(&back);
	ask(&one, "one");
	ask(&two, "two");
	hop_receive(&back, ANSWER("1", "'012345678901234567890123456789'"));
	hop_receive_and_step(&back, ANSWER("2", "'012345678901234567890123456789'"));
	ENDED(&two, "too large");
	assert_int_equal(back.counters.too_large, 1);
	assert_true(quash_call_release(&one));
	hop_step(&back);
	hop_start_call(&back, &two);
	hop_receive(&back, ANSWER("3", "'012345678901234567890123456789'"));
	ENDED(&two, "result '012345678901234567890123456789'");
}

/* --- What a call may look at */

static void put_parent(quash_writer *w, const quash_call *call)
{
	quash_put_object(w);
	quash_put_key(w, "id");
	quash_put_id(w, call->parent);
	quash_put_key(w, "params");
	quash_put_value(w, quash_params_of(call->parent));
}

static int32_t pass_on(quash_request *request)
{
	if (!quash_call_in_use(&one)) {
		fresh(&one, "on")->put = put_parent;
		quash_call_start_for(request, &back.peer, &one);
	}
	return QUASH_PENDING;
}

static void test_params_and_id_of_the_parent(void **state)
{
	static const quash_method methods[] = {
		{ .name = "on", .handler = pass_on },
		{ .name = "note", .handler = pass_on, .marks = QUASH_NOTIFICATION },
	};
	static const char *const ids[] = { "1", "'\\u0000\\\"x'", "-7" };
	char text[200];
	(void)state;
	for (size_t i = 0; i < COUNT_OF(ids); i++) {
		hops_start(&quash_acp);
		device.config.methods = methods;
		device.config.method_count = COUNT_OF(methods);
		loop_start(&device);
		hop_start(&back, &quash_acp, 64); /* one window after the other */
		fresh(&one, "");
		snprintf(text, sizeof text, REQUEST_WITH("%s", "on", "{'a':[1,'zwei']}"), ids[i]);
		say(text);
		for (int k = 0; k < 6; k++) {
			step();
			hop_step(&back);
		}
		snprintf(text, sizeof text, REQUEST_WITH("1", "on", "{'id':%s,'params':{'a':[1,'zwei']}}") "\n", ids[i]);
		WRITES(&back, text);
	}
	hops_start(&quash_acp);
	device.config.methods = methods;
	device.config.method_count = COUNT_OF(methods);
	loop_start(&device);
	fresh(&one, "");
	say_and_step(NOTE_WITH("note", "[1]"));
	WRITES(&back, REQUEST_WITH("1", "on", "{'id':null,'params':[1]}") "\n");
	hop_receive(&back, ANSWER("1", "1"));
	ENDED(&one, "result 1");
}

/* --- A config that names no calls */

static struct {
	const quash_peer *peer;
	const quash_request *request;
	unsigned times;
} misused;

static void trace_misuse(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	if (event != QUASH_MISUSED)
		return;
	assert_int_equal(why, QUASH_WHY_NO_CALLS);
	assert_int_equal(detail, 0);
	misused.peer = peer;
	misused.request = request;
	misused.times++;
}

static void name_no_calls(loop *of)
{
	of->config.calls = NULL;
	of->config.trace = trace_misuse;
	loop_start(of);
	memset(&misused, 0, sizeof misused);
}

static void is_refused(const loop *by, const quash_request *request, unsigned times)
{
	assert_ptr_equal(misused.peer, &by->peer);
	assert_ptr_equal(misused.request, request);
	assert_int_equal(misused.times, times);
	assert_int_equal(by->counters.misuses, times);
	assert_int_equal(by->counters.calls, 0);
	assert_false(quash_call_in_use(&one));
	ENDED(&one, "open");
}

static void test_a_call_where_none_is_named(void **state)
{
	(void)state;
	name_no_calls(&back);
	assert_false(quash_call_start(&back.peer, fresh(&one, "ping")));
	is_refused(&back, NULL, 1);
	quash_request *const request = parent("1");
	assert_false(quash_call_start_for(request, &back.peer, fresh(&one, "ping")));
	is_refused(&back, NULL, 2);
	hop_step(&back);
	WRITES(&back, "");
	hop_receive(&back, ANSWER("1", "[1,2]"));
	assert_int_equal(back.counters.stray_responses, 1);
	assert_int_equal(quash_call_count(&back.peer), 0);
}

static void test_a_call_for_a_request_where_none_is_named(void **state)
{
	(void)state;
	name_no_calls(&device);
	quash_request *const request = parent("1");
	assert_false(quash_call_start_for(request, &back.peer, fresh(&one, "ping")));
	is_refused(&device, request, 1);
	hop_step(&back);
	WRITES(&back, "");
	ANSWERS_TO(CANCEL("1"), 1, CANCELLED("1"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_asked_answered_and_asked_again, set_up),
		cmocka_unit_test_setup(test_without_a_callback_the_answer_is_kept, set_up),
		cmocka_unit_test_setup(test_called_back_once_and_the_answer_kept, set_up),
		cmocka_unit_test_setup(test_asked_again_in_its_callback, set_up),
		cmocka_unit_test_setup(test_asked_again_on_a_link_that_is_gone, set_up),
		cmocka_unit_test_setup(test_released_in_its_callback, set_up),
		cmocka_unit_test_setup(test_a_callback_may_notify_and_is_called_again_for_want_of_room, set_up),
		cmocka_unit_test_setup(test_a_callback_that_leaves_a_message_open, set_up),
		cmocka_unit_test_setup(test_the_parent_is_woken_by_the_answer_and_by_the_callback, set_up),
		cmocka_unit_test_setup(test_the_parent_is_woken_when_there_is_nobody_to_ask, set_up),
		cmocka_unit_test_setup(test_ids_end_at_the_limit, set_up),
		cmocka_unit_test_setup(test_each_connection_counts_for_itself, set_up),
		cmocka_unit_test_setup(test_kept_answers_fill_the_arena_until_they_are_released, set_up),
		cmocka_unit_test_setup(test_params_and_id_of_the_parent, set_up),
		cmocka_unit_test_setup(test_a_call_where_none_is_named, set_up),
		cmocka_unit_test_setup(test_a_call_for_a_request_where_none_is_named, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
