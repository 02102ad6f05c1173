/* SPDX-License-Identifier: MIT
 * What is wrong with rules of confirmed motion, and with their tools. What they do stands in tests/talk/mcp-confirm.talk. */
#include "unit.h"

#include "mcp_talk.h"
#include "quash.h"

struct move {
	quash_mcp_confirming confirming;
	int32_t steps;
	bool back;
};

static quash_mcp_arming arming;

static int32_t move(quash_request *request)
{
	return quash_mcp_text(request, "moved");
}

static int32_t other_end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static bool goes_back(const quash_request *request)
{
	return QUASH_CONST_TOOL(struct move, request)->back;
}

static const quash_param list[] = { QUASH_ARG_INT(struct move, steps, -9, 9, NULL), QUASH_ARG_BOOL_OR(struct move, back, false, NULL) };
static const quash_params params = QUASH_PARAMS(struct move, list);
static quash_mcp_rule rules[2];
static quash_mcp_tool tools[2];
static quash_mcp_confirm confirm;
static const quash_mcp_part *parts[3];
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .tools = tools, .tool_count = 2, .parts = parts,
	.modern = &quash_mcp_modern, .token_size = 7 };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };

/* What is confirmed at the button; the other tool has no rule. */
static void fill_tables(void)
{
	static const quash_mcp_confirm usual = QUASH_MCP_CONFIRM(rules);
	const quash_mcp_rule rule = { .tool = "move", .call = move, .by = QUASH_MCP_BY_BUTTON, .wait = 1000, .arming = &arming };
	const quash_mcp_tool mover = { .name = "move", .args = &params, .call = quash_mcp_confirm_call, .motion = { .end = quash_mcp_confirm_end, .longest = QUASH_NO_LIMIT } };
	const quash_mcp_tool plain = { .name = "plain", .args = &params, .call = move };
	confirm = usual;
	confirm.count = 1;
	rules[0] = rules[1] = rule;
	tools[0] = mover;
	tools[1] = plain;
	parts[0] = &confirm.part;
	parts[1] = parts[2] = NULL;
}

static int set_up(void **state)
{
	(void)state;
	fill_tables();
	mcp_prepare(methods, COUNT_OF(methods), QUASH_MCP_STATE(7, sizeof(struct move)), LOOP_TX);
	mcp.config.calls = &quash_mcp_calls;
	return 0;
}

static const char *wrong_name; /* whose member is wrong */

static const char *wrong_member(void)
{
	quash_fault fault;
	const bool right = quash_init(&mcp.peer, &mcp.config, &fault);
	wrong_name = right ? "" : fault.name;
	fill_tables();
	return right ? "nothing" : fault.member;
}

static void test_by(void **state)
{
	(void)state;
	for (unsigned asks = 0; asks < 2; asks++) {
		for (unsigned by = 0; by <= UINT8_MAX; by++) {
			const char *expected = by == 0 || by > 3 ? "by" : asks == 0 && by != QUASH_MCP_BY_BUTTON ? "parts" : "nothing";
			rules[0].by = (uint8_t)by;
			parts[1] = asks > 0 ? &quash_mcp_ask_part : NULL;
			assert_string_equal(wrong_member(), expected);
			assert_string_equal(wrong_name, strcmp(expected, "parts") == 0 ? "s" : strcmp(expected, "by") == 0 ? "move" : "");
		}
	}
}

static void test_times(void **state)
{
	static const struct {
		uint32_t wait, longest, armed;
		const char *wrong;
	} cases[] = { { 0, QUASH_NO_LIMIT, 0, "wait" }, { 1, 0, 0, "motion.longest" }, { 1, QUASH_NO_LIMIT, 0, "nothing" },
		{ INT32_MAX, QUASH_NO_LIMIT, 0, "nothing" }, { UINT32_C(0x80000000), QUASH_NO_LIMIT, 0, "wait" },
		{ UINT32_MAX, QUASH_NO_LIMIT, 0, "wait" }, { 1000, 1001, 0, "nothing" }, { 1000, 1000, 0, "wait" }, { 1000, 999, 0, "wait" }, { 1000, 1, 0, "wait" },
		{ 1000, QUASH_NO_LIMIT, 0, "nothing" }, { 1, QUASH_NO_LIMIT, 1, "nothing" },
		{ 1, QUASH_NO_LIMIT, INT32_MAX, "nothing" }, { 1, QUASH_NO_LIMIT, UINT32_C(0x80000000), "armed" } };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		rules[0].wait = cases[i].wait;
		rules[0].armed = cases[i].armed;
		tools[0].motion.longest = cases[i].longest;
		assert_string_equal(wrong_member(), cases[i].wrong);
	}
}

#define WRONG(member, change) \
	do { \
		change; \
		assert_string_equal(wrong_member(), member); \
	} while (0)

struct behind {
	int32_t steps;
	quash_mcp_confirming confirming;
};

static void test_tools(void **state)
{
	static const quash_param first_list[] = { QUASH_ARG_INT(struct behind, steps, 0, 1, NULL) };
	static const quash_params first = QUASH_PARAMS(struct behind, first_list);
	static const quash_params none = QUASH_NO_PARAMS(quash_mcp_confirming), small = QUASH_NO_PARAMS(char);
	static const quash_param texts[] = { QUASH_ARG_STRING("text", NULL) };
	static const quash_params borrows = QUASH_PARAMS(quash_mcp_confirming, texts);
	(void)state;
	WRONG("nothing", (void)0);
	WRONG("tool", rules[0].tool = "stray");
	assert_string_equal(wrong_name, "stray");
	WRONG("tool", rules[0].tool = "plain");
	WRONG("tool", tools[0].motion.end = other_end);
	WRONG("motion.end", tools[0].motion.end = NULL);
	WRONG("rules", confirm.count = 0);
	assert_string_equal(wrong_name, "move");
	WRONG("tool", confirm.count = 2);
	WRONG("args", tools[0].args = NULL);
	WRONG("args", tools[0].args = &small);
	WRONG("args", tools[0].args = &first);
	WRONG("nothing", tools[0].args = &none);
	WRONG("nothing", tools[0].args = &borrows);
	WRONG("call", rules[0].call = NULL);
	WRONG("arming", rules[0].arming = NULL);
	WRONG("param", rules[0].param = "stray");
	WRONG("param", rules[0].param = "back");
	WRONG("nothing", rules[0].param = "steps");
	WRONG("nothing", rules[0].when = goes_back);
	WRONG("when", rules[0].param = "steps"; rules[0].when = goes_back);
}

static int32_t go_on(quash_request *request)
{
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? QUASH_CANCELLED : quash_wait(request, 10000);
}

/* A longest time that is shorter than the wait is a longest time all the same. */
static void test_a_wait_that_nobody_has_checked(void **state)
{
	(void)state;
	rules[0].wait = 60000;
	rules[0].param = "steps";
	rules[0].above = 9;
	rules[0].call = go_on;
	tools[0].motion.longest = 100;
	mcp.config.check = NULL;
	loop_start(&mcp);
	mcp_send(INITIALIZE("0", "2025-11-25"));
	loop_settle(&mcp, 10);
	(void)loop_heard(&mcp);
	mcp_check(CALL("1", "move", "'steps':1"), ERROR("1", "-32800", "Request cancelled"));
}

/* Its motion would not end. */
static void test_an_end_that_nobody_has_checked(void **state)
{
	(void)state;
	tools[0].motion.end = other_end;
	rules[0].param = "steps";
	rules[0].above = 9;
	mcp.config.check = NULL;
	loop_start(&mcp);
	mcp_send(INITIALIZE("0", "2025-11-25"));
	loop_settle(&mcp, 10);
	(void)loop_heard(&mcp);
	mcp_check(CALL("1", "move", "'steps':1"), ERROR("1", "-32603", "Internal error"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_by, set_up),
		cmocka_unit_test_setup(test_times, set_up),
		cmocka_unit_test_setup(test_tools, set_up),
		cmocka_unit_test_setup(test_a_wait_that_nobody_has_checked, set_up),
		cmocka_unit_test_setup(test_an_end_that_nobody_has_checked, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
