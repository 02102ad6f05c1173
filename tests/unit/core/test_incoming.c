/* SPDX-License-Identifier: MIT
 * A message is looked at before it is registered: what is fed is all of it but the end of its line. In all texts ' stands for ". */
#include "device.h"
#include "quash/carrier.h"

#include <stdio.h>

static int set_up(void **state)
{
	(void)state;
	device_start(&quash_mcp);
	return 0;
}

/* What is known of it, as a text: `wait 7 {'steps':1}`. A string id has its quotes. */
static const char *look(void)
{
	static char text[200];
	quash_incoming in;
	char steps[20] = "", id[UNIT_ID + 3] = "no id";
	int32_t n;
	if (!quash_incoming_of(&device.peer, &in))
		return "nothing";
	if (in.id != NULL)
		snprintf(id, sizeof id, in.id_is_number ? "%.*s" : "'%.*s'", (int)in.id_length, in.id);
	if (quash_int32(quash_get(in.params, "steps"), &n) == QUASH_NUMBER_OK)
		snprintf(steps, sizeof steps, " steps %d", (int)n);
	snprintf(text, sizeof text, "%s %s%s", in.method != NULL ? in.method->name : "unknown", id, steps);
	return text;
}

#define LOOKS(message, expected) \
	do { \
		takes_all(message); \
		assert_string_equal(look(), expected); \
	} while (0)

static void test_a_request_is_known_before_it_has_a_slot(void **state)
{
	(void)state;
	LOOKS(REQUEST_WITH("7", "wait", "{'steps':1}"), "wait 7 steps 1");
	assert_int_equal(quash_live_count(&device.peer), 0);
	COUNTED(requests, 0);
	takes_all("\n");
	assert_int_equal(quash_live_count(&device.peer), 1);
	assert_string_equal(look(), "nothing");
	ANSWERS_AFTER(2, RESULT("7", "'waited'"));
}

static void test_what_it_may_lack(void **state)
{
	(void)state;
	LOOKS(REQUEST("'a b'", "echo"), "echo 'a b'");
	takes_all("\n");
	LOOKS(REQUEST("1", "nowhere"), "unknown 1");
	takes_all("\n");
	LOOKS(NOTE("note"), "note no id");
	takes_all("\n");
	LOOKS("{'params':{'steps':2},'id':3,'method':'wait'} ", "wait 3 steps 2");
}

static void test_not_before_it_has_come(void **state)
{
	(void)state;
	static const char message[] = REQUEST_WITH("7", "wait", "{'steps':1}");
	for (size_t i = 0; i < sizeof message - 1; i++) {
		assert_string_equal(look(), "nothing");
		feed_on(&quoted(message)[i], 1);
	}
	assert_string_equal(look(), "wait 7 steps 1");
}

static void test_what_is_no_message(void **state)
{
	(void)state;
	LOOKS("[1,2]", "nothing");
	takes_all("\n");
	LOOKS("12", "nothing");
	takes_all("\n");
	LOOKS("{'jsonrpc':]", "nothing");
	takes_all("\n");
	LOOKS(" ", "nothing");
}

/* The carrier answers in its place: nothing runs, nothing is written, and the next message is received. */
static void test_it_is_given_up(void **state)
{
	(void)state;
	LOOKS(REQUEST("1", "echo"), "echo 1");
	quash_lost(&device.peer);
	assert_string_equal(look(), "nothing");
	takes_all("\n");
	ANSWERS_AFTER(2, "");
	DID("");
	ANSWERS_TO(REQUEST_WITH("2", "echo", "{}"), 1, RESULT("2", "{}"));
}

static void test_not_while_the_link_is_gone(void **state)
{
	(void)state;
	LOOKS(REQUEST("1", "echo"), "echo 1");
	quash_gone(&device.peer);
	assert_string_equal(look(), "nothing");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_a_request_is_known_before_it_has_a_slot, set_up),
		cmocka_unit_test_setup(test_what_it_may_lack, set_up),
		cmocka_unit_test_setup(test_not_before_it_has_come, set_up),
		cmocka_unit_test_setup(test_what_is_no_message, set_up),
		cmocka_unit_test_setup(test_it_is_given_up, set_up),
		cmocka_unit_test_setup(test_not_while_the_link_is_gone, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
