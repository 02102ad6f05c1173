/* SPDX-License-Identifier: MIT
 * What of params is kept, and what is passed over: the answer has all that is kept. Each message comes in every cut. */
#include "device.h"

#include <stdio.h>

/* --- The device */

static void put_params(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_params_of(request));
}

static int32_t echo(quash_request *request)
{
	return quash_reply(request, put_params);
}

static int32_t hold(quash_request *request)
{
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? echo(request) : QUASH_PENDING;
}

static int32_t note(quash_request *request)
{
	quash_put_value(quash_notify(&device.peer, "noted"), quash_params_of(request));
	return quash_notify_send(&device.peer) ? QUASH_DONE : QUASH_PENDING;
}

static const quash_method methods[] = {
	{ .name = "list", .handler = echo, .marks = QUASH_LISTED },
	{ .name = "all", .handler = echo },
	{ .name = "hold", .handler = hold, .marks = QUASH_LISTED | QUASH_PARTIAL },
	{ .name = "note", .handler = note, .marks = QUASH_LISTED | QUASH_NOTIFICATION },
	{ .name = "", .handler = echo, .marks = QUASH_LISTED },
};

static const quash_keep first_list[] = {
	{ "name", 0, false },
	{ "most", 16, false },
	{ "longname", 12, false },
	{ "meta>token", 20, false },
	{ "meta>org.example/<level", 0, false },
	{ "small>tiny", 11, false },
	{ "deep", 0, false },
	{ "deep>in", 0, false },
	{ "pair>in", 0, false },
	{ "pair", 0, false },
};
static const quash_keep second_list[] = {
	{ "caps>form>url", 0, true },
	{ "caps>tools", 0, true },
	{ "few", 16, true },
	{ "x/<a>y/<b", 0, false },
	{ "void>>x/<b", 0, false },
	{ ">void", 0, false },
	{ "<short", 0, false },
};

static const quash_keep *lists(const quash_config *config, uint8_t number, uint8_t *count)
{
	assert_ptr_equal(config, &device.config);
	*count = number == 0 ? COUNT_OF(first_list) : COUNT_OF(second_list);
	return number == 0 ? first_list : number == 1 ? second_list : NULL;
}

static const quash_keeps keeps = { &quash_keeping, lists };

static void set_up_with(quash_size arena_size)
{
	loop_init(&device, &quash_jsonrpc, methods, COUNT_OF(methods));
	device.config.keeps = &keeps;
	device.config.arena_size = arena_size;
	device_begin();
}

static int set_up(void **state)
{
	(void)state;
	set_up_with(UNIT_ARENA);
	return 0;
}

/* --- Talking */

/* `cut` 0: each byte by itself. */
static void say_cut(const char *text, size_t cut)
{
	const size_t n = strlen(text);
	for (size_t at = 0; cut == 0 && at < n; at++)
		feed_on(&text[at], 1);
	if (cut > 0) {
		feed_on(text, cut);
		feed_on(&text[cut], n - cut);
	}
	feed_on("\n", 1);
}

static const char *kept_quoted(const char *message)
{
	static char text[ROOM_FOR(1000)];
	assert_room(strlen(message) < sizeof text);
	return strcpy(text, quoted(message));
}

static void in_every_cut(const char *message, const char *expected)
{
	const char *const text = kept_quoted(message);
	const size_t n = strlen(text);
	for (size_t cut = 0; cut <= n; cut += STRIDE) {
		say_cut(text, cut);
		ANSWERS_AFTER(2, expected);
		assert_int_equal(device.peer.tape.start, 0);
	}
}

#define KEEPS(params, expected) in_every_cut(REQUEST_WITH("1", "list", params), RESULT("1", expected))
#define KEEPS_NOTHING(params)   KEEPS(params, "{}")

#define TEN     "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define FOREIGN "'x':'" HUNDRED "','" HUNDRED "':[1" HUNDRED ",[[[[{'name':'" HUNDRED "'}]]]]],"

/* --- Names */

static void test_unknown_members(void **state)
{
	(void)state;
	KEEPS_NOTHING("{}");
	KEEPS_NOTHING("{'x':1}");
	KEEPS("{'name':1}", "{'name':1}");
	KEEPS("{'x':1,'name':'a'}", "{'name':'a'}");
	KEEPS("{'name':'a','x':1}", "{'name':'a'}");
	KEEPS("{'x':{'name':1},'name':'a','y':[[{'name':2},[]]],'z':null}", "{'name':'a'}");
	KEEPS("{'x':'" HUNDRED "','name':'a','y':[1" HUNDRED "]}", "{'name':'a'}");
	KEEPS("{'x':[[[[[[[[[[[[[[[[[[[[[[[['name']]]]]]]]]]]]]]]]]]]]]]]],'name':'a'}", "{'name':'a'}");
}

static void test_all_that_a_member_has(void **state)
{
	(void)state;
	assert_room(UNIT_ARENA >= 300);
	KEEPS("{'name':{'x':[1,{'name':2,'y':{}}],'" HUNDRED "':'" HUNDRED "'}}",
		"{'name':{'x':[1,{'name':2,'y':{}}],'" HUNDRED "':'" HUNDRED "'}}");
	KEEPS("{'name':[true,false,null,-1.5e3,'\\u00fc\\ud83d\\ude00',[],{}]}",
		"{'name':[true,false,null,-1.5e3,'\xC3\xBC\xF0\x9F\x98\x80',[],{}]}");
}

static void test_similar_names(void **state)
{
	(void)state;
	KEEPS_NOTHING("{'nam':1,'names':2,'Name':3,'':4,'name\\u0000':5,'\\u0000':6,'meta>token':7,'name>':8}");
	KEEPS_NOTHING("{'token':1,'level':2,'in':3,'tools':4,'org.example/level':5}");
	KEEPS("{'n\\u0061me':1,'\\u006damf':2}", "{'name':1}");
}

static void test_longer_than_the_word(void **state)
{
	(void)state;
	for (int n = QUASH_WORD - 10; n < QUASH_WORD + 10; n++) {
		static char message[400];
		snprintf(message, sizeof message,
			REQUEST_WITH("1", "list", "{'name%.*s':1,'name':2,'meta':{'token%.*s':3,'token':4,'%.*s':{}}}"), n, HUNDRED, n, HUNDRED, n,
			HUNDRED);
		in_every_cut(message, RESULT("1", "{'name':2,'meta':{'token':4}}"));
		snprintf(message, sizeof message, REQUEST_WITH("1", "list", "{'%.*sname':{'x':[1]},'name':2,'meta':{'%.*stoken':3,'token':4}}"), n,
			HUNDRED, n, HUNDRED);
		in_every_cut(message, RESULT("1", "{'name':2,'meta':{'token':4}}"));
	}
}

/* An entry for other names serves one that is longer than the word as well. */
static void test_method_longer_than_the_word(void **state)
{
	(void)state;
	for (int n = QUASH_WORD - 10; n < QUASH_WORD + 10; n++) {
		static char message[400];
		snprintf(message, sizeof message, REQUEST_WITH("1", "%.*s", "{'name':1,'x':2}"), n, HUNDRED);
		in_every_cut(message, RESULT("1", "{'name':1}"));
	}
}

static void test_same_member_again(void **state)
{
	(void)state;
	KEEPS("{'name':1,'x':2,'name':3,'x':4}", "{'name':1,'name':3}");
	KEEPS("{'meta':{'token':1,'x':2},'meta':{'x':3,'token':4,'token':5}}", "{'meta':{'token':1},'meta':{'token':4,'token':5}}");
}

/* --- Paths */

static void test_nested(void **state)
{
	(void)state;
	KEEPS("{'meta':{}}", "{'meta':{}}");
	KEEPS("{'meta':{'x':{'token':1},'token':2,'y':[{'token':3}]},'token':4}", "{'meta':{'token':2}}");
	KEEPS("{'meta':{'meta':{'token':1},'name':2},'name':{'meta':{'token':3,'x':4}}}", "{'meta':{},'name':{'meta':{'token':3,'x':4}}}");
	KEEPS("{'caps':{'form':{'x':1,'url':{}},'url':{},'x':{'form':{'url':{}}},'tools':{}},'name':1}",
		"{'caps':{'form':{'url':{}},'tools':{}},'name':1}");
	KEEPS("{'caps':{'form':{}},'meta':{'form':{}},'form':{}}", "{'caps':{'form':{}},'meta':{}}");
}

/* What should be an object is seen to be none. */
static void test_no_object_on_the_way(void **state)
{
	(void)state;
	KEEPS("{'meta':5,'name':1}", "{'name':1}");
	KEEPS("{'meta':'text','name':1}", "{'name':1}");
	KEEPS("{'meta':'" HUNDRED HUNDRED HUNDRED "','name':1}", "{'name':1}");
	KEEPS("{'meta':null,'name':true}", "{'meta':null,'name':true}");
	KEEPS("{'meta':[1,{'token':2},[[]]],'name':1}", "{'meta':[],'name':1}");
	KEEPS("{'caps':{'form':[{'url':{}}],'tools':{}}}", "{'caps':{'form':[],'tools':{}}}");
}

static void test_deeper_path_is_preferred(void **state)
{
	(void)state;
	KEEPS("{'deep':{'in':1,'out':2},'name':3}", "{'deep':{'in':1},'name':3}");
	KEEPS("{'pair':{'in':1,'out':2},'name':3}", "{'pair':{'in':1},'name':3}");
}

static void test_prefix(void **state)
{
	(void)state;
	KEEPS("{'meta':{'org.example/level':1}}", "{'meta':{'level':1}}");
	KEEPS("{'meta':{'org.example/level':{'x':1},'token':2}}", "{'meta':{'level':{'x':1},'token':2}}");
	KEEPS("{'meta':{'level':1,'org.example/':2,'org.example/levels':3,'org.example/<level':4,'org.example/leve':5,'prg.example/level':6}}",
		"{'meta':{}}");
	KEEPS("{'x/a':{'y/b':1,'b':2,'y/c':3},'a':{'y/b':4},'name':5}", "{'a':{'b':1},'name':5}");
	KEEPS("{'void':{'':{'x/b':1,'b':2},'x/b':3},'name':4}", "{'void':{'':{'b':1}},'name':4}");
	KEEPS("{'':{'void':1,'':2,'name':3},'name':4}", "{'':{'void':1},'name':4}");
	KEEPS("{'short':1,'hort':2}", "{'short':1}");
}

static void test_bare(void **state)
{
	(void)state;
	KEEPS("{'caps':{'tools':{'a':1,'b':{'tools':{}}},'form':{'url':[1,[2],{}]}},'name':1}",
		"{'caps':{'tools':{},'form':{'url':[]}},'name':1}");
	KEEPS("{'caps':{'tools':5}}", "{'caps':{'tools':5}}");
	KEEPS("{'caps':{'tools':'text','form':{'url':null,'tools':1}}}", "{'caps':{'tools':'text','form':{'url':null}}}");
	KEEPS("{'few':{'x':'" HUNDRED "'}}", "{'few':{}}");
}

/* --- What is too large is as if it had not come */

/* 'most' and its value may take 16 bytes, of which its name takes 9, and a text 5 and its bytes. */
static void test_most(void **state)
{
	(void)state;
	KEEPS("{'most':'ab','name':1}", "{'most':'ab','name':1}");
	KEEPS("{'most':'abc','name':1}", "{'name':1}");
	KEEPS("{'most':12}", "{'most':12}");
	KEEPS_NOTHING("{'most':123}");
	KEEPS("{'most':[true,true]}", "{'most':[true,true]}");
	KEEPS_NOTHING("{'most':[true,true,true]}");
	KEEPS("{'most':{},'name':1}", "{'most':{},'name':1}");
	KEEPS("{'most':'" HUNDRED HUNDRED "','name':1}", "{'name':1}");
	KEEPS("{'name':1,'most':{'x':{'name':2,'y':[1" HUNDRED "]}}}", "{'name':1}");
	KEEPS("{'most':'abc','most':'ab','most':[[[]]],'most':1}", "{'most':'ab','most':1}");
	KEEPS_NOTHING("{'longname':true}");
	KEEPS("{'few':5,'few':'abc','few':'abcd','few':[1" HUNDRED "]}", "{'few':5,'few':'abc','few':[]}");
}

static void test_most_in_an_object(void **state)
{
	(void)state;
	KEEPS("{'meta':{'token':'abcde','x':1}}", "{'meta':{'token':'abcde'}}");
	KEEPS("{'meta':{'token':'abcdef'}}", "{'meta':{}}");
	KEEPS("{'meta':{'token':'" HUNDRED "','x':1,'org.example/level':2},'name':3}", "{'meta':{'level':2},'name':3}");
}

/* It is what the last name of the path may take, not those in front of it. */
static void test_most_of_the_last_name(void **state)
{
	(void)state;
	KEEPS("{'small':{'tiny':1,'tiny':true,'tiny':null}}", "{'small':{'tiny':true,'tiny':null}}");
}

/* What was limited in a message that has broken off limits nothing in the next one. */
static void test_behind_a_broken_message(void **state)
{
	(void)state;
	in_every_cut("{'jsonrpc':'2.0','id':1,'method':'list','params':{'name':1,'most':12!\n" REQUEST_WITH("2", "list", "{'name':'abcdef','x':1}"),
		PARSE_ERROR RESULT("2", "{'name':'abcdef'}"));
	in_every_cut("{'jsonrpc':'2.0','id':1,'method':'list','params':{'meta':{'token':'a!\n" REQUEST_WITH("2", "list", "{'name':1,'token':1,'x':{}}"),
		PARSE_ERROR RESULT("2", "{'name':1}"));
}

/* --- Where nothing is listed */

static void test_params_in_front_of_the_method(void **state)
{
	(void)state;
	in_every_cut("{'params':{'x':[{'y':1}],'name':2,'most':'abc','meta':{'org.example/level':3}},'jsonrpc':'2.0','id':1,'method':'list'}",
		RESULT("1", "{'x':[{'y':1}],'name':2,'most':'abc','meta':{'org.example/level':3}}"));
}

/* Where all methods are listed it may be stored as theirs: what nobody reads takes no room there either. */
static void test_params_in_front_of_methods_that_are_all_listed(void **state)
{
	static const quash_method listed[] = {
		{ .name = "list", .handler = echo, .marks = QUASH_LISTED },
		{ .name = "note", .handler = note, .marks = QUASH_LISTED | QUASH_NOTIFICATION },
		{ .name = "", .handler = echo, .marks = QUASH_LISTED },
	};
	(void)state;
	set_up_with(40);
	device.config.methods = listed;
	device.config.method_count = COUNT_OF(listed);
	device_begin();
	in_every_cut("{'params':{" FOREIGN "'name':'a','meta':{" FOREIGN "'x':1}},'method':'list','id':1,'jsonrpc':'2.0'}",
		RESULT("1", "{'name':'a','meta':{}}"));
	in_every_cut("{'id':1,'params':{" FOREIGN "'name':'a'},'method':'" HUNDRED "','jsonrpc':'2.0'}", RESULT("1", "{'name':'a'}"));
	in_every_cut("{'params':{" FOREIGN "'name':'a'},'method':'note','jsonrpc':'2.0'}",
		"{'jsonrpc':'2.0','method':'noted','params':{'name':'a'}}\n");
	in_every_cut("[{'params':{" FOREIGN "'name':'a'},'method':'list','id':1,'jsonrpc':'2.0'}]",
		"[{'jsonrpc':'2.0','id':1,'result':{'name':'a'}}]\n");
	device.config.method_count = 0;
	device_begin();
	in_every_cut("{'params':{" FOREIGN "'name':'a'},'method':'list','id':1,'jsonrpc':'2.0'}", UNKNOWN("1"));
	device.config.methods = methods; /* one of them is not listed */
	device.config.method_count = COUNT_OF(methods);
	device_begin();
	in_every_cut("{'params':{" FOREIGN "'name':'a'},'method':'list','id':1,'jsonrpc':'2.0'}", TOO_LARGE("1"));
	in_every_cut("{'params':{'x':1,'name':'a'},'method':'all','id':1,'jsonrpc':'2.0'}", RESULT("1", "{'x':1,'name':'a'}"));
}

static void test_array_of_params(void **state)
{
	(void)state;
	KEEPS("[]", "[]");
	KEEPS("[1,{'x':2,'most':'abc'},[3]]", "[1,{'x':2,'most':'abc'},[3]]");
	in_every_cut(REQUEST("1", "list"), RESULT("1", "null"));
	in_every_cut(REQUEST_WITH("1", "list", "5"), INVALID("1"));
	in_every_cut(REQUEST_WITH("1", "list", "'text'"), INVALID("1"));
}

static void test_method_that_is_not_listed(void **state)
{
	(void)state;
	in_every_cut(REQUEST_WITH("1", "all", "{'x':1,'name':2,'most':'abc'}"), RESULT("1", "{'x':1,'name':2,'most':'abc'}"));
	in_every_cut(REQUEST_WITH("1", "other", "{'x':1,'name':2,'most':'abc'}"), RESULT("1", "{'name':2}"));
	in_every_cut(NOTE_WITH("note", "{'x':1,'name':2,'meta':{'x':3}}"),
		"{'jsonrpc':'2.0','method':'noted','params':{'name':2,'meta':{}}}\n");
}

static void test_batch(void **state)
{
	(void)state;
	in_every_cut("[" REQUEST_WITH("1", "list", "{'meta':{'x':1,'token':2}}") "," REQUEST_WITH("2", "all", "{'x':1}") "," REQUEST_WITH(
			     "3", "list", "{'most':'abc','name':3}") "]",
		"[{'jsonrpc':'2.0','id':1,'result':{'meta':{'token':2}}},{'jsonrpc':'2.0','id':2,'result':{'x':1}},"
		"{'jsonrpc':'2.0','id':3,'result':{'name':3}}]\n");
}

/* --- Little room */

static void test_foreign_members_larger_than_the_arena(void **state)
{
	(void)state;
	set_up_with(32);
	KEEPS("{" FOREIGN "'name':'a'}", "{'name':'a'}");
	KEEPS("{'name':'a'," FOREIGN "'y':0}", "{'name':'a'}");
	KEEPS("{'most':'" HUNDRED "','name':'a'}", "{'name':'a'}");
	KEEPS("{'few':{" FOREIGN "'y':0}}", "{'few':{}}");
	in_every_cut(REQUEST_WITH("1", "list", "{'name':'" HUNDRED "'}"), TOO_LARGE("1"));
	in_every_cut(REQUEST_WITH("1", "list", "{'name':'" HUNDRED "'," FOREIGN "'y':0}"), TOO_LARGE("1"));
	in_every_cut(REQUEST_WITH("1", "list", "{'name':'0123456789a','name':1,'x':2}"), TOO_LARGE("1"));
	KEEPS("{'name':'0123456789a'}", "{'name':'0123456789a'}");
	COUNTED(kept, 0);
	set_up_with(40);
	KEEPS("{'meta':{" FOREIGN "'token':1}}", "{'meta':{'token':1}}");
}

/* What has found no room in front of it stays missing. */
static void test_member_dropped_behind_what_has_no_room(void **state)
{
	(void)state;
	for (quash_size size = 32; size < 40; size++) {
		set_up_with(size);
		in_every_cut(REQUEST_WITH("1", "list", "{'name':[[],[],[],[],[],[]],'most':'" HUNDRED "'}"), TOO_LARGE("1"));
	}
}

/* A member that goes gives its room back. */
static void test_room_of_what_is_dropped(void **state)
{
	(void)state;
	set_up_with(32);
	KEEPS("{'most':'abc','name':'0123456789'}", "{'name':'0123456789'}");
	KEEPS("{'most':'" HUNDRED "','most':'" HUNDRED "','name':'0123456789'}", "{'name':'0123456789'}");
	COUNTED(too_large, 0);
	assert_int_equal(device.counters.most_arena, 29);
}

/* The first request takes 29 bytes. */
static void beside_another(quash_size arena_size, const char *params, const char *answer, quash_count kept)
{
	static char message[ROOM_FOR(1000)];
	assert_room(strlen(params) + 100 < sizeof message);
	snprintf(message, sizeof message, REQUEST_WITH("1", "list", "%s"), params);
	const char *const text = kept_quoted(message);
	for (size_t cut = 0; cut <= strlen(text); cut += STRIDE) {
		set_up_with(arena_size);
		say(REQUEST_WITH("2", "hold", "{'name':'0123456789'}"));
		steps(2);
		say_cut(text, cut);
		ANSWERS_AFTER(2, answer);
		COUNTED(kept, kept);
		ANSWERS_TO(NOTE_WITH("$/cancelRequest", "{'id':2}"), 2, RESULT("2", "{'name':'0123456789'}"));
	}
}

static void test_beside_another(void **state)
{
	(void)state;
	beside_another(29 + 22, "{'x':{'name':1,'y':'" HUNDRED "'},'most':'" TEN "'}", RESULT("1", "{}"), 1);
	beside_another(29 + 30, "{'x':{'name':1,'y':'" HUNDRED "'},'name':'a'}", RESULT("1", "{'name':'a'}"), 0);
	beside_another(29 + 20, "{'x':{'name':1,'y':'" HUNDRED "'},'name':'ab'}", BUSY("1"), 1);
	beside_another(29 + 20, "{'x':{'name':1,'y':'" HUNDRED "'},'name':'a'}", RESULT("1", "{'name':'a'}"), 1);
	beside_another(29 + 6, "{'x':{'name':1,'y':'" HUNDRED "'},'y':0}", RESULT("1", "{}"), 1);
}

/* What nobody keeps waits for nothing, however long its name is, and whatever begins with a name that is kept. */
static void test_foreign_names_wait_for_no_room(void **state)
{
	(void)state;
	beside_another(29 + 13, "{'namenamename':1,'" HUNDRED "':'" HUNDRED "','meta>token':true}", RESULT("1", "{}"), 0);
	for (quash_size room = 20; room < 30; room++) {
		const quash_count kept = room < 28;
		beside_another((quash_size)(29 + room), "{'name':2}", RESULT("1", "{'name':2}"), kept);
		beside_another((quash_size)(29 + room), "{'namename':1,'" HUNDRED "':1,'name':2}", RESULT("1", "{'name':2}"), kept);
	}
}

/* The prefix, which is not stored, takes no room either. */
static void test_prefix_takes_no_room(void **state)
{
	(void)state;
	set_up_with(35);
	in_every_cut(REQUEST_WITH("2", "list", "[null,null,null,null]") "\n" REQUEST_WITH("1", "list", "{'meta':{'org.example/level':3}}"),
		RESULT("2", "[null,null,null,null]") RESULT("1", "{'meta':{'level':3}}"));
	COUNTED(busy, 0);
}

/* The other ends while a text is received that then fills the arena. */
static void test_text_moves_with_its_tape(void **state)
{
	const char *const text = kept_quoted(REQUEST_WITH("1", "list", "{'x':'" HUNDRED "','name':'" TEN TEN TEN TEN TEN "'}") "\n");
	const size_t n = strlen(text);
	(void)state;
	for (size_t cut = 0; cut < n; cut += STRIDE) {
		set_up_with(4 + 9 + 55 + 1);
		say(REQUEST_WITH("2", "hold", "{'name':'0123456789'}"));
		steps(2);
		const size_t taken = quash_feed(&device.peer, (const uint8_t *)text, cut);
		(void)quash_cancel(live("2"));
		ANSWERS_AFTER(2, RESULT("2", "{'name':'0123456789'}"));
		feed_on(&text[taken], n - taken);
		ANSWERS_AFTER(2, RESULT("1", "{'name':'" TEN TEN TEN TEN TEN "'}"));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_unknown_members, set_up),
		cmocka_unit_test_setup(test_all_that_a_member_has, set_up),
		cmocka_unit_test_setup(test_similar_names, set_up),
		cmocka_unit_test_setup(test_longer_than_the_word, set_up),
		cmocka_unit_test_setup(test_method_longer_than_the_word, set_up),
		cmocka_unit_test_setup(test_same_member_again, set_up),
		cmocka_unit_test_setup(test_nested, set_up),
		cmocka_unit_test_setup(test_no_object_on_the_way, set_up),
		cmocka_unit_test_setup(test_deeper_path_is_preferred, set_up),
		cmocka_unit_test_setup(test_prefix, set_up),
		cmocka_unit_test_setup(test_bare, set_up),
		cmocka_unit_test_setup(test_most, set_up),
		cmocka_unit_test_setup(test_most_in_an_object, set_up),
		cmocka_unit_test_setup(test_most_of_the_last_name, set_up),
		cmocka_unit_test_setup(test_behind_a_broken_message, set_up),
		cmocka_unit_test_setup(test_params_in_front_of_the_method, set_up),
		cmocka_unit_test(test_params_in_front_of_methods_that_are_all_listed),
		cmocka_unit_test_setup(test_array_of_params, set_up),
		cmocka_unit_test_setup(test_method_that_is_not_listed, set_up),
		cmocka_unit_test_setup(test_batch, set_up),
		cmocka_unit_test_setup(test_foreign_members_larger_than_the_arena, set_up),
		cmocka_unit_test_setup(test_member_dropped_behind_what_has_no_room, set_up),
		cmocka_unit_test_setup(test_room_of_what_is_dropped, set_up),
		cmocka_unit_test_setup(test_beside_another, set_up),
		cmocka_unit_test_setup(test_foreign_names_wait_for_no_room, set_up),
		cmocka_unit_test_setup(test_prefix_takes_no_room, set_up),
		cmocka_unit_test_setup(test_text_moves_with_its_tape, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
