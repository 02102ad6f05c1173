/* SPDX-License-Identifier: MIT
 * The kind of a message that leaves, and its code, before a byte has left. In all texts ' stands for ". */
#include "device.h"
#include "quash/carrier.h"

#include <stdio.h>

static const char *const kinds[] = { "unknown", "result", "error", "notification", "call", "batch" };

static const char *kind_in(const char *text, size_t n)
{
	static char told[40];
	int32_t code = 1;
	const quash_outgoing kind = quash_outgoing_of((const uint8_t *)text, n, &code);
	snprintf(told, sizeof told, code != 0 ? "%s %ld" : "%s", kinds[kind], (long)code);
	return told;
}

/* The kind is known from that many bytes on, and not earlier. */
static void is(const char *message, size_t from, const char *expected)
{
	const char *const text = quoted(message);
	const size_t n = strlen(text);
	for (size_t i = 0; i < from; i++)
		assert_string_equal(kind_in(text, i), "unknown");
	for (size_t i = from; i <= n; i++)
		assert_string_equal(kind_in(text, i), expected);
}

#define IS(head, rest, expected) is(head rest, sizeof head - 1, expected)

static void test_kinds(void **state)
{
	(void)state;
	IS("{'jsonrpc':'2.0','id':7,'result':", "{'method':'no'}}", "result");
	IS("{'jsonrpc':'2.0','id':null,'error':{'code':-32700,", "'message':'Parse error'}}", "error -32700");
	IS("{'jsonrpc':'2.0','error':{'code':5}", "}", "error 5");
	IS("{'jsonrpc':'2.0','error':{'m", "essage':'x','code':5}}", "error");
	IS("{'jsonrpc':'2.0','method':", "'notifications/progress','params':{}}", "notification");
	IS("{'jsonrpc':'2.0','id':1,'method':", "'ping'}", "call");
	IS("[", "{'jsonrpc':'2.0','id':1,'result':1}]", "batch");
}

/* An id is text from outside. */
static void test_ids(void **state)
{
	(void)state;
	IS("{'jsonrpc':'2.0','id':'a\\',\\'error\\':{','result':", "1}", "result");
	IS("{'jsonrpc':'2.0','id':'\\\\','error':{'code':-1,", "'message':''}}", "error -1");
	IS("{'jsonrpc':'2.0','id':'','result':", "1}", "result");
}

static void test_what_begins_no_message(void **state)
{
	(void)state;
	static const char *const texts[] = { "", "}", "{\"id\":1}", "{\"jsonrpc\":\"2.0\",\"other\":1}", "{\"jsonrpc\":\"2.0\",\"id\":1}" };
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		assert_string_equal(kind_in(texts[i], strlen(texts[i])), "unknown");
}

/* Nothing has left yet. */
static const char *shown(void)
{
	size_t n;
	device.stalled = false;
	const uint8_t *const bytes = quash_out(&device.peer, &n);
	return kind_in((const char *)bytes, n);
}

/* What `quash_out` shows is enough while nothing has left. */
static void test_of_what_a_peer_shows(void **state)
{
	(void)state;
	device_start(&quash_acp);
	device.stalled = true;
	say(REQUEST("'a'", "nowhere"));
	assert_string_equal(shown(), "error -32601");
	ANSWERS(UNKNOWN("'a'"));
	device.stalled = true;
	say(REQUEST_WITH("1", "echo", "{'error':{'code':1}}"));
	(void)quash_step(&device.peer);
	assert_string_equal(shown(), "result");
	quash_notify(&device.peer, "note");
	assert_true(quash_notify_send(&device.peer));
	assert_string_equal(shown(), "result");
	ANSWERS(RESULT("1", "{'error':{'code':1}}") NOTE_WITH("note", "{}") "\n");
	device.stalled = true;
	quash_notify(&device.peer, "note");
	assert_true(quash_notify_send(&device.peer));
	assert_string_equal(shown(), "notification");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_what_begins_no_message),
		cmocka_unit_test(test_of_what_a_peer_shows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
