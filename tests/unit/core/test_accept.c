/* SPDX-License-Identifier: MIT
 * From an envelope to what is done about it. */
#include "device.h"

#include <stdio.h>

static const quash_dialect *const all_dialects[] = { &quash_acp, &quash_lsp, &quash_mcp, &quash_jsonrpc };

/* The message is answered like that, and nothing becomes of it. */
static void is_answered(const char *message, const char *expected)
{
	say(message);
	steps(2);
	ANSWERS(expected);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* An error without usable id, as the dialect says it. */
static const char *invalid_without_id(void)
{
	return device.config.dialect == &quash_mcp ? ERROR_WITHOUT_ID("-32600", "Invalid Request")
						   : INVALID("null");
}

#define IN_EVERY_DIALECT \
	for (size_t dialect = 0; \
		dialect < COUNT_OF(all_dialects) && (device_start(all_dialects[dialect]), true); dialect++)

/* --- Malformed envelopes */

static void test_invalid_with_id(void **state)
{
	(void)state;
	IN_EVERY_DIALECT
	{
		is_answered("{'id':1,'method':'now'}", INVALID("1"));
		is_answered("{'jsonrpc':'1.0','id':1,'method':'now'}", INVALID("1"));
		is_answered("{'jsonrpc':2.0,'id':1,'method':'now'}", INVALID("1"));
		is_answered("{'jsonrpc':'2.0','id':1,'method':'now','params':null}", INVALID("1"));
		is_answered("{'jsonrpc':'2.0','id':1,'method':'now','params':1}", INVALID("1"));
		is_answered("{'jsonrpc':'2.0','id':1,'method':'now','params':'x'}", INVALID("1"));
		is_answered("{'jsonrpc':'2.0','id':1,'method':'now','params':true}", INVALID("1"));
		is_answered("{'jsonrpc':'2.0','id':1,'method':1}", INVALID("1"));
		is_answered("{'jsonrpc':'2.0','id':1,'method':null}", INVALID("1"));
		is_answered("{'jsonrpc':'2.0','id':1,'method':{}}", INVALID("1"));
		is_answered("{'jsonrpc':'2.0','id':1}", INVALID("1"));
		is_answered("{'id':'a'}", INVALID("'a'"));
		is_answered("{'jsonrpc':'2.0','id':1,'method':'now','result':1}", INVALID("1"));
		is_answered("{'jsonrpc':'2.0','id':1,'method':'now','error':{}}", INVALID("1"));
		COUNTED(invalid, 14);
		COUNTED(errors, 14);
		COUNTED(requests, 0);
	}
	DID("");
}

static void test_invalid_without_id(void **state)
{
	(void)state;
	IN_EVERY_DIALECT
	{
		is_answered("{}", invalid_without_id());
		is_answered("1", invalid_without_id());
		is_answered("'jsonrpc'", invalid_without_id());
		is_answered("null", invalid_without_id());
		is_answered("true", invalid_without_id());
		is_answered("[]", invalid_without_id());
		is_answered("{'jsonrpc':'2.0'}", invalid_without_id());
		is_answered("{'jsonrpc':'2.0','method':1,'params':'bar'}", invalid_without_id());
		is_answered("{'jsonrpc':'2.0','id':null,'method':'now'}", invalid_without_id());
		is_answered("{'jsonrpc':'2.0','id':{},'method':'now'}", invalid_without_id());
		is_answered("{'jsonrpc':'2.0','id':true,'method':'now'}", invalid_without_id());
		is_answered("{'jsonrpc':'2.0','id':1.5,'method':'now'}", invalid_without_id());
		is_answered("{'jsonrpc':'2.0','id':null}", invalid_without_id());
		COUNTED(invalid, 13);
	}
}

static void test_array_where_there_are_no_batches(void **state)
{
	(void)state;
	IN_EVERY_DIALECT
	{
		if (device.config.dialect->batch)
			continue;
		is_answered("[" REQUEST("1", "now") "," REQUEST("2", "now") "]", invalid_without_id());
		is_answered("[1]", invalid_without_id());
	}
}

/* What a cancel would name is no id, also where it stands in front of one that is none. */
static void test_no_id_behind_the_target_of_a_cancel(void **state)
{
	(void)state;
	IN_EVERY_DIALECT
	{
		const bool lsp = device.config.dialect == &quash_lsp;
		is_answered(lsp ? "{'jsonrpc':'2.0','method':'now','params':{'id':5},'id':null}"
				: "{'jsonrpc':'2.0','method':'now','params':{'requestId':5},'id':null}", invalid_without_id());
		is_answered(lsp ? "{'jsonrpc':'2.0','method':'now','params':{'id':5},'id':[6]}"
				: "{'jsonrpc':'2.0','method':'now','params':{'requestId':5},'id':[6]}", invalid_without_id());
		is_answered(lsp ? "{'jsonrpc':'2.0','method':'now','params':{'id':5},'id':6}"
				: "{'jsonrpc':'2.0','method':'now','params':{'requestId':5},'id':6}", RESULT("6", "1"));
	}
}

static void test_malformed_notifications(void **state)
{
	(void)state;
	IN_EVERY_DIALECT
	{
		is_answered("{'method':'note'}", "");
		is_answered("{'jsonrpc':'1.0','method':'note'}", "");
		is_answered("{'jsonrpc':'2.0','method':'note','params':1}", "");
		is_answered("{'jsonrpc':'2.0','method':'note','params':null}", "");
		is_answered("{'jsonrpc':'2.0','method':'note','result':1}", "");
		COUNTED(invalid, 5);
		COUNTED(notifications, 0);
	}
	DID("");
}

static void test_member_twice(void **state)
{
	(void)state;
	IN_EVERY_DIALECT
	{
		is_answered("{'jsonrpc':'2.0','jsonrpc':'2.0','id':1,'method':'now'}", invalid_without_id());
		is_answered("{'jsonrpc':'2.0','id':1,'id':1,'method':'now'}", invalid_without_id());
		is_answered("{'jsonrpc':'2.0','id':1,'method':'now','method':'now'}", invalid_without_id());
		is_answered("{'jsonrpc':'2.0','id':1,'method':'now','params':[],'params':[]}",
			invalid_without_id());
		is_answered("{'jsonrpc':'2.0','id':1,'id':2,'id':3,'method':'now'}", invalid_without_id());
		is_answered("{'jsonrpc':'2.0','x':1,'x':2,'id':1,'method':'now'}", RESULT("1", "1"));
	}
}

static void test_not_json(void **state)
{
	(void)state;
	IN_EVERY_DIALECT
	{
		const char *const expected = device.config.dialect == &quash_mcp
			? ERROR_WITHOUT_ID("-32700", "Parse error")
			: PARSE_ERROR;
		is_answered("{", expected);
		is_answered("{'jsonrpc':'2.0','id':1,'method':'now'", expected);
		is_answered("{'jsonrpc':'2.0','id':1,'method':'now'}}", expected);
		is_answered("{'jsonrpc':'2.0','id':1,'method':'now'} x", expected);
		is_answered("{'jsonrpc':'2.0','id':1,'method':'now',}", expected);
		is_answered("nonsense", expected);
		is_answered("'\xFF'", expected);
		is_answered("\xEF\xBB\xBF{}", expected);
		COUNTED(parse_errors, 8);
		is_answered(REQUEST("1", "now"), RESULT("1", "1"));
	}
}

/* --- Responses are never answered */

static void test_responses(void **state)
{
	(void)state;
	IN_EVERY_DIALECT
	{
		is_answered("{'jsonrpc':'2.0','id':1,'result':1}", "");
		is_answered("{'jsonrpc':'2.0','id':1,'error':{'code':-1,'message':'x'}}", "");
		is_answered("{'jsonrpc':'2.0','id':null,'error':{'code':-32700,'message':'x'}}", "");
		is_answered("{'id':1,'result':1}", "");
		is_answered("{'result':1}", "");
		is_answered("{'error':null}", "");
		is_answered("{'jsonrpc':'2.0','id':1,'result':1,'error':2}", "");
		is_answered("{'jsonrpc':'2.0','id':1,'id':2,'result':1}", "");
		is_answered("{'jsonrpc':'2.0','id':[],'result':{'x':[1,2,3]}}", "");
		COUNTED(stray_responses, 9);
		COUNTED(invalid, 0);
	}
}

/* A response does not touch the request with the same id. */
static void test_response_to_a_live_id(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST_WITH("1", "wait", "{'steps':1}"));
	say("{'jsonrpc':'2.0','id':1,'result':1}");
	steps(2);
	ANSWERS(RESULT("1", "'waited'"));
}

/* --- Notifications and requests */

static void test_notifications(void **state)
{
	(void)state;
	IN_EVERY_DIALECT
	{
		is_answered(NOTE_WITH("note", "{'a':1}"), "");
		DID("note(-) end(-)");
		is_answered(NOTE("nothing"), "");
		is_answered(NOTE("$/anything"), "");
		is_answered(NOTE("now"), "");
		DID("");
		COUNTED(notifications, 1);
		COUNTED(ignored, 3);
		COUNTED(unknown_methods, 0);
	}
}

static void test_unknown_requests(void **state)
{
	(void)state;
	IN_EVERY_DIALECT
	{
		is_answered(REQUEST("1", "nothing"), UNKNOWN("1"));
		is_answered(REQUEST("1", ""), UNKNOWN("1"));
		is_answered(REQUEST("1", "$/anything"), UNKNOWN("1"));
		is_answered(REQUEST("1", "note"), UNKNOWN("1"));
		COUNTED(unknown_methods, 4);
	}
	DID("");
}

static int32_t any_other(quash_request *request)
{
	device_note(request, "other");
	return -7;
}

/* The entry without a name is for all other names of its kind. */
static void test_all_other_names(void **state)
{
	static const quash_method list[] = {
		{ .name = "", .handler = any_other },
		{ .name = "noted", .handler = any_other, .marks = QUASH_NOTIFICATION },
		{ .name = "", .handler = any_other, .marks = QUASH_NOTIFICATION },
	};
	(void)state;
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = 2;
	device_begin();
	is_answered(REQUEST("1", "x"), ERROR("1", "-7", "Server error"));
	is_answered(REQUEST("2", ""), ERROR("2", "-7", "Server error"));
	is_answered(REQUEST("3", "noted"), ERROR("3", "-7", "Server error"));
	is_answered(REQUEST("4", "$/cancel_request"), UNKNOWN("4"));
	is_answered(NOTE("x"), "");
	is_answered(NOTE("noted"), "");
	DID("other(1) other(2) other(3) other(-)");
	COUNTED(ignored, 1);
	device.config.method_count = 3;
	device_begin();
	is_answered(NOTE("x"), "");
	is_answered(NOTE(""), "");
	DID("other(-) other(-)");
	COUNTED(ignored, 0);
}

/* A cancel sent as a request cancels nothing and does not exist. */
static void test_cancel_as_request(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	say(REQUEST_WITH("2", "$/cancel_request", "{'requestId':1}"));
	say(REQUEST_WITH("3", "$/cancelRequest", "{'requestId':1}"));
	say(REQUEST_WITH("4", "session/cancel", "{'sessionId':'a'}"));
	ANSWERS(UNKNOWN("2") UNKNOWN("3") UNKNOWN("4"));
	say(REQUEST_WITH("1", "$/cancel_request", "{'requestId':1}"));
	ANSWERS(INVALID("null"));
	COUNTED(cancelled[QUASH_BY_OTHER_SIDE], 0);
	assert_int_equal(quash_live_count(&device.peer), 1);
	device_start(&quash_mcp);
	say(REQUEST("1", "wait"));
	say(REQUEST_WITH("2", "notifications/cancelled", "{'requestId':1}"));
	ANSWERS(UNKNOWN("2"));
}

static void test_duplicate_id(void **state)
{
	(void)state;
	IN_EVERY_DIALECT
	{
		say(REQUEST_WITH("1", "wait", "{'steps':2}"));
		say(REQUEST("1", "now"));
		ANSWERS(invalid_without_id());
		step();
		say(REQUEST("1", "nothing"));
		ANSWERS(invalid_without_id());
		say("{'jsonrpc':'1.0','id':1,'method':'now'}");
		ANSWERS(invalid_without_id());
		steps(2);
		ANSWERS(RESULT("1", "'waited'"));
		is_answered(REQUEST("1", "now"), RESULT("1", "1"));
		COUNTED(duplicate_ids, 2);
	}
}

/* Several refusals fit: duplicate id, unknown method, too large, busy, in this order. */
static void test_order_of_refusals(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.slot_count = 1;
	device.config.arena_size = 16;
	device_begin();
	say(REQUEST("1", "wait"));
	say(REQUEST_WITH("1", "nothing", "['0123456789']"));
	ANSWERS(INVALID("null"));
	say(REQUEST_WITH("2", "nothing", "['0123456789']"));
	ANSWERS(UNKNOWN("2"));
	say(REQUEST_WITH("2", "echo", "['0123456789']"));
	ANSWERS(TOO_LARGE("2"));
	say(REQUEST_WITH("2", "echo", "['0']"));
	ANSWERS("");
	step();
	ANSWERS(BUSY("2"));
	COUNTED(duplicate_ids, 1);
	COUNTED(unknown_methods, 1);
	COUNTED(too_large, 1);
	COUNTED(busy, 1);
}

static void test_refused_notifications(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.slot_count = 1;
	device.config.arena_size = 16;
	device_begin();
	say(NOTE_WITH("note", "['0123456789']"));
	COUNTED(too_large, 1);
	say(REQUEST("1", "wait"));
	say(NOTE_WITH("note", "['0']"));
	COUNTED(kept, 1);
	COUNTED(busy, 0);
	step();
	COUNTED(busy, 1);
	ANSWERS("");
	DID("wait(1)");
}

/* --- A program's own handler for what the dialect takes itself */

static int32_t note_cancel(quash_request *request)
{
	quash_value id = quash_get(quash_params_of(request), "requestId");
	quash_live live_one = { 0 };
	if (quash_kind_of(id) == QUASH_NONE)
		id = quash_get(quash_params_of(request), "sessionId");
	device_note(request, quash_text(id));
	while (quash_next_live(&device.peer, &live_one))
		device_note(live_one.request, live_one.cause == QUASH_BY_OTHER_SIDE ? "flagged" : "free");
	return QUASH_DONE;
}

/* It runs in the step, when the flag is set. */
static void test_own_handler_for_cancels(void **state)
{
	quash_method list[DEVICE_METHODS + 3];
	(void)state;
	memcpy(list, device_methods, sizeof device_methods);
	list[DEVICE_METHODS] = (quash_method){
		.name = "$/cancel_request", .handler = note_cancel, .marks = QUASH_NOTIFICATION
	};
	list[DEVICE_METHODS + 1] = (quash_method){
		.name = "session/cancel", .handler = note_cancel, .marks = QUASH_NOTIFICATION
	};
	list[DEVICE_METHODS + 2] = (quash_method){
		.name = "$/progress", .handler = note_cancel, .marks = QUASH_NOTIFICATION
	};
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = DEVICE_METHODS + 3;
	device_begin();
	say(REQUEST("1", "stubborn"));
	step();
	DID("stubborn(1)");
	say(CANCEL("1"));
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_OTHER_SIDE);
	step();
	DID("stubborn(1) 1(-) flagged(1) free(-)");
	say(CANCEL("7")); /* also of what is unknown */
	step();
	DID("stubborn(1) 7(-) flagged(1) free(-)");
	say(NOTE_WITH("session/cancel", "{'sessionId':'s'}"));
	say(NOTE_WITH("$/progress", "{'requestId':'p'}"));
	step();
	DID("stubborn(1) s(-) flagged(1) free(-) free(-) p(-) flagged(1) free(-)");
	COUNTED(notifications, 4);
	COUNTED(late_cancels, 2);
	say(REQUEST_WITH("2", "$/cancel_request", "{'requestId':1}"));
	ANSWERS(UNKNOWN("2"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_invalid_with_id),
		cmocka_unit_test(test_invalid_without_id),
		cmocka_unit_test(test_array_where_there_are_no_batches),
		cmocka_unit_test(test_no_id_behind_the_target_of_a_cancel),
		cmocka_unit_test(test_malformed_notifications),
		cmocka_unit_test(test_member_twice),
		cmocka_unit_test(test_not_json),
		cmocka_unit_test(test_responses),
		cmocka_unit_test(test_response_to_a_live_id),
		cmocka_unit_test(test_notifications),
		cmocka_unit_test(test_unknown_requests),
		cmocka_unit_test(test_all_other_names),
		cmocka_unit_test(test_cancel_as_request),
		cmocka_unit_test(test_duplicate_id),
		cmocka_unit_test(test_order_of_refusals),
		cmocka_unit_test(test_refused_notifications),
		cmocka_unit_test(test_own_handler_for_cancels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
