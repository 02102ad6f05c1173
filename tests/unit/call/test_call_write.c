/* SPDX-License-Identifier: MIT
 * Calls and their cancels on the way into TX, as the program sees it. The bytes and their order are in tests/talk. */
#include "hops.h"

static quash_call one, two, three;

static int set_up(void **state)
{
	(void)state;
	hops_start(&quash_acp);
	return 0;
}

static quash_call *ask(quash_call *call, const char *method)
{
	hop_start_call(&back, fresh(call, method));
	return call;
}

static quash_call *ask_with(quash_call *call, quash_call_put *put)
{
	fresh(call, "ping")->put = put;
	hop_start_call(&back, call);
	return call;
}

/* --- Bytes */

static void put_nothing(quash_writer *w, const quash_call *call)
{
	(void)w;
	(void)call;
}

static void put_unclosed(quash_writer *w, const quash_call *call)
{
	quash_put_object(w);
	quash_put_key(w, "list");
	quash_put_array(w);
	quash_put_text(w, call->method);
}

static void test_params(void **state)
{
	(void)state;
	ask_with(&one, put_nothing);
	ask_with(&two, put_unclosed);
	WRITES(&back, REQUEST_WITH("1", "ping", "{}") "\n" REQUEST_WITH("2", "ping", "{'list':['ping']}") "\n");
}

/* --- Order */

static void test_a_call_is_written_by_what_moves_bytes(void **state)
{
	(void)state;
	assert_true(quash_call_start(&back.peer, fresh(&one, "1")));
	assert_int_equal(quash_idle_ms(&back.peer), 0);
	assert_int_equal(back.counters.calls, 0);
	quash_step(&back.peer);
	assert_int_equal(back.counters.calls, 1);
	assert_int_equal(quash_idle_ms(&back.peer), UINT32_MAX);
	assert_true(quash_call_start(&back.peer, fresh(&two, "2")));
	quash_put_null(quash_notify(&back.peer, "note"));
	assert_int_equal(back.counters.calls, 2);
	assert_true(quash_notify_send(&back.peer));
	assert_true(quash_call_start(&back.peer, fresh(&three, "3")));
	WRITES(&back, REQUEST("1", "1") "\n" REQUEST("2", "2") "\n" NOTE_WITH("note", "null") "\n" REQUEST("3", "3") "\n");
}

static void test_cancels_leave_before_answers_that_are_owed(void **state)
{
	(void)state;
	quash_request *request = parent("1");
	hop_start_call_for(request, &device, fresh(&one, "a"));
	hop_start_call_for(request, &device, fresh(&two, "b"));
	(void)loop_heard(&device);
	quash_call_cancel(&two);
	quash_cancel(request);
	ANSWERS_TO(REQUEST("2", "unknown"), 0, CANCEL("1") "\n" CANCEL("2") "\n" UNKNOWN("2"));
	ANSWERS_AFTER(1, CANCELLED("1"));
}

static void test_a_batch_that_is_written_is_not_interrupted(void **state)
{
	(void)state;
	hops_start(&quash_jsonrpc);
	device.config.tx_size = 64;
	loop_start(&device);
	say("[" REQUEST_WITH("1", "echo", "['0123456789012345678901234567890123456789']") "," REQUEST("2", "now") "]");
	hop_start_call(&device, fresh(&one, "before"));
	device.stalled = true;
	step();
	step();
	hop_start_call(&device, fresh(&two, "after"));
	device.stalled = false;
	for (int i = 0; i < 10; i++)
		step();
	ANSWERS(REQUEST("1", "before") "\n"
		"[{'jsonrpc':'2.0','id':1,'result':['0123456789012345678901234567890123456789']},"
		"{'jsonrpc':'2.0','id':2,'result':1}]\n" REQUEST("2", "after") "\n");
}

/* --- Longer than TX */

static void turns(unsigned n)
{
	while (n-- > 0)
		hop_step(&back);
}

static unsigned growth;

static void put_growing(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_array(w);
	for (unsigned i = 0; i < 20 + growth; i++)
		quash_put_text(w, "x");
}

/* As long as nothing of them has left, they are measured anew. */
static void test_params_that_change_before_they_are_begun(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	back.stalled = true;
	ask(&two, "pong");
	growth = 0;
	ask_with(&one, put_growing);
	turns(2);
	growth = 3;
	back.stalled = false;
	turns(10);
	assert_int_equal(back.counters.changed, 0);
	assert_int_equal(back.counters.calls, 2);
}

/* --- A cancel that is longer than TX */

static void begin_long_cancel_of_a_child(quash_request **request)
{
	hops_start(&quash_mcp);
	hop_start(&back, &quash_mcp, 64);
	*request = parent("7");
	hop_start_call_for(*request, &back, fresh(&one, "ping"));
	WRITES(&back, REQUEST("1", "ping") "\n");
	back.stalled = true;
	quash_call_cancel(&one);
	hop_write(&back);
	hop_receive(&back, ANSWER("1", "'crossed'"));
	ENDED(&one, "result 'crossed'");
}

static void test_a_cancel_half_out_holds_a_slot(void **state)
{
	quash_request *request;
	(void)state;
	begin_long_cancel_of_a_child(&request);
	quash_cancel(request);
	ANSWERS_AFTER(1, CANCELLED("7"));
	assert_int_equal(quash_live_count(&device.peer), 1);
	back.stalled = false;
	WRITES(&back, MCP_CANCEL("1") "\n");
	assert_int_equal(quash_live_count(&device.peer), 0);
	assert_false(quash_call_in_use(&one));
	begin_long_cancel_of_a_child(&request);
	quash_cancel(request);
	step();
	assert_int_equal(quash_live_count(&device.peer), 1);
	quash_gone(&back.peer);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static void test_released_while_its_cancel_is_half_out(void **state)
{
	quash_request *request;
	(void)state;
	begin_long_cancel_of_a_child(&request);
	assert_false(quash_call_release(&one));
	back.stalled = false;
	WRITES(&back, MCP_CANCEL("1") "\n");
	assert_false(quash_call_in_use(&one));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_params, set_up),
		cmocka_unit_test_setup(test_a_call_is_written_by_what_moves_bytes, set_up),
		cmocka_unit_test_setup(test_cancels_leave_before_answers_that_are_owed, set_up),
		cmocka_unit_test_setup(test_a_batch_that_is_written_is_not_interrupted, set_up),
		cmocka_unit_test_setup(test_params_that_change_before_they_are_begun, set_up),
		cmocka_unit_test_setup(test_a_cancel_half_out_holds_a_slot, set_up),
		cmocka_unit_test_setup(test_released_while_its_cancel_is_half_out, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
