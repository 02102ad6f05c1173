/* SPDX-License-Identifier: MIT
 * Answers that are kept for the answer of the request that they were asked for, and the room that they take. */
#include "hops.h"

#include <stdio.h>

static quash_call one, two;

/* The example of include/quash/call.h. */
struct ask { quash_call call; };

static void put_answer(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_call_answer(&QUASH_CONST_STATE(struct ask, request)->call));
}

static int32_t handler(quash_request *request)
{
	struct ask *const s = QUASH_STATE(struct ask, request);
	if (s->call.method == NULL) {
		s->call.method = "ping";
		s->call.done = note_end;
		quash_call_start_for(request, &back.peer, &s->call);
	}
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	if (!quash_call_has_ended(&s->call))
		return QUASH_PENDING;
	return quash_reply(request, put_answer);
}

static const quash_method methods[] = {
	{ .name = "ask", .handler = handler, .state_size = sizeof(struct ask) },
};

static uint64_t states[LOOP_SLOTS * sizeof(struct ask) / 8];

static void begin(const quash_dialect *dialect, quash_size tx)
{
	hops_start(dialect);
	device_prepare(dialect);
	device.config.calls = &quash_calls;
	device.config.methods = methods;
	device.config.method_count = COUNT_OF(methods);
	device.config.states = states;
	device.config.state_size = sizeof(struct ask);
	device.config.tx_size = tx;
	device_begin();
	hop_start(&back, dialect, LOOP_TX);
}

static int set_up(void **state)
{
	(void)state;
	begin(&quash_acp, 64);
	return 0;
}

static void asks(const char *id)
{
	char text[80];
	snprintf(text, sizeof text, REQUEST("%s", "ask"), id);
	say_and_step(text);
	hop_write(&back);
}

#define LONG "['0123456789','0123456789','0123456789','0123456789','0123456789','0123456789']"

/* --- Until the answer has left */

static void test_the_example(void **state)
{
	(void)state;
	asks("7");
	WRITES(&back, REQUEST("1", "ping") "\n");
	hop_receive(&back, ANSWER("1", LONG));
	step();
	ANSWERS_AFTER(5, RESULT("7", LONG));
	assert_int_equal(quash_call_count(&back.peer), 0);
	hop_step(&back);
	CALLED_BACK(""); /* the handler had ended before */
	asks("8");
	ANSWERS_TO(CANCEL("8"), 1, CANCELLED("8"));
	WRITES(&back, REQUEST("2", "ping") "\n" CANCEL("2") "\n");
	assert_int_equal(quash_call_count(&back.peer), 0);
}

/* The arena after the answer is packed, and its link lost and opened anew, between two windows of the answer. */
static void test_it_outlives_its_link(void **state)
{
	(void)state;
	hop_start_call(&back, fresh(&one, "before"));
	asks("7");
	hop_receive(&back, ANSWER("1", "'stands in front'"));
	hop_receive(&back, ANSWER("2", LONG));
	device.stalled = true;
	step();
	assert_int_equal(quash_call_count(&back.peer), 2);
	quash_gone(&back.peer);
	assert_true(quash_call_release(&one));
	hop_step(&back);
	quash_reopen(&back.peer);
	hop_start_call(&back, fresh(&two, "after"));
	hop_receive(&back, ANSWER("3", "'stands behind'"));
	assert_int_equal(quash_call_count(&back.peer), 2);
	device.stalled = false;
	ANSWERS_AFTER(5, RESULT("7", LONG));
	COUNTED(changed, 0);
	assert_int_equal(quash_call_count(&back.peer), 1);
	ENDED(&two, "result 'stands behind'");
	CALLED_BACK("");
}

/* In MCP a cancel may still silence the answer, and then what it was to be put from goes as well. */
static void test_it_goes_with_a_silenced_answer(void **state)
{
	(void)state;
	begin(&quash_mcp, 64);
	device.stalled = true;
	asks("1");
	asks("2");
	hop_receive(&back, ANSWER("1", LONG));
	step();
	hop_receive(&back, ANSWER("2", LONG));
	step();
	assert_int_equal(quash_call_count(&back.peer), 2);
	say_and_step(MCP_CANCEL("2"));
	assert_int_equal(quash_call_count(&back.peer), 1);
	device.stalled = false;
	ANSWERS_AFTER(5, RESULT("1", LONG));
	assert_int_equal(quash_call_count(&back.peer), 0);
}

static void test_it_goes_with_the_parents_link(void **state)
{
	(void)state;
	asks("1");
	hop_receive(&back, ANSWER("1", LONG));
	device.stalled = true;
	step();
	assert_int_equal(quash_call_count(&back.peer), 1);
	quash_gone(&device.peer);
	assert_int_equal(quash_live_count(&device.peer), 0);
	assert_int_equal(quash_call_count(&back.peer), 0);
}

/* A step that calls back has done something, and the next one has not. */
static void test_a_step_that_calls_back(void **state)
{
	(void)state;
	fresh(&one, "ping")->done = note_end;
	hop_start_call(&back, &one);
	(void)loop_heard(&back);
	assert_false(quash_step(&back.peer));
	hop_receive(&back, ANSWER("1", "5"));
	assert_true(quash_step(&back.peer));
	CALLED_BACK("1: result 5\n");
	assert_false(quash_step(&back.peer));
}

/* --- Room */

static void begin_small(void)
{
	begin(&quash_acp, 64);
	back.config.arena_size = 128;
	loop_start(&back);
	asks("1");
	hop_start_call(&back, fresh(&one, "other"));
	(void)loop_heard(&back);
	hop_receive(&back, ANSWER("1", LONG));
	device.stalled = true;
}

static void receive_unfinished(const char *text)
{
	const size_t n = strlen(text);
	const size_t taken = quash_feed(&back.peer, (const uint8_t *)text, n);
	assert_in_range(taken, 1, n - 1);
	quash_step(&back.peer);
	assert_int_equal(quash_feed(&back.peer, (const uint8_t *)text + taken, n - taken), 0);
	quash_step(&back.peer);
	assert_int_equal(quash_idle_ms(&back.peer), UINT32_MAX);
	device.stalled = false;
	while (quash_live_count(&device.peer) > 0)
		step();
	assert_int_equal(quash_idle_ms(&back.peer), 0); /* the room has come free elsewhere */
	quash_step(&back.peer);
	loop_say(&back, text + taken);
}

static void test_receiving_waits_for_another_peers_answer_to_leave(void **state)
{
	(void)state;
	begin_small();
	step(); /* its handler ends: what holds the room only waits for TX */
	receive_unfinished(quoted(ANSWER("2", LONG) "\n"));
	ENDED(&one, "result " LONG);
	ANSWERS(RESULT("1", LONG));
	assert_int_equal(back.counters.too_large, 0);
}

/* Beside an answer that is kept, a text of that length. True if it has waited for the room of the other one. */
static bool has_waited(const char *kept, int length)
{
	static char zeros[200];
	char text[200];
	memset(zeros, '0', sizeof zeros - 1);
	begin(&quash_acp, 64);
	back.config.arena_size = 128;
	loop_start(&back);
	asks("1");
	hop_start_call(&back, fresh(&one, "other"));
	(void)loop_heard(&back);
	snprintf(text, sizeof text, ANSWER("1", "%s"), kept);
	hop_receive(&back, text);
	fill_tx();
	step();
	snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"%.*s\"}\n", length, zeros);
	const size_t n = strlen(text), taken = quash_feed(&back.peer, (const uint8_t *)text, n);
	quash_step(&back.peer);
	if (taken == n || quash_feed(&back.peer, (const uint8_t *)text + taken, n - taken) > 0)
		return false;
	quash_step(&back.peer);
	assert_int_equal(quash_idle_ms(&back.peer), UINT32_MAX);
	drain_fill();
	while (quash_live_count(&device.peer) > 0)
		step();
	assert_int_equal(quash_idle_ms(&back.peer), 0);
	quash_step(&back.peer);
	loop_say(&back, text + taken);
	if (quash_length(quash_call_answer(&one)) != (size_t)length)
		ENDED(&one, "too large"); /* for the whole arena, too */
	return true;
}

/* However little it has held. */
static void test_receiving_waits_for_the_least_answer(void **state)
{
	static const char *const values[] = { "null", "true", "7", "''", "[]", "{'a':1}" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		unsigned waited = 0;
		for (int length = 90; length < 130; length++)
			waited += has_waited(values[i], length);
		assert_true(waited > 0);
	}
}

static void test_receiving_does_not_wait_for_a_handler(void **state)
{
	(void)state;
	begin_small();
	done_returns = QUASH_CALL_KEEP;
	hop_receive_and_step(&back, ANSWER("2", LONG)); /* the handler was not called, so it may look for ever */
	ENDED(&one, "too large");
	CALLED_BACK("1: result " LONG "\n");
}

/* --- A new session */

static void put_long(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_array(w);
	for (int i = 0; i < 10; i++)
		quash_put_text(w, "0123456789");
}

static void test_a_new_session_ends_calls_and_finishes_what_is_half_written(void **state)
{
	static quash_call three;
	(void)state;
	hop_start(&back, &quash_mcp, 64);
	hop_start_call(&back, fresh(&one, "written"));
	(void)loop_heard(&back);
	fresh(&two, "half")->put = put_long;
	back.stalled = true;
	hop_start_call(&back, &two);
	hop_start_call(&back, fresh(&three, "waits"));
	quash_call_cancel(&one);
	quash_new_session(&back.peer);
	ENDED(&one, "link");
	ENDED(&two, "open");
	ENDED(&three, "link");
	quash_call_cancel(&two); /* the new client knows nothing of it */
	back.stalled = false;
	WRITES(&back, REQUEST_WITH("2", "half", "['0123456789','0123456789','0123456789','0123456789','0123456789',"
						"'0123456789','0123456789','0123456789','0123456789','0123456789']") "\n");
	ENDED(&two, "link");
	assert_int_equal(back.counters.call_cancels, 0);
	hop_start_call(&back, &one);
	WRITES(&back, REQUEST("4", "written") "\n");
	hop_receive(&back, ANSWER("4", "1"));
	ENDED(&one, "result 1");
}

static void test_a_new_session_of_the_parents_client(void **state)
{
	(void)state;
	asks("1");
	WRITES(&back, REQUEST("1", "ping") "\n");
	quash_new_session(&device.peer);
	hop_step(&back);
	WRITES(&back, CANCEL("1") "\n");
	ANSWERS_AFTER(1, "");
	assert_int_equal(quash_live_count(&device.peer), 0);
	assert_int_equal(quash_call_count(&back.peer), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_the_example, set_up),
		cmocka_unit_test_setup(test_it_outlives_its_link, set_up),
		cmocka_unit_test_setup(test_it_goes_with_a_silenced_answer, set_up),
		cmocka_unit_test_setup(test_it_goes_with_the_parents_link, set_up),
		cmocka_unit_test_setup(test_receiving_waits_for_another_peers_answer_to_leave, set_up),
		cmocka_unit_test_setup(test_a_step_that_calls_back, set_up),
		cmocka_unit_test_setup(test_receiving_waits_for_the_least_answer, set_up),
		cmocka_unit_test_setup(test_receiving_does_not_wait_for_a_handler, set_up),
		cmocka_unit_test_setup(test_a_new_session_ends_calls_and_finishes_what_is_half_written, set_up),
		cmocka_unit_test_setup(test_a_new_session_of_the_parents_client, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
