/* SPDX-License-Identifier: MIT
 * Which calls a rule concerns, for how long it is armed, and each bound of its members. */
#include "unit.h"

#include <stdio.h>

#include "mcp_talk.h"
#include "quash.h"

struct move {
	quash_mcp_confirming confirming;
	int32_t steps;
	bool back;
};

static quash_mcp_arming arming;
static unsigned moved;

static int32_t move(quash_request *request)
{
	moved++;
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
	const quash_mcp_tool mover = { .name = "move", .args = &params, .call = quash_mcp_confirm_call, .end = quash_mcp_confirm_end };
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
	static const quash_mcp_arming fresh;
	(void)state;
	fill_tables();
	arming = fresh;
	moved = 0;
	mcp_prepare(methods, COUNT_OF(methods), QUASH_MCP_STATE(7, sizeof(struct move)), LOOP_TX);
	mcp.config.calls = &quash_mcp_calls;
	loop_start(&mcp);
	quash_mcp_new_session(&mcp.peer);
	mcp_send(INITIALIZE("0", "2025-11-25"));
	loop_settle(&mcp, 10);
	(void)loop_heard(&mcp);
	return 0;
}

static void call(int32_t steps, bool back)
{
	char text[200];
	snprintf(text, sizeof text, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'move','arguments':{'steps':%ld,'back':%s}}}", (long)steps,
		back ? "true" : "false");
	mcp_send(text);
	loop_step(&mcp, 1);
}

/* Whether a call waits for the button; then it is cancelled. */
static bool waits(int32_t steps, bool back)
{
	const unsigned before = moved;
	call(steps, back);
	const bool waiting = quash_mcp_waits(&arming);
	mcp_send(CANCEL("1"));
	loop_settle(&mcp, 10);
	(void)loop_heard(&mcp);
	assert_int_equal(moved, before + (waiting ? 0 : 1));
	assert_false(quash_mcp_waits(&arming));
	return waiting;
}

/* --- Which calls */

static void test_above_and_below(void **state)
{
	(void)state;
	rules[0].param = "steps";
	for (int32_t above = -3; above <= 3; above++) {
		for (int32_t below = -3; below <= 3; below++) {
			rules[0].above = above;
			rules[0].below = below;
			for (int32_t steps = -5; steps <= 5; steps++)
				assert_true(waits(steps, false) == (steps > above || steps < below));
		}
	}
}

static void test_when(void **state)
{
	(void)state;
	rules[0].when = goes_back;
	assert_true(waits(1, true));
	assert_false(waits(1, false));
	rules[0].when = NULL;
	assert_true(waits(1, false));
	assert_true(waits(0, false));
}

/* --- Armed */

static void press(void)
{
	for (unsigned i = 0; i < 320; i++)
		loop_step(&mcp, 1);
	quash_mcp_press(&arming);
	for (unsigned i = 0; i < 30 && quash_live_count(&mcp.peer) > 0; i++)
		loop_step(&mcp, 1);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(TEXT("1", "moved")));
}

/* From the confirmation on, to the millisecond. */
static void test_for_how_long(void **state)
{
	static const uint32_t times[] = { 1, 2, 1000, INT32_MAX };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(times); i++) {
		set_up(state);
		rules[0].armed = times[i];
		call(1, false);
		assert_true(quash_mcp_waits(&arming));
		assert_false(quash_mcp_is_armed(&mcp.peer, &arming));
		for (unsigned ms = 0; ms < 320; ms++)
			loop_step(&mcp, 1);
		quash_mcp_press(&arming);
		while (moved == 0)
			loop_step(&mcp, 1);
		const uint32_t since = mcp.now;
		assert_true(quash_mcp_is_armed(&mcp.peer, &arming));
		quash_tick(&mcp.peer, mcp.now = since + times[i] - 1);
		assert_true(quash_mcp_is_armed(&mcp.peer, &arming));
		quash_tick(&mcp.peer, ++mcp.now);
		assert_false(quash_mcp_is_armed(&mcp.peer, &arming));
		quash_tick(&mcp.peer, mcp.now = since);
		assert_false(quash_mcp_is_armed(&mcp.peer, &arming)); /* it is over once and for all */
	}
}

static void test_armed_or_each_time(void **state)
{
	(void)state;
	call(1, false);
	press();
	assert_false(quash_mcp_is_armed(&mcp.peer, &arming));
	assert_true(waits(1, false));
	rules[0].armed = 5000;
	call(1, false);
	press();
	assert_true(quash_mcp_is_armed(&mcp.peer, &arming));
	assert_false(waits(1, false));
	rules[0].armed = 0; /* what another rule has armed counts for nothing */
	assert_true(waits(1, false));
}

/* A press in the first 300 ms was meant for something else. */
static void test_when_a_press_counts(void **state)
{
	(void)state;
	for (unsigned at = 0; at <= 700; at += 20) {
		set_up(state);
		call(1, false);
		for (unsigned ms = 0; ms < at; ms++)
			loop_step(&mcp, 1);
		quash_mcp_press(&arming);
		for (unsigned ms = 0; ms < 40; ms++)
			loop_step(&mcp, 1);
		if (at != 280 && at != 300) /* looked at every 20 ms */
			assert_int_equal(moved, at > 300);
	}
}

/* By the button alone, by a question alone, and by both: what is said when nobody confirms it in time. */
static void test_overdue(void **state)
{
	(void)state;
	for (uint8_t by = 1; by <= 3; by++) {
		for (unsigned asks = 0; asks < 2; asks++) {
			const bool asked = asks > 0 && (by & QUASH_MCP_BY_PERSON) != 0;
			set_up(state);
			parts[1] = &quash_mcp_ask_part;
			rules[0].by = by;
			mcp_send(asks > 0 ? REQUEST("0", "initialize", "'protocolVersion':'2025-11-25','capabilities':{'elicitation':{}}") : INITIALIZE("0", "2025-11-25"));
			loop_settle(&mcp, 10);
			call(1, false);
			(void)loop_heard(&mcp);
			assert_int_equal(quash_mcp_waits(&arming), (by & QUASH_MCP_BY_BUTTON) != 0);
			for (unsigned ms = 0; ms < 1005; ms++)
				loop_step(&mcp, 1);
			const char *const heard = loop_heard(&mcp);
			if (asked)
				assert_non_null(strstr(heard, "Nothing was done: nobody has confirmed it in time"));
			else
				assert_string_equal(heard, by == QUASH_MCP_BY_PERSON ? "" : mcp_quoted(FAILURE("1", "Nothing was done: nobody has pressed the button on the device in time")));
			assert_int_equal(moved, 0);
		}
	}
}

/* Looked at every millisecond: from which one on it counts. */
static void test_from_when_a_press_counts(void **state)
{
	(void)state;
	for (unsigned at = 295; at <= 305; at++) {
		set_up(state);
		call(1, false);
		assert_int_equal(quash_idle_ms(&mcp.peer), 20);
		quash_request *const request = (quash_request *)(uintptr_t)arming.waits;
		for (unsigned ms = 0; ms < at + 5 && moved == 0; ms++) {
			if (ms == at)
				quash_mcp_press(&arming);
			quash_wake(request);
			loop_step(&mcp, 1);
		}
		assert_int_equal(moved, at >= 300);
	}
}

/* --- What is wrong */

static const char *wrong_member(void)
{
	quash_fault fault;
	const bool right = quash_init(&mcp.peer, &mcp.config, &fault);
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
		}
	}
}

static void test_times(void **state)
{
	static const struct {
		uint32_t wait, deadline, armed;
		const char *wrong;
	} cases[] = { { 0, 0, 0, "wait" }, { 1, 0, 0, "nothing" }, { INT32_MAX, 0, 0, "nothing" }, { UINT32_C(0x80000000), 0, 0, "wait" },
		{ UINT32_MAX, 0, 0, "wait" }, { 1000, 1001, 0, "nothing" }, { 1000, 1000, 0, "wait" }, { 1000, 999, 0, "wait" }, { 1000, 1, 0, "wait" },
		{ 1000, QUASH_NO_LIMIT, 0, "nothing" }, { 1, 0, 1, "nothing" }, { 1, 0, INT32_MAX, "nothing" }, { 1, 0, UINT32_C(0x80000000), "armed" } };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		rules[0].wait = cases[i].wait;
		rules[0].armed = cases[i].armed;
		tools[0].deadline = cases[i].deadline;
		assert_string_equal(wrong_member(), cases[i].wrong);
	}
}

#define WRONG(member, change) \
	do { \
		change; \
		assert_string_equal(wrong_member(), member); \
	} while (0)

static void test_tools(void **state)
{
	static const quash_params none = QUASH_NO_PARAMS(quash_mcp_confirming), small = QUASH_NO_PARAMS(char);
	static const quash_param texts[] = { QUASH_ARG_STRING("text", NULL) };
	static const quash_params borrows = QUASH_PARAMS(quash_mcp_confirming, texts);
	(void)state;
	WRONG("nothing", (void)0);
	WRONG("tool", rules[0].tool = "stray");
	WRONG("tool", rules[0].tool = "plain");
	WRONG("tool", tools[0].end = other_end);
	WRONG("tool", tools[0].end = NULL);
	WRONG("rules", confirm.count = 0);
	WRONG("tool", confirm.count = 2);
	WRONG("args", tools[0].args = NULL);
	WRONG("args", tools[0].args = &small);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_above_and_below, set_up),
		cmocka_unit_test_setup(test_when, set_up),
		cmocka_unit_test_setup(test_for_how_long, set_up),
		cmocka_unit_test_setup(test_armed_or_each_time, set_up),
		cmocka_unit_test_setup(test_when_a_press_counts, set_up),
		cmocka_unit_test_setup(test_from_when_a_press_counts, set_up),
		cmocka_unit_test_setup(test_overdue, set_up),
		cmocka_unit_test_setup(test_by, set_up),
		cmocka_unit_test_setup(test_times, set_up),
		cmocka_unit_test_setup(test_tools, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
