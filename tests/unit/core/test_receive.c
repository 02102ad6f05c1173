/* SPDX-License-Identifier: MIT
 * Members in every order, names that are longer than the word, tables of names that begin alike. All else that an envelope says
 * is in tests/talk. */
#include "device.h"

#include <stdio.h>

static int set_up(void **state)
{
	(void)state;
	device_start(&quash_acp);
	return 0;
}

/* --- Members in any order and spelling */

/* Every order of the members means the same. */
static void in_every_order(const char *const members[4], const char *expected)
{
	for (unsigned order = 0; order < 256; order++) {
		const unsigned place[4] = { order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6 };
		char message[400];
		if ((1u << place[0] | 1u << place[1] | 1u << place[2] | 1u << place[3]) != 15)
			continue;
		snprintf(message, sizeof message, "{%s,%s,%s,%s}", members[place[0]], members[place[1]],
			members[place[2]], members[place[3]]);
		set_up(NULL);
		say(REQUEST("9", "wait"));
		ANSWERS_TO(message, 2, expected);
	}
}

static void test_order_of_members(void **state)
{
	static const char *const request[4] = { "'jsonrpc':'2.0'", "'id':1", "'method':'echo'",
		"'params':[[1],{'id':2}]" };
	static const char *const cancel[4] = { "'jsonrpc':'2.0'", "'x':{'method':'now'}",
		"'method':'$/cancel_request'", "'params':{'requestId':9}" };
	static const char *const other[4] = { "'jsonrpc':'2.0'", "'x':[]", "'method':'other'",
		"'params':{'requestId':9}" };
	(void)state;
	in_every_order(request, RESULT("1", "[[1],{'id':2}]"));
	in_every_order(cancel, CANCELLED("9"));
	in_every_order(other, "");
}

/* What the word has no room for any more is not taken for a name of its own. */
static void test_long_names_that_end_alike(void **state)
{
	char message[300], begin[QUASH_WORD + 5];
	(void)state;
	for (unsigned n = QUASH_WORD - 10; n < sizeof begin; n++) {
		memset(begin, 'x', sizeof begin);
		begin[n] = '\0';
		snprintf(message, sizeof message, "{'jsonrpc':'2.0','%sid':7,'id':1,'%smethod':'wait','method':'now'}", begin, begin);
		ANSWERS_TO(message, 2, RESULT("1", "1"));
		snprintf(message, sizeof message, REQUEST("2", "%snow"), begin);
		ANSWERS_TO(message, 2, UNKNOWN("2"));
		say(REQUEST("3", "wait"));
		snprintf(message, sizeof message, NOTE_WITH("$/cancel_request", "{'%srequestId':3}"), begin);
		ANSWERS_TO(message, 2, "");
		ANSWERS_TO(CANCEL("3"), 2, CANCELLED("3"));
	}
}

/* --- Methods are matched as they arrive */

static void put_name(quash_writer *w, const quash_request *request)
{
	quash_put_text(w, quash_method_of(request)->name);
}

static int32_t first(quash_request *request)
{
	return quash_reply(request, put_name);
}

static void test_names_that_begin_alike(void **state)
{
	static const quash_method list[] = { { .name = "abcd", .handler = first },
		{ .name = "a", .handler = first }, { .name = "abce", .handler = first },
		{ .name = "abc", .handler = first },
		{ .name = "b", .handler = first }, { .name = "\xC3\xBC", .handler = first } };
	(void)state;
	loop_init(&device, &quash_acp, list, COUNT_OF(list));
	device_begin();
	for (size_t i = 0; i < COUNT_OF(list); i++) {
		char message[100], expected[100];
		snprintf(message, sizeof message, REQUEST("1", "%s"), list[i].name);
		snprintf(expected, sizeof expected, RESULT("1", "'%s'"), list[i].name);
		ANSWERS_TO(message, 2, expected);
	}
	ANSWERS_TO(REQUEST("1", "ab"), 2, UNKNOWN("1"));
	ANSWERS_TO(REQUEST("1", "abcf"), 2, UNKNOWN("1"));
	ANSWERS_TO(REQUEST("1", "abcde"), 2, UNKNOWN("1"));
	ANSWERS_TO(REQUEST("1", "A"), 2, UNKNOWN("1"));
	ANSWERS_TO(REQUEST("1", "a\\u0000"), 2, UNKNOWN("1"));
	ANSWERS_TO(REQUEST("1", "\\u0000"), 2, UNKNOWN("1"));
	ANSWERS_TO(REQUEST("1", "\\u00fc"), 2, RESULT("1", "'\xC3\xBC'"));
}

static void test_very_long_names(void **state)
{
	static char name[400], message[600];
	static union {
		quash_word word;
		uint8_t room[250 + 4];
	} longer;
	const quash_method list[] = { { .name = name, .handler = first } };
	(void)state;
	memset(name, 'm', 250);
	loop_init(&device, &quash_acp, list, 1);
	device.config.word = &longer.word;
	device.config.word_size = 250 + 4;
	device_begin();
	snprintf(message, sizeof message, "{'jsonrpc':'2.0','id':1,'method':'%s'}", name);
	say(message);
	assert_int_equal(quash_live_count(&device.peer), 1);
	for (size_t more = 1; more < 100; more++) {
		snprintf(message, sizeof message, "{'jsonrpc':'2.0','id':2,'method':'%s%.*s'}", name,
			(int)more, name + 150);
		ANSWERS_TO(message, 0, UNKNOWN("2"));
	}
}

/* By way of the word it would be copied once more, a few bytes at a time. */
static void test_text_of_params_goes_straight_to_the_arena(void **state)
{
	(void)state;
	(void)offer("{'jsonrpc':'2.0','id':1,'method':'echo','params':['a");
	assert_in_range((uintptr_t)device.peer.lex.text, (uintptr_t)device.arena, (uintptr_t)&device.arena[sizeof device.arena - 1]);
	ANSWERS_TO("b']}", 2, RESULT("1", "['ab']"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_order_of_members, set_up),
		cmocka_unit_test_setup(test_long_names_that_end_alike, set_up),
		cmocka_unit_test_setup(test_names_that_begin_alike, set_up),
		cmocka_unit_test_setup(test_very_long_names, set_up),
		cmocka_unit_test_setup(test_text_of_params_goes_straight_to_the_arena, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
