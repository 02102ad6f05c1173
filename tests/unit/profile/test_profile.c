/* SPDX-License-Identifier: MIT
 * What the profiles share. In all texts ' stands for ". */
#include "device.h"

#include "profile/profile.h"
#include "values.h"

static void put_note(const char *text)
{
	quash_writer *const w = quash_notify(&device.peer, "said");
	quash_put_object(w);
	quash_put_member(w, "text", text);
}

static void test_reports(void **state)
{
	static char long_text[LOOP_TX];
	(void)state;
	device_start(&quash_mcp);
	say_and_step(REQUEST("1", "wait"));
	put_note("a");
	assert_int_equal(quash_send_report(live("1")), QUASH_DONE);
	ANSWERS(NOTE_WITH("said", "{'text':'a'}") "\n");
	fill_tx();
	put_note("b");
	assert_int_equal(quash_send_report(live("1")), QUASH_PENDING);
	memset(long_text, 'c', sizeof long_text - 1);
	put_note(long_text);
	assert_int_equal(quash_send_report(live("1")), QUASH_TOO_LARGE);
	drain_fill();
	ANSWERS("");
}

static void info_is(const char *title, const char *expected)
{
	quash_writer *const w = fresh_writer();
	quash_put_info(w, "arm", title, "1.0");
	assert_string_equal(was_written(), expected);
}

static void test_info(void **state)
{
	(void)state;
	info_is("The arm", "{'name':'arm','title':'The arm','version':'1.0'}");
	info_is(NULL, "{'name':'arm','version':'1.0'}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reports),
		cmocka_unit_test(test_info),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
