/* SPDX-License-Identifier: MIT
 * What handlers say. */
#include "device.h"

#include <stdio.h>

/* --- Methods, each with one way to answer */

static unsigned calls;
static int32_t outcome; /* of the last quash_send or quash_fail */
static uint32_t length; /* of what 'big' answers, and how much longer with every call */
static uint32_t growth;

static int32_t sent(quash_request *request)
{
	outcome = quash_send(request);
	return outcome;
}

static int32_t empty(quash_request *request, quash_value params)
{
	(void)params;
	(void)quash_reply(request);
	return sent(request);
}

static int32_t open_containers(quash_request *request, quash_value params)
{
	quash_writer *const w = quash_reply(request);
	(void)params;
	quash_put_object(w);
	quash_put_key(w, "a");
	quash_put_array(w);
	quash_put_object(w);
	quash_put_key(w, "b");
	return sent(request);
}

static int32_t fails(quash_request *request, quash_value params)
{
	(void)params;
	outcome = quash_fail(request, -7, "no \"luck\"\n");
	return outcome;
}

static int32_t fails_with_string(quash_request *request, quash_value params)
{
	const quash_value text = quash_get(params, "0");
	outcome = quash_fail_string(request, -8, quash_text(text), quash_length(text));
	return outcome;
}

static int32_t fails_with_data(quash_request *request, quash_value params)
{
	quash_writer *const w = quash_error_reply(request, -32602, "bad pin");
	quash_put_array(w);
	quash_put_value(w, params);
	return sent(request);
}

static int32_t fails_without_data(quash_request *request, quash_value params)
{
	(void)params;
	(void)quash_error_reply(request, -32001, "nothing to add");
	return sent(request);
}

static int32_t silent(quash_request *request, quash_value params)
{
	(void)request;
	(void)params;
	return QUASH_DONE;
}

static int32_t unsent(quash_request *request, quash_value params)
{
	(void)params;
	quash_put_int(quash_reply(request), 1);
	return calls++ == 0 ? QUASH_PENDING : QUASH_DONE;
}

static int32_t second_thoughts(quash_request *request, quash_value params)
{
	(void)params;
	quash_put_text(quash_reply(request), "first");
	quash_put_text(quash_reply(request), "second");
	return sent(request);
}

static int32_t twice(quash_request *request, quash_value params)
{
	(void)params;
	quash_put_int(quash_reply(request), 1);
	assert_int_equal(sent(request), QUASH_DONE);
	quash_put_int(quash_reply(request), 2);
	assert_int_equal(quash_send(request), QUASH_DONE);
	assert_int_equal(quash_fail(request, -1, "no"), QUASH_DONE);
	return -5;
}

static int32_t deep(quash_request *request, quash_value params)
{
	quash_writer *const w = quash_reply(request);
	(void)params;
	for (unsigned i = 0; i <= QUASH_DEPTH; i++)
		quash_put_array(w);
	return sent(request);
}

static int32_t big(quash_request *request, quash_value params)
{
	quash_writer *const w = quash_reply(request);
	calls++;
	assert_true(quash_kind_of(params) == QUASH_ARRAY || outcome == QUASH_DONE);
	quash_put_string_open(w);
	for (uint32_t i = 0; i < length + growth * calls; i++)
		quash_put_string_part(w, "x", 1);
	quash_put_string_close(w);
	return sent(request);
}

static int32_t gives_up(quash_request *request, quash_value params)
{
	return calls == 1 ? (calls++, -9) : big(request, params);
}

static int32_t grows_once(quash_request *request, quash_value params)
{
	length = calls == 0 ? 300 : 310;
	return big(request, params);
}

/* First it has much to say, then it goes on working instead, then it has little to say. */
static int32_t changes_its_mind(quash_request *request, quash_value params)
{
	(void)params;
	calls++;
	if (calls == 1) {
		length = 500;
		outcome = QUASH_DONE;
		return big(request, params) == QUASH_RETRY ? QUASH_RETRY : -1;
	}
	if (calls == 3)
		return growth ? quash_wait(request, 3) : QUASH_PENDING;
	quash_put_int(quash_reply(request), (int32_t)calls);
	return sent(request);
}

static const quash_method list[] = {
	{ .name = "empty", .handler = empty },
	{ .name = "open", .handler = open_containers },
	{ .name = "fails", .handler = fails },
	{ .name = "fails with string", .handler = fails_with_string },
	{ .name = "fails with data", .handler = fails_with_data },
	{ .name = "fails without data", .handler = fails_without_data },
	{ .name = "silent", .handler = silent },
	{ .name = "unsent", .handler = unsent },
	{ .name = "second thoughts", .handler = second_thoughts },
	{ .name = "twice", .handler = twice },
	{ .name = "deep", .handler = deep },
	{ .name = "big", .handler = big },
	{ .name = "long", .handler = big, .marks = QUASH_LONG },
	{ .name = "gives up", .handler = gives_up, .marks = QUASH_LONG },
	{ .name = "grows once", .handler = grows_once, .marks = QUASH_LONG },
	{ .name = "changes its mind", .handler = changes_its_mind, .marks = QUASH_LONG },
	{ .name = "noting", .handler = twice, .marks = QUASH_NOTIFICATION },
};

static void start(const quash_dialect *dialect, quash_size tx)
{
	device_prepare(dialect);
	device.config.methods = list;
	device.config.method_count = COUNT_OF(list);
	device.config.tx_size = tx;
	device_begin();
	calls = 0;
	growth = 0;
	length = 10;
	outcome = -1;
}

static int set_up(void **state)
{
	(void)state;
	start(&quash_acp, LOOP_TX);
	return 0;
}

static void answers_after(const char *message, unsigned n, const char *expected)
{
	say(message);
	steps(n);
	ANSWERS(expected);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* --- Answers */

static void test_results(void **state)
{
	(void)state;
	answers_after(REQUEST("1", "empty"), 1, RESULT("1", "null"));
	assert_int_equal(outcome, QUASH_DONE);
	answers_after(REQUEST("1", "open"), 1, RESULT("1", "{'a':[{'b':null}]}"));
	answers_after(REQUEST("1", "second thoughts"), 1, RESULT("1", "'second'"));
	COUNTED(results, 3);
	COUNTED(errors, 0);
}

static void test_errors(void **state)
{
	(void)state;
	answers_after(REQUEST("1", "fails"), 1,
		"{'jsonrpc':'2.0','id':1,'error':{'code':-7,'message':'no \\'luck\\'\\n'}}\n");
	answers_after(REQUEST_WITH("1", "fails with data", "{'pin':99}"), 1,
		"{'jsonrpc':'2.0','id':1,'error':{'code':-32602,'message':'bad pin','data':[{'pin':99}]}}\n");
	answers_after(REQUEST("1", "fails without data"), 1,
		"{'jsonrpc':'2.0','id':1,'error':{'code':-32001,'message':'nothing to add','data':null}}\n");
	answers_after(REQUEST_WITH("1", "fails with string", "['a\\u0000\\n']"), 1,
		"{'jsonrpc':'2.0','id':1,'error':{'code':-8,'message':'a\\u0000\\n'}}\n");
	COUNTED(results, 0);
	COUNTED(errors, 4);
}

static void test_done_without_answer(void **state)
{
	(void)state;
	answers_after(REQUEST("1", "silent"), 1, INTERNAL("1"));
	answers_after(REQUEST("1", "unsent"), 2, INTERNAL("1"));
	answers_after(REQUEST("1", "deep"), 1, INTERNAL("1"));
	COUNTED(results, 0);
}

static void test_only_the_first_answer_counts(void **state)
{
	(void)state;
	answers_after(REQUEST("1", "twice"), 1, RESULT("1", "1"));
	COUNTED(results, 1);
	COUNTED(errors, 0);
}

static void test_notifications_answer_nothing(void **state)
{
	(void)state;
	answers_after(NOTE("noting"), 1, "");
	answers_after(NOTE("noting"), 1, "");
	COUNTED(results, 0);
	COUNTED(errors, 0);
}

static void test_cancelled_answers_are_swallowed(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST_WITH("1", "stubborn", "{'steps':1}"));
	step();
	quash_cancel(live("1"));
	quash_put_text(quash_reply(live("1")), "x");
	assert_int_equal(quash_send(live("1")), QUASH_DONE);
	step();
	ANSWERS(CANCELLED("1"));
}

/* --- No room */

static void test_retry_with_the_same_params(void **state)
{
	(void)state;
	start(&quash_acp, 64);
	say(REQUEST_WITH("1", "big", "[]"));
	say(REQUEST_WITH("2", "big", "['the params are the same when it is called again']"));
	quash_step(&device.peer);
	assert_int_equal(outcome, QUASH_RETRY);
	assert_int_equal(calls, 2);
	quash_step(&device.peer);
	assert_int_equal(calls, 3);
	COUNTED(retries, 2);
	ANSWERS(RESULT("1", "'xxxxxxxxxx'"));
	quash_step(&device.peer);
	ANSWERS(RESULT("2", "'xxxxxxxxxx'"));
	COUNTED(retries, 2);
	COUNTED(results, 2);
}

static void test_too_long(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 2; k++) {
		start(k ? &quash_lsp : &quash_acp, 100);
		length = 100;
		say(REQUEST_WITH("1", "big", "[]"));
		steps(2);
		ANSWERS(INTERNAL("1"));
		COUNTED(too_long, 1);
		COUNTED(retries, 0);
		assert_int_equal(outcome, QUASH_DONE);
	}
}

/* The longest reply that fits. */
static void test_just_fits(void **state)
{
	(void)state;
	start(&quash_acp, 100);
	length = 100 - 37; /* of all but the text */
	say(REQUEST_WITH("1", "big", "[]"));
	step();
	assert_int_equal(strlen(loop_heard(&device)), 100);
	length++;
	say(REQUEST_WITH("1", "big", "[]"));
	steps(2);
	ANSWERS(INTERNAL("1"));
}

/* --- Long replies */

/* 'x' so many times, as the result of request 1. */
static const char *long_result(size_t n)
{
	static char text[ROOM_FOR(6000)];
	assert_room(n + 40 < sizeof text);
	memcpy(text, "{'jsonrpc':'2.0','id':1,'result':'", 34);
	memset(text + 34, 'x', n);
	strcpy(text + 34 + n, "'}\n");
	return text;
}

static void test_long_replies(void **state)
{
	static const quash_size sizes[] = { 64, 65, 90, 128, 512 };
	static const uint32_t lengths[] = { 0, 10, 27, 28, 29, 30, 90, 91, 92, 93, 500, 3000 };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(lengths) * 2; i++) {
		start(i & 1 ? &quash_lsp : &quash_acp, sizes[i / 2 % COUNT_OF(sizes)]);
		length = lengths[i / 2 / COUNT_OF(sizes)];
		say(REQUEST_WITH("1", "long", "[]"));
		loop_settle(&device, 200);
		ANSWERS(long_result((size_t)length));
		COUNTED(results, 1);
		COUNTED(changed, 0);
		COUNTED(too_long, 0);
	}
}

/* The first window commits; while it is under way others run, but their sends wait and nobody begins. */
static void test_while_a_long_reply_is_under_way(void **state)
{
	(void)state;
	start(&quash_acp, 64);
	length = 300;
	say(REQUEST_WITH("1", "long", "[]"));
	quash_step(&device.peer); /* finds out the length */
	quash_step(&device.peer); /* writes the first window */
	assert_false(quash_may_report(live("1")));
	say(CANCEL("1"));
	COUNTED(late_cancels, 1);
	(void)quash_notify(&device.peer, "n");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_RETRY);
	COUNTED(dropped, 1);
	say(REQUEST("2", "silent"));
	quash_step(&device.peer);
	say(CANCEL("2"));
	loop_settle(&device, 50);
	const char *const heard = loop_heard(&device);
	assert_memory_equal(heard, quoted(long_result(300)), strlen(long_result(300)));
	assert_string_equal(heard + strlen(long_result(300)), quoted(CANCELLED("2")));
}

static void test_another_answer_after_all(void **state)
{
	(void)state;
	start(&quash_acp, 64);
	say(REQUEST_WITH("1", "changes its mind", "[]"));
	steps(3);
	ANSWERS(RESULT("1", "4"));
	start(&quash_acp, 64);
	growth = 1;
	say(REQUEST_WITH("1", "changes its mind", "[]"));
	steps(2);
	assert_int_equal(calls, 3);
	assert_int_equal(quash_idle_ms(&device.peer), 3);
	steps(2);
	ANSWERS("");
	steps(1);
	ANSWERS(RESULT("1", "4"));
	COUNTED(changed, 0);
}

static void test_link_goes_in_a_long_reply(void **state)
{
	(void)state;
	start(&quash_acp, 64);
	length = 300;
	say(REQUEST_WITH("1", "long", "[]"));
	step();
	step();
	loop_heard(&device);
	quash_gone(&device.peer);
	steps(2);
	ANSWERS("");
	assert_int_equal(quash_live_count(&device.peer), 0);
	quash_reopen(&device.peer);
	say(REQUEST("1", "empty"));
	step();
	ANSWERS(RESULT("1", "null"));
}

/* Not the same again: counted, and the link is declared gone. */
static void test_changed(void **state)
{
	(void)state;
	start(&quash_acp, 64);
	length = 300;
	growth = 1;
	say(REQUEST_WITH("1", "long", "[]"));
	say(REQUEST("2", "empty"));
	steps(5);
	COUNTED(changed, 1);
	COUNTED(cancelled[QUASH_BY_LINK], 1);
	assert_int_equal(quash_room(&device.peer), 0);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* As long as nothing of it has left, it is measured anew. */
static void test_changed_before_it_is_begun(void **state)
{
	(void)state;
	start(&quash_acp, 64);
	calls = 0;
	say(REQUEST_WITH("1", "grows once", "[]"));
	steps(12);
	COUNTED(changed, 0);
	COUNTED(results, 1);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static void test_handler_gives_up_a_long_reply(void **state)
{
	(void)state;
	start(&quash_acp, 64);
	length = 300;
	outcome = QUASH_DONE;
	calls = 2;
	say(REQUEST_WITH("1", "gives up", "[]"));
	step();
	step();
	calls = 1;
	step();
	COUNTED(changed, 1);
	assert_int_equal(quash_room(&device.peer), 0);
}

/* --- Notifications to the other side */

static void test_notify(void **state)
{
	(void)state;
	quash_put_int(quash_notify(&device.peer, "scalar"), 1);
	assert_int_equal(quash_notify_send(&device.peer), QUASH_DONE);
	(void)quash_notify(&device.peer, "no params");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_DONE);
	quash_writer *const w = quash_notify(&device.peer, "open \"one\"");
	quash_put_object(w);
	quash_put_key(w, "a");
	quash_put_array(w);
	assert_int_equal(quash_notify_send(&device.peer), QUASH_DONE);
	ANSWERS(NOTE_WITH("scalar", "1") "\n" NOTE_WITH("no params", "{}") "\n" NOTE_WITH(
		"open \\'one\\'", "{'a':[]}") "\n");
	COUNTED(dropped, 0);
}

static void test_notify_with_headers(void **state)
{
	(void)state;
	start(&quash_lsp, LOOP_TX);
	(void)quash_notify(&device.peer, "n");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_DONE);
	ANSWERS(NOTE_WITH("n", "{}") "\n");
}

static void test_notify_without_room(void **state)
{
	(void)state;
	start(&quash_acp, 64);
	(void)quash_notify(&device.peer, "one");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_DONE);
	(void)quash_notify(&device.peer, "two");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_RETRY);
	COUNTED(dropped, 1);
	quash_put_raw(quash_notify(&device.peer, "long"), "[\"0123456789012345678901234567890123456789\"]");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_TOO_LARGE);
	COUNTED(dropped, 2);
	ANSWERS(NOTE_WITH("one", "{}") "\n");
	quash_put_raw(quash_notify(&device.peer, "long"), "[\"0123456789012345678901234567890123456789\"]");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_TOO_LARGE);
	(void)quash_notify(&device.peer, "two");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_DONE);
	ANSWERS(NOTE_WITH("two", "{}") "\n");
}

/* Room that has come back in front of what still waits is used. */
static void test_room_comes_back(void **state)
{
	size_t n;
	(void)state;
	start(&quash_acp, 100);
	(void)quash_notify(&device.peer, "one");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_DONE);
	(void)quash_notify(&device.peer, "two");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_DONE);
	(void)quash_out(&device.peer, &n);
	quash_sent(&device.peer, n - 10);
	(void)quash_notify(&device.peer, "three");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_RETRY);
	(void)quash_out(&device.peer, &n);
	assert_int_equal(n, 10);
	(void)quash_notify(&device.peer, "three");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_DONE);
	(void)quash_out(&device.peer, &n);
	quash_sent(&device.peer, n - 10);
	say(REQUEST_WITH("1", "big", "[]"));
	quash_step(&device.peer);
	(void)quash_out(&device.peer, &n);
	assert_int_equal(n, 10);
	quash_step(&device.peer);
	ANSWERS("rams':{}}\n" RESULT("1", "'xxxxxxxxxx'"));
}

/* A notification in place of an open one or of an open answer: that one is forgotten. */
static void test_notify_in_place_of_another(void **state)
{
	(void)state;
	(void)quash_notify(&device.peer, "one");
	(void)quash_notify(&device.peer, "two");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_DONE);
	ANSWERS(NOTE_WITH("two", "{}") "\n");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_RETRY);
	ANSWERS("");
}

static void test_nothing_is_composed_while_a_message_is_open(void **state)
{
	(void)state;
	(void)quash_notify(&device.peer, "open");
	loop_say(&device, "x\n");
	ANSWERS("");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_DONE);
	ANSWERS(NOTE_WITH("open", "{}") "\n" PARSE_ERROR);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_results, set_up),
		cmocka_unit_test_setup(test_errors, set_up),
		cmocka_unit_test_setup(test_done_without_answer, set_up),
		cmocka_unit_test_setup(test_only_the_first_answer_counts, set_up),
		cmocka_unit_test_setup(test_notifications_answer_nothing, set_up),
		cmocka_unit_test_setup(test_cancelled_answers_are_swallowed, set_up),
		cmocka_unit_test_setup(test_retry_with_the_same_params, set_up),
		cmocka_unit_test_setup(test_too_long, set_up),
		cmocka_unit_test_setup(test_just_fits, set_up),
		cmocka_unit_test_setup(test_long_replies, set_up),
		cmocka_unit_test_setup(test_while_a_long_reply_is_under_way, set_up),
		cmocka_unit_test_setup(test_another_answer_after_all, set_up),
		cmocka_unit_test_setup(test_link_goes_in_a_long_reply, set_up),
		cmocka_unit_test_setup(test_changed, set_up),
		cmocka_unit_test_setup(test_changed_before_it_is_begun, set_up),
		cmocka_unit_test_setup(test_handler_gives_up_a_long_reply, set_up),
		cmocka_unit_test_setup(test_notify, set_up),
		cmocka_unit_test_setup(test_notify_with_headers, set_up),
		cmocka_unit_test_setup(test_notify_without_room, set_up),
		cmocka_unit_test_setup(test_room_comes_back, set_up),
		cmocka_unit_test_setup(test_notify_in_place_of_another, set_up),
		cmocka_unit_test_setup(test_nothing_is_composed_while_a_message_is_open, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
