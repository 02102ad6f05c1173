/* SPDX-License-Identifier: MIT
 * A peer whose config quash_init has refused: it answers with what is wrong, or is silent, and nothing of it may be harmed. */
#include "device.h"

#include <stdio.h>

#include "quash/call.h"

static unsigned touched;
static quash_group arm;

static int32_t never(quash_request *request)
{
	(void)request;
	touched++;
	return QUASH_DONE;
}

static void no_session(quash_peer *peer)
{
	(void)peer;
	touched++;
}

static const quash_method methods[] = {
	{ .name = "move", .handler = never, .motion = { .end = never, .longest = QUASH_NO_LIMIT, .group = &arm }, .marks = QUASH_FINISHES },
	{ .name = "initialize", .handler = never, .marks = QUASH_SESSION },
	{ .name = "note", .handler = never, .marks = QUASH_NOTIFICATION },
	{ .name = "move", .handler = never },
};

#define FAULT(id) ERROR(id, "-32603", "methods[3] move: name stands twice")

static void refuse(const quash_dialect *dialect)
{
	DEVICE_PREPARE(dialect, methods);
	device.config.new_session = no_session;
	device.config.slot_count = 2;
	touched = 0;
	assert_false(quash_init(&device.peer, &device.config, NULL));
	device_forget();
}

static int set_up(void **state)
{
	(void)state;
	refuse(&quash_acp);
	return 0;
}

static void test_each_request_is_answered(void **state)
{
	(void)state;
	ANSWERS_TO(REQUEST("1", "move"), 1, FAULT("1"));
	ANSWERS_TO(REQUEST_WITH("'two'", "initialize", "{'sessionId':'s'}"), 1, FAULT("'two'"));
	ANSWERS_TO(REQUEST("3", "nobody"), 1, FAULT("3"));
	assert_int_equal(touched, 0);
	COUNTED(errors, 3);
	COUNTED(requests, 0);
	COUNTED(sessions, 0);
	assert_true(quash_is_at_rest(&device.peer));
}

static void test_notifications_are_ignored(void **state)
{
	(void)state;
	say("{'jsonrpc':'2.0','method':'note'}");
	say("{'jsonrpc':'2.0','method':'nobody','params':[1]}");
	ANSWERS_TO(CANCEL("1"), 3, "");
	assert_int_equal(touched, 0);
	COUNTED(ignored, 3);
}

static void test_what_is_no_request(void **state)
{
	(void)state;
	ANSWERS_TO("{'id':1}", 1, ERROR("1", "-32600", "Invalid Request"));
	ANSWERS_TO("{", 1, ERROR("null", "-32700", "Parse error"));
	ANSWERS_TO("{'jsonrpc':'2.0','id':7,'result':1}", 1, "");
	COUNTED(stray_responses, 1);
}

/* More than there are slots, and of params that have no room. */
static void test_a_flood(void **state)
{
	char message[200];
	(void)state;
	for (unsigned i = 0; i < 40; i++) {
		snprintf(message, sizeof message, REQUEST_WITH("%u", "move", "['0123456789012345678901234567890123456789',{'a':[]}]") "\n", i);
		say_on(message);
	}
	steps(10);
	COUNTED(errors, 40);
	COUNTED(too_large, 0);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static void test_ids_that_are_live(void **state)
{
	(void)state;
	fill_tx();
	say(REQUEST("1", "move"));
	say(REQUEST("1", "move"));
	drain_fill();
	ANSWERS_AFTER(2, FAULT("1") ERROR("null", "-32600", "Invalid Request"));
	COUNTED(duplicate_ids, 1);
}

/* Its members are answered between brackets, one that is none too. */
static void test_a_batch(void **state)
{
	(void)state;
	refuse(&quash_jsonrpc);
	ANSWERS_TO("[" REQUEST("1", "move") ",{'jsonrpc':'2.0','method':'note'}," REQUEST("2", "initialize") "]", 2,
		"[{'jsonrpc':'2.0','id':1,'error':{'code':-32603,'message':'methods[3] move: name stands twice'}},"
		"{'jsonrpc':'2.0','id':2,'error':{'code':-32603,'message':'methods[3] move: name stands twice'}}]\n");
	say_on("[" REQUEST("1", "move") "," REQUEST("2", "move") "," REQUEST("3", "move") "]\n");
	ANSWERS_AFTER(2, ERROR("null", "-32010", "Busy"));
	ANSWERS_TO(REQUEST("4", "move"), 1, FAULT("4"));
	assert_int_equal(touched, 0);
}

static void test_the_reason_is_traced(void **state)
{
	(void)state;
	device.config.trace = device_trace;
	assert_false(quash_init(&device.peer, &device.config, NULL));
	say_and_step(REQUEST("1", "move"));
	DID("received refused(-32603) recorded(-32603) written(-32603) freed");
}

/* Cut anywhere, written in windows as small as they may be. */
static void test_a_small_tx(void **state)
{
	static const quash_method long_name[] = { { .name = "a name that is much longer than half of TX is" } };
	(void)state;
	DEVICE_PREPARE(&quash_mcp, long_name);
	device.config.tx_size = QUASH_TX_MIN;
	assert_false(quash_init(&device.peer, &device.config, NULL));
	ANSWERS_TO(REQUEST("1", "move"), 4, ERROR("1", "-32603", "methods[0] a name that is much longer than half of TX is: handler is missing"));
	COUNTED(changed, 0);
}

/* The table is in RAM and is mended: it still has to be begun anew. */
static void test_a_config_that_is_right_by_then(void **state)
{
	(void)state;
	device.config.method_count = 3;
	ANSWERS_TO(REQUEST("1", "move"), 1, INTERNAL("1"));
	assert_int_equal(touched, 0);
	assert_true(quash_init(&device.peer, &device.config, NULL));
	say_and_step(REQUEST("1", "move"));
	assert_int_not_equal(touched, 0);
}

static void test_a_table_that_is_missing(void **state)
{
	(void)state;
	device.config.methods = NULL;
	assert_false(quash_init(&device.peer, &device.config, NULL));
	ANSWERS_TO(REQUEST_WITH("1", "move", "{'a':1}"), 1, ERROR("1", "-32603", "config: methods is missing"));
	device.config.method_count = 255;
	assert_false(quash_init(&device.peer, &device.config, NULL));
	ANSWERS_TO(REQUEST("1", "move"), 1, ERROR("1", "-32603", "config: method_count 255, at most 250"));
}

/* --- Every call is safe */

static int32_t call_done(quash_call *call)
{
	(void)call;
	return QUASH_DONE;
}

static void notify(void)
{
	quash_put_text(quash_notify(&device.peer, "n"), "text");
	(void)quash_notify_send(&device.peer);
	(void)quash_notify_fits(&device.peer);
}

static void start_a_call(void)
{
	static quash_call call;
	memset(&call, 0, sizeof call);
	call.method = "m";
	call.done = call_done;
	(void)quash_call_start(&device.peer, &call);
	(void)quash_call_count(&device.peer);
	quash_call_ids_from(&device.peer, 7);
	(void)quash_call_cancel_id(&device.peer, 1);
}

static void call_everything(void)
{
	static const uint8_t text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"move\"}\n[\n";
	quash_live shown = { 0 };
	size_t n;
	(void)quash_feed(&device.peer, text, sizeof text - 1);
	quash_tick(&device.peer, 5);
	(void)quash_step(&device.peer);
	notify();
	start_a_call();
	(void)quash_out(&device.peer, &n);
	quash_sent(&device.peer, n);
	(void)quash_idle_ms(&device.peer);
	(void)quash_next_live(&device.peer, &shown);
	(void)quash_context(&device.peer);
	(void)quash_counters_of(&device.peer);
	quash_new_session(&device.peer);
	quash_lost(&device.peer);
	quash_cancel_all(&device.peer);
	quash_input_end(&device.peer);
	(void)quash_step(&device.peer);
	quash_reopen(&device.peer);
	(void)quash_step(&device.peer);
	quash_gone(&device.peer);
	quash_lost(&device.peer);
	notify();
	(void)quash_feed(&device.peer, text, sizeof text - 1);
	(void)quash_step(&device.peer);
	quash_reopen(&device.peer);
	(void)quash_now(&device.peer);
	(void)quash_live_count(&device.peer);
	(void)quash_is_at_rest(&device.peer);
}

static void is_silent(const quash_config *config)
{
	size_t n = 7;
	assert_false(quash_init(&device.peer, config, NULL));
	for (unsigned i = 0; i < 2; i++) {
		assert_true(quash_is_gone(&device.peer));
		assert_int_equal(quash_feed(&device.peer, (const uint8_t *)"{}\n", 3), 0);
		assert_non_null(quash_out(&device.peer, &n));
		assert_int_equal(n, 0);
		assert_false(quash_step(&device.peer));
		assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX);
		assert_int_equal(quash_live_count(&device.peer), 0);
		assert_true(quash_is_at_rest(&device.peer));
		call_everything();
	}
	assert_int_equal(touched, 0);
}

static void test_a_silent_peer(void **state)
{
	quash_config *const c = &device.config;
	(void)state;
	c->slots = NULL;
	is_silent(c);
	refuse(&quash_mcp);
	c->word = NULL;
	is_silent(c);
	refuse(&quash_mcp);
	c->tx = NULL;
	is_silent(c);
	refuse(&quash_jsonrpc);
	c->arena = NULL;
	is_silent(c);
	refuse(&quash_jsonrpc);
	c->ids = NULL;
	is_silent(c);
	refuse(&quash_jsonrpc);
	c->slot_count = 0;
	is_silent(c);
	refuse(&quash_jsonrpc);
	c->dialect = NULL;
	is_silent(c);
	memset(c, 0, sizeof *c);
	is_silent(c);
}

/* Nothing of refusing is linked then. */
static void test_a_config_without_faults(void **state)
{
	quash_fault fault;
	(void)state;
	device.config.faults = NULL;
	is_silent(&device.config);
	assert_false(quash_init(&device.peer, &device.config, &fault));
	assert_int_equal(fault.reason, QUASH_FAULT_NONE);
	assert_string_equal(fault.member, "name");
	assert_int_equal(fault.index, 3);
}

static void test_a_peer_that_speaks(void **state)
{
	static const quash_dialect *const dialects[] = { &quash_acp, &quash_lsp, &quash_mcp, &quash_jsonrpc };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(dialects); i++) {
		refuse(dialects[i]);
		device.config.calls = &quash_calls;
		call_everything();
		call_everything();
		assert_int_equal(touched, 0);
	}
}

/* A new link, and a new client. */
static void test_another_link(void **state)
{
	(void)state;
	say(REQUEST("1", "move"));
	quash_gone(&device.peer);
	quash_new_session(&device.peer);
	quash_reopen(&device.peer);
	ANSWERS_TO(REQUEST("2", "move"), 1, FAULT("2"));
	assert_int_equal(touched, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_each_request_is_answered, set_up),
		cmocka_unit_test_setup(test_notifications_are_ignored, set_up),
		cmocka_unit_test_setup(test_what_is_no_request, set_up),
		cmocka_unit_test_setup(test_a_flood, set_up),
		cmocka_unit_test_setup(test_ids_that_are_live, set_up),
		cmocka_unit_test_setup(test_a_batch, set_up),
		cmocka_unit_test_setup(test_the_reason_is_traced, set_up),
		cmocka_unit_test_setup(test_a_small_tx, set_up),
		cmocka_unit_test_setup(test_a_config_that_is_right_by_then, set_up),
		cmocka_unit_test_setup(test_a_table_that_is_missing, set_up),
		cmocka_unit_test_setup(test_a_silent_peer, set_up),
		cmocka_unit_test_setup(test_a_config_without_faults, set_up),
		cmocka_unit_test_setup(test_a_peer_that_speaks, set_up),
		cmocka_unit_test_setup(test_another_link, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
