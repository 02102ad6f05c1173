/* SPDX-License-Identifier: MIT
 * Reasons of states that are too large and of notifications, and the words of each. What else is refused, and why, is in
 * tests/talk/trace.talk. */
#include "device.h"

static quash_why first, last;
static unsigned reasons, dropped;

static void note_why(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	(void)peer;
	(void)request;
	(void)detail;
	dropped += event == QUASH_DROPPED;
	if (why == QUASH_WHY_NONE)
		return;
	if (reasons++ == 0)
		first = why;
	last = why;
}

static int32_t pends(quash_request *request)
{
	(void)request;
	return QUASH_PENDING;
}

static int32_t returns(quash_request *request)
{
	int32_t code = 0;
	(void)quash_int32(quash_get(quash_params_of(request), "0"), &code);
	return code;
}

/* Its state has no room in the config's. */
static int32_t large(quash_request *request)
{
	return quash_state(request, 100) == NULL ? QUASH_INTERNAL_ERROR : quash_reply_null(request);
}

/* The same, and it answers something else. */
static int32_t large_too(quash_request *request)
{
	return quash_state(request, 100) == NULL ? quash_fail(request, 5, "no room") : QUASH_DONE;
}

struct beyond {
	uint8_t bytes[100];
};

/* It has a place to go on with, which is no memory, and its answer stands already. */
static int32_t beyond(quash_request *request)
{
	const struct beyond *const place = QUASH_STATE(struct beyond, request);
	const uintptr_t first_byte = (uintptr_t)place;
	assert_true(first_byte != 0 && first_byte + sizeof *place > first_byte);
	assert_int_equal(first_byte % __alignof__(void *), 0);
	assert_in_range(UINTPTR_MAX - first_byte, sizeof *place - 1, sizeof *place + 32); /* the end of all addresses */
	assert_ptr_equal(QUASH_CONST_STATE(struct beyond, request), place);
	assert_true((const uint8_t *)place > (const uint8_t *)device.states + sizeof device.states);
	return QUASH_DONE;
}

/* What is answered already stays. */
static int32_t beyond_too_late(quash_request *request)
{
	(void)quash_reply_null(request);
	(void)QUASH_STATE(struct beyond, request);
	return QUASH_DONE;
}

static quash_group group;

static int32_t no_end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static const quash_method list[] = {
	{ .name = "returns", .handler = returns },
	{ .name = "pends", .handler = pends },
	{ .name = "large", .handler = large },
	{ .name = "large too", .handler = large_too },
	{ .name = "beyond", .handler = beyond },
	{ .name = "beyond too late", .handler = beyond_too_late },
	{ .name = "alone", .handler = pends, .motion = { .end = no_end, .longest = QUASH_NO_LIMIT, .group = &group }, .marks = QUASH_FINISHES },
	{ .name = "noted", .handler = pends, .motion = { .end = no_end, .longest = QUASH_NO_LIMIT, .group = &group }, .marks = QUASH_NOTIFICATION | QUASH_FINISHES },
};

static int set_up(void **state)
{
	(void)state;
	quash_group_reset(&group);
	DEVICE_PREPARE(&quash_acp, list);
	device.config.slot_count = 2;
	device.config.arena_size = 64;
	device.config.tx_size = 100;
	device.config.trace = note_why;
	device_begin();
	last = QUASH_WHY_NONE;
	return 0;
}

static void because(const char *message, quash_why why)
{
	last = QUASH_WHY_NONE;
	say_on(message);
	say_on("\n");
	for (unsigned i = 0; i < 8; i++)
		step();
	if (last != why)
		fail_msg("%s: %s, not %s", message, quash_why_text(last), quash_why_text(why));
}

static void test_states_that_are_too_large(void **state)
{
	(void)state;
	reasons = 0;
	because(REQUEST("1", "large too"), QUASH_WHY_HANDLER);
	assert_int_equal(first, QUASH_WHY_STATE_SIZE);
	COUNTED(misuses, 1);
	reasons = 0;
	because(REQUEST("1", "large"), QUASH_WHY_HANDLER);
	assert_int_equal(first, QUASH_WHY_STATE_SIZE);
	COUNTED(misuses, 2);
	reasons = 0;
	because(REQUEST("1", "beyond"), QUASH_WHY_STATE_SIZE);
	COUNTED(misuses, 4);
	(void)loop_heard(&device);
	because(REQUEST("1", "beyond too late"), QUASH_WHY_STATE_SIZE);
	ANSWERS(RESULT("1", "null"));
}

static quash_why why_dropped(const char *text)
{
	last = QUASH_WHY_NONE;
	quash_put_text(quash_notify(&device.peer, "n"), text);
	(void)quash_notify_send(&device.peer);
	return last;
}

static void test_notifications_that_are_dropped(void **state)
{
	(void)state;
	assert_int_equal(why_dropped("0123456789012345678901234567890123456789012345678901234567890123456789"), QUASH_WHY_TX_SIZE);
	assert_int_equal(why_dropped(""), QUASH_WHY_NONE);
	assert_int_equal(why_dropped("01234567890123456789"), QUASH_WHY_TX_FULL);
	steps(3);
	say(REQUEST_WITH("1", "returns", "[-32603]"));
	fill_tx();
	quash_step(&device.peer);
	assert_int_equal(why_dropped(""), QUASH_WHY_ANSWER_WAITS);
	quash_gone(&device.peer);
	assert_int_equal(why_dropped(""), QUASH_WHY_LINK);
}

/* It is never called, and nobody is told but who traces. */
static void test_a_notification_whose_group_is_held(void **state)
{
	(void)state;
	say_and_step(REQUEST("1", "alone"));
	dropped = 0;
	because(NOTE("noted"), QUASH_WHY_GROUP);
	assert_int_equal(dropped, 1);
	COUNTED(held, 1);
	ANSWERS("");
	assert_int_equal(quash_live_count(&device.peer), 1);
}

/* Each has words, and they are its own. */
static void test_words(void **state)
{
	(void)state;
	assert_string_equal(quash_why_text(QUASH_WHY_NONE), "");
	assert_string_equal(quash_why_text(QUASH_WHYS), "");
	for (unsigned i = 1; i < QUASH_WHYS; i++) {
		assert_int_not_equal(quash_why_text((quash_why)i)[0], '\0');
		for (unsigned k = 1; k < i; k++)
			assert_int_not_equal(strcmp(quash_why_text((quash_why)i), quash_why_text((quash_why)k)), 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_states_that_are_too_large, set_up),
		cmocka_unit_test_setup(test_notifications_that_are_dropped, set_up),
		cmocka_unit_test_setup(test_a_notification_whose_group_is_held, set_up),
		cmocka_unit_test(test_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
