/* SPDX-License-Identifier: MIT
 * As many slots as there may be, and the arena in any size; ids, and what finds no room, are in tests/talk. */
#include "device.h"

#include <stdio.h>

#include "quash/call.h"

static void start(uint8_t slots, quash_size arena)
{
	device_prepare(&quash_acp);
	device.config.slot_count = slots;
	device.config.arena_size = arena;
	device_begin();
}

/* --- Slots */

static void test_many_slots(void **state)
{
	static quash_request slots[250];
	static uint8_t ids[251 * 20];
	static uint64_t states[250];
	char message[100];
	(void)state;
	device_prepare(&quash_jsonrpc);
	device.config.slots = slots;
	device.config.slot_count = 250;
	device.config.ids = ids;
	device.config.id_size = 20;
	device.config.states = states;
	device.config.state_size = 8;
	device.config.tags = NULL;
	device.config.tag_size = 0;
	device_begin();
	for (unsigned i = 1; i <= 251; i++) {
		snprintf(message, sizeof message, REQUEST("%u", "wait"), i);
		say(message);
	}
	assert_int_equal(quash_live_count(&device.peer), 251);
	device.stalled = true;
	step();
	device.stalled = false;
	ANSWERS(BUSY("251"));
	assert_int_equal(quash_live_count(&device.peer), 250);
	for (unsigned i = 250; i > 0; i--) {
		snprintf(message, sizeof message, CANCEL("%u"), i);
		say(message);
		device_forget();
		step();
		snprintf(message, sizeof message, CANCELLED("%u"), i);
		ANSWERS(message);
	}
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static void test_counters_stay_at_their_most(void **state)
{
	const quash_count most = (quash_count)-1;
	(void)state;
	start(2, LOOP_ARENA);
	device.counters.lost = (quash_count)(most - 1);
	for (unsigned i = 0; i < 3; i++)
		quash_lost(&device.peer);
	assert_true(device.counters.lost == most);
}

/* --- The arena */

/* Params fit exactly, or the request is too large. */
static void test_room_for_params(void **state)
{
	(void)state;
	for (quash_size arena = QUASH_ARENA_MIN; arena < 40; arena++) {
		start(3, arena);
		say(REQUEST_WITH("1", "echo", "['0123456789']")); /* takes 4 + 4 + 11 + 1 bytes */
		ANSWERS_AFTER(4, arena < 20 ? TOO_LARGE("1") : RESULT("1", "['0123456789']"));
		COUNTED(too_large, arena < 20);
	}
}

/* Gaps are closed while no handler runs, and what others keep is not harmed, nor what is just being heard. */
static void test_gaps_are_closed(void **state)
{
	(void)state;
	start(5, 64);
	for (unsigned round = 0; round < 20; round++) {
		say(REQUEST_WITH("1", "echo", "['0123456789']"));
		say(REQUEST_WITH("2", "wait", "{'steps':1}"));
		loop_say(&device, quoted("{'jsonrpc':'2.0','id':3,'method':'echo','params':['he"));
		ANSWERS_AFTER(1, RESULT("1", "['0123456789']"));
		loop_say(&device, quoted("llo',{'a':"));
		ANSWERS_AFTER(1, RESULT("2", "'waited'"));
		loop_say(&device, quoted("[1]}]}\n"));
		ANSWERS_AFTER(1, RESULT("3", "['hello',{'a':[1]}]"));
	}
	COUNTED(busy, 0);
	COUNTED(too_large, 0);
}

/* Params whose answer waits for room in TX are moved, not lost. */
static void test_params_that_wait(void **state)
{
	(void)state;
	start(3, 160);
	say(REQUEST_WITH("1", "wait", "{'steps':0,'more':'0123456789'}"));
	say(REQUEST_WITH("2", "echo", "{'a':['kept']}"));
	fill_tx();
	step();
	for (unsigned i = 0; i < 3; i++) {
		say(REQUEST_WITH("3", "wait", "['0123456789012345678901234567']"));
		say_and_step(NOTE("nothing"));
		say(CANCEL("3"));
		drain_fill();
		ANSWERS_AFTER(1, i > 0 ? CANCELLED("3") : RESULT("1", "'waited'") RESULT("2", "{'a':['kept']}") CANCELLED("3"));
		fill_tx();
	}
}

/* --- What is received */

static void is_not_cancelled(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	(void)peer;
	(void)detail;
	(void)why;
	if (event == QUASH_RECEIVED) {
		assert_int_equal(quash_cancelled(request), QUASH_NOT_CANCELLED);
		device_write_down(NULL, "received");
	}
}

/* The word has a name while a message comes: here what would be a cancel of a request. */
static void test_no_name_is_a_cancel(void **state)
{
	quash_request shape = { 0 };
	const uint8_t *const bytes = (const uint8_t *)(const void *)&shape;
	char message[600];
	(void)state;
	shape.async = 1;
	device_prepare(&quash_acp);
	device.config.trace = is_not_cancelled;
	device_begin();
	int n = snprintf(message, sizeof message, "{'jsonrpc':'2.0','id':1,'method':'echo','");
	for (size_t i = 0; i < offsetof(quash_request, async) + sizeof shape.async; i++)
		n += snprintf(message + n, sizeof message - (size_t)n, "\\u00%02x", bytes[i]);
	snprintf(message + n, sizeof message - (size_t)n, "':null}");
	say(message);
	DID("received()");
	ANSWERS_AFTER(1, RESULT("1", "null"));
}

/* Of two requests the first one ends: what stands behind its params moves, and in its order. */
static void test_an_answer_moves_with_the_params_around_it(void **state)
{
	(void)state;
	static quash_call between;
	between = (quash_call){ .method = "ping" };
	device_prepare(&quash_acp);
	device.config.calls = &quash_calls;
	device_begin();
	say_and_step(REQUEST_WITH("7", "wait", "{'text':'in front of it, longer than what comes behind'}"));
	assert_true(quash_call_start(&device.peer, &between));
	ANSWERS_AFTER(1, REQUEST("1", "ping") "\n");
	say_and_step(RESULT("1", "'stands between'"));
	say(REQUEST_WITH("8", "echo", "{'text':'behind it'}"));
	say(CANCEL("7"));
	step();
	steps(1);
	say_and_step(REQUEST_WITH("9", "wait", "{'text':'one more'}"));
	assert_string_equal(quash_text(quash_call_answer(&between)), "stands between");
	ANSWERS(CANCELLED("7") RESULT("8", "{'text':'behind it'}"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many_slots),
		cmocka_unit_test(test_counters_stay_at_their_most),
		cmocka_unit_test(test_room_for_params),
		cmocka_unit_test(test_gaps_are_closed),
		cmocka_unit_test(test_params_that_wait),
		cmocka_unit_test(test_no_name_is_a_cancel),
		cmocka_unit_test(test_an_answer_moves_with_the_params_around_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
