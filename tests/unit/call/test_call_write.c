/* SPDX-License-Identifier: MIT
 * Calls and their cancels on the way into TX: the bytes, their order, what is longer than TX. */
#include "hops.h"

#include <stdlib.h>

static quash_call one, two, three;

static int set_up(void **state)
{
	(void)state;
	hops_start(&quash_acp);
	return 0;
}

static quash_call *ask(quash_call *call, const char *method)
{
	assert_true(quash_ask(&back.peer, fresh(call, method)));
	return call;
}

static quash_call *ask_with(quash_call *call, quash_call_put *put)
{
	fresh(call, "ping")->put = put;
	assert_true(quash_ask(&back.peer, call));
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
	SAYS(&back, REQUEST_WITH("1", "ping", "{}") "\n" REQUEST_WITH("2", "ping", "{'list':['ping']}") "\n");
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
	ENDED(ask_with(&one, put_deep), "too large");
	assert_int_equal(quash_call_code(&one), QUASH_TOO_LARGE);
	assert_true(quash_asked(&one));
	ask(&two, "pong");
	SAYS(&back, REQUEST("2", "pong") "\n");
	assert_int_equal(back.peer.counters.calls, 1);
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
	assert_true(quash_asked(&one));
	assert_false(quash_asked(&two));
	assert_false(quash_asked(&three));
	assert_int_equal(back.peer.counters.calls, 1);
	back.stalled = false;
	SAYS(&back, REQUEST("1", "1") "\n");
	assert_int_equal(quash_idle_ms(&back.peer), 0);
	assert_false(quash_answered(&three)); /* writes what waits, oldest first */
	SAYS(&back, REQUEST("2", "2") "\n");
	hop_step(&back);
	SAYS(&back, REQUEST("3", "3") "\n");
	assert_int_equal(quash_idle_ms(&back.peer), UINT32_MAX);
}

static void test_cancels_leave_before_answers_that_are_owed(void **state)
{
	(void)state;
	quash_request *request = parent("1");
	quash_ask_for(request, &device.peer, fresh(&one, "a"));
	quash_ask_for(request, &device.peer, fresh(&two, "b"));
	(void)loop_heard(&device);
	quash_call_cancel(&two);
	quash_cancel(request);
	say(REQUEST("2", "unknown"));
	ANSWERS(CANCEL("1") "\n" CANCEL("2") "\n" UNKNOWN("2"));
	step();
	ANSWERS(CANCELLED("1"));
}

static int32_t ask_in_between(quash_request *request, quash_value params)
{
	(void)params;
	quash_put_text(quash_reply(request), "answer");
	if (!quash_call_in_use(&one))
		quash_ask(quash_peer_of(request), &one);
	assert_false(quash_asked(&one));
	return quash_send(request);
}

static void test_asked_while_an_answer_is_open(void **state)
{
	static const quash_method method = { .name = "between", .handler = ask_in_between };
	(void)state;
	device.config.methods = &method;
	device.config.method_count = 1;
	loop_start(&device);
	fresh(&one, "ping");
	say(REQUEST("7", "between"));
	step();
	ANSWERS(RESULT("7", "'answer'"));
	step();
	ANSWERS(REQUEST("1", "ping") "\n");
}

static void test_a_batch_that_is_said_is_not_interrupted(void **state)
{
	(void)state;
	hops_start(&quash_jsonrpc);
	device.config.tx_size = 64;
	loop_start(&device);
	say("[" REQUEST_WITH("1", "echo", "['0123456789012345678901234567890123456789']") "," REQUEST("2", "now") "]");
	quash_ask(&device.peer, fresh(&one, "before"));
	device.stalled = true;
	step();
	step();
	quash_ask(&device.peer, fresh(&two, "after"));
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
			hop_say(&back, REQUEST("'x'", "unknown"));
			turns(10);
			assert_true(quash_asked(&one));
			assert_true(quash_asked(&two));
			const char *const heard = loop_heard(&back);
			assert_non_null(strstr(heard, quoted(REQUEST_WITH("1", "ping", LONG))));
			assert_non_null(strstr(heard, quoted("'id':2,'method':'pong'}")));
			assert_non_null(strstr(heard, quoted("'id':'x','error'")));
			assert_int_equal(back.peer.counters.changed, 0);
			hop_say(&back, ANSWER("1", "1"));
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
	assert_false(quash_asked(&one));
	hop_say(&back, ANSWER("1", "'too early'"));
	ENDED(&one, "open");
	assert_int_equal(back.peer.counters.stray_responses, 1);
	back.stalled = false;
	turns(10);
	SAYS(&back, REQUEST_WITH("1", "ping", LONG) "\n");
	ENDED(&one, "open");
}

static void test_cancels_are_heard_behind_refusals_while_it_is_half_out(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	hop_say(&back, REQUEST("'p'", "wait"));
	hop_step(&back);
	back.stalled = true;
	ask_with(&one, put_long);
	hop_say(&back, REQUEST("'x'", "unknown"));
	hop_say(&back, CANCEL("'p'"));
	assert_int_equal(quash_cancelled(hop_request(&back)), QUASH_BY_OTHER_SIDE);
	back.stalled = false;
	turns(12);
	SAYS(&back, REQUEST_WITH("1", "ping", LONG) "\n" CANCELLED("'p'") UNKNOWN("'x'"));
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
	SAYS(&back, REQUEST_WITH("1", "ping", LONG) "\n" CANCEL("1") "\n");
	assert_false(quash_call_in_use(&one));
	assert_int_equal(back.peer.counters.changed, 0);
}

static void test_half_out_at_the_end_of_input(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	back.stalled = true;
	ask_with(&one, put_long);
	quash_end(&back.peer);
	ENDED(&one, "open");
	back.stalled = false;
	turns(10);
	SAYS(&back, REQUEST_WITH("1", "ping", LONG) "\n");
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

static void test_params_that_change_cost_the_link(void **state)
{
	(void)state;
	hop_start(&back, &quash_acp, 64);
	ask(&two, "pong");
	(void)loop_heard(&back);
	ask_with(&one, put_changing);
	turns(10);
	assert_int_equal(back.peer.counters.changed, 1);
	ENDED(&one, "link");
	ENDED(&two, "link");
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
	assert_int_equal(back.peer.counters.changed, 0);
	assert_int_equal(back.peer.counters.calls, 2);
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
	SAYS(&back, "");
	ask(&three, "ping");
	SAYS(&back, REQUEST("3", "ping") "\n");
}

/* --- A cancel that is longer than TX */

static void begin_long_cancel(void)
{
	hop_start(&back, &quash_mcp, 64);
	ask(&one, "ping")->done = told;
	ask(&two, "pong");
	SAYS(&back, REQUEST("1", "ping") "\n");
	hop_step(&back);
	SAYS(&back, REQUEST("2", "pong") "\n");
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
	SAYS(&back, MCP_CANCEL("1") "\n" MCP_CANCEL("2") "\n");
	ENDED(&one, "cancelled");
	assert_int_equal(back.peer.counters.call_cancels, 2);
}

static void test_a_cancel_half_out_when_the_answer_comes(void **state)
{
	(void)state;
	begin_long_cancel();
	hop_say(&back, ANSWER("1", "'crossed'"));
	ENDED(&one, "result 'crossed'");
	assert_false(quash_ask(&back.peer, &one)); /* the rest of its cancel is to be written */
	hop_step(&back);
	TOLD("");
	hop_say(&back, ANSWER("2", "'in time'"));
	back.stalled = false;
	SAYS(&back, MCP_CANCEL("1") "\n");
	hop_step(&back);
	TOLD("1: result 'crossed'\n");
	ENDED(&two, "result 'in time'");
}

static void test_a_cancel_half_out_and_answered_when_the_link_goes(void **state)
{
	(void)state;
	begin_long_cancel();
	hop_say(&back, ANSWER("1", "'crossed'"));
	quash_reopen(&back.peer);
	back.stalled = false;
	hop_step(&back);
	TOLD("1: result 'crossed'\n");
	assert_false(quash_call_in_use(&one));
	ENDED(&two, "link");
	assert_true(quash_ask(&back.peer, &one));
	quash_call_cancel(&one);
	SAYS(&back, REQUEST("3", "ping") "\n" MCP_CANCEL("3") "\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_the_bytes, set_up),
		cmocka_unit_test_setup(test_params, set_up),
		cmocka_unit_test_setup(test_too_deep_is_not_written_and_holds_up_nobody, set_up),
		cmocka_unit_test_setup(test_in_the_order_asked_as_soon_as_there_is_room, set_up),
		cmocka_unit_test_setup(test_cancels_leave_before_answers_that_are_owed, set_up),
		cmocka_unit_test_setup(test_asked_while_an_answer_is_open, set_up),
		cmocka_unit_test_setup(test_a_batch_that_is_said_is_not_interrupted, set_up),
		cmocka_unit_test_setup(test_one_window_after_the_other, set_up),
		cmocka_unit_test_setup(test_an_answer_to_what_is_half_out_is_none, set_up),
		cmocka_unit_test_setup(test_cancels_are_heard_behind_refusals_while_it_is_half_out, set_up),
		cmocka_unit_test_setup(test_half_out_it_is_finished_before_it_is_cancelled, set_up),
		cmocka_unit_test_setup(test_half_out_at_the_end_of_input, set_up),
		cmocka_unit_test_setup(test_params_that_change_cost_the_link, set_up),
		cmocka_unit_test_setup(test_params_that_change_before_they_are_begun, set_up),
		cmocka_unit_test_setup(test_a_new_link_while_a_window_is_out, set_up),
		cmocka_unit_test_setup(test_a_cancel_in_windows, set_up),
		cmocka_unit_test_setup(test_a_cancel_half_out_when_the_answer_comes, set_up),
		cmocka_unit_test_setup(test_a_cancel_half_out_and_answered_when_the_link_goes, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
