/* SPDX-License-Identifier: MIT
 * What the library itself says: errors and their words, oldest first, through any TX. */
#include "device.h"

#include <stdio.h>

static void start_small(const quash_dialect *dialect)
{
	device_prepare(dialect);
	device.config.tx_size = QUASH_TX_MIN;
	device_begin();
}

/* --- Words */

static void test_words(void **state)
{
	static const struct {
		const char *code, *text;
	} table[] = {
		{ "-32700", "Parse error" },
		{ "-32600", "Invalid Request" },
		{ "-32601", "Method not found" },
		{ "-32602", "Invalid params" },
		{ "-32603", "Internal error" },
		{ "-32010", "Busy" },
		{ "-32803", "Server error" },
		{ "-32011", "Message too large" },
		{ "-32801", "Server error" },
		{ "-32012", "Link lost" },
		{ "-32000", "Server error" },
		{ "-1", "Server error" },
		{ "-32604", "Server error" },
		{ "-65535", "Server error" },
		{ "-32800", "Request cancelled" },
		{ "-32768", "Server error" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		char message[200];
		device_start(&quash_acp);
		snprintf(message, sizeof message, REQUEST_WITH("1", "returns", "{'code':%s}"), table[i].code);
		say(message);
		step();
		snprintf(message, sizeof message, ERROR("1", "%s", "%s"), table[i].code, table[i].text);
		ANSWERS(message);
		COUNTED(errors, 1);
	}
}

/* --- With and without id */

static void test_errors_without_id(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say("x");
	ANSWERS("{'jsonrpc':'2.0','id':null,'error':{'code':-32700,'message':'Parse error'}}\n");
	device_start(&quash_mcp);
	say("x");
	ANSWERS("{'jsonrpc':'2.0','error':{'code':-32700,'message':'Parse error'}}\n");
	device_start(&quash_lsp);
	say("x");
	assert_string_equal(loop_heard(&device),
		quoted("Content-Length: 75\r\n\r\n"
		       "{'jsonrpc':'2.0','id':null,'error':{'code':-32700,'message':'Parse error'}}"));
}

/* --- Order */

static void test_oldest_first(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "wait"));
	say(REQUEST("3", "wait"));
	fill_tx();
	say(CANCEL("3"));
	say(CANCEL("1"));
	say(CANCEL("2"));
	drain_fill();
	ANSWERS(CANCELLED("1") CANCELLED("2") CANCELLED("3"));
}

/* A refusal is said as soon as TX moves, also before older requests that are not done. */
static void test_refusals_do_not_wait_for_handlers(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	step();
	say(REQUEST("2", "nothing"));
	ANSWERS(UNKNOWN("2"));
}

/* --- The smallest TX */

static void test_small_tx(void **state)
{
	(void)state;
	start_small(&quash_acp);
	say(REQUEST("'0123456789012345678901234567890123456789'", "nothing"));
	ANSWERS(UNKNOWN("'0123456789012345678901234567890123456789'"));
	say(REQUEST("'\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\u000e\\u000f\\u0010\\u0011'",
		"nothing"));
	ANSWERS(UNKNOWN(
		"'\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\u000e\\u000f\\u0010\\u0011'"));
	say("x");
	ANSWERS(PARSE_ERROR);
	start_small(&quash_lsp);
	say(REQUEST("'0123456789012345678901234567890123456789'", "nothing"));
	ANSWERS(UNKNOWN("'0123456789012345678901234567890123456789'"));
	say("x");
	ANSWERS(PARSE_ERROR);
}

/* Bytes of everything that is said, `most` at a time. */
static const char *said_slowly(size_t most)
{
	static char said[ROOM_FOR(8192)];
	size_t at = 0, n;
	for (;;) {
		const uint8_t *const out = quash_out(&device.peer, &n);
		if (n == 0)
			break;
		n = n < most ? n : most;
		assert_room(at + n < sizeof said);
		memcpy(said + at, out, n);
		at += n;
		quash_sent(&device.peer, n);
	}
	said[at] = '\0';
	return said;
}

static void test_one_byte_at_a_time(void **state)
{
	(void)state;
	for (size_t most = 1; most < 70; most += 7) {
		start_small(&quash_acp);
		say(REQUEST("'0123456789012345678901234567890123456789'", "wait"));
		say(REQUEST("2", "constant"));
		say(CANCEL("'0123456789012345678901234567890123456789'"));
		say(CANCEL("2"));
		assert_string_equal(said_slowly(most),
			quoted(CANCELLED("'0123456789012345678901234567890123456789'")
					RESULT("2", "{'stop':'cancelled'}")));
		assert_int_equal(quash_live_count(&device.peer), 0);
	}
}

static int32_t never(quash_request *request)
{
	(void)request;
	return QUASH_PENDING;
}

static void test_long_cancelled_result(void **state)
{
	static const char result
		[] = "{\"text\":\"0123456789012345678901234567890123456789012345678901234567890123456789\"}";
	const quash_method list[] = {
		{ .name = "long", .handler = never, .cancelled = result, .marks = QUASH_DROPS }
	};
	(void)state;
	for (size_t k = 0; k < 2; k++) {
		device_prepare(k ? &quash_lsp : &quash_acp);
		device.config.methods = list;
		device.config.method_count = 1;
		device.config.tx_size = QUASH_TX_MIN;
		device_begin();
		say(REQUEST("1", "long"));
		step();
		quash_cancel(live("1"));
		step();
		ANSWERS(RESULT("1",
			"{'text':'0123456789012345678901234567890123456789012345678901234567890123456789'}"));
		COUNTED(results, 1);
		COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 1);
	}
}

/* A window of it commits: a later cancel is late. */
static void test_first_window_commits(void **state)
{
	size_t n;
	(void)state;
	start_small(&quash_mcp);
	say(REQUEST("'0123456789012345678901234567890123456789'", "wait"));
	quash_cancel(live("'0123456789012345678901234567890123456789'"));
	(void)quash_out(&device.peer, &n);
	assert_int_equal(n, 64);
	say(MCP_CANCEL("'0123456789012345678901234567890123456789'"));
	COUNTED(late_cancels, 1);
	ANSWERS(CANCELLED("'0123456789012345678901234567890123456789'"));
}

/* --- What waits is neither lost nor cut */

static void test_nothing_is_cut_in_half(void **state)
{
	(void)state;
	for (quash_size tx = QUASH_TX_MIN; tx < 200; tx++) {
		device_prepare(&quash_acp);
		device.config.tx_size = tx;
		device_begin();
		say(REQUEST("1", "wait"));
		say(REQUEST("2", "wait"));
		say(REQUEST("3", "wait"));
		quash_cancel_all(&device.peer);
		say("x");
		say("y");
		ANSWERS(CANCELLED("1") CANCELLED("2") CANCELLED("3") PARSE_ERROR PARSE_ERROR);
	}
}

/* Out shows the same bytes until they have left. */
static void test_out_and_sent(void **state)
{
	size_t n, again;
	(void)state;
	device_start(&quash_acp);
	(void)quash_out(&device.peer, &n);
	assert_int_equal(n, 0);
	say("x");
	const uint8_t *const out = quash_out(&device.peer, &n);
	assert_int_equal(n, strlen(PARSE_ERROR));
	assert_ptr_equal(quash_out(&device.peer, &again), out);
	assert_int_equal(again, n);
	quash_sent(&device.peer, 10);
	assert_memory_equal(quash_out(&device.peer, &again), quoted(PARSE_ERROR) + 10, n - 10);
	assert_int_equal(again, n - 10);
	quash_sent(&device.peer, 0);
	quash_sent(&device.peer, again);
	(void)quash_out(&device.peer, &n);
	assert_int_equal(n, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_errors_without_id),
		cmocka_unit_test(test_oldest_first),
		cmocka_unit_test(test_refusals_do_not_wait_for_handlers),
		cmocka_unit_test(test_small_tx),
		cmocka_unit_test(test_one_byte_at_a_time),
		cmocka_unit_test(test_long_cancelled_result),
		cmocka_unit_test(test_first_window_commits),
		cmocka_unit_test(test_nothing_is_cut_in_half),
		cmocka_unit_test(test_out_and_sent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
