/* SPDX-License-Identifier: MIT
 * What no client sees of answers: how often they are put, what is refused in a put function, pointers that outlive a request; and
 * what a program itself tells. All else is in tests/talk. */
#include "device.h"

/* --- Methods, each with one way to answer */

static unsigned acts;     /* how often a handler that acts was called */
static unsigned put_calls; /* and put functions */
static unsigned length;   /* of what `long` answers */
static unsigned changes;  /* the put calls of `changing` that put something else, and more, than the one before */

static int32_t is_true(quash_request *request)
{
	return quash_reply_bool(request, true);
}

static int32_t is_false(quash_request *request)
{
	return quash_reply_bool(request, false);
}

static int32_t is_number(quash_request *request)
{
	return quash_reply_int(request, INT32_MIN);
}

static void put_table(quash_writer *w, const quash_request *request)
{
	const int32_t *const table = quash_table_of_(request);
	quash_put_array(w);
	quash_put_int(w, table[0]);
	quash_put_int(w, table[1]);
}

static int32_t is_table(quash_request *request)
{
	static const int32_t table[2] = { 7, -8 };
	return quash_reply_table_(request, put_table, table);
}

static void put_open(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_object(w);
	quash_put_key(w, "a");
	quash_put_array(w);
	quash_put_object(w);
	quash_put_key(w, "b");
}

static int32_t is_open(quash_request *request)
{
	return quash_reply(request, put_open);
}

static void put_nothing(quash_writer *w, const quash_request *request)
{
	(void)w;
	(void)request;
}

static void put_message(quash_writer *w, const quash_request *request)
{
	const quash_value text = quash_get(quash_params_of(request), "0");
	quash_put_string(w, quash_text(text), quash_length(text));
}

static int32_t fails_without_data(quash_request *request)
{
	return quash_fail_data(request, -32001, "nothing to add", put_nothing);
}

static int32_t fails_with_put(quash_request *request)
{
	return quash_fail_put(request, -8, put_message);
}

static int32_t fails_without_code(quash_request *request)
{
	return quash_fail(request, 0, "no code");
}

static int32_t twice(quash_request *request)
{
	assert_int_equal(quash_reply_int(request, 1), QUASH_DONE);
	assert_int_equal(quash_reply_int(request, 2), QUASH_DONE);
	return quash_fail(request, -1, "no");
}

/* Everything that is put comes from the state. */
struct pill {
	unsigned number;
};

static void put_long(quash_writer *w, const quash_request *request)
{
	const struct pill *const pill = QUASH_CONST_STATE(struct pill, request);
	put_calls++;
	quash_put_string_open(w);
	for (unsigned i = 0; i < length; i++) {
		const char c = (char)('a' + (i + pill->number) % 26);
		quash_put_string_part(w, &c, 1);
	}
	quash_put_string_close(w);
}

static int32_t dispense(quash_request *request)
{
	QUASH_STATE(struct pill, request)->number = ++acts;
	return quash_reply(request, put_long);
}

static void put_changing(quash_writer *w, const quash_request *request)
{
	(void)request;
	if (changes > 0) {
		changes--;
		put_calls++;
	}
	quash_put_string_open(w);
	for (unsigned i = 0; i < length + put_calls; i++)
		quash_put_string_part(w, i == 0 ? &"abcdefghijklmnopqrstuvwxyz"[put_calls % 26] : "x", 1);
	quash_put_string_close(w);
}

static int32_t changing_answer(quash_request *request)
{
	acts++;
	return quash_reply(request, put_changing);
}

static const quash_method list[] = {
	{ .name = "true", .handler = is_true },
	{ .name = "false", .handler = is_false },
	{ .name = "number", .handler = is_number },
	{ .name = "table", .handler = is_table },
	{ .name = "open", .handler = is_open },
	{ .name = "fails with put", .handler = fails_with_put },
	{ .name = "fails without data", .handler = fails_without_data },
	{ .name = "fails without code", .handler = fails_without_code },
	{ .name = "twice", .handler = twice },
	{ .name = "pill", .handler = dispense, .state_size = sizeof(struct pill) },
	{ .name = "changing", .handler = changing_answer },
	{ .name = "noting", .handler = twice, .marks = QUASH_NOTIFICATION },
};

static void start(const quash_dialect *dialect, quash_size tx)
{
	DEVICE_PREPARE(dialect, list);
	device.config.tx_size = tx;
	device_begin();
	acts = put_calls = changes = 0;
	length = 300;
}

static int set_up(void **state)
{
	(void)state;
	start(&quash_acp, LOOP_TX);
	return 0;
}

static void answers_after(const char *message, unsigned n, const char *expected)
{
	ANSWERS_TO(message, n, expected);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* --- Answers */

static void test_results(void **state)
{
	(void)state;
	answers_after(REQUEST("1", "false"), 1, RESULT("1", "false"));
	answers_after(REQUEST("1", "number"), 1, RESULT("1", "-2147483648"));
	answers_after(REQUEST("1", "table"), 1, RESULT("1", "[7,-8]"));
	answers_after(REQUEST("1", "open"), 1, RESULT("1", "{'a':[{'b':null}]}"));
	COUNTED(results, 4);
	COUNTED(misuses, 0);
}

static void test_errors(void **state)
{
	(void)state;
	answers_after(REQUEST("1", "fails without data"), 1,
		"{'jsonrpc':'2.0','id':1,'error':{'code':-32001,'message':'nothing to add','data':null}}\n");
	answers_after(REQUEST_WITH("1", "fails with put", "['a\\u0000\\n']"), 1,
		"{'jsonrpc':'2.0','id':1,'error':{'code':-8,'message':'a\\u0000\\n'}}\n");
	answers_after(REQUEST("1", "fails without code"), 1, ERROR("1", "-32603", "no code"));
	COUNTED(errors, 3);
	COUNTED(misuses, 0);
}

static int32_t goes_on_for_ever(quash_request *request)
{
	(void)request;
	return QUASH_PENDING;
}

static quash_request *kept; /* by a handler that has ended */

static int32_t keeps_its_request(quash_request *request)
{
	kept = request;
	return quash_reply_null(request);
}

static int32_t answers_the_kept(quash_request *request)
{
	(void)quash_reply_text(kept, "not mine");
	return quash_reply_bool(request, true);
}

/* A pointer that outlives its request answers nobody else's: only the handler that is on the stack answers. */
static void test_a_kept_pointer_answers_nobody(void **state)
{
	static const quash_method methods[] = {
		{ .name = "keeps", .handler = keeps_its_request },
		{ .name = "wait", .handler = goes_on_for_ever },
		{ .name = "answers", .handler = answers_the_kept }
	};
	(void)state;
	DEVICE_PREPARE(&quash_acp, methods);
	device_begin();
	say_and_step(REQUEST("1", "keeps"));
	say_and_step(REQUEST("2", "wait"));
	ANSWERS_TO(REQUEST("3", "answers"), 1, RESULT("1", "null") RESULT("3", "true"));
	COUNTED(misuses, 1);
	(void)quash_reply_text(kept, "not here");
	ANSWERS_AFTER(2, "");
	COUNTED(misuses, 2);
	assert_int_equal(quash_live_count(&device.peer), 1);
}

static void test_notifications_answer_nothing(void **state)
{
	(void)state;
	answers_after(NOTE("noting"), 1, "");
	answers_after(NOTE("noting"), 1, "");
	COUNTED(results, 0);
	COUNTED(errors, 0);
	COUNTED(misuses, 0);
}

/* --- A handler acts once, an answer is put as often as needed */

/* Ceil(length / TX) + 1 at most, and nothing while nothing leaves. */
static void test_number_of_put_calls(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 2; k++) {
		for (length = 0; length < 1500; length += 50) {
			const unsigned now = length;
			start(k ? &quash_lsp : &quash_acp, 100);
			length = now;
			device.stalled = true;
			say_and_step(REQUEST("1", "pill"));
			const unsigned before = put_calls;
			steps(10);
			assert_int_equal(put_calls, before);
			device.stalled = false;
			loop_settle(&device, 5);
			assert_int_equal(acts, 1);
			assert_in_range(put_calls, 1, (length + 37 + (k ? 24 : 0) + 99) / 100 + 1);
		}
	}
}

/* Whatever is fed: nothing is put, and nothing stands in TX. */
static void test_feed_writes_nothing(void **state)
{
	(void)state;
	fill_tx();
	say(REQUEST("1", "pill"));
	quash_step(&device.peer);
	drain_fill();
	const unsigned before = put_calls;
	takes_all("x\n[]\n\n" REQUEST("2", "other") "\n" CANCEL("1") "\n" REQUEST("1", "pill") "\n");
	assert_int_equal(put_calls, before);
	assert_true(device.peer.writer.sent >= device.peer.writer.tail);
	COUNTED(late_cancels, 1);
}

/* --- Puts that put something else the second time */

/* As long as nothing of it has left, it is measured anew: three times, each answer. Each measure is a call, and each try. */
static void test_changed_before_a_byte_has_left(void **state)
{
	(void)state;
	for (unsigned most = 1; most < 12; most++) {
		start(&quash_lsp, 64);
		changes = most;
		say(REQUEST("1", "changing"));
		say(REQUEST("2", "true"));
		loop_settle(&device, 5);
		COUNTED(changed, most > 7);
		const char *const heard = loop_heard(&device);
		assert_non_null(strstr(heard, quoted("{'jsonrpc':'2.0','id':2,'result':true}")));
		assert_int_equal(strstr(heard, "-32603") != NULL, most > 7);
		assert_int_equal(acts, 1);
		changes = most;
		say(REQUEST("3", "changing"));
		loop_settle(&device, 5);
		COUNTED(changed, most > 7 ? 2 : 0);
	}
}

/* --- Order of answers and notifications */

static bool notify_step(const char *method)
{
	(void)quash_notify(&device.peer, method);
	return quash_notify_send(&device.peer);
}

/* One that found no room makes younger answers wait, as long as it is tried again in each step. */
static void test_crowded_notification(void **state)
{
	(void)state;
	fill_tx();
	assert_false(notify_step("progress"));
	COUNTED(dropped, 1);
	say(REQUEST("1", "true"));
	quash_step(&device.peer);
	assert_false(notify_step("progress"));
	drain_fill();
	assert_true(notify_step("progress"));
	ANSWERS_AFTER(3, NOTE_WITH("progress", "{}") "\n" RESULT("1", "true"));
	assert_true(quash_is_at_rest(&device.peer));
}

/* One that is not tried again keeps no answer back for ever. */
static void test_crowded_notification_that_is_forgotten(void **state)
{
	(void)state;
	fill_tx();
	assert_false(notify_step("progress"));
	say(REQUEST("1", "true"));
	quash_step(&device.peer);
	drain_fill();
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	ANSWERS_AFTER(3, RESULT("1", "true"));
}

static int32_t notifies_without_end(quash_request *request)
{
	while (quash_cancelled(request) == QUASH_NOT_CANCELLED) {
		(void)quash_notify(quash_peer_of(request), "update");
		if (!quash_notify_send(quash_peer_of(request)))
			return QUASH_PENDING;
	}
	return QUASH_CANCELLED;
}

/* A handler that notifies without end holds no answers back, else their slots and the cancel after them wait for ever. */
static void test_updates_do_not_starve_answers(void **state)
{
	static const quash_method methods[] = {
		{ .name = "updates", .handler = notifies_without_end }, { .name = "true", .handler = is_true }
	};
	(void)state;
	DEVICE_PREPARE(&quash_acp, methods);
	device.config.slot_count = 3;
	device.config.tx_size = QUASH_TX_MIN;
	device_begin();
	takes_all(REQUEST("1", "updates") "\n");
	step();
	takes_all(REQUEST("2", "true") "\n" REQUEST("3", "true") "\n");
	steps(8);
	COUNTED(results, 2);
	assert_in_range(device.counters.dropped, 2, 10);
	takes_all(REQUEST("4", "true") "\n" REQUEST("5", "true") "\n");
	step();
	say_on(REQUEST("6", "true") "\n" REQUEST("7", "true") "\n" CANCEL("1") "\n");
	COUNTED(cancelled[QUASH_BY_OTHER_SIDE], 1);
	loop_settle(&device, 8);
	COUNTED(results, 6);
	COUNTED(errors, 1);
}

static void test_notify_fits(void **state)
{
	(void)state;
	start(&quash_acp, 64);
	quash_put_raw(quash_notify(&device.peer, "long"), "[\"0123456789012345678901234567890123456789\"]");
	assert_false(quash_notify_send(&device.peer));
	assert_false(quash_notify_fits(&device.peer));
	assert_true(notify_step("short"));
	assert_true(quash_notify_fits(&device.peer));
	assert_false(notify_step("short"));
	assert_true(quash_notify_fits(&device.peer));
	loop_heard(&device);
	quash_put_key(quash_notify(&device.peer, "no JSON"), "a");
	assert_false(quash_notify_send(&device.peer));
	assert_false(quash_notify_fits(&device.peer));
	COUNTED(misuses, 1);
	COUNTED(dropped, 3);
	ANSWERS("");
}

/* Nobody composes in a put function. */
static bool sent_inside;

static void put_and_notify(quash_writer *w, const quash_request *request)
{
	(void)quash_notify(quash_peer_of(request), "inside");
	quash_put_int(w, 1);
	sent_inside = quash_notify_send(quash_peer_of(request));
}

static int32_t notifies_inside(quash_request *request)
{
	return quash_reply(request, put_and_notify);
}

static void test_notify_in_a_put_function(void **state)
{
	static const quash_method methods[] = { { .name = "inside", .handler = notifies_inside } };
	(void)state;
	device.config.methods = methods;
	device.config.method_count = 1;
	device_begin();
	ANSWERS_TO(REQUEST("1", "inside"), 1, INTERNAL("1"));
	assert_false(sent_inside);
	COUNTED(misuses, 1);
}

/* --- Notifications to the other side */

static void test_notify(void **state)
{
	(void)state;
	quash_put_int(quash_notify(&device.peer, "scalar"), 1);
	assert_true(quash_notify_send(&device.peer));
	(void)quash_notify(&device.peer, "no params");
	assert_true(quash_notify_send(&device.peer));
	quash_writer *const w = quash_notify(&device.peer, "open \"one\"");
	quash_put_object(w);
	quash_put_key(w, "a");
	quash_put_array(w);
	assert_true(quash_notify_send(&device.peer));
	ANSWERS(NOTE_WITH("scalar", "1") "\n" NOTE_WITH("no params", "{}") "\n" NOTE_WITH(
		"open \\'one\\'", "{'a':[]}") "\n");
	COUNTED(dropped, 0);
}

static void test_notify_without_room(void **state)
{
	(void)state;
	start(&quash_acp, 64);
	(void)quash_notify(&device.peer, "one");
	assert_true(quash_notify_send(&device.peer));
	(void)quash_notify(&device.peer, "two");
	assert_false(quash_notify_send(&device.peer));
	COUNTED(dropped, 1);
	quash_put_raw(quash_notify(&device.peer, "long"), "[\"0123456789012345678901234567890123456789\"]");
	assert_false(quash_notify_send(&device.peer));
	COUNTED(dropped, 2);
	ANSWERS(NOTE_WITH("one", "{}") "\n");
	quash_put_raw(quash_notify(&device.peer, "long"), "[\"0123456789012345678901234567890123456789\"]");
	assert_false(quash_notify_send(&device.peer));
	(void)quash_notify(&device.peer, "two");
	assert_true(quash_notify_send(&device.peer));
	ANSWERS(NOTE_WITH("two", "{}") "\n");
}

/* Room that has come back in front of what still waits is used. */
static void test_room_comes_back(void **state)
{
	size_t n;
	(void)state;
	start(&quash_acp, 100);
	(void)quash_notify(&device.peer, "one");
	assert_true(quash_notify_send(&device.peer));
	(void)quash_notify(&device.peer, "two");
	assert_true(quash_notify_send(&device.peer));
	(void)quash_out(&device.peer, &n);
	quash_sent(&device.peer, n - 10);
	(void)quash_notify(&device.peer, "three");
	assert_false(quash_notify_send(&device.peer));
	(void)quash_out(&device.peer, &n);
	assert_int_equal(n, 10);
	(void)quash_notify(&device.peer, "three");
	assert_true(quash_notify_send(&device.peer));
	(void)quash_out(&device.peer, &n);
	quash_sent(&device.peer, n - 10);
	ANSWERS("rams':{}}\n");
}

/* A notification in place of an open one or of an open answer: that one is forgotten. */
static void test_notify_in_place_of_another(void **state)
{
	(void)state;
	(void)quash_notify(&device.peer, "one");
	(void)quash_notify(&device.peer, "two");
	assert_true(quash_notify_send(&device.peer));
	ANSWERS(NOTE_WITH("two", "{}") "\n");
	assert_false(quash_notify_send(&device.peer));
	ANSWERS("");
}

static int32_t leaves_one_open(quash_request *request)
{
	(void)quash_notify(quash_peer_of(request), "open");
	return quash_reply_null(request);
}

/* What is begun and not sent is dropped, counted and traced, and keeps nobody from transmitting. */
static void test_notifications_left_open(void **state)
{
	static const quash_method methods[] = { { .name = "open", .handler = leaves_one_open } };
	(void)state;
	DEVICE_PREPARE(&quash_acp, methods);
	device.config.trace = device_trace;
	device_begin();
	say(REQUEST("1", "open"));
	device_forget();
	ANSWERS_AFTER(1, RESULT("1", "null"));
	COUNTED(dropped, 1);
	(void)quash_notify(&device.peer, "one");
	(void)quash_notify(&device.peer, "two");
	COUNTED(dropped, 2);
	ANSWERS_TO("x", 1, PARSE_ERROR);
	COUNTED(dropped, 3);
}

static void test_nothing_is_composed_while_a_message_is_open(void **state)
{
	(void)state;
	(void)quash_notify(&device.peer, "open");
	loop_say(&device, "x\n");
	ANSWERS("");
	assert_true(quash_notify_send(&device.peer));
	ANSWERS(NOTE_WITH("open", "{}") "\n" PARSE_ERROR);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_results, set_up),
		cmocka_unit_test_setup(test_errors, set_up),
		cmocka_unit_test_setup(test_a_kept_pointer_answers_nobody, set_up),
		cmocka_unit_test_setup(test_notifications_answer_nothing, set_up),
		cmocka_unit_test_setup(test_number_of_put_calls, set_up),
		cmocka_unit_test_setup(test_feed_writes_nothing, set_up),
		cmocka_unit_test_setup(test_changed_before_a_byte_has_left, set_up),
		cmocka_unit_test_setup(test_crowded_notification, set_up),
		cmocka_unit_test_setup(test_crowded_notification_that_is_forgotten, set_up),
		cmocka_unit_test_setup(test_updates_do_not_starve_answers, set_up),
		cmocka_unit_test_setup(test_notify_fits, set_up),
		cmocka_unit_test_setup(test_notify_in_a_put_function, set_up),
		cmocka_unit_test_setup(test_notify, set_up),
		cmocka_unit_test_setup(test_notify_without_room, set_up),
		cmocka_unit_test_setup(test_room_comes_back, set_up),
		cmocka_unit_test_setup(test_notify_in_place_of_another, set_up),
		cmocka_unit_test_setup(test_notifications_left_open, set_up),
		cmocka_unit_test_setup(test_nothing_is_composed_while_a_message_is_open, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
