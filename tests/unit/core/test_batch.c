/* SPDX-License-Identifier: MIT
 * Batches in a dialect that silences, which none of ours does; and what the program sees of a member. All else is in
 * tests/talk. */
#include "device.h"

static void start(quash_size tx)
{
	static quash_dialect silencing;
	silencing = quash_mcp;
	silencing.batch = &quash_batch;
	device_prepare(&silencing);
	device.config.tx_size = tx;
	device_begin();
}

/* Answers inside of a batch stand without their line ends. */
#define R(id, value)      "{'jsonrpc':'2.0','id':" id ",'result':" value "}"
#define E(id, code, text) "{'jsonrpc':'2.0','id':" id ",'error':{'code':" code ",'message':'" text "'}}"

static void answers_after(const char *message, unsigned n, const char *expected)
{
	ANSWERS_TO(message, n, expected);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* A silenced member has no place in the answer, and is not waited for. */
static void test_silenced_member(void **state)
{
	(void)state;
	start(LOOP_TX);
	say_and_step("[" REQUEST("1", "wait") "," REQUEST("2", "now") "]");
	ANSWERS_TO(MCP_CANCEL("1"), 3, "[" R("2", "1") "]\n");
	say_and_step("[" REQUEST_WITH("1", "stubborn", "{'steps':4}") "," REQUEST("2", "now") "," REQUEST("3", "drops") "]");
	say(MCP_CANCEL("1"));
	ANSWERS_TO(MCP_CANCEL("3"), 3, "[" R("2", "1") "]\n");
	assert_int_equal(quash_live_count(&device.peer), 1);
	steps(5);
	answers_after("[" REQUEST("1", "now") "]", 3, "[" R("1", "1") "]\n");
}

/* Where all are silenced there is no answer. */
static void test_all_members_silenced(void **state)
{
	(void)state;
	start(LOOP_TX);
	answers_after("[" REQUEST("1", "wait") "," MCP_CANCEL("1") "]", 2, "");
	answers_after("[" REQUEST("1", "now") "]", 3, "[" R("1", "1") "]\n");
	say_and_step("[" REQUEST("1", "wait") "," REQUEST("2", "wait") "]");
	say(MCP_CANCEL("1"));
	answers_after(MCP_CANCEL("2"), 3, "");
	answers_after(REQUEST("1", "now"), 1, RESULT("1", "1"));
	answers_after("[" REQUEST("1", "now") "]", 3, "[" R("1", "1") "]\n");
}

/* From the first byte on no member is silenced any more. */
static void test_cancel_while_it_is_written(void **state)
{
	(void)state;
	start(64);
	device.stalled = true;
	say("[" REQUEST_WITH("1", "echo", "['0123456789012345678901234567890123456789']") "," REQUEST("2", "now") "," REQUEST(
		"3", "nothing") "]");
	steps(2);
	say(MCP_CANCEL("2"));
	say(MCP_CANCEL("3"));
	COUNTED(late_cancels, 2);
	COUNTED(silenced, 0);
	device.stalled = false;
	answers_after(REQUEST("4", "now"), 5,
		"[" R("1", "['0123456789012345678901234567890123456789']") "," R("2", "1") "," E(
			"3", "-32601", "Method not found") "]\n" RESULT("4", "1"));
}

/* A member that is refused has no method, whatever the slot had before. */
static void test_method_of_a_refused_member(void **state)
{
	quash_live member = { 0 };
	(void)state;
	device_start(&quash_jsonrpc);
	for (unsigned i = 0; i < LOOP_SLOTS; i++)
		answers_after(REQUEST("1", "now"), 1, RESULT("1", "1"));
	say("[" REQUEST("1", "wait") ",7]");
	assert_true(quash_next_live(&device.peer, &member));
	assert_string_equal(member.method, "wait");
	assert_true(quash_next_live(&device.peer, &member));
	assert_string_equal(member.method, "");
	assert_null(quash_method_of(member.request));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_silenced_member),
		cmocka_unit_test(test_all_members_silenced),
		cmocka_unit_test(test_cancel_while_it_is_written),
		cmocka_unit_test(test_method_of_a_refused_member),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
