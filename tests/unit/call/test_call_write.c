/* SPDX-License-Identifier: MIT
 * Calls and their cancels on the way into TX: the bytes, their order, what is longer than TX. */
#include "hops.h"

#include <stdio.h>

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

static void test_the_bytes(void **state)
{
	static const struct {
		const quash_dialect *dialect;
		const char *bytes;
	} rows[] = {
		{ &quash_acp, "{'jsonrpc':'2.0','id':1,'method':'a\\'\\n'}\n"
			      "{'jsonrpc':'2.0','method':'$/cancel_request','params':{'requestId':1}}\n" },
		{ &quash_jsonrpc, "{'jsonrpc':'2.0','id':1,'method':'a\\'\\n'}\n"
				  "{'jsonrpc':'2.0','method':'$/cancel_request','params':{'requestId':1}}\n" },
		{ &quash_mcp, "{'jsonrpc':'2.0','id':1,'method':'a\\'\\n'}\n"
			      "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}\n" },
		{ &quash_lsp, "Content-Length: 41\r\n\r\n{'jsonrpc':'2.0','id':1,'method':'a\\'\\n'}"
			      "Content-Length: 62\r\n\r\n{'jsonrpc':'2.0','method':'$/cancelRequest','params':{'id':1}}" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		hop_start(&back, rows[i].dialect, LOOP_TX);
		quash_call_cancel(ask(&one, "a\"\n"));
		assert_string_equal(loop_heard(&back), quoted(rows[i].bytes));
	}
}

static void test_params(void **state)
{
	(void)state;
	ask_with(&one, put_nothing);
	ask_with(&two, put_unclosed);
	WRITES(&back, REQUEST_WITH("1", "ping", "{}") "\n" REQUEST_WITH("2", "ping", "{'list':['ping']}") "\n");
}

static void put_deep(quash_writer *w, const quash_call *call)
{
	(void)call;
	for (int i = 0; i <= QUASH_DEPTH; i++)
		quash_put_array(w);
}

static void test_too_deep_is_not_written_and_holds_up_nobody(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	ENDED(ask_with(&one, put_deep), "unwritten");
	assert_int_equal(quash_call_code(&one), QUASH_INTERNAL_ERROR);
	ask(&two, "pong");
	WRITES(&back, REQUEST("2", "pong") "\n");
	assert_int_equal(back.counters.calls, 1);
	assert_int_equal(back.counters.misuses, 1);
	assert_int_equal(back.counters.changed, 0);
}

/* --- Order */

static void test_in_the_order_asked_as_soon_as_there_is_room(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	back.stalled = true;
	ask(&one, "1");
	ask(&two, "2");
	ask(&three, "3");
	assert_int_equal(back.counters.calls, 1);
	assert_int_equal(quash_idle_ms(&back.peer), UINT32_MAX); /* the others wait for room */
	back.stalled = false;
	WRITES(&back, REQUEST("1", "1") "\n" REQUEST("2", "2") "\n" REQUEST("3", "3") "\n");
	assert_int_equal(back.counters.calls, 3);
	assert_int_equal(quash_idle_ms(&back.peer), UINT32_MAX);
}

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
	say(REQUEST("2", "unknown"));
	ANSWERS(CANCEL("1") "\n" CANCEL("2") "\n" UNKNOWN("2"));
	step();
	ANSWERS(CANCELLED("1"));
}

static int32_t ask_behind_the_answer(quash_request *request)
{
	assert_true(quash_call_start(quash_peer_of(request), &one));
	return quash_reply_text(request, "answer");
}

/* A call leaves before the answers that wait. */
static void test_asked_by_a_handler_that_answers(void **state)
{
	static const quash_method method = { .name = "between", .handler = ask_behind_the_answer };
	(void)state;
	device.config.methods = &method;
	device.config.method_count = 1;
	loop_start(&device);
	fresh(&one, "ping");
	say(REQUEST("7", "between"));
	step();
	ANSWERS(REQUEST("1", "ping") "\n" RESULT("7", "'answer'"));
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

static void put_long(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_array(w);
	for (int i = 0; i < 10; i++)
		quash_put_text(w, "0123456789");
}

#define LONG                                                                                              \
	"['0123456789','0123456789','0123456789','0123456789','0123456789',"                             \
	"'0123456789','0123456789','0123456789','0123456789','0123456789']"

static void turns(unsigned n)
{
	while (n-- > 0)
		hop_step(&back);
}

static void test_one_window_after_the_other(void **state)
{
	static const quash_dialect *const dialects[] = { &quash_acp, &quash_lsp };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(dialects); i++) {
		for (quash_size tx = QUASH_TX_MIN; tx < 230; tx++) {
			hop_start(&back, dialects[i], tx);
			ask_with(&one, put_long);
			ask(&two, "pong");
			hop_receive(&back, REQUEST("'x'", "unknown"));
			turns(10);
			assert_int_equal(back.counters.calls, 2);
			const char *const heard = loop_heard(&back);
			assert_non_null(strstr(heard, quoted(REQUEST_WITH("1", "ping", LONG))));
			assert_non_null(strstr(heard, quoted("'id':2,'method':'pong'}")));
			assert_non_null(strstr(heard, quoted("'id':'x','error'")));
			assert_int_equal(back.counters.changed, 0);
			hop_receive(&back, ANSWER("1", "1"));
			ENDED(&one, "result 1");
		}
	}
}

static void test_an_answer_to_what_is_half_out_is_none(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	back.stalled = true;
	ask_with(&one, put_long);
	hop_receive(&back, ANSWER("1", "'too early'"));
	ENDED(&one, "open");
	assert_int_equal(back.counters.stray_responses, 1);
	back.stalled = false;
	turns(10);
	WRITES(&back, REQUEST_WITH("1", "ping", LONG) "\n");
	ENDED(&one, "open");
}

static void test_cancels_are_received_behind_refusals_while_it_is_half_out(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	hop_receive(&back, REQUEST("'p'", "wait"));
	hop_step(&back);
	back.stalled = true;
	ask_with(&one, put_long);
	hop_receive(&back, REQUEST("'x'", "unknown"));
	hop_receive(&back, CANCEL("'p'"));
	assert_int_equal(quash_cancelled(hop_request(&back)), QUASH_BY_OTHER_SIDE);
	back.stalled = false;
	turns(12);
	WRITES(&back, REQUEST_WITH("1", "ping", LONG) "\n" CANCELLED("'p'") UNKNOWN("'x'"));
}

static void test_half_out_it_is_finished_before_it_is_cancelled(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	back.stalled = true;
	ask_with(&one, put_long);
	quash_call_cancel(&one);
	assert_false(quash_call_release(&one));
	back.stalled = false;
	turns(10);
	WRITES(&back, REQUEST_WITH("1", "ping", LONG) "\n" CANCEL("1") "\n");
	assert_false(quash_call_in_use(&one));
	assert_int_equal(back.counters.changed, 0);
}

static void test_half_out_at_the_end_of_input(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	back.stalled = true;
	ask_with(&one, put_long);
	quash_input_end(&back.peer);
	ENDED(&one, "open");
	back.stalled = false;
	turns(10);
	WRITES(&back, REQUEST_WITH("1", "ping", LONG) "\n");
	ENDED(&one, "link");
}

static int letter;

static void put_changing(quash_writer *w, const quash_call *call)
{
	const char text[] = { (char)('a' + letter++ % 26), '\0' };
	(void)call;
	quash_put_array(w);
	for (int i = 0; i < 40; i++)
		quash_put_text(w, text);
}

static void test_params_that_change_are_given_up(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	letter = 0;
	ask_with(&one, put_changing)->done = note_end;
	ask(&two, "pong");
	turns(10);
	assert_int_equal(back.counters.changed, 1);
	assert_int_equal(back.counters.calls, 1);
	CALLED_BACK("1: unwritten\n");
	ENDED(&two, "open");
	WRITES(&back, "{'jsonrpc':'2.0','id':1,'method':'ping','params':['a','a','a','a\n" REQUEST("2", "pong") "\n");
}

static void test_params_that_change_under_a_length(void **state)
{
	(void)state;
	hop_start(&back, &quash_lsp, 64);
	letter = 0;
	ask_with(&one, put_changing);
	ask(&two, "pong");
	turns(10);
	ENDED(&one, "unwritten");
	const char *const heard = loop_heard(&back);
	unsigned length = 0;
	assert_int_equal(sscanf(heard, "Content-Length: %u", &length), 1);
	const char *const body = strstr(heard, "\r\n\r\n") + 4;
	assert_string_equal(body + length, quoted("Content-Length: 40\r\n\r\n" REQUEST("2", "pong")));
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

static void test_a_new_link_while_a_window_is_out(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	back.stalled = true;
	ask_with(&one, put_long);
	ask(&two, "waits");
	quash_reopen(&back.peer);
	back.stalled = false;
	ENDED(&one, "link");
	ENDED(&two, "link");
	WRITES(&back, "");
	ask(&three, "ping");
	WRITES(&back, REQUEST("3", "ping") "\n");
}

/* --- A cancel that is longer than TX */

static void begin_long_cancel(void)
{
	hop_start(&back, &quash_mcp, 64);
	ask(&one, "ping")->done = note_end;
	ask(&two, "pong");
	WRITES(&back, REQUEST("1", "ping") "\n" REQUEST("2", "pong") "\n");
	back.stalled = true;
	quash_call_cancel(&one);
	quash_call_cancel(&two);
	size_t n;
	(void)quash_out(&back.peer, &n);
	assert_in_range(n, 1, 64);
}

static void test_a_cancel_in_windows(void **state)
{
	(void)state;
	begin_long_cancel();
	ENDED(&one, "open");
	back.stalled = false;
	WRITES(&back, MCP_CANCEL("1") "\n" MCP_CANCEL("2") "\n");
	ENDED(&one, "cancelled");
	assert_int_equal(back.counters.call_cancels, 2);
}

static void test_a_cancel_half_out_when_the_answer_comes(void **state)
{
	(void)state;
	begin_long_cancel();
	hop_receive(&back, ANSWER("1", "'crossed'"));
	ENDED(&one, "result 'crossed'");
	assert_false(quash_call_start(&back.peer, &one)); /* the rest of its cancel is to be written */
	hop_step(&back);
	CALLED_BACK("");
	hop_receive(&back, ANSWER("2", "'in time'"));
	back.stalled = false;
	WRITES(&back, MCP_CANCEL("1") "\n");
	hop_step(&back);
	CALLED_BACK("1: result 'crossed'\n");
	ENDED(&two, "result 'in time'");
}

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
	step();
	ANSWERS(CANCELLED("7"));
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

static void test_a_cancel_half_out_and_answered_when_the_link_goes(void **state)
{
	(void)state;
	begin_long_cancel();
	hop_receive(&back, ANSWER("1", "'crossed'"));
	quash_reopen(&back.peer);
	back.stalled = false;
	hop_step(&back);
	CALLED_BACK("1: result 'crossed'\n");
	assert_false(quash_call_in_use(&one));
	ENDED(&two, "link");
	hop_start_call(&back, &one);
	quash_call_cancel(&one);
	WRITES(&back, REQUEST("3", "ping") "\n" MCP_CANCEL("3") "\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_the_bytes, set_up),
		cmocka_unit_test_setup(test_params, set_up),
		cmocka_unit_test_setup(test_too_deep_is_not_written_and_holds_up_nobody, set_up),
		cmocka_unit_test_setup(test_in_the_order_asked_as_soon_as_there_is_room, set_up),
		cmocka_unit_test_setup(test_a_call_is_written_by_what_moves_bytes, set_up),
		cmocka_unit_test_setup(test_cancels_leave_before_answers_that_are_owed, set_up),
		cmocka_unit_test_setup(test_asked_by_a_handler_that_answers, set_up),
		cmocka_unit_test_setup(test_a_batch_that_is_written_is_not_interrupted, set_up),
		cmocka_unit_test_setup(test_one_window_after_the_other, set_up),
		cmocka_unit_test_setup(test_an_answer_to_what_is_half_out_is_none, set_up),
		cmocka_unit_test_setup(test_cancels_are_received_behind_refusals_while_it_is_half_out, set_up),
		cmocka_unit_test_setup(test_half_out_it_is_finished_before_it_is_cancelled, set_up),
		cmocka_unit_test_setup(test_half_out_at_the_end_of_input, set_up),
		cmocka_unit_test_setup(test_params_that_change_are_given_up, set_up),
		cmocka_unit_test_setup(test_params_that_change_under_a_length, set_up),
		cmocka_unit_test_setup(test_params_that_change_before_they_are_begun, set_up),
		cmocka_unit_test_setup(test_a_new_link_while_a_window_is_out, set_up),
		cmocka_unit_test_setup(test_a_cancel_in_windows, set_up),
		cmocka_unit_test_setup(test_a_cancel_half_out_when_the_answer_comes, set_up),
		cmocka_unit_test_setup(test_a_cancel_half_out_holds_a_slot, set_up),
		cmocka_unit_test_setup(test_released_while_its_cancel_is_half_out, set_up),
		cmocka_unit_test_setup(test_a_cancel_half_out_and_answered_when_the_link_goes, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
