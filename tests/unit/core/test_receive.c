/* SPDX-License-Identifier: MIT
 * From bytes to an envelope: which member is this, and what does it say? */
#include "device.h"

#include <stdio.h>

static int set_up(void **state)
{
	(void)state;
	device_start(&quash_acp);
	return 0;
}

static void answers_now(const char *message, const char *expected)
{
	say(message);
	steps(2);
	ANSWERS(expected);
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
		say(message);
		steps(2);
		ANSWERS(expected);
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

static void test_escaped_names(void **state)
{
	(void)state;
	answers_now("{'\\u006asonrpc':'\\u0032.0','\\u0069d':1,'m\\u0065thod':'n\\u006fw'}",
		RESULT("1", "1"));
	say(REQUEST("2", "wait"));
	answers_now("{'jsonrpc':'2.0','method':'\\u0024/cancel_request','params':{'request\\u0049d':2}}",
		CANCELLED("2"));
	answers_now("{'jsonrpc':'2.0','id':1,'method':'now','met\\u0068od':'now'}", INVALID("null"));
}

static void test_blanks_everywhere(void **state)
{
	(void)state;
	answers_now(" { 'jsonrpc' : '2.0' ,\t'id' : 1 , 'method' : 'echo' , 'params' : [ 1 , { } ] } \r",
		RESULT("1", "[1,{}]"));
}

static void test_members_are_those_of_the_envelope(void **state)
{
	(void)state;
	answers_now("{'x':{'jsonrpc':'1.0','id':7,'method':'wait','params':1},'jsonrpc':'2.0','id':1,'method'"
		    ":'now'}",
		RESULT("1", "1"));
	answers_now("{'params':{'id':7,'method':'wait','result':1,'error':{}},'jsonrpc':'2.0','id':1,'method'"
		    ":'now'}",
		RESULT("1", "1"));
	answers_now("{'x':['id',7,{'id':7}],'jsonrpc':'2.0','id':1,'method':'now','y':'method'}",
		RESULT("1", "1"));
}

static void test_similar_names(void **state)
{
	(void)state;
	answers_now("{'jsonrpc':'2.0','id':1,'method':'now','idx':2,'i':3,'ID':4,'':5,'Method':6,'param':7,'"
		    "paramss':8,"
		    "'results':9,'err':10,'id\\u0000':11}",
		RESULT("1", "1"));
	answers_now("{'jsonrpc':'2.0','i':1,'method':'note'}", "");
	answers_now("{'jsonrp':'2.0','id':1,'method':'now'}", INVALID("1"));
	answers_now("{'jsonrpcc':'2.0','id':1,'method':'now'}", INVALID("1"));
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
		answers_now(message, RESULT("1", "1"));
		snprintf(message, sizeof message, REQUEST("2", "%snow"), begin);
		answers_now(message, UNKNOWN("2"));
		say(REQUEST("3", "wait"));
		snprintf(message, sizeof message, NOTE_WITH("$/cancel_request", "{'%srequestId':3}"), begin);
		answers_now(message, "");
		answers_now(CANCEL("3"), CANCELLED("3"));
	}
}

static void test_version(void **state)
{
	static const char *const versions[] = { "'1.0'", "'2'", "'2.'", "'2.00'", "'2.0 '", "''", "2.0", "2",
		"null", "true", "['2.0']", "{'2.0':'2.0'}", "'2\\u0000.0'" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(versions); i++) {
		char message[100];
		snprintf(message, sizeof message, "{'jsonrpc':%s,'id':1,'method':'now'}", versions[i]);
		answers_now(message, INVALID("1"));
	}
	answers_now("{'jsonrpc':'2\\u002e0','id':1,'method':'now'}", RESULT("1", "1"));
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
		answers_now(message, expected);
	}
	answers_now(REQUEST("1", "ab"), UNKNOWN("1"));
	answers_now(REQUEST("1", "abcf"), UNKNOWN("1"));
	answers_now(REQUEST("1", "abcde"), UNKNOWN("1"));
	answers_now(REQUEST("1", "A"), UNKNOWN("1"));
	answers_now(REQUEST("1", "a\\u0000"), UNKNOWN("1"));
	answers_now(REQUEST("1", "\\u0000"), UNKNOWN("1"));
	answers_now(REQUEST("1", "\\u00fc"), RESULT("1", "'\xC3\xBC'"));
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
		say(message);
		ANSWERS(UNKNOWN("2"));
	}
}

/* --- Whom a cancel names */

static void cancel_is(const char *params, bool target, quash_count late, quash_count bad)
{
	char message[300];
	set_up(NULL);
	say(REQUEST("1", "wait"));
	say(REQUEST("'1'", "wait"));
	snprintf(message, sizeof message, "{'jsonrpc':'2.0','method':'$/cancel_request'%s%s}",
		*params ? ",'params':" : "", params);
	say(message);
	ANSWERS(target ? CANCELLED("1") : "");
	if (device.counters.late_cancels != late || device.counters.bad_cancels != bad)
		fail_msg("%s: %u late, %u bad", params, (unsigned)device.counters.late_cancels,
			(unsigned)device.counters.bad_cancels);
}

static void test_cancels(void **state)
{
	(void)state;
	cancel_is("{'requestId':1}", true, 0, 0);
	cancel_is("{'reason':'requestId','requestId':1,'_meta':{'requestId':2}}", true, 0, 0);
	cancel_is("{'_meta':{'requestId':'1'},'requestId':1}", true, 0, 0);
	cancel_is("{'requestId':2,'requestId':1}", true, 0, 0);
	cancel_is("{'requestId':null,'requestId':1}", true, 0, 0);
	cancel_is("{'requestId':[],'requestId':1}", true, 0, 0);
	cancel_is("{'requestId':1,'requestId':2}", false, 1, 0);
	cancel_is("{'requestId':1.0}", false, 1, 0);
	cancel_is("{'requestId':1e0}", false, 1, 0);
	cancel_is("{'requestId':'\\ud800'}", false, 1, 0);
	cancel_is("{'requestId':12345678901234567890123456789012345678901234567890}", false, 1, 0);
}

static void test_malformed_cancels(void **state)
{
	(void)state;
	cancel_is("", false, 0, 1);
	cancel_is("{}", false, 0, 1);
	cancel_is("[]", false, 0, 1);
	cancel_is("[1]", false, 0, 1);
	cancel_is("{'id':1}", false, 0, 1);
	cancel_is("{'requestID':1}", false, 0, 1);
	cancel_is("{'requestId':null}", false, 0, 1);
	cancel_is("{'requestId':true}", false, 0, 1);
	cancel_is("{'requestId':{}}", false, 0, 1);
	cancel_is("{'requestId':[1]}", false, 0, 1);
	cancel_is("{'requestId':{'requestId':1}}", false, 0, 1);
	cancel_is("{'requestId':1,'requestId':null}", false, 0, 1);
	cancel_is("{'x':{'requestId':1}}", false, 0, 1);
	cancel_is("['requestId',1]", false, 0, 1);
}

static void test_spellings_of_cancels(void **state)
{
	(void)state;
	set_up(NULL);
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "wait"));
	answers_now(NOTE_WITH("$/cancelRequest", "{'requestId':1}"), CANCELLED("1"));
	answers_now(NOTE_WITH("$/cancel", "{'requestId':2}"), "");
	answers_now(NOTE_WITH("$/cancel_requests", "{'requestId':2}"), "");
	answers_now(NOTE_WITH("notifications/cancelled", "{'requestId':2}"), "");
	device_start(&quash_jsonrpc);
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "wait"));
	say(REQUEST("3", "wait"));
	answers_now(NOTE_WITH("$/cancelRequest", "{'id':1}"), CANCELLED("1"));
	answers_now(NOTE_WITH("$/cancel_request", "{'requestId':2}"), CANCELLED("2"));
	answers_now(NOTE_WITH("$/cancel_request", "{'id':3}"), CANCELLED("3"));
	device_start(&quash_lsp);
	say(REQUEST("1", "wait"));
	answers_now(NOTE_WITH("$/cancelRequest", "{'requestId':1}"), "");
	answers_now(NOTE_WITH("$/cancel_request", "{'id':1}"), "");
	answers_now(LSP_CANCEL("1"), CANCELLED("1"));
}

/* A lone surrogate makes what a cancel goes by unusable: it names nobody. */
static void test_lone_surrogate_in_a_tag(void **state)
{
	(void)state;
	answers_now(REQUEST_WITH("1", "session/prompt", "{'sessionId':'a\\ud800'}"), "");
	answers_now(NOTE_WITH("session/cancel", "{'sessionId':'a\\ud800'}"), "");
	answers_now(NOTE_WITH("session/cancel", "{'sessionId':'a'}"), "");
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
}

/* A lone surrogate makes an id unusable, though it is kept as the same character. */
static void test_cancel_of_a_replacement_character(void **state)
{
	(void)state;
	say(REQUEST("'\\ufffd'", "wait"));
	answers_now(NOTE_WITH("$/cancel_request", "{'requestId':'\\ud800'}"), "");
	COUNTED(late_cancels, 1);
	answers_now(NOTE_WITH("$/cancel_request", "{'requestId':'\\ufffd'}"), CANCELLED("'\xEF\xBF\xBD'"));
}

/* A cancel needs neither arena nor slot, whatever else it carries. */
static void test_cancel_larger_than_the_arena(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.arena_size = QUASH_ARENA_MIN;
	device.config.slot_count = 2;
	device_begin();
	say(REQUEST("1", "wait"));
	say(NOTE_WITH("$/cancel_request",
		"{'x':'0123456789012345678901234567890123456789','requestId':1,"
		"'y':[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}"));
	ANSWERS(CANCELLED("1"));
}

static void test_cancel_with_a_broken_end(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	answers_now("{'jsonrpc':'2.0','method':'$/cancel_request','params':{'requestId':1}", PARSE_ERROR);
	answers_now("{'jsonrpc':'2.0','method':'$/cancel_request','params':{'requestId':1}}}", PARSE_ERROR);
	answers_now(CANCEL("1"), CANCELLED("1"));
}

/* While an id is received, requests end and others begin. */
static void test_target_ends_while_it_is_named(void **state)
{
	(void)state;
	say(REQUEST_WITH("'abc'", "wait", "{'steps':0}"));
	loop_say(&device, quoted("{'jsonrpc':'2.0','method':'$/cancel_request','params':{'requestId':'ab"));
	step();
	loop_say(&device, quoted("c'}}\n"));
	steps(2);
	ANSWERS(RESULT("'abc'", "'waited'"));
	COUNTED(late_cancels, 1);
}

/* --- Params */

static void test_params_as_they_are(void **state)
{
	(void)state;
	answers_now(REQUEST_WITH("1", "echo", "{}"), RESULT("1", "{}"));
	answers_now(REQUEST_WITH("1", "echo", "[]"), RESULT("1", "[]"));
	answers_now(REQUEST_WITH("1", "echo",
			    "{'requestId':1,'reason':'x','sessionId':'y','id':[2],'jsonrpc':null}"),
		RESULT("1", "{'requestId':1,'reason':'x','sessionId':'y','id':[2],'jsonrpc':null}"));
	answers_now(REQUEST_WITH("1", "echo", "['\\ud83d\\ude00\\ud800',-0.50,{'':{'a':[null,true,false]}}]"),
		RESULT("1", "['\xF0\x9F\x98\x80\xEF\xBF\xBD',-0.50,{'':{'a':[null,true,false]}}]"));
	answers_now(REQUEST("1", "echo"), RESULT("1", "null"));
}

#define DEEP_30     "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
#define DEEP_30_END "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"

static void test_depth(void **state)
{
	(void)state;
	answers_now(REQUEST_WITH("1", "echo", DEEP_30 "[]" DEEP_30_END),
		RESULT("1", DEEP_30 "[]" DEEP_30_END));
	answers_now(REQUEST_WITH("2", "echo", DEEP_30 "[[]]" DEEP_30_END), TOO_LARGE("2"));
	answers_now("{'params':" DEEP_30 "[[1,{'id':5}]]" DEEP_30_END
		    ",'jsonrpc':'2.0','id':3,'method':'echo'}",
		TOO_LARGE("3"));
	answers_now("{'x':" DEEP_30 "[[]]" DEEP_30_END ",'jsonrpc':'2.0','id':3,'method':'nothing'}",
		UNKNOWN("3"));
	answers_now(NOTE_WITH("note", DEEP_30 "[[]]" DEEP_30_END), "");
	DID("");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_lone_surrogate_in_a_tag, set_up),
		cmocka_unit_test_setup(test_order_of_members, set_up),
		cmocka_unit_test_setup(test_escaped_names, set_up),
		cmocka_unit_test_setup(test_blanks_everywhere, set_up),
		cmocka_unit_test_setup(test_members_are_those_of_the_envelope, set_up),
		cmocka_unit_test_setup(test_similar_names, set_up),
		cmocka_unit_test_setup(test_long_names_that_end_alike, set_up),
		cmocka_unit_test_setup(test_version, set_up),
		cmocka_unit_test_setup(test_names_that_begin_alike, set_up),
		cmocka_unit_test_setup(test_very_long_names, set_up),
		cmocka_unit_test_setup(test_cancels, set_up),
		cmocka_unit_test_setup(test_malformed_cancels, set_up),
		cmocka_unit_test_setup(test_spellings_of_cancels, set_up),
		cmocka_unit_test_setup(test_cancel_of_a_replacement_character, set_up),
		cmocka_unit_test_setup(test_cancel_larger_than_the_arena, set_up),
		cmocka_unit_test_setup(test_cancel_with_a_broken_end, set_up),
		cmocka_unit_test_setup(test_target_ends_while_it_is_named, set_up),
		cmocka_unit_test_setup(test_params_as_they_are, set_up),
		cmocka_unit_test_setup(test_depth, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
