/* SPDX-License-Identifier: MIT
 * Methods for all other names, and a program's own handlers for what the dialect takes itself. All else of accept.c is in
 * tests/talk. */
#include "device.h"

/* The message is answered like that, and nothing becomes of it. */
static void is_answered(const char *message, const char *expected)
{
	ANSWERS_TO(message, 2, expected);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static int32_t any_other(quash_request *request)
{
	device_write_down(request, "other");
	return -7;
}

/* The entry without a name is for all other names of its kind. */
static void test_all_other_names(void **state)
{
	static const quash_method list[] = {
		{ .name = "", .handler = any_other },
		{ .name = "noted", .handler = any_other, .marks = QUASH_NOTIFICATION },
		{ .name = "", .handler = any_other, .marks = QUASH_NOTIFICATION },
	};
	(void)state;
	device_prepare_with(&quash_acp, list, 2);
	device_begin();
	is_answered(REQUEST("1", "x"), ERROR("1", "-7", "Server error"));
	is_answered(REQUEST("2", ""), ERROR("2", "-7", "Server error"));
	is_answered(REQUEST("3", "noted"), ERROR("3", "-7", "Server error"));
	is_answered(REQUEST("4", "$/cancel_request"), UNKNOWN("4"));
	is_answered(NOTE("x"), "");
	is_answered(NOTE("noted"), "");
	DID("other(1) other(2) other(3) other(-)");
	COUNTED(ignored, 1);
	device.config.method_count = 3;
	device_begin();
	is_answered(NOTE("x"), "");
	is_answered(NOTE(""), "");
	DID("other(-) other(-)");
	COUNTED(ignored, 0);
}

static int32_t stop(quash_request *request)
{
	device_write_down(request, "stop");
	return quash_reply_null(request);
}

static int32_t stop_unasked(quash_request *request)
{
	device_write_down(request, "unasked");
	return QUASH_DONE;
}

/* In whatever order they stand, and beside entries for all other names. */
static void test_one_name_for_both_kinds(void **state)
{
	static const quash_method list[] = {
		{ .name = "", .handler = any_other },
		{ .name = "stop", .handler = stop_unasked, .marks = QUASH_NOTIFICATION },
		{ .name = "halt", .handler = stop },
		{ .name = "stop", .handler = stop },
		{ .name = "halt", .handler = stop_unasked, .marks = QUASH_NOTIFICATION },
		{ .name = "", .handler = any_other, .marks = QUASH_NOTIFICATION },
	};
	(void)state;
	for (uint8_t others = 0; others < 2; others++) {
		device_prepare_with(&quash_acp, &list[1 - others], (uint8_t)(4 + 2 * others));
		device_begin();
		is_answered(NOTE("stop"), "");
		is_answered(REQUEST("1", "stop"), RESULT("1", "null"));
		is_answered(NOTE("halt"), "");
		is_answered(REQUEST("2", "halt"), RESULT("2", "null"));
		DID("unasked(-) stop(1) unasked(-) stop(2)");
		COUNTED(ignored, 0);
	}
}

static int32_t note_cancel(quash_request *request)
{
	quash_value id = quash_get(quash_params_of(request), "requestId");
	quash_live live_one = { 0 };
	if (quash_kind_of(id) == QUASH_NONE)
		id = quash_get(quash_params_of(request), "sessionId");
	device_write_down(request, quash_text(id));
	while (quash_next_live(&device.peer, &live_one))
		device_write_down(live_one.request, live_one.cause == QUASH_BY_OTHER_SIDE ? "flagged" : "free");
	return QUASH_DONE;
}

/* It runs in the step, when the flag is set. */
static void test_own_handler_for_cancels(void **state)
{
	quash_method list[DEVICE_METHODS + 3];
	(void)state;
	memcpy(list, device_methods, sizeof device_methods);
	list[DEVICE_METHODS] = (quash_method){
		.name = "$/cancel_request", .handler = note_cancel, .marks = QUASH_NOTIFICATION
	};
	list[DEVICE_METHODS + 1] = (quash_method){
		.name = "session/cancel", .handler = note_cancel, .marks = QUASH_NOTIFICATION
	};
	list[DEVICE_METHODS + 2] = (quash_method){
		.name = "$/progress", .handler = note_cancel, .marks = QUASH_NOTIFICATION
	};
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = DEVICE_METHODS + 3;
	device_begin();
	say_and_step(REQUEST("1", "stubborn"));
	DID("stubborn(1)");
	say(CANCEL("1"));
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_OTHER_SIDE);
	step();
	DID("stubborn(1) 1(-) flagged(1) free(-)");
	say(CANCEL("7")); /* also of what is unknown */
	step();
	DID("stubborn(1) 7(-) flagged(1) free(-)");
	say(NOTE_WITH("session/cancel", "{'sessionId':'s'}"));
	say_and_step(NOTE_WITH("$/progress", "{'requestId':'p'}"));
	DID("stubborn(1) s(-) flagged(1) free(-) free(-) p(-) flagged(1) free(-)");
	COUNTED(notifications, 4);
	COUNTED(late_cancels, 2);
	ANSWERS_TO(REQUEST_WITH("2", "$/cancel_request", "{'requestId':1}"), 0, UNKNOWN("2"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_other_names),
		cmocka_unit_test(test_one_name_for_both_kinds),
		cmocka_unit_test(test_own_handler_for_cancels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
