/* SPDX-License-Identifier: MIT
 * Two hops: what a client sends to `front` is asked of the server behind `back`, and the other way round. */
#include "device.h"

#include "quash/forward.h"

#include <stdio.h>

enum { TOKEN = 12, STATE = 256 };

static loop front, back;
static uint64_t front_states[LOOP_SLOTS * STATE / 8], back_states[LOOP_SLOTS * STATE / 8];

/* Both tokens stand a level deeper. */
static const quash_progress_form deep_form = { "progress", "mark", { "a.x", "b.y" } };

static const quash_route as_deep = { .to = &back.peer, .progress = &deep_form, .token_size = TOKEN };
static const quash_route to_back = { .to = &back.peer, .progress = &quash_mcp_progress_form, .token_size = TOKEN };
static const quash_route as_lsp = { .to = &back.peer, .progress = &quash_lsp_progress_form, .token_size = TOKEN };
static const quash_route plain = { .to = &back.peer };
static const quash_route renamed = { .to = &back.peer, .method = "other" };
static const quash_route snug = { .to = &back.peer, .token_size = 3 };
static const quash_route snug_as_lsp = { .to = &back.peer, .progress = &quash_lsp_progress_form, .token_size = 3 };
static const quash_route to_front = { .to = &front.peer, .progress = &quash_mcp_progress_form };
static const quash_route lsp_to_front = { .to = &front.peer, .progress = &quash_lsp_progress_form };

/* A call of the program's own, in a state that looks like a forwarded request's. */
static int32_t own(quash_request *request)
{
	quash_forwarded *const f = QUASH_STATE(quash_forwarded, request);
	if (!quash_call_in_use(&f->call)) {
		*f = (quash_forwarded){
			.call = { .method = "own" }, .route = &to_back, .kind = { QUASH_STRING }
		};
		quash_call_start_for(request, &back.peer, &f->call);
	}
	return QUASH_PENDING;
}

static int32_t no_end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static const quash_method front_methods[] = {
	{ .name = "work", .handler = quash_forward, .data = &to_back, .state_size = QUASH_FORWARD_STATE(TOKEN) },
	{ .name = "build", .handler = quash_forward, .data = &as_lsp, .state_size = QUASH_FORWARD_STATE(TOKEN) },
	{ .name = "plain", .handler = quash_forward, .data = &plain, .state_size = QUASH_FORWARD_STATE(0) },
	{ .name = "mine", .handler = quash_forward, .data = &renamed, .state_size = QUASH_FORWARD_STATE(0) },
	{ .name = "prompt", .handler = quash_forward, .data = &plain, .state_size = QUASH_FORWARD_STATE(0), .marks = QUASH_PARTIAL },
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
	{ .name = "ask", .handler = quash_forward, .data = &to_front, .state_size = QUASH_FORWARD_STATE(0) },
};

/* For single tests: what a board's firmware does not name takes no room there. */
static const quash_method rare_methods[] = {
	{ .name = "deep", .handler = quash_forward, .data = &as_deep, .state_size = QUASH_FORWARD_STATE(TOKEN) },
	{ .name = "own", .handler = own },
	{ .name = "dropped", .handler = quash_forward, .data = &plain, .state_size = QUASH_FORWARD_STATE(0), .motion = { .end = no_end, .longest = QUASH_NO_LIMIT } },
	{ .name = "tip", .handler = quash_relay, .data = &renamed, .marks = QUASH_NOTIFICATION },
	{ .name = "mirror", .handler = quash_relay, .data = &plain, .marks = QUASH_NOTIFICATION },
	{ .name = "update", .handler = quash_relay, .data = &to_front, .marks = QUASH_NOTIFICATION },
};

/* Names that are not kept. */
static const quash_method nameless_methods[] = {
	{ .name = "", .handler = quash_forward, .data = &plain, .state_size = QUASH_FORWARD_STATE(0) },
	{ .name = "", .handler = quash_relay, .data = &plain, .marks = QUASH_NOTIFICATION },
};
static const quash_method renamed_methods[] = {
	{ .name = "", .handler = quash_forward, .data = &renamed, .state_size = QUASH_FORWARD_STATE(0) },
	{ .name = "", .handler = quash_relay, .data = &renamed, .marks = QUASH_NOTIFICATION },
};

static void use_methods(loop *l, const quash_method *methods, uint8_t count)
{
	l->config.methods = methods;
	l->config.method_count = count;
	loop_start(l);
}

static void use_rare_methods(loop *l)
{
	use_methods(l, rare_methods, COUNT_OF(rare_methods));
}

static void use(loop *l, const quash_dialect *dialect, const quash_method *methods, uint8_t count, uint64_t *states)
{
	loop_init(l, dialect, methods, count);
	l->config.states = states;
	l->config.state_size = STATE;
	l->config.calls = &quash_calls;
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

static int set_up_mcp(void **state)
{
	(void)state;
	begin(&quash_mcp, LOOP_TX, LOOP_ARENA);
	return 0;
}

static void turns(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		(void)loop_step(&front, 1);
		(void)loop_step(&back, 1);
	}
}

/* It takes bytes again. */
static void let_go(loop *l, unsigned n)
{
	l->stalled = false;
	turns(n);
}

static void client_sends(const char *message)
{
	loop_say_message(&front, quoted(message));
	turns(3);
}

static void server_sends(const char *message)
{
	loop_say_message(&back, quoted(message));
	turns(3);
}

static void received_by(loop *l, const char *expected, const char *file, int line)
{
	const char *const heard = loop_heard(l);
	if (strcmp(heard, quoted(expected)) != 0) {
		print_error("%s:%d: \"%s\" != \"%s\"\n", file, line, heard, quoted(expected));
		fail();
	}
}

/* Sent by one, what is then received by the other is this. */
#define PASSED_ON(message, expected) (client_sends(message), SERVER_GETS(expected))
#define PASSED_BACK(message, expected) (server_sends(message), CLIENT_GETS(expected))
#define CLIENT_GETS(expected) received_by(&front, expected, UNIT_FILE, __LINE__)
#define SERVER_GETS(expected) received_by(&back, expected, UNIT_FILE, __LINE__)
#define ANSWER(id, value)      "{'jsonrpc':'2.0','id':" id ",'result':" value "}"
#define REFUSAL(id, error)     "{'jsonrpc':'2.0','id':" id ",'error':" error "}"

/* --- Answers */

static void test_result(void **state)
{
	(void)state;
	client_sends(REQUEST_WITH("'a'", "plain", "{'x': [1, 2.50, {}], 'y' : null}"));
	CLIENT_GETS("");
	SERVER_GETS(REQUEST_WITH("1", "plain", "{'x':[1,2.50,{}],'y':null}") "\n");
	PASSED_BACK(ANSWER("1", "{'done':true}"), RESULT("'a'", "{'done':true}"));
	SERVER_GETS("");
	assert_int_equal(quash_call_count(&back.peer), 0);
	assert_int_equal(quash_live_count(&front.peer), 0);
}

static void test_without_params_and_by_another_name(void **state)
{
	(void)state;
	PASSED_ON(REQUEST("1", "mine"), REQUEST("1", "other") "\n");
	PASSED_BACK(ANSWER("1", "null"), RESULT("1", "null"));
}

static void test_errors_come_back_as_they_are(void **state)
{
	static const char *const errors[] = {
		"{'code':-7,'message':'no','data':{'a':[]},'extra':1}", "{'message':'first','code':-32800}"
	};
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(errors); i++) {
		char text[200];
		begin(&quash_acp, LOOP_TX, LOOP_ARENA);
		PASSED_ON(REQUEST_WITH("9", "plain", "[]"), REQUEST_WITH("1", "plain", "[]") "\n");
		snprintf(text, sizeof text, REFUSAL("1", "%s"), errors[i]);
		server_sends(text);
		snprintf(text, sizeof text, REFUSAL("9", "%s") "\n", errors[i]);
		CLIENT_GETS(text);
		assert_int_equal(front.counters.errors, 1);
	}
}

static void test_errors_without_a_code(void **state)
{
	static const char *const errors[] = {
		"'text'", "{}", "{'code':0,'message':'none'}", "{'code':1.5,'message':'half'}", "{'code':'1','message':'text'}"
	};
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(errors); i++) {
		char text[200];
		begin(&quash_acp, LOOP_TX, LOOP_ARENA);
		client_sends(REQUEST_WITH("9", "plain", "[]"));
		snprintf(text, sizeof text, REFUSAL("1", "%s"), errors[i]);
		PASSED_BACK(text, INTERNAL("9"));
	}
}

static void test_several_at_once_out_of_order(void **state)
{
	(void)state;
	client_sends(REQUEST_WITH("5", "plain", "[5]"));
	PASSED_ON(REQUEST_WITH("'5'", "plain", "['5']"), REQUEST_WITH("1", "plain", "[5]") "\n" REQUEST_WITH("2", "plain", "['5']") "\n");
	PASSED_BACK(ANSWER("2", "'second'"), RESULT("'5'", "'second'"));
	PASSED_BACK(ANSWER("1", "'first'"), RESULT("5", "'first'"));
}

static void test_the_other_way_round(void **state)
{
	(void)state;
	PASSED_BACK(REQUEST_WITH("1", "ask", "{'q':1}"), REQUEST_WITH("1", "ask", "{'q':1}") "\n");
	PASSED_ON(ANSWER("1", "{'a':1}"), RESULT("1", "{'a':1}"));
}

/* --- Longer than memory */

static void test_longer_than_tx(void **state)
{
	static const quash_dialect *const dialects[] = { &quash_acp, &quash_lsp };
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(dialects); i++) {
		begin(dialects[i], QUASH_TX_MIN, LOOP_ARENA);
		client_sends(REQUEST_WITH("1", "plain",
			"{'x':'0123456789012345678901234567890123456789012345678901234567890123456789'}"));
		turns(20);
		assert_non_null(strstr(loop_heard(&back), "23456789\"}}"));
		server_sends(ANSWER("1",
			"'0123456789012345678901234567890123456789012345678901234567890123456789'"));
		turns(20);
		assert_non_null(strstr(loop_heard(&front), "\"id\":1,\"result\":\"01234"));
		assert_int_equal(back.counters.changed + front.counters.changed, 0);
		assert_int_equal(quash_live_count(&front.peer), 0);
	}
}

static void test_an_answer_too_large_for_the_arena(void **state)
{
	(void)state;
	begin(&quash_acp, LOOP_TX, 32);
	client_sends(REQUEST("1", "plain"));
	PASSED_BACK(ANSWER("1", "'0123456789012345678901234567890123456789'"), TOO_LARGE("1"));
}

static void test_no_room_for_the_state(void **state)
{
	static const quash_method method = { .name = "plain", .handler = quash_forward, .data = &plain };
	(void)state;
	front.config.state_size = 8; /* quash_init cannot know: the entry names no size */
	use_methods(&front, &method, 1);
	client_sends(REQUEST("1", "plain"));
	CLIENT_GETS(INTERNAL("1"));
	SERVER_GETS("");
}

static void test_room_for_the_state_and_no_more(void **state)
{
	static const quash_method method = {
		.name = "snug", .handler = quash_forward, .data = &snug, .state_size = QUASH_FORWARD_STATE(3)
	};
	(void)state;
	front.config.state_size = QUASH_FORWARD_STATE(3);
	use_methods(&front, &method, 1);
	PASSED_ON(REQUEST("1", "snug"), REQUEST("1", "snug") "\n");
}

static void test_room_for_both_tokens_and_no_more(void **state)
{
	enum { SNUG = QUASH_FORWARD_STATE(3) / 8 * 8 + (QUASH_FORWARD_STATE(3) % 8 == 0 ? 0 : 8) };
	static const quash_method method = { .name = "snug", .handler = quash_forward, .data = &snug_as_lsp, .state_size = QUASH_FORWARD_STATE(3) };
	uint8_t *const behind = (uint8_t *)front_states + SNUG;
	(void)state;
	front.config.state_size = SNUG;
	use_methods(&front, &method, 1);
	memset(behind, 0xEE, 8);
	client_sends(REQUEST_WITH("1", "snug", "{'workDoneToken':'abc','partialResultToken':'xyz'}"));
	SERVER_GETS(REQUEST_WITH("1", "snug", "{'workDoneToken':'w1','partialResultToken':'p1'}") "\n");
	assert_int_equal(behind[0], 0xEE);
}

/* --- What quash_init finds */

static void is_wrong(quash_method method, const char *table, const char *member, uint32_t is, uint32_t needs,
	quash_fault_reason reason)
{
	static const quash_method good = { .name = "update", .handler = quash_relay, .data = &to_front, .marks = QUASH_NOTIFICATION };
	front.config.check = quash_forward_check;
	for (unsigned place = 0; place < 2; place++) {
		const quash_method list[] = { place == 0 ? method : good, place == 0 ? good : method };
		quash_fault fault;
		front.config.methods = list;
		front.config.method_count = COUNT_OF(list);
		assert_false(quash_init(&front.peer, &front.config, &fault));
		assert_string_equal(fault.table, table);
		assert_string_equal(fault.member, member);
		assert_int_equal(fault.reason, reason);
		assert_int_equal(fault.index, fault.name != NULL ? place : 0);
		assert_int_equal(fault.is, is);
		assert_int_equal(fault.needs, needs);
		fault = (quash_fault){ 0 };
		assert_false(quash_forward_check(&front.config, &fault));
		assert_string_equal(fault.table, table);
	}
	const quash_method list[] = { good, method };
	front.config.methods = list;
	front.config.method_count = 1;
	assert_true(quash_forward_check(&front.config, &(quash_fault){ 0 })); /* what stands behind the table is none of it */
}

static void test_wrong_configs(void **state)
{
	static const quash_method snugly = { .name = "snug", .handler = quash_forward, .data = &snug };
	static const quash_method progress = { .name = "progress", .handler = quash_forward_progress, .data = &to_front, .marks = QUASH_NOTIFICATION };
	(void)state;
	is_wrong((quash_method){ .name = "x", .handler = quash_forward }, "methods", "data", 0, 0, QUASH_FAULT_MISSING);
	is_wrong((quash_method){ .name = "x", .handler = quash_forward_progress }, "methods", "data", 0, 0, QUASH_FAULT_MISSING);
	is_wrong((quash_method){ .name = "x", .handler = quash_forward, .data = &plain, .marks = QUASH_LISTED }, "methods", "marks", 0, 0, QUASH_FAULT_MARKS);
	front.config.state_size = 8;
	is_wrong(snugly, "methods", "state_size", 8, QUASH_FORWARD_STATE(3), QUASH_FAULT_SMALL);
	front.config.state_size = STATE;
	front.config.calls = NULL;
	is_wrong(snugly, "config", "calls", 0, 0, QUASH_FAULT_UNNAMED);
	is_wrong(progress, "config", "calls", 0, 0, QUASH_FAULT_UNNAMED);
	front.config.methods = front_methods;
	front.config.method_count = COUNT_OF(front_methods);
	front.config.calls = &quash_calls;
	assert_true(quash_init(&front.peer, &front.config, NULL));
	front.config.check = NULL;
}

static void test_configs_that_name_no_calls(void **state)
{
	loop *const ends[] = { &front, &back };
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(ends); i++) {
		begin(&quash_acp, LOOP_TX, LOOP_ARENA);
		ends[i]->config.calls = NULL;
		loop_start(ends[i]);
		client_sends(REQUEST("1", "plain"));
		CLIENT_GETS(INTERNAL("1"));
		SERVER_GETS("");
		assert_int_equal(ends[i]->counters.misuses, 1);
	}
}

/* --- Cancels */

static void test_cancel_goes_down_with_that_hops_id(void **state)
{
	(void)state;
	PASSED_ON(REQUEST("77", "plain"), REQUEST("1", "plain") "\n");
	PASSED_ON(CANCEL("77"), CANCEL("1") "\n");
	CLIENT_GETS(CANCELLED("77"));
	PASSED_BACK(REFUSAL("1", "{'code':-32800,'message':'Request cancelled'}"), "");
	assert_int_equal(back.counters.late_responses, 1);
	assert_int_equal(quash_live_count(&front.peer), 0);
	PASSED_ON(CANCEL("77"), "");
}

static void test_cancel_in_silence(void **state)
{
	(void)state;
	PASSED_ON(REQUEST("77", "plain"), REQUEST("1", "plain") "\n");
	PASSED_ON(MCP_CANCEL("77"), MCP_CANCEL("1") "\n");
	PASSED_BACK(ANSWER("1", "'late'"), "");
	assert_int_equal(quash_live_count(&front.peer), 0);
}

static void test_cancel_that_waits_for_what_comes_from_behind(void **state)
{
	(void)state;
	client_sends(REQUEST("1", "prompt"));
	PASSED_ON(CANCEL("1"), REQUEST("1", "prompt") "\n" CANCEL("1") "\n");
	CLIENT_GETS("");
	PASSED_BACK(ANSWER("1", "{'stopReason':'cancelled'}"), RESULT("1", "{'stopReason':'cancelled'}"));
}

static void test_cancel_of_what_is_not_written(void **state)
{
	(void)state;
	back.stalled = true;
	begin(&quash_acp, 80, LOOP_ARENA);
	back.stalled = true;
	client_sends(REQUEST_WITH("1", "plain", "'no'"));
	CLIENT_GETS(INVALID("1"));
	client_sends(REQUEST_WITH("1", "plain", "['0123456789']"));
	client_sends(REQUEST_WITH("2", "plain", "['0123456789']"));
	client_sends(CANCEL("2"));
	CLIENT_GETS(CANCELLED("2"));
	assert_int_equal(quash_live_count(&front.peer), 1);
	let_go(&back, 3);
	SERVER_GETS(REQUEST_WITH("1", "plain", "['0123456789']") "\n");
}

static void test_cancel_while_tx_is_stalled(void **state)
{
	(void)state;
	begin(&quash_acp, 80, LOOP_ARENA);
	back.stalled = true;
	client_sends(REQUEST_WITH("1", "plain", "['01234567890123']"));
	client_sends(CANCEL("1"));
	CLIENT_GETS(CANCELLED("1"));
	assert_int_equal(quash_live_count(&front.peer), 1); /* until the cancel is written */
	let_go(&back, 3);
	SERVER_GETS(REQUEST_WITH("1", "plain", "['01234567890123']") "\n" CANCEL("1") "\n");
	assert_int_equal(quash_live_count(&front.peer), 0);
}

static void test_answer_before_the_owed_cancel_is_written(void **state)
{
	(void)state;
	begin(&quash_acp, 80, LOOP_ARENA);
	PASSED_ON(REQUEST_WITH("1", "plain", "['01234567890123']"), REQUEST_WITH("1", "plain", "['01234567890123']") "\n");
	back.stalled = true;
	server_sends(REQUEST("'x'", "0123456789012345678901234567"));
	client_sends(CANCEL("1"));
	PASSED_BACK(ANSWER("1", "1"), CANCELLED("1"));
	let_go(&back, 3);
	SERVER_GETS(UNKNOWN("'x'"));
	assert_int_equal(quash_live_count(&front.peer), 0);
}

/* --- Links */

static void test_the_link_behind_is_lost(void **state)
{
	(void)state;
	client_sends(REQUEST("1", "plain"));
	quash_gone(&back.peer);
	turns(3);
	CLIENT_GETS(ERROR("1", "-32012", "Link lost"));
	client_sends(REQUEST("2", "plain"));
	CLIENT_GETS(ERROR("2", "-32012", "Link lost"));
}

static void test_the_server_has_finished_transmitting(void **state)
{
	(void)state;
	client_sends(REQUEST("1", "plain"));
	quash_input_end(&back.peer);
	turns(3);
	CLIENT_GETS(ERROR("1", "-32012", "Link lost"));
}

static void test_the_link_in_front_is_lost(void **state)
{
	(void)state;
	PASSED_ON(REQUEST("1", "plain"), REQUEST("1", "plain") "\n");
	quash_gone(&front.peer);
	turns(3);
	SERVER_GETS(CANCEL("1") "\n");
	assert_int_equal(quash_live_count(&front.peer), 0);
	assert_int_equal(quash_call_count(&back.peer), 0);
}

/* The answer is put from the arena behind, whatever becomes of that link. */
static void test_an_answer_outlives_the_link_behind(void **state)
{
	(void)state;
	begin(&quash_acp, QUASH_TX_MIN, LOOP_ARENA);
	client_sends(REQUEST("1", "plain"));
	PASSED_ON(REQUEST("2", "plain"), REQUEST("1", "plain") "\n" REQUEST("2", "plain") "\n");
	front.stalled = true;
	server_sends(ANSWER("2", "'0123456789012345678901234567890123456789012345678901234567890123456789'"));
	quash_gone(&back.peer);
	turns(2);
	quash_reopen(&back.peer);
	turns(2);
	let_go(&front, 6);
	CLIENT_GETS(RESULT("2", "'0123456789012345678901234567890123456789012345678901234567890123456789'")
		ERROR("1", "-32012", "Link lost"));
	assert_int_equal(front.counters.changed, 0);
	assert_int_equal(quash_call_count(&back.peer), 0);
}

/* A call that was lost has left no answer in the arena: what wants room there is refused, and waits for nobody in front. */
static void test_no_room_behind_beside_a_lost_call(void **state)
{
	char text[200];
	(void)state;
	begin(&quash_acp, QUASH_TX_MIN, 64);
	PASSED_ON(REQUEST("1", "plain"), REQUEST("1", "plain") "\n");
	front.stalled = true;
	quash_gone(&back.peer);
	turns(2);
	quash_reopen(&back.peer);
	server_sends(REQUEST_WITH("'a'", "ask", "['0123456789012345678901234567890123456789']"));
	snprintf(text, sizeof text, "%s\n", quoted(REQUEST_WITH("'b'", "ask", "['0123456789012345678901234567890123456789']")));
	for (size_t at = 0, round = 0; round < 6; round++) {
		at += quash_feed(&back.peer, (const uint8_t *)&text[at], strlen(&text[at]));
		turns(1);
	}
	SERVER_GETS(BUSY("'b'"));
}

static void test_a_new_client(void **state)
{
	(void)state;
	PASSED_ON(REQUEST("1", "plain"), REQUEST("1", "plain") "\n");
	quash_new_session(&front.peer);
	turns(3);
	SERVER_GETS(MCP_CANCEL("1") "\n");
	PASSED_ON(REQUEST("1", "plain"), REQUEST("2", "plain") "\n");
	server_sends(ANSWER("1", "'late'"));
	PASSED_BACK(ANSWER("2", "'new'"), RESULT("1", "'new'"));
}

/* --- Progress and other notifications */

static void asks_for_progress(const char *token, const char *reported)
{
	char text[300];
	begin(&quash_mcp, LOOP_TX, LOOP_ARENA);
	snprintf(text, sizeof text, REQUEST_WITH("3", "work", "{'_meta':{'a':1,'progressToken':%s},'b':[]}"), token);
	client_sends(text);
	if (reported == NULL) {
		SERVER_GETS(REQUEST_WITH("1", "work", "{'_meta':{'a':1},'b':[]}") "\n");
		return;
	}
	SERVER_GETS(REQUEST_WITH("1", "work", "{'_meta':{'a':1,'progressToken':'w1'},'b':[]}") "\n");
	server_sends(NOTE_WITH("notifications/progress", "{'progressToken':'w1','progress':1.50,'message':'m'}"));
	snprintf(text, sizeof text,
		NOTE_WITH("notifications/progress", "{'progressToken':%s,'progress':1.50,'message':'m'}") "\n", reported);
	CLIENT_GETS(text);
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
	back.peer.last_id = 9;
	client_sends(REQUEST_WITH("3", "work", "{'_meta':{'progressToken':4}}"));
	for (unsigned i = 0; i < COUNT_OF(tokens); i++) {
		char text[200];
		snprintf(text, sizeof text, NOTE_WITH("notifications/progress", "{'progressToken':%s}"), tokens[i]);
		server_sends(text);
	}
	PASSED_BACK(NOTE("notifications/progress"), "");
	PASSED_BACK(NOTE_WITH("notifications/progress", "{'progressToken':'w10'}"), NOTE_WITH("notifications/progress", "{'progressToken':4}") "\n");
}

static void test_progress_of_the_last_call(void **state)
{
	(void)state;
	back.peer.last_id = INT32_MAX - 1;
	PASSED_ON(REQUEST_WITH("3", "work", "{'_meta':{'progressToken':4}}"), REQUEST_WITH("2147483647", "work", "{'_meta':{'progressToken':'w2147483647'}}") "\n");
	PASSED_BACK(NOTE_WITH("notifications/progress", "{'progressToken':'w2147483647'}"), NOTE_WITH("notifications/progress", "{'progressToken':4}") "\n");
}

static void test_progress_of_a_call_that_is_not_forwarded(void **state)
{
	(void)state;
	use_rare_methods(&front);
	PASSED_ON(REQUEST("3", "own"), REQUEST("1", "own") "\n");
	PASSED_BACK(NOTE_WITH("notifications/progress", "{'progressToken':'w1'}"), "");
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
		PASSED_ON(text, text);
	}
}

static void test_two_tokens_in_depth(void **state)
{
	(void)state;
	use_rare_methods(&front);
	PASSED_ON(REQUEST_WITH("3", "deep", "{'b':{'y':1,'x':2},'a':{'y':3,'x':4}}"), REQUEST_WITH("1", "deep", "{'b':{'y':'p1','x':2},'a':{'y':3,'x':'w1'}}") "\n");
}

static void test_progress_right_before_the_answer(void **state)
{
	(void)state;
	client_sends(REQUEST_WITH("3", "work", "{'_meta':{'progressToken':4}}"));
	loop_say_message(&back, quoted(NOTE_WITH("notifications/progress", "{'progressToken':'w1','progress':1}")));
	loop_say_message(&back, quoted(ANSWER("1", "{}")));
	loop_say_message(&back, quoted(NOTE_WITH("notifications/progress", "{'progressToken':'w1','progress':2}")));
	turns(1);
	server_sends(NOTE_WITH("notifications/progress", "{'progressToken':'w1','progress':3}"));
	turns(3);
	const char *const heard = loop_heard(&front);
	assert_non_null(strstr(heard, quoted("'progress':1")));
	assert_null(strstr(strstr(heard, "result"), quoted("'progress'")));
}

static void test_no_progress_after_a_cancel(void **state)
{
	(void)state;
	client_sends(REQUEST_WITH("3", "work", "{'_meta':{'progressToken':4}}"));
	client_sends(MCP_CANCEL("3"));
	PASSED_BACK(NOTE_WITH("notifications/progress", "{'progressToken':'w1','progress':1}"), "");
}

/* The answer is heard, but the client's request has not been called again yet. */
static void test_no_progress_behind_the_answer(void **state)
{
	(void)state;
	client_sends(REQUEST_WITH("3", "work", "{'_meta':{'progressToken':4}}"));
	loop_say_message(&back, quoted(ANSWER("1", "{}")));
	(void)loop_step(&back, 1);
	loop_say_message(&back, quoted(NOTE_WITH("notifications/progress", "{'progressToken':'w1'}")));
	(void)loop_step(&back, 1);
	turns(3);
	CLIENT_GETS(RESULT("3", "{}"));
}

static void test_no_progress_while_the_cancel_waits_for_room(void **state)
{
	(void)state;
	begin(&quash_acp, 96, LOOP_ARENA);
	back.stalled = true;
	client_sends(REQUEST_WITH("3", "work", "{'_meta':{'progressToken':4}}"));
	client_sends(CANCEL("3"));
	CLIENT_GETS(CANCELLED("3"));
	PASSED_BACK(NOTE_WITH("notifications/progress", "{'progressToken':'w1'}"), "");
	assert_int_equal(quash_live_count(&front.peer), 1);
}

static void test_two_tokens(void **state)
{
	(void)state;
	PASSED_ON(REQUEST_WITH("3", "build", "{'partialResultToken':'p','a':1,'workDoneToken':7}"), REQUEST_WITH("1", "build", "{'partialResultToken':'p1','a':1,'workDoneToken':'w1'}") "\n");
	server_sends(NOTE_WITH("$/progress", "{'token':'w1','value':{'kind':'begin'}}"));
	PASSED_BACK(NOTE_WITH("$/progress", "{'token':'p1','value':[1]}"), NOTE_WITH("$/progress", "{'token':7,'value':{'kind':'begin'}}") "\n"
		NOTE_WITH("$/progress", "{'token':'p','value':[1]}") "\n");
	PASSED_BACK(NOTE_WITH("$/progress", "{'token':'x1','value':[1]}"), "");
}

static void test_two_tokens_of_the_longest(void **state)
{
	(void)state;
	client_sends(REQUEST_WITH(
		"3", "build", "{'partialResultToken':210987654321,'workDoneToken':123456789012}"));
	server_sends(NOTE_WITH("$/progress", "{'token':'w1'}"));
	PASSED_BACK(NOTE_WITH("$/progress", "{'token':'p1'}"), NOTE_WITH("$/progress", "{'token':123456789012}") "\n" NOTE_WITH(
		"$/progress", "{'token':210987654321}") "\n");
}

/* In a TX of whatever size: a short one behind that would fit has to wait too. */
static void test_relay_in_order_and_before_the_answer(void **state)
{
	(void)state;
	for (quash_size tx = 96; tx <= LOOP_TX && tx < 260; tx = (quash_size)(tx + 8)) {
		begin(&quash_acp, tx, LOOP_ARENA);
		client_sends(REQUEST("1", "plain"));
		front.stalled = true;
		server_sends(NOTE_WITH("update", "{'n':1,'text':'0123456789'}"));
		server_sends(NOTE_WITH("update", "{'n':2,'text':'01234567890123456789'}"));
		server_sends(NOTE_WITH("update", "{'n':3}"));
		server_sends(ANSWER("1", "{}"));
		let_go(&front, 6);
		CLIENT_GETS(NOTE_WITH("update", "{'n':1,'text':'0123456789'}") "\n" NOTE_WITH(
			"update", "{'n':2,'text':'01234567890123456789'}") "\n" NOTE_WITH("update",
			"{'n':3}") "\n" RESULT("1", "{}"));
	}
}

/* However often the peer in front steps meanwhile. */
static void test_relay_before_the_answer_though_nobody_tries(void **state)
{
	(void)state;
	begin(&quash_acp, 96, LOOP_ARENA);
	client_sends(REQUEST("1", "plain"));
	front.stalled = true;
	server_sends(NOTE_WITH("update", "{'n':1,'text':'01234567890123456789'}"));
	server_sends(NOTE_WITH("update", "{'n':2}"));
	server_sends(ANSWER("1", "{}"));
	for (unsigned i = 0; i < 5; i++)
		(void)loop_step(&front, 1);
	front.stalled = false;
	for (unsigned i = 0; i < 5; i++)
		(void)loop_step(&front, 1);
	turns(3);
	CLIENT_GETS(NOTE_WITH("update", "{'n':1,'text':'01234567890123456789'}") "\n" NOTE_WITH("update", "{'n':2}") "\n"
		RESULT("1", "{}"));
}

/* What waits for one peer holds up nothing that is relayed to another. */
static void test_relay_past_what_waits_for_another_peer(void **state)
{
	(void)state;
	begin(&quash_acp, 96, LOOP_ARENA);
	use_rare_methods(&back);
	back.stalled = true;
	server_sends(NOTE_WITH("mirror", "{'n':1,'text':'0123456789'}"));
	server_sends(NOTE_WITH("mirror", "{'n':2,'text':'0123456789'}"));
	PASSED_BACK(NOTE_WITH("update", "[1]"), NOTE_WITH("update", "[1]") "\n");
	let_go(&back, 3);
	SERVER_GETS(NOTE_WITH("mirror", "{'n':1,'text':'0123456789'}") "\n" NOTE_WITH(
		"mirror", "{'n':2,'text':'0123456789'}") "\n");
}

static void test_relay_past_a_forwarded_request(void **state)
{
	(void)state;
	PASSED_BACK(REQUEST("1", "ask"), REQUEST("1", "ask") "\n");
	PASSED_BACK(NOTE_WITH("update", "[1]"), NOTE_WITH("update", "[1]") "\n");
}

/* A name with a dot in it is no path. */
static void test_member_named_like_a_path(void **state)
{
	(void)state;
	PASSED_ON(REQUEST_WITH("1", "work", "{'_meta.progressToken':7}"), REQUEST_WITH("1", "work", "{'_meta.progressToken':7}") "\n");
}

/* What is refused has no method, and stands among the requests until there is room for that. */
static void test_relay_beside_a_refusal(void **state)
{
	(void)state;
	begin(&quash_acp, 64, LOOP_ARENA);
	client_sends(REQUEST_WITH("1", "plain", "['01234567890123456789012345678901234567890123456789']"));
	back.stalled = true;
	client_sends(REQUEST_WITH("2", "plain", "['01234567890123456789012345678901234567890123456789']"));
	server_sends(REQUEST("'x'", "nothing"));
	server_sends(NOTE_WITH("update", "[1]"));
	let_go(&back, 9);
	CLIENT_GETS(NOTE_WITH("update", "[1]") "\n");
	PASSED_BACK(ANSWER("1", "1"), RESULT("1", "1"));
}

/* The call is half written when its request is dropped, and needs what that has asked to its end. */
static void test_dropped_while_it_is_asked(void **state)
{
	(void)state;
	begin(&quash_acp, 64, LOOP_ARENA);
	use_rare_methods(&front);
	loop_say_message(&front, quoted(REQUEST_WITH("1", "dropped", "['01234567890123456789012345678901234567890123456789']")));
	(void)loop_step(&front, 1);
	size_t n;
	(void)quash_out(&back.peer, &n);
	assert_int_equal(n, 64);
	client_sends(CANCEL("1"));
	CLIENT_GETS(CANCELLED("1"));
	turns(6);
	SERVER_GETS(REQUEST_WITH("1", "dropped", "['01234567890123456789012345678901234567890123456789']") "\n" CANCEL("1") "\n");
	assert_int_equal(back.counters.changed, 0);
	assert_int_equal(quash_live_count(&front.peer), 0);
}

static void test_relay_to_a_link_that_is_gone(void **state)
{
	(void)state;
	quash_gone(&front.peer);
	server_sends(NOTE_WITH("update", "[1]"));
	assert_int_equal(quash_live_count(&back.peer), 0);
	assert_int_equal(front.counters.dropped, 1);
}

static void test_relay_of_what_is_longer_than_tx(void **state)
{
	(void)state;
	begin(&quash_acp, QUASH_TX_MIN, LOOP_ARENA);
	server_sends(NOTE_WITH("update", "['0123456789012345678901234567890123456789']"));
	assert_int_equal(quash_live_count(&back.peer), 0);
	assert_int_equal(front.counters.dropped, 1);
	PASSED_BACK(NOTE_WITH("update", "[2]"), NOTE_WITH("update", "[2]") "\n");
}

/* What came before the link was lost counts; a shutdown does not wait for anybody. */
static void test_relay_that_waits_and_is_cancelled(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		begin(&quash_acp, 96, LOOP_ARENA);
		front.stalled = true;
		server_sends(NOTE_WITH("update", "{'n':1,'text':'01234567890123456789'}"));
		server_sends(NOTE_WITH("update", "{'n':2,'text':'01234567890123456789'}"));
		assert_int_equal(quash_live_count(&back.peer), 1);
		if (i == 0)
			quash_gone(&back.peer);
		else
			quash_cancel_all(&back.peer);
		turns(3);
		assert_int_equal(quash_live_count(&back.peer), i == 0 ? 1 : 0);
		let_go(&front, 3);
		assert_int_equal(quash_live_count(&back.peer), 0);
		const char *const received = loop_heard(&front);
		assert_true((strstr(received, quoted("'n':2")) != NULL) == (i == 0));
	}
}

static void test_relay_to_the_server(void **state)
{
	(void)state;
	client_sends(NOTE_WITH("hint", "[1]"));
	PASSED_ON(NOTE("hint"), NOTE_WITH("hint", "[1]") "\n" NOTE_WITH("hint", "{}") "\n");
	use_rare_methods(&front);
	PASSED_ON(NOTE_WITH("tip", "[2]"), NOTE_WITH("other", "[2]") "\n");
}

static void test_the_entry_for_all_other_names(void **state)
{
	(void)state;
	use_methods(&front, nameless_methods, COUNT_OF(nameless_methods));
	client_sends(REQUEST_WITH("7", "any", "[1]"));
	client_sends(NOTE_WITH("any", "[1]"));
	CLIENT_GETS(UNKNOWN("7"));
	SERVER_GETS("");
	assert_int_equal(back.counters.dropped, 1);
	use_methods(&front, renamed_methods, COUNT_OF(renamed_methods));
	client_sends(REQUEST_WITH("8", "any", "[2]"));
	PASSED_ON(NOTE_WITH("any", "[3]"), REQUEST_WITH("1", "other", "[2]") "\n" NOTE_WITH("other", "[3]") "\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_result, set_up),
		cmocka_unit_test_setup(test_without_params_and_by_another_name, set_up),
		cmocka_unit_test_setup(test_errors_come_back_as_they_are, set_up),
		cmocka_unit_test_setup(test_errors_without_a_code, set_up),
		cmocka_unit_test_setup(test_several_at_once_out_of_order, set_up),
		cmocka_unit_test_setup(test_the_other_way_round, set_up),
		cmocka_unit_test_setup(test_longer_than_tx, set_up),
		cmocka_unit_test_setup(test_an_answer_too_large_for_the_arena, set_up),
		cmocka_unit_test_setup(test_no_room_for_the_state, set_up),
		cmocka_unit_test_setup(test_room_for_the_state_and_no_more, set_up),
		cmocka_unit_test_setup(test_room_for_both_tokens_and_no_more, set_up),
		cmocka_unit_test_setup(test_wrong_configs, set_up),
		cmocka_unit_test_setup(test_configs_that_name_no_calls, set_up),
		cmocka_unit_test_setup(test_cancel_goes_down_with_that_hops_id, set_up),
		cmocka_unit_test_setup(test_cancel_in_silence, set_up_mcp),
		cmocka_unit_test_setup(test_cancel_that_waits_for_what_comes_from_behind, set_up),
		cmocka_unit_test_setup(test_cancel_of_what_is_not_written, set_up),
		cmocka_unit_test_setup(test_cancel_while_tx_is_stalled, set_up),
		cmocka_unit_test_setup(test_answer_before_the_owed_cancel_is_written, set_up),
		cmocka_unit_test_setup(test_the_link_behind_is_lost, set_up),
		cmocka_unit_test_setup(test_the_server_has_finished_transmitting, set_up),
		cmocka_unit_test_setup(test_the_link_in_front_is_lost, set_up),
		cmocka_unit_test_setup(test_an_answer_outlives_the_link_behind, set_up),
		cmocka_unit_test_setup(test_no_room_behind_beside_a_lost_call, set_up),
		cmocka_unit_test_setup(test_a_new_client, set_up_mcp),
		cmocka_unit_test_setup(test_progress_comes_back_under_its_token, set_up),
		cmocka_unit_test_setup(test_progress_of_nobody, set_up_mcp),
		cmocka_unit_test_setup(test_progress_of_the_last_call, set_up_mcp),
		cmocka_unit_test_setup(test_progress_of_a_call_that_is_not_forwarded, set_up),
		cmocka_unit_test_setup(test_params_that_only_resemble, set_up),
		cmocka_unit_test_setup(test_two_tokens_in_depth, set_up),
		cmocka_unit_test_setup(test_progress_right_before_the_answer, set_up_mcp),
		cmocka_unit_test_setup(test_no_progress_after_a_cancel, set_up_mcp),
		cmocka_unit_test_setup(test_no_progress_behind_the_answer, set_up_mcp),
		cmocka_unit_test_setup(test_no_progress_while_the_cancel_waits_for_room, set_up),
		cmocka_unit_test_setup(test_two_tokens, set_up),
		cmocka_unit_test_setup(test_two_tokens_of_the_longest, set_up),
		cmocka_unit_test_setup(test_relay_in_order_and_before_the_answer, set_up),
		cmocka_unit_test_setup(test_relay_before_the_answer_though_nobody_tries, set_up),
		cmocka_unit_test_setup(test_relay_past_what_waits_for_another_peer, set_up),
		cmocka_unit_test_setup(test_relay_past_a_forwarded_request, set_up),
		cmocka_unit_test_setup(test_member_named_like_a_path, set_up),
		cmocka_unit_test_setup(test_relay_beside_a_refusal, set_up),
		cmocka_unit_test_setup(test_dropped_while_it_is_asked, set_up),
		cmocka_unit_test_setup(test_relay_to_a_link_that_is_gone, set_up),
		cmocka_unit_test_setup(test_relay_of_what_is_longer_than_tx, set_up),
		cmocka_unit_test_setup(test_relay_that_waits_and_is_cancelled, set_up),
		cmocka_unit_test_setup(test_relay_to_the_server, set_up),
		cmocka_unit_test_setup(test_the_entry_for_all_other_names, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
