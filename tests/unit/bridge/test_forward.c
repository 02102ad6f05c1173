/* SPDX-License-Identifier: MIT
 * Two hops: what a client says to `front` is asked of the server behind `back`, and the other way round. */
#include "device.h"

#include "quash/forward.h"

#include <stdio.h>

enum { TOKEN = 12, STATE = 256 };

static loop front, back;
static uint64_t front_states[LOOP_SLOTS * STATE / 8], back_states[LOOP_SLOTS * STATE / 8];

/* Both tokens stand a level deeper. */
static const quash_progress_form deep_form = { "told", "mark", { "a.x", "b.y" } };

static const quash_route as_deep = { .to = &back.peer, .progress = &deep_form, .token_size = TOKEN };
static const quash_route to_back = { .to = &back.peer, .progress = &quash_mcp_progress_form, .token_size = TOKEN };
static const quash_route as_lsp = { .to = &back.peer, .progress = &quash_lsp_progress_form, .token_size = TOKEN };
static const quash_route plain = { .to = &back.peer };
static const quash_route renamed = { .to = &back.peer, .method = "other" };
static const quash_route snug = { .to = &back.peer, .token_size = 3 };
static const quash_route to_front = { .to = &front.peer, .progress = &quash_mcp_progress_form };
static const quash_route lsp_to_front = { .to = &front.peer, .progress = &quash_lsp_progress_form };

/* A call of the program's own, in a state that looks like a forwarded request's. */
static int32_t own(quash_request *request, quash_value params)
{
	quash_forwarded *const f = quash_state(request);
	(void)params;
	if (!quash_call_in_use(&f->call)) {
		*f = (quash_forwarded){
			.call = { .method = "own" }, .route = &to_back, .kind = { QUASH_STRING }
		};
		quash_ask_for(request, &back.peer, &f->call);
	}
	return QUASH_PENDING;
}

static const quash_method front_methods[] = {
	{ .name = "work", .handler = quash_forward, .data = &to_back, .marks = QUASH_LONG },
	{ .name = "build", .handler = quash_forward, .data = &as_lsp, .marks = QUASH_LONG },
	{ .name = "plain", .handler = quash_forward, .data = &plain, .marks = QUASH_LONG },
	{ .name = "mine", .handler = quash_forward, .data = &renamed, .marks = QUASH_LONG },
	{ .name = "prompt", .handler = quash_forward, .data = &plain, .marks = QUASH_LONG | QUASH_PARTIAL },
	{ .name = "short", .handler = quash_forward, .data = &plain },
	{ .name = "hint", .handler = quash_relay, .data = &plain, .marks = QUASH_NOTIFICATION },
};

static const quash_method back_methods[] = {
	{ .name = "notifications/progress",
	  .handler = quash_forward_progress,
	  .data = &to_front,
	  .marks = QUASH_NOTIFICATION },
	{ .name = "$/progress",
	  .handler = quash_forward_progress,
	  .data = &lsp_to_front,
	  .marks = QUASH_NOTIFICATION },
	{ .name = "update", .handler = quash_relay, .data = &to_front, .marks = QUASH_NOTIFICATION },
	{ .name = "ask", .handler = quash_forward, .data = &to_front, .marks = QUASH_LONG },
};

/* For single tests: what a board's firmware does not name takes no room there. */
static const quash_method rare_methods[] = {
	{ .name = "snug", .handler = quash_forward, .data = &snug, .marks = QUASH_LONG },
	{ .name = "deep", .handler = quash_forward, .data = &as_deep, .marks = QUASH_LONG },
	{ .name = "own", .handler = own },
	{ .name = "dropped", .handler = quash_forward, .data = &plain, .marks = QUASH_LONG | QUASH_DROPS },
	{ .name = "tip", .handler = quash_relay, .data = &renamed, .marks = QUASH_NOTIFICATION },
	{ .name = "mirror", .handler = quash_relay, .data = &plain, .marks = QUASH_NOTIFICATION },
	{ .name = "update", .handler = quash_relay, .data = &to_front, .marks = QUASH_NOTIFICATION },
};

static void use_rare_methods(loop *l)
{
	l->config.methods = rare_methods;
	l->config.method_count = COUNT_OF(rare_methods);
	loop_start(l);
}

static void use(loop *l, const quash_dialect *dialect, const quash_method *methods, uint8_t count, uint64_t *states)
{
	loop_init(l, dialect, methods, count);
	l->config.states = states;
	l->config.state_size = STATE;
	memset(states, 0, sizeof front_states);
}

static void begin(const quash_dialect *dialect, quash_size tx, quash_size arena)
{
	use(&front, dialect, front_methods, COUNT_OF(front_methods), front_states);
	use(&back, dialect, back_methods, COUNT_OF(back_methods), back_states);
	front.config.tx_size = tx;
	back.config.tx_size = tx;
	back.config.arena_size = arena;
	loop_start(&front);
	loop_start(&back);
}

static int set_up(void **state)
{
	(void)state;
	begin(&quash_acp, LOOP_TX, LOOP_ARENA);
	return 0;
}

static void turns(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		(void)loop_step(&front, 1);
		(void)loop_step(&back, 1);
	}
}

static void client_says(const char *message)
{
	loop_say_message(&front, quoted(message));
	turns(3);
}

static void server_says(const char *message)
{
	loop_say_message(&back, quoted(message));
	turns(3);
}

static void heard_by(loop *l, const char *expected, const char *file, int line)
{
	const char *const heard = loop_heard(l);
	if (strcmp(heard, quoted(expected)) != 0) {
		print_error("%s:%d: \"%s\" != \"%s\"\n", file, line, heard, quoted(expected));
		fail();
	}
}

#define CLIENT_HEARS(expected) heard_by(&front, expected, UNIT_FILE, __LINE__)
#define SERVER_HEARS(expected) heard_by(&back, expected, UNIT_FILE, __LINE__)
#define ANSWER(id, value)      "{'jsonrpc':'2.0','id':" id ",'result':" value "}"
#define REFUSAL(id, error)     "{'jsonrpc':'2.0','id':" id ",'error':" error "}"

/* --- Answers */

static void test_result(void **state)
{
	(void)state;
	client_says(REQUEST_WITH("'a'", "plain", "{'x': [1, 2.50, {}], 'y' : null}"));
	CLIENT_HEARS("");
	SERVER_HEARS(REQUEST_WITH("1", "plain", "{'x':[1,2.50,{}],'y':null}") "\n");
	server_says(ANSWER("1", "{'done':true}"));
	CLIENT_HEARS(RESULT("'a'", "{'done':true}"));
	SERVER_HEARS("");
	assert_int_equal(quash_call_count(&back.peer), 0);
	assert_int_equal(quash_live_count(&front.peer), 0);
}

static void test_without_params_and_by_another_name(void **state)
{
	(void)state;
	client_says(REQUEST("1", "mine"));
	SERVER_HEARS(REQUEST("1", "other") "\n");
	server_says(ANSWER("1", "null"));
	CLIENT_HEARS(RESULT("1", "null"));
}

static void test_errors_come_back_as_they_are(void **state)
{
	static const char *const errors[] = {
		"{'code':-7,'message':'no','data':{'a':[]},'extra':1}", "{'message':'first','code':-32800}", "'text'"
	};
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(errors); i++) {
		char text[200];
		begin(&quash_acp, LOOP_TX, LOOP_ARENA);
		client_says(REQUEST_WITH("9", "plain", "[]"));
		SERVER_HEARS(REQUEST_WITH("1", "plain", "[]") "\n");
		snprintf(text, sizeof text, REFUSAL("1", "%s"), errors[i]);
		server_says(text);
		snprintf(text, sizeof text, REFUSAL("9", "%s") "\n", errors[i]);
		CLIENT_HEARS(text);
		assert_int_equal(front.peer.counters.errors, 1);
	}
}

static void test_several_at_once_out_of_order(void **state)
{
	(void)state;
	client_says(REQUEST_WITH("5", "plain", "[5]"));
	client_says(REQUEST_WITH("'5'", "plain", "['5']"));
	SERVER_HEARS(REQUEST_WITH("1", "plain", "[5]") "\n" REQUEST_WITH("2", "plain", "['5']") "\n");
	server_says(ANSWER("2", "'second'"));
	CLIENT_HEARS(RESULT("'5'", "'second'"));
	server_says(ANSWER("1", "'first'"));
	CLIENT_HEARS(RESULT("5", "'first'"));
}

static void test_the_other_way_round(void **state)
{
	(void)state;
	server_says(REQUEST_WITH("1", "ask", "{'q':1}"));
	CLIENT_HEARS(REQUEST_WITH("1", "ask", "{'q':1}") "\n");
	client_says(ANSWER("1", "{'a':1}"));
	SERVER_HEARS(RESULT("1", "{'a':1}"));
}

/* --- Longer than memory */

static void test_longer_than_tx(void **state)
{
	static const quash_dialect *const dialects[] = { &quash_acp, &quash_lsp };
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(dialects); i++) {
		begin(dialects[i], QUASH_TX_MIN, LOOP_ARENA);
		client_says(REQUEST_WITH("1", "plain",
			"{'x':'0123456789012345678901234567890123456789012345678901234567890123456789'}"));
		turns(20);
		assert_non_null(strstr(loop_heard(&back), "23456789\"}}"));
		server_says(ANSWER("1",
			"'0123456789012345678901234567890123456789012345678901234567890123456789'"));
		turns(20);
		assert_non_null(strstr(loop_heard(&front), "\"id\":1,\"result\":\"01234"));
		assert_int_equal(back.peer.counters.changed + front.peer.counters.changed, 0);
		assert_int_equal(quash_live_count(&front.peer), 0);
	}
}

static void test_an_answer_too_large_for_the_arena(void **state)
{
	(void)state;
	begin(&quash_acp, LOOP_TX, 32);
	client_says(REQUEST("1", "plain"));
	server_says(ANSWER("1", "'0123456789012345678901234567890123456789'"));
	CLIENT_HEARS(TOO_LARGE("1"));
}

static void test_no_room_for_the_state(void **state)
{
	(void)state;
	front.config.state_size = 8;
	loop_start(&front);
	client_says(REQUEST("1", "plain"));
	CLIENT_HEARS(INTERNAL("1"));
	SERVER_HEARS("");
}

static void test_room_for_the_state_and_no_more(void **state)
{
	(void)state;
	front.config.state_size = QUASH_FORWARD_STATE(3);
	use_rare_methods(&front);
	client_says(REQUEST("1", "snug"));
	SERVER_HEARS(REQUEST("1", "snug") "\n");
}

/* --- Cancels */

static void test_cancel_goes_down_with_that_hops_id(void **state)
{
	(void)state;
	client_says(REQUEST("77", "plain"));
	SERVER_HEARS(REQUEST("1", "plain") "\n");
	client_says(CANCEL("77"));
	SERVER_HEARS(CANCEL("1") "\n");
	CLIENT_HEARS(CANCELLED("77"));
	server_says(REFUSAL("1", "{'code':-32800,'message':'Request cancelled'}"));
	CLIENT_HEARS("");
	assert_int_equal(back.peer.counters.late_responses, 1);
	assert_int_equal(quash_live_count(&front.peer), 0);
	client_says(CANCEL("77"));
	SERVER_HEARS("");
}

static void test_cancel_in_silence(void **state)
{
	(void)state;
	begin(&quash_mcp, LOOP_TX, LOOP_ARENA);
	client_says(REQUEST("77", "plain"));
	SERVER_HEARS(REQUEST("1", "plain") "\n");
	client_says(MCP_CANCEL("77"));
	SERVER_HEARS(MCP_CANCEL("1") "\n");
	server_says(ANSWER("1", "'late'"));
	CLIENT_HEARS("");
	assert_int_equal(quash_live_count(&front.peer), 0);
}

static void test_cancel_that_waits_for_what_comes_from_behind(void **state)
{
	(void)state;
	client_says(REQUEST("1", "prompt"));
	client_says(CANCEL("1"));
	SERVER_HEARS(REQUEST("1", "prompt") "\n" CANCEL("1") "\n");
	CLIENT_HEARS("");
	server_says(ANSWER("1", "{'stopReason':'cancelled'}"));
	CLIENT_HEARS(RESULT("1", "{'stopReason':'cancelled'}"));
}

static void test_cancel_of_what_is_not_written(void **state)
{
	(void)state;
	back.stalled = true;
	begin(&quash_acp, 80, LOOP_ARENA);
	back.stalled = true;
	client_says(REQUEST_WITH("1", "plain", "'no'"));
	CLIENT_HEARS(INVALID("1"));
	client_says(REQUEST_WITH("1", "plain", "['0123456789']"));
	client_says(REQUEST_WITH("2", "plain", "['0123456789']"));
	client_says(CANCEL("2"));
	CLIENT_HEARS(CANCELLED("2"));
	assert_int_equal(quash_live_count(&front.peer), 1);
	back.stalled = false;
	turns(3);
	SERVER_HEARS(REQUEST_WITH("1", "plain", "['0123456789']") "\n");
}

static void test_cancel_while_tx_is_stalled(void **state)
{
	(void)state;
	begin(&quash_acp, 80, LOOP_ARENA);
	back.stalled = true;
	client_says(REQUEST_WITH("1", "plain", "['01234567890123']"));
	client_says(CANCEL("1"));
	CLIENT_HEARS(CANCELLED("1"));
	assert_int_equal(quash_live_count(&front.peer), 1); /* until the cancel is written */
	back.stalled = false;
	turns(3);
	SERVER_HEARS(REQUEST_WITH("1", "plain", "['01234567890123']") "\n" CANCEL("1") "\n");
	assert_int_equal(quash_live_count(&front.peer), 0);
}

static void test_answer_before_the_owed_cancel_is_written(void **state)
{
	(void)state;
	begin(&quash_acp, 80, LOOP_ARENA);
	client_says(REQUEST_WITH("1", "plain", "['01234567890123']"));
	SERVER_HEARS(REQUEST_WITH("1", "plain", "['01234567890123']") "\n");
	back.stalled = true;
	server_says(REQUEST("'x'", "0123456789012345678901234567"));
	client_says(CANCEL("1"));
	server_says(ANSWER("1", "1"));
	CLIENT_HEARS(CANCELLED("1"));
	back.stalled = false;
	turns(3);
	SERVER_HEARS(UNKNOWN("'x'"));
	assert_int_equal(quash_live_count(&front.peer), 0);
}

/* --- Links */

static void test_the_link_behind_is_lost(void **state)
{
	(void)state;
	client_says(REQUEST("1", "plain"));
	quash_gone(&back.peer);
	turns(3);
	CLIENT_HEARS(ERROR("1", "-32012", "Link lost"));
	client_says(REQUEST("2", "plain"));
	CLIENT_HEARS(ERROR("2", "-32012", "Link lost"));
}

static void test_the_server_has_finished_speaking(void **state)
{
	(void)state;
	client_says(REQUEST("1", "plain"));
	quash_end(&back.peer);
	turns(3);
	CLIENT_HEARS(ERROR("1", "-32012", "Link lost"));
}

static void test_the_link_in_front_is_lost(void **state)
{
	(void)state;
	client_says(REQUEST("1", "plain"));
	SERVER_HEARS(REQUEST("1", "plain") "\n");
	quash_gone(&front.peer);
	turns(3);
	SERVER_HEARS(CANCEL("1") "\n");
	assert_int_equal(quash_live_count(&front.peer), 0);
	assert_int_equal(quash_call_count(&back.peer), 0);
}

/* --- Progress and other notifications */

static void asks_for_progress(const char *token, const char *told)
{
	char text[300];
	begin(&quash_mcp, LOOP_TX, LOOP_ARENA);
	snprintf(text, sizeof text, REQUEST_WITH("3", "work", "{'_meta':{'a':1,'progressToken':%s},'b':[]}"), token);
	client_says(text);
	if (told == NULL) {
		SERVER_HEARS(REQUEST_WITH("1", "work", "{'_meta':{'a':1},'b':[]}") "\n");
		return;
	}
	SERVER_HEARS(REQUEST_WITH("1", "work", "{'_meta':{'a':1,'progressToken':'w1'},'b':[]}") "\n");
	server_says(NOTE_WITH("notifications/progress", "{'progressToken':'w1','progress':1.50,'message':'m'}"));
	snprintf(text, sizeof text,
		NOTE_WITH("notifications/progress", "{'progressToken':%s,'progress':1.50,'message':'m'}") "\n", told);
	CLIENT_HEARS(text);
}

static void test_progress_comes_back_under_its_token(void **state)
{
	(void)state;
	asks_for_progress("0", "0");
	asks_for_progress("'0'", "'0'");
	asks_for_progress("'a\\nb'", "'a\\nb'");
	asks_for_progress("''", "''");
	asks_for_progress("'123456789012'", "'123456789012'");
	asks_for_progress("'1234567890123'", NULL);
	asks_for_progress("null", NULL);
	asks_for_progress("{}", NULL);
}

/* The call's id is 10: what would make 10 in some other way is not its token. */
static void test_progress_of_nobody(void **state)
{
	static const char *const tokens[] = { "'w2'", "'p10'", "'w'", "'x10'", "10", "'w010x'",
		"'w99999999999'", "null", "'w2&'", "'w:'", "'w00000000010'", "'w4294967306'", "{'w10':1}",
		"['w10']" };
	(void)state;
	begin(&quash_mcp, LOOP_TX, LOOP_ARENA);
	back.peer.last_id = 9;
	client_says(REQUEST_WITH("3", "work", "{'_meta':{'progressToken':4}}"));
	for (unsigned i = 0; i < COUNT_OF(tokens); i++) {
		char text[200];
		snprintf(text, sizeof text, NOTE_WITH("notifications/progress", "{'progressToken':%s}"), tokens[i]);
		server_says(text);
	}
	server_says(NOTE("notifications/progress"));
	CLIENT_HEARS("");
	server_says(NOTE_WITH("notifications/progress", "{'progressToken':'w10'}"));
	CLIENT_HEARS(NOTE_WITH("notifications/progress", "{'progressToken':4}") "\n");
}

static void test_progress_of_the_last_call(void **state)
{
	(void)state;
	begin(&quash_mcp, LOOP_TX, LOOP_ARENA);
	back.peer.last_id = INT32_MAX - 1;
	client_says(REQUEST_WITH("3", "work", "{'_meta':{'progressToken':4}}"));
	SERVER_HEARS(REQUEST_WITH("2147483647", "work", "{'_meta':{'progressToken':'w2147483647'}}") "\n");
	server_says(NOTE_WITH("notifications/progress", "{'progressToken':'w2147483647'}"));
	CLIENT_HEARS(NOTE_WITH("notifications/progress", "{'progressToken':4}") "\n");
}

static void test_progress_of_a_call_that_is_not_forwarded(void **state)
{
	(void)state;
	use_rare_methods(&front);
	client_says(REQUEST("3", "own"));
	SERVER_HEARS(REQUEST("1", "own") "\n");
	server_says(NOTE_WITH("notifications/progress", "{'progressToken':'w1'}"));
	CLIENT_HEARS("");
}

/* What looks like the place of a token, and is none, goes on as it is. */
static void test_params_that_only_resemble(void **state)
{
	static const char *const both[] = { "[1,{'_meta':{}}]", "{'_meta':7,'b':1}",
		"{'_meta':['progressToken']}", "{'_met':{'a':1}}", "{'progressToken':1}",
		"{'a':{'_meta':{'progressToken':1}}}" };
	static const char *const lsp[] = { "{'work':{'DoneToken':7}}", "{'workDoneTokens':7}",
		"{'':{'workDoneToken':7}}" };
	char text[200];
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(both) + COUNT_OF(lsp); i++) {
		const bool mcp = i < COUNT_OF(both);
		const char *const method = mcp ? "work" : "build";
		begin(&quash_acp, LOOP_TX, LOOP_ARENA);
		snprintf(text, sizeof text, REQUEST_WITH("1", "%s", "%s") "\n", method,
			mcp ? both[i] : lsp[i - COUNT_OF(both)]);
		client_says(text);
		SERVER_HEARS(text);
	}
}

static void test_two_tokens_in_depth(void **state)
{
	(void)state;
	use_rare_methods(&front);
	client_says(REQUEST_WITH("3", "deep", "{'b':{'y':1,'x':2},'a':{'y':3,'x':4}}"));
	SERVER_HEARS(REQUEST_WITH("1", "deep", "{'b':{'y':'p1','x':2},'a':{'y':3,'x':'w1'}}") "\n");
}

static void test_progress_right_before_the_answer(void **state)
{
	(void)state;
	begin(&quash_mcp, LOOP_TX, LOOP_ARENA);
	client_says(REQUEST_WITH("3", "work", "{'_meta':{'progressToken':4}}"));
	loop_say_message(&back, quoted(NOTE_WITH("notifications/progress", "{'progressToken':'w1','progress':1}")));
	loop_say_message(&back, quoted(ANSWER("1", "{}")));
	loop_say_message(&back, quoted(NOTE_WITH("notifications/progress", "{'progressToken':'w1','progress':2}")));
	turns(1);
	server_says(NOTE_WITH("notifications/progress", "{'progressToken':'w1','progress':3}"));
	turns(3);
	const char *const heard = loop_heard(&front);
	assert_non_null(strstr(heard, quoted("'progress':1")));
	assert_null(strstr(strstr(heard, "result"), quoted("'progress'")));
}

static void test_no_progress_after_a_cancel(void **state)
{
	(void)state;
	begin(&quash_mcp, LOOP_TX, LOOP_ARENA);
	client_says(REQUEST_WITH("3", "work", "{'_meta':{'progressToken':4}}"));
	client_says(MCP_CANCEL("3"));
	server_says(NOTE_WITH("notifications/progress", "{'progressToken':'w1','progress':1}"));
	CLIENT_HEARS("");
}

/* The answer is heard, but the client's request has not been called again yet. */
static void test_no_progress_behind_the_answer(void **state)
{
	(void)state;
	begin(&quash_mcp, LOOP_TX, LOOP_ARENA);
	client_says(REQUEST_WITH("3", "work", "{'_meta':{'progressToken':4}}"));
	loop_say_message(&back, quoted(ANSWER("1", "{}")));
	(void)loop_step(&back, 1);
	loop_say_message(&back, quoted(NOTE_WITH("notifications/progress", "{'progressToken':'w1'}")));
	(void)loop_step(&back, 1);
	turns(3);
	CLIENT_HEARS(RESULT("3", "{}"));
}

static void test_no_progress_while_the_cancel_waits_for_room(void **state)
{
	(void)state;
	begin(&quash_acp, 96, LOOP_ARENA);
	back.stalled = true;
	client_says(REQUEST_WITH("3", "work", "{'_meta':{'progressToken':4}}"));
	client_says(CANCEL("3"));
	CLIENT_HEARS(CANCELLED("3"));
	server_says(NOTE_WITH("notifications/progress", "{'progressToken':'w1'}"));
	CLIENT_HEARS("");
	assert_int_equal(quash_live_count(&front.peer), 1);
}

static void test_two_tokens(void **state)
{
	(void)state;
	client_says(REQUEST_WITH("3", "build", "{'partialResultToken':'p','a':1,'workDoneToken':7}"));
	SERVER_HEARS(REQUEST_WITH("1", "build", "{'partialResultToken':'p1','a':1,'workDoneToken':'w1'}") "\n");
	server_says(NOTE_WITH("$/progress", "{'token':'w1','value':{'kind':'begin'}}"));
	server_says(NOTE_WITH("$/progress", "{'token':'p1','value':[1]}"));
	CLIENT_HEARS(NOTE_WITH("$/progress", "{'token':7,'value':{'kind':'begin'}}") "\n"
		NOTE_WITH("$/progress", "{'token':'p','value':[1]}") "\n");
	server_says(NOTE_WITH("$/progress", "{'token':'x1','value':[1]}"));
	CLIENT_HEARS("");
}

static void test_two_tokens_of_the_longest(void **state)
{
	(void)state;
	client_says(REQUEST_WITH(
		"3", "build", "{'partialResultToken':210987654321,'workDoneToken':123456789012}"));
	server_says(NOTE_WITH("$/progress", "{'token':'w1'}"));
	server_says(NOTE_WITH("$/progress", "{'token':'p1'}"));
	CLIENT_HEARS(NOTE_WITH("$/progress", "{'token':123456789012}") "\n" NOTE_WITH(
		"$/progress", "{'token':210987654321}") "\n");
}

/* In a TX of whatever size: a short one behind that would fit has to wait too. */
static void test_relay_in_order_and_before_the_answer(void **state)
{
	(void)state;
	for (quash_size tx = 96; tx <= LOOP_TX && tx < 260; tx = (quash_size)(tx + 8)) {
		begin(&quash_acp, tx, LOOP_ARENA);
		client_says(REQUEST("1", "plain"));
		front.stalled = true;
		server_says(NOTE_WITH("update", "{'n':1,'text':'0123456789'}"));
		server_says(NOTE_WITH("update", "{'n':2,'text':'01234567890123456789'}"));
		server_says(NOTE_WITH("update", "{'n':3}"));
		server_says(ANSWER("1", "{}"));
		front.stalled = false;
		turns(6);
		CLIENT_HEARS(NOTE_WITH("update", "{'n':1,'text':'0123456789'}") "\n" NOTE_WITH(
			"update", "{'n':2,'text':'01234567890123456789'}") "\n" NOTE_WITH("update",
			"{'n':3}") "\n" RESULT("1", "{}"));
	}
}

/* What waits for one peer holds up nothing that is relayed to another. */
static void test_relay_past_what_waits_for_another_peer(void **state)
{
	(void)state;
	begin(&quash_acp, 96, LOOP_ARENA);
	use_rare_methods(&back);
	back.stalled = true;
	server_says(NOTE_WITH("mirror", "{'n':1,'text':'0123456789'}"));
	server_says(NOTE_WITH("mirror", "{'n':2,'text':'0123456789'}"));
	server_says(NOTE_WITH("update", "[1]"));
	CLIENT_HEARS(NOTE_WITH("update", "[1]") "\n");
	back.stalled = false;
	turns(3);
	SERVER_HEARS(NOTE_WITH("mirror", "{'n':1,'text':'0123456789'}") "\n" NOTE_WITH(
		"mirror", "{'n':2,'text':'0123456789'}") "\n");
}

static void test_relay_past_a_forwarded_request(void **state)
{
	(void)state;
	server_says(REQUEST("1", "ask"));
	CLIENT_HEARS(REQUEST("1", "ask") "\n");
	server_says(NOTE_WITH("update", "[1]"));
	CLIENT_HEARS(NOTE_WITH("update", "[1]") "\n");
}

/* A name with a dot in it is no path. */
static void test_member_named_like_a_path(void **state)
{
	(void)state;
	client_says(REQUEST_WITH("1", "work", "{'_meta.progressToken':7}"));
	SERVER_HEARS(REQUEST_WITH("1", "work", "{'_meta.progressToken':7}") "\n");
}

/* What is refused has no method, and stands among the requests until there is room for that. */
static void test_relay_beside_a_refusal(void **state)
{
	(void)state;
	begin(&quash_acp, 64, LOOP_ARENA);
	client_says(REQUEST_WITH("1", "plain", "['01234567890123456789012345678901234567890123456789']"));
	back.stalled = true;
	client_says(REQUEST_WITH("2", "plain", "['01234567890123456789012345678901234567890123456789']"));
	server_says(REQUEST("'x'", "nothing"));
	server_says(NOTE_WITH("update", "[1]"));
	back.stalled = false;
	turns(9);
	CLIENT_HEARS(NOTE_WITH("update", "[1]") "\n");
	server_says(ANSWER("1", "1"));
	CLIENT_HEARS(RESULT("1", "1"));
}

/* The call is half written when its request is dropped, and needs what that has asked to its end. */
static void test_dropped_while_it_is_asked(void **state)
{
	(void)state;
	begin(&quash_acp, 64, LOOP_ARENA);
	use_rare_methods(&front);
	loop_say_message(&front, quoted(REQUEST_WITH("1", "dropped", "['01234567890123456789012345678901234567890123456789']")));
	(void)loop_step(&front, 1);
	client_says(CANCEL("1"));
	CLIENT_HEARS(CANCELLED("1"));
	turns(6);
	SERVER_HEARS(REQUEST_WITH("1", "dropped", "['01234567890123456789012345678901234567890123456789']") "\n" CANCEL("1") "\n");
	assert_int_equal(back.peer.counters.changed, 0);
	assert_int_equal(quash_live_count(&front.peer), 0);
}

static void test_relay_to_the_server(void **state)
{
	(void)state;
	client_says(NOTE_WITH("hint", "[1]"));
	client_says(NOTE("hint"));
	SERVER_HEARS(NOTE_WITH("hint", "[1]") "\n" NOTE_WITH("hint", "{}") "\n");
	use_rare_methods(&front);
	client_says(NOTE_WITH("tip", "[2]"));
	SERVER_HEARS(NOTE_WITH("other", "[2]") "\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_result, set_up),
		cmocka_unit_test_setup(test_without_params_and_by_another_name, set_up),
		cmocka_unit_test_setup(test_errors_come_back_as_they_are, set_up),
		cmocka_unit_test_setup(test_several_at_once_out_of_order, set_up),
		cmocka_unit_test_setup(test_the_other_way_round, set_up),
		cmocka_unit_test_setup(test_longer_than_tx, set_up),
		cmocka_unit_test_setup(test_an_answer_too_large_for_the_arena, set_up),
		cmocka_unit_test_setup(test_no_room_for_the_state, set_up),
		cmocka_unit_test_setup(test_room_for_the_state_and_no_more, set_up),
		cmocka_unit_test_setup(test_cancel_goes_down_with_that_hops_id, set_up),
		cmocka_unit_test_setup(test_cancel_in_silence, set_up),
		cmocka_unit_test_setup(test_cancel_that_waits_for_what_comes_from_behind, set_up),
		cmocka_unit_test_setup(test_cancel_of_what_is_not_written, set_up),
		cmocka_unit_test_setup(test_cancel_while_tx_is_stalled, set_up),
		cmocka_unit_test_setup(test_answer_before_the_owed_cancel_is_written, set_up),
		cmocka_unit_test_setup(test_the_link_behind_is_lost, set_up),
		cmocka_unit_test_setup(test_the_server_has_finished_speaking, set_up),
		cmocka_unit_test_setup(test_the_link_in_front_is_lost, set_up),
		cmocka_unit_test_setup(test_progress_comes_back_under_its_token, set_up),
		cmocka_unit_test_setup(test_progress_of_nobody, set_up),
		cmocka_unit_test_setup(test_progress_of_the_last_call, set_up),
		cmocka_unit_test_setup(test_progress_of_a_call_that_is_not_forwarded, set_up),
		cmocka_unit_test_setup(test_params_that_only_resemble, set_up),
		cmocka_unit_test_setup(test_two_tokens_in_depth, set_up),
		cmocka_unit_test_setup(test_progress_right_before_the_answer, set_up),
		cmocka_unit_test_setup(test_no_progress_after_a_cancel, set_up),
		cmocka_unit_test_setup(test_no_progress_behind_the_answer, set_up),
		cmocka_unit_test_setup(test_no_progress_while_the_cancel_waits_for_room, set_up),
		cmocka_unit_test_setup(test_two_tokens, set_up),
		cmocka_unit_test_setup(test_two_tokens_of_the_longest, set_up),
		cmocka_unit_test_setup(test_relay_in_order_and_before_the_answer, set_up),
		cmocka_unit_test_setup(test_relay_past_what_waits_for_another_peer, set_up),
		cmocka_unit_test_setup(test_relay_past_a_forwarded_request, set_up),
		cmocka_unit_test_setup(test_member_named_like_a_path, set_up),
		cmocka_unit_test_setup(test_relay_beside_a_refusal, set_up),
		cmocka_unit_test_setup(test_dropped_while_it_is_asked, set_up),
		cmocka_unit_test_setup(test_relay_to_the_server, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
