/* SPDX-License-Identifier: MIT
 * What was asked before a stop confirms nothing after it: however many stops come, and on whatever peer of the machine. How one client
 * is asked stands in tests/talk/mcp-confirm.talk. */
#include "unit.h"

#include <stdio.h>

#include "mcp_talk.h"
#include "quash.h"

struct move {
	quash_mcp_confirming confirming;
	int32_t steps;
};

static quash_mcp_arming arming;
static unsigned moves;

static int32_t move(quash_request *request)
{
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	moves++;
	return QUASH_CONST_TOOL(struct move, request)->steps < 0 ? quash_wait(request, 1000) : quash_mcp_text(request, "moved");
}

static const quash_param list[] = { QUASH_ARG_INT(struct move, steps, -9, 9, NULL) };
static const quash_params params = QUASH_PARAMS(struct move, list);
static const quash_mcp_rule rules[] = { { .tool = "move", .call = move, .param = "steps", .below = -9, .by = QUASH_MCP_BY_PERSON,
	.wait = 1000, .arming = &arming } };
static const quash_mcp_confirm confirm = QUASH_MCP_CONFIRM(rules);
static const quash_mcp_tool tools[] = { { .name = "move", .args = &params, .call = quash_mcp_confirm_call, .motion = { .end = quash_mcp_confirm_end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES } };
static const uint8_t key[QUASH_MCP_KEY] = { 1 };
static const quash_mcp_input input = QUASH_MCP_INPUT(key, 60000, 100);
static const quash_mcp_part *const parts[] = { &confirm.part, &input.part, NULL };
static quash_mcp_session sessions[2];
#define SERVER(at) { .name = "s", .version = "1", .session = &sessions[at], .tools = tools, .tool_count = 1, .parts = parts, \
	.modern = &quash_mcp_modern }
static const quash_mcp_server servers[] = { SERVER(0), SERVER(1) };
static const quash_method methods[] = { QUASH_MCP_METHODS(&servers[0]) }, other_methods[] = { QUASH_MCP_METHODS(&servers[1]) };

static int set_up(void **state)
{
	static const quash_mcp_arming nothing;
	(void)state;
	arming = nothing;
	moves = 0;
	mcp_prepare(methods, COUNT_OF(methods), MCP_STATE, LOOP_TX);
	mcp.config.calls = &quash_mcp_calls;
	loop_start(&mcp);
	return 0;
}

#define CAN "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'," \
	    "'io.modelcontextprotocol/clientCapabilities':{'elicitation':{}}}"
#define ASKS CALL_WITH("1", "move", "'steps':5", CAN)
static const char stopped[] = "Nothing was done: something was stopped while this waited for its confirmation";

/* What the device answers to a line. */
static const char *answer_to(loop *l, const char *message)
{
	loop_say(l, mcp_quoted(message));
	loop_say(l, "\n");
	loop_settle(l, 10);
	return loop_heard(l);
}

static bool has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

/* The same request with the answer to the question of that name, and the state that came with it. */
static const char *accepts(const char *question, const char *state)
{
	static char line[ROOM_FOR(700)];
	(void)snprintf(line, sizeof line, CALL_WITH("1", "move", "'steps':5", "'inputResponses':{'%s':{'action':'accept'}},'requestState':'%s'," CAN),
		question, state);
	return line;
}

static void keep_state(char *to, size_t size, const char *answer)
{
	static const char name[] = "\"requestState\":\"";
	const char *const at = strstr(answer, name);
	assert_non_null(at);
	(void)snprintf(to, size, "%.*s", (int)strcspn(at + strlen(name), "\""), at + strlen(name));
}

static void test_no_number_comes_twice(void **state)
{
	char first[256], last[256], name[32];
	(void)state;
	keep_state(first, sizeof first, answer_to(&mcp, ASKS));
	for (unsigned stops = 1; stops <= 300; stops++) {
		quash_mcp_disarm(&arming);
		(void)snprintf(name, sizeof name, "\"confirm%02x\":", stops);
		assert_true(has(answer_to(&mcp, accepts("confirm00", first)), name));
	}
	assert_int_equal(moves, 0);
	keep_state(last, sizeof last, answer_to(&mcp, ASKS));
	assert_true(has(answer_to(&mcp, accepts("confirm12c", last)), "\"moved\""));
	assert_int_equal(moves, 1);
}

static void test_stops_without_a_question_are_one(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		quash_mcp_disarm(&arming);
	assert_true(has(answer_to(&mcp, ASKS), "\"confirm00\""));
	for (unsigned i = 0; i < 1000; i++)
		quash_mcp_disarm(&arming);
	assert_true(has(answer_to(&mcp, ASKS), "\"confirm01\""));
}

/* The last number stays, and confirms nothing. */
static void test_more_stops_than_there_are_numbers(void **state)
{
	char first[256];
	(void)state;
	arming.stops = UINT32_MAX - 1;
	keep_state(first, sizeof first, answer_to(&mcp, ASKS));
	for (unsigned i = 0; i < 3; i++) {
		quash_mcp_disarm(&arming);
		assert_true(has(answer_to(&mcp, ASKS), stopped));
		assert_true(has(answer_to(&mcp, accepts("confirmffffffff", first)), stopped));
		assert_true(has(answer_to(&mcp, accepts("confirm00", first)), stopped));
	}
	assert_int_equal(moves, 0);
}

static void initialize(loop *l)
{
	(void)answer_to(l, REQUEST("0", "initialize", "'protocolVersion':'2025-11-25','capabilities':{'elicitation':{}}"));
}

static loop other; /* another peer of the same machine */
static uint64_t other_states[LOOP_SLOTS * MCP_STATE / 8];

static void start_other(void)
{
	loop_init(&other, &quash_mcp, other_methods, COUNT_OF(other_methods));
	other.config.states = other_states;
	other.config.state_size = MCP_STATE;
	other.config.keeps = &quash_mcp_keeps;
	other.config.new_session = quash_mcp_new_session;
	other.config.calls = &quash_mcp_calls;
	loop_start(&other);
}

/* Both are read; the one that waits is looked at first. */
static void test_a_stop_on_another_peer(void **state)
{
	(void)state;
	start_other();
	initialize(&mcp);
	initialize(&other);
	mcp_send(CALL("1", "move", "'steps':5"));
	loop_step(&mcp, 1);
	assert_true(has(loop_heard(&mcp), "elicitation/create"));
	loop_say(&other, mcp_quoted(CALL("2", "move", "'steps':-5") "\n"));
	loop_step(&other, 1);
	assert_int_equal(moves, 1);
	loop_say(&other, mcp_quoted(CANCEL("2") "\n"));
	assert_true(has(answer_to(&mcp, "{'jsonrpc':'2.0','id':1,'result':{'action':'accept'}}"), stopped));
	assert_int_equal(moves, 1);
	loop_settle(&other, 10);
	assert_null(arming.runs);
}

/* What moved with an arming that was zeroed since ends as ever. */
static void test_an_arming_begins_anew(void **state)
{
	static const quash_mcp_arming nothing;
	(void)state;
	initialize(&mcp);
	mcp_send(CALL("1", "move", "'steps':-5"));
	mcp_send(CALL("2", "move", "'steps':-6"));
	loop_step(&mcp, 1);
	arming = nothing;
	mcp_send(CALL("3", "move", "'steps':-7"));
	loop_step(&mcp, 1);
	assert_int_equal(moves, 3);
	mcp_send(CANCEL("1"));
	mcp_send(CANCEL("3"));
	mcp_send(CANCEL("2"));
	loop_settle(&mcp, 10);
	assert_null(arming.runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_no_number_comes_twice, set_up),
		cmocka_unit_test_setup(test_stops_without_a_question_are_one, set_up),
		cmocka_unit_test_setup(test_more_stops_than_there_are_numbers, set_up),
		cmocka_unit_test_setup(test_a_stop_on_another_peer, set_up),
		cmocka_unit_test_setup(test_an_arming_begins_anew, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
