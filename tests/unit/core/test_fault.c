/* SPDX-License-Identifier: MIT
 * Faults in words: each reason has its own, and a fault is a line. */
#include "device.h"

#include "core/faults.h"

static void is_line(quash_fault fault, const char *expected)
{
	char line[120];
	memset(line, 'x', sizeof line);
	assert_int_equal(quash_fault_line(&fault, line, sizeof line), strlen(expected));
	assert_string_equal(line, expected);
}

static void test_lines(void **state)
{
	(void)state;
	is_line((quash_fault){ "tools", "move", "state_size", 0, 64, 66, QUASH_FAULT_SMALL }, "tools[0] move: state_size 64, needs 66");
	is_line((quash_fault){ "tools", "move", "name", 20, 0, 0, QUASH_FAULT_TWICE }, "tools[20] move: name stands twice");
	is_line((quash_fault){ "config", NULL, "slot_count", 0, 251, 250, QUASH_FAULT_LARGE }, "config: slot_count 251, at most 250");
	is_line((quash_fault){ "config", NULL, "slot_count", 0, 0, 1, QUASH_FAULT_SMALL }, "config: slot_count 0, needs 1");
	is_line((quash_fault){ "config", NULL, "dialect", 0, 0, 0, QUASH_FAULT_MISSING }, "config: dialect is missing");
	is_line((quash_fault){ "methods", NULL, "name", 3, 0, 0, QUASH_FAULT_MISSING }, "methods[3]: name is missing");
	is_line((quash_fault){ "methods", "m", "lease", 249, UINT32_MAX, INT32_MAX, QUASH_FAULT_LARGE },
		"methods[249] m: lease 4294967295, at most 2147483647");
}

/* The name is the program's own text, and the line may go to a terminal. */
static void test_no_control_characters(void **state)
{
	(void)state;
	is_line((quash_fault){ "tools", "a\033[2Jb\n\"", "name", 1, 0, 0, QUASH_FAULT_NAME },
		"tools[1] a\\u001b[2Jb\\n\\\": name is no name");
	is_line((quash_fault){ "tools", "cut\xC3", "name", 1, 0, 0, QUASH_FAULT_NAME }, "tools[1] cut\xEF\xBF\xBD: name is no name");
}

/* At a character, and nothing is written behind the buffer. */
static void test_lines_are_cut(void **state)
{
	const quash_fault fault = { "tools", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "call", 0, 0, 0, QUASH_FAULT_MISSING };
	static const char whole[] = "tools[0] \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80: call is missing";
	char room[8 + sizeof whole + 1], *const line = &room[8];
	(void)state;
	memset(room, 0x80, 8); /* looks like the rest of a character */
	for (size_t size = 1; size <= sizeof whole; size++) {
		memset(line, 'x', sizeof whole + 1);
		const size_t n = quash_fault_line(&fault, line, size);
		assert_in_range(n, size > 4 ? size - 4 : 0, size - 1);
		assert_memory_equal(line, whole, n);
		assert_int_equal(line[n], '\0');
		assert_int_equal(line[size], 'x');
		assert_true(((uint8_t)whole[n] & 0xC0) != 0x80);
	}
}

static void put_it(quash_writer *w, const quash_request *request)
{
	const quash_fault fault = { "tools", "m\"", "call", 0, 0, 0, QUASH_FAULT_MISSING };
	(void)request;
	quash_put_array(w);
	quash_put_fault_(w, &fault);
	quash_put_int(w, 1);
}

static int32_t says_it(quash_request *request)
{
	return quash_reply(request, put_it);
}

static void test_it_is_put_as_a_string(void **state)
{
	static const quash_method methods[] = { { .name = "says", .handler = says_it } };
	(void)state;
	DEVICE_PREPARE(&quash_acp, methods);
	device_begin();
	ANSWERS_TO(REQUEST("1", "says"), 1, RESULT("1", "['tools[0] m\\': call is missing',1]"));
}

/* It is told from the table, the entry's name and the member. */
static void test_reasons_of_members(void **state)
{
	static const struct {
		quash_fault fault;
		quash_fault_reason reason;
	} told[] = {
		{ { "config", NULL, "tx_size", 0, 63, 64, 0 }, QUASH_FAULT_SMALL },
		{ { "config", NULL, "tag_size", 0, 255, 254, 0 }, QUASH_FAULT_LARGE },
		{ { "config", NULL, "ids", 0, 0, 0, 0 }, QUASH_FAULT_MISSING },
		{ { "methods", NULL, "name", 0, 0, 0, 0 }, QUASH_FAULT_MISSING },
		{ { "methods", "", "name", 0, 0, 0, 0 }, QUASH_FAULT_TWICE },
		{ { "prompts", "", "name", 0, 0, 0, 0 }, QUASH_FAULT_NAME },
		{ { "tools", "a b", "name", 0, 0, 0, 0 }, QUASH_FAULT_NAME },
		{ { "tools", "a.b-C_9", "name", 0, 0, 0, 0 }, QUASH_FAULT_TWICE },
		{ { "resources", "a:x", "name", 0, 0, 0, 0 }, QUASH_FAULT_MISSING },
		{ { "resources", "a:x", "uri", 0, 0, 0, 0 }, QUASH_FAULT_TWICE },
		{ { "modes", "fast", "name", 0, 0, 0, 0 }, QUASH_FAULT_MISSING },
		{ { "modes", "fast", "id", 0, 0, 0, 0 }, QUASH_FAULT_TWICE },
		{ { "methods", "m", "marks", 0, 0, 0, 0 }, QUASH_FAULT_MARKS },
		{ { "server", NULL, "modern", 0, 0, 0, 0 }, QUASH_FAULT_UNNAMED },
		{ { "logging", NULL, "level", 0, 0, 0, 0 }, QUASH_FAULT_VALUE },
		{ { "tools", "m", "output_schema", 0, 0, 0, 0 }, QUASH_FAULT_BOTH },
		{ { "tools", "m", "busy", 0, 0, 0, 0 }, QUASH_FAULT_NO_GROUP },
		{ { "config", NULL, "check", 0, 0, 0, 0 }, QUASH_FAULT_OTHER },
		{ { "m", "x", "offset", 0, 0, 0, 0 }, QUASH_FAULT_OUTSIDE },
		{ { "m", "x", "min", 0, 0, 0, 0 }, QUASH_FAULT_RANGE },
		{ { "m", "x", "fallback", 0, 0, 0, 0 }, QUASH_FAULT_FALLBACK },
		{ { "tools", "m", "motion.end", 0, 0, 0, 0 }, QUASH_FAULT_NO_END },
		{ { "tools", "m", "motion.longest", 0, 0, 0, 0 }, QUASH_FAULT_NO_LIMIT },
		{ { "prompts", "m", "deadline", 0, 0, 0, 0 }, QUASH_FAULT_LARGE },
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(told); i++)
		assert_int_equal(quash_fault_reason_of(&told[i].fault), told[i].reason);
}

static void check_words(const char *(*text)(unsigned), unsigned first, unsigned count)
{
	assert_string_equal(text(count), "");
	for (unsigned i = first; i < count; i++) {
		assert_int_not_equal(text(i)[0], '\0');
		for (unsigned k = first; k < i; k++)
			assert_true(strcmp(text(i), text(k)) != 0);
	}
}

static const char *reason_text(unsigned i)
{
	return quash_fault_text((quash_fault_reason)i);
}

static const char *event_text(unsigned i)
{
	return quash_event_text((quash_event)i);
}

/* Each has words, and they are its own. */
static void test_words(void **state)
{
	(void)state;
	assert_string_equal(quash_fault_text(QUASH_FAULT_NONE), "");
	check_words(reason_text, 1, QUASH_FAULTS);
	check_words(event_text, 0, QUASH_EVENTS);
	assert_string_equal(quash_event_text(QUASH_RECEIVED), "received");
	assert_string_equal(quash_event_text(QUASH_NEW_SESSION), "new session");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_no_control_characters),
		cmocka_unit_test(test_lines_are_cut),
		cmocka_unit_test(test_it_is_put_as_a_string),
		cmocka_unit_test(test_reasons_of_members),
		cmocka_unit_test(test_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
