/* SPDX-License-Identifier: MIT
 * The slots, the ids and the arena, as they are seen from outside. */
#include "device.h"

#include <stdio.h>

static void start(uint8_t slots, quash_size arena)
{
	device_prepare(&quash_acp);
	device.config.slot_count = slots;
	device.config.arena_size = arena;
	device_begin();
}

/* --- Slots */

static void test_as_many_as_slots(void **state)
{
	(void)state;
	for (uint8_t slots = 1; slots <= LOOP_SLOTS; slots++) {
		char message[100];
		start(slots, LOOP_ARENA);
		for (unsigned i = 1; i <= slots; i++) {
			snprintf(message, sizeof message, REQUEST("%u", "wait"), i);
			say(message);
		}
		say(REQUEST("'more'", "wait"));
		assert_int_equal(quash_live_count(&device.peer), slots + 1);
		step();
		ANSWERS(BUSY("'more'"));
		say(CANCEL("1")); /* is received all the same */
		step();
		ANSWERS(CANCELLED("1"));
		ANSWERS_TO(REQUEST("'more'", "wait"), 1, "");
		assert_int_equal(quash_live_count(&device.peer), slots);
		COUNTED(busy, 1);
		COUNTED(requests, slots + 1u);
	}
}

static void test_notifications_take_slots(void **state)
{
	(void)state;
	start(1, LOOP_ARENA);
	say(NOTE("note"));
	say(NOTE("note"));
	assert_int_equal(quash_live_count(&device.peer), 2);
	COUNTED(notifications, 1);
	step();
	COUNTED(notifications, 2);
	ANSWERS_TO(REQUEST("1", "now"), 2, RESULT("1", "1"));
	COUNTED(busy, 0);
}

static void test_oldest_first_in_any_slot(void **state)
{
	(void)state;
	start(4, LOOP_ARENA);
	say(REQUEST_WITH("1", "wait", "{'steps':5}"));
	say(REQUEST("2", "now"));
	say_and_step(REQUEST_WITH("3", "wait", "{'steps':1}"));
	say_and_step(REQUEST("4", "stubborn"));
	say_and_step(REQUEST("5", "now"));
	DID("wait(1) now(2) wait(3) wait(1) wait(3) end(3) stubborn(4) wait(1) stubborn(4) now(5)");
	ANSWERS(RESULT("2", "1") RESULT("3", "'waited'") RESULT("5", "1"));
}

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

/* --- Ids match by type and decoded value */

static void same_id(const char *one, const char *other, bool same)
{
	char message[300];
	start(4, LOOP_ARENA);
	snprintf(message, sizeof message, REQUEST("%s", "wait"), one);
	say(message);
	assert_int_equal(quash_live_count(&device.peer), 1);
	snprintf(message, sizeof message, CANCEL("%s"), other);
	say(message);
	loop_heard(&device);
	if ((quash_live_count(&device.peer) == 0) != same)
		fail_msg("a cancel of %s when %s is live", other, one);
	start(4, LOOP_ARENA);
	snprintf(message, sizeof message, REQUEST("%s", "wait"), one);
	say(message);
	snprintf(message, sizeof message, REQUEST("%s", "wait"), other);
	say(message);
	COUNTED(duplicate_ids, same);
	ANSWERS(same ? INVALID("null") : "");
}

static void test_same_ids(void **state)
{
	(void)state;
	same_id("1", "1", true);
	same_id("0", "0", true);
	same_id("0", "-0", true);
	same_id("-0", "0", true);
	same_id("-0", "-0", true);
	same_id("-7", "-7", true);
	same_id("''", "''", true);
	same_id("'a'", "'\\u0061'", true);
	same_id("'\\u00e9'", "'\xC3\xA9'", true);
	same_id("'\\ud83d\\ude00'", "'\xF0\x9F\x98\x80'", true);
	same_id("'\\/'", "'/'", true);
	same_id("'a\\u0000b'", "'a\\u0000b'", true);
	same_id("9007199254740992", "9007199254740992", true);
	same_id("-9007199254740992", "-9007199254740992", true);
}

static void test_other_ids(void **state)
{
	(void)state;
	same_id("1", "'1'", false);
	same_id("'1'", "1", false);
	same_id("1", "-1", false);
	same_id("-1", "1", false);
	same_id("1", "11", false);
	same_id("11", "1", false);
	same_id("0", "''", false);
	same_id("''", "0", false);
	same_id("'0'", "'-0'", false);
	same_id("-1", "'-1'", false);
	same_id("'a'", "'A'", false);
	same_id("'a'", "'ab'", false);
	same_id("'ab'", "'a'", false);
	same_id("'a'", "'a\\u0000'", false);
	same_id("'a\\u0000b'", "'a\\u0000c'", false);
	same_id("'null'", "'nul'", false);
	same_id("9007199254740992", "9007199254740991", false);
}

static void id_is(const char *id, const char *answered)
{
	char message[400];
	start(4, LOOP_ARENA);
	snprintf(message, sizeof message, REQUEST("%s", "now"), id);
	say_and_step(message);
	snprintf(message, sizeof message, answered ? RESULT("%s", "1") : INVALID("null"), answered);
	ANSWERS(message);
}

static void test_usable_ids(void **state)
{
	(void)state;
	id_is("0", "0");
	id_is("-0", "0");
	id_is("-1", "-1");
	id_is("9007199254740992", "9007199254740992");
	id_is("-9007199254740992", "-9007199254740992");
	id_is("1234567890123456", "1234567890123456");
	id_is("''", "''");
	id_is("' a\\tb '", "' a\\tb '");
	id_is("'\\u0041\\/'", "'A/'");
	id_is("'\\u0000\\u001f'", "'\\u0000\\u001f'");
	id_is("'\\ud83d\\ude00'", "'\xF0\x9F\x98\x80'");
	id_is("'0123456789012345678901234567890123456789'", "'0123456789012345678901234567890123456789'");
	id_is("'550e8400-e29b-41d4-a716-446655440000'", "'550e8400-e29b-41d4-a716-446655440000'");
}

static void test_unusable_ids(void **state)
{
	(void)state;
	id_is("9007199254740993", NULL);
	id_is("-9007199254740993", NULL);
	id_is("9100000000000000", NULL);
	id_is("10000000000000000", NULL);
	id_is("123456789012345678901234567890123456789012345678901234567890", NULL);
	id_is("1.5", NULL);
	id_is("1.0", NULL);
	id_is("1e0", NULL);
	id_is("-0.0", NULL);
	id_is("null", NULL);
	id_is("true", NULL);
	id_is("false", NULL);
	id_is("{}", NULL);
	id_is("[]", NULL);
	id_is("{'id':1}", NULL);
	id_is("[1]", NULL);
	id_is("'\\ud800'", NULL);
	id_is("'a\\udc00b'", NULL);
	id_is("'01234567890123456789012345678901234567890'", NULL);
}

/* --- The arena */

/* Params fit exactly, or the request is too large. */
static void test_room_for_params(void **state)
{
	(void)state;
	for (quash_size arena = QUASH_ARENA_MIN; arena < 40; arena++) {
		start(3, arena);
		say(REQUEST_WITH("1", "echo", "['0123456789']")); /* takes 4 + 4 + 11 + 1 bytes */
		steps(4);
		ANSWERS(arena < 20 ? TOO_LARGE("1") : RESULT("1", "['0123456789']"));
		COUNTED(too_large, arena < 20);
	}
}

static void test_too_large_in_any_order(void **state)
{
	(void)state;
	start(3, 16);
	ANSWERS_TO("{'params':['0123456789'],'method':'echo','id':'a','jsonrpc':'2.0'}", 0, TOO_LARGE("'a'"));
	ANSWERS_TO("{'id':'a','params':['0123456789'],'jsonrpc':'2.0','method':'echo'}", 0, TOO_LARGE("'a'"));
	ANSWERS_TO(REQUEST("1", "now"), 1, RESULT("1", "1"));
}

/* Params that find no room wait at that byte until a step has run. */
static void test_busy_because_of_others(void **state)
{
	static const char second[] = REQUEST_WITH("2", "echo", "['0123456789']") "\n";
	(void)state;
	start(3, 36);
	say(REQUEST_WITH("1", "wait", "['0123456789']"));
	const size_t taken = offer(second);
	assert_in_range(taken, 40, sizeof second - 5);
	COUNTED(kept, 1);
	takes_nothing(second + taken);
	step();
	takes_all(second + taken);
	ANSWERS(BUSY("2"));
	say_on(REQUEST_WITH("3", "echo", "['0123456789012345678901234567890123456789']") "\n" REQUEST("4", "now") "\n");
	step();
	ANSWERS(TOO_LARGE("3") RESULT("4", "1"));
	quash_cancel(live("1"));
	step();
	ANSWERS(CANCELLED("1"));
	ANSWERS_TO(REQUEST_WITH("5", "echo", "['01234567890123456789']"), 1, RESULT("5", "['01234567890123456789']"));
	COUNTED(busy, 1);
	COUNTED(too_large, 1);
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
		step();
		ANSWERS(RESULT("1", "['0123456789']"));
		loop_say(&device, quoted("llo',{'a':"));
		step();
		ANSWERS(RESULT("2", "'waited'"));
		loop_say(&device, quoted("[1]}]}\n"));
		step();
		ANSWERS(RESULT("3", "['hello',{'a':[1]}]"));
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
		step();
		ANSWERS(i > 0 ? CANCELLED("3") : RESULT("1", "'waited'") RESULT("2", "{'a':['kept']}") CANCELLED("3"));
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
		device_note(NULL, "received");
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
	step();
	ANSWERS(RESULT("1", "null"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_many_as_slots),
		cmocka_unit_test(test_notifications_take_slots),
		cmocka_unit_test(test_oldest_first_in_any_slot),
		cmocka_unit_test(test_many_slots),
		cmocka_unit_test(test_counters_stay_at_their_most),
		cmocka_unit_test(test_same_ids),
		cmocka_unit_test(test_other_ids),
		cmocka_unit_test(test_usable_ids),
		cmocka_unit_test(test_unusable_ids),
		cmocka_unit_test(test_room_for_params),
		cmocka_unit_test(test_too_large_in_any_order),
		cmocka_unit_test(test_busy_because_of_others),
		cmocka_unit_test(test_gaps_are_closed),
		cmocka_unit_test(test_params_that_wait),
		cmocka_unit_test(test_no_name_is_a_cancel),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
