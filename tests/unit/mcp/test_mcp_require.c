/* SPDX-License-Identifier: MIT
 * What a modern client must be able to be asked, in each combination; and as many questions as there may be. */
#include "unit.h"

#include <stdio.h>

#include "mcp_talk.h"
#include "quash.h"
#include "quash/mcp_input.h"

enum { WHATS = 32, MOST = 99 };

static quash_call calls[MOST + 2]; /* of the one request there is */
static int32_t wanted;

/* Needs what it is told, as bits. */
static int32_t need(quash_request *request)
{
	(void)quash_int32(quash_mcp_argument(request, "what"), &wanted);
	if (quash_mcp_can_ask(request, (uint8_t)wanted))
		return quash_mcp_text(request, "can");
	return quash_mcp_require(request, (uint8_t)wanted);
}

/* At an address whose last byte is zero, as that of a count is: a question that is counted there moves the text. */
static char texts[0x100 + sizeof "done"];

static const char *text_at_zero(void)
{
	return strcpy(&texts[0x100 - ((uintptr_t)texts & 0xFF)], "done");
}

/* Asks once it has answered. */
static int32_t late(quash_request *request)
{
	memset(calls, 0, sizeof calls);
	const int32_t code = quash_mcp_text_(request, text_at_zero());
	assert_int_equal(quash_mcp_ask(request, &calls[0], QUASH_MCP_ROOTS), QUASH_DONE);
	assert_int_equal(quash_call_outcome(&calls[0]), QUASH_CALL_CANCELLED);
	return code;
}

/* Asks so many questions, and one more. */
static int32_t ask(quash_request *request)
{
	int32_t most = 0;
	bool open = false;
	(void)quash_int32(quash_mcp_argument(request, "what"), &most);
	memset(calls, 0, sizeof calls);
	for (int32_t i = 0; i < most; i++) {
		const int32_t code = quash_mcp_ask(request, &calls[i], QUASH_MCP_ROOTS);
		if (code != QUASH_DONE)
			return quash_fail(request, code, "asked too much");
		open = open || !quash_call_has_ended(&calls[i]);
	}
	return open ? QUASH_PENDING : quash_mcp_text(request, "all");
}

static const quash_mcp_tool tools[] = { { .name = "need", .call = need }, { .name = "ask", .call = ask },
	{ .name = "late", .call = late } };
static const uint8_t key[QUASH_MCP_KEY] = { 1 };
static const quash_mcp_input input = QUASH_MCP_INPUT(key, INT32_MAX, 20);
static const quash_mcp_part *const parts[] = { &input.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .tools = tools,
	.tool_count = COUNT_OF(tools), .parts = parts, .modern = &quash_mcp_modern };
static const quash_method methods[] = { QUASH_MCP_MODERN(&server), QUASH_MCP_TOOLS(&server) };

static int set_up(void **state)
{
	(void)state;
	mcp_prepare(methods, COUNT_OF(methods), QUASH_MCP_STATE(7, 16), LOOP_TX);
	mcp.config.calls = &quash_mcp_calls;
	loop_start(&mcp);
	return 0;
}

/* --- Capabilities */

static const struct {
	uint8_t what;
	const char *of, *one; /* the member of the client's capabilities, and what stands in that */
} abilities[] = {
	{ QUASH_MCP_ELICITATION, "elicitation", "'form':{}" },
	{ QUASH_MCP_ELICITATION_URL, "elicitation", "'url':{}" },
	{ QUASH_MCP_SAMPLING, "sampling", "" },
	{ QUASH_MCP_SAMPLING_TOOLS, "sampling", "'tools':{}" },
	{ QUASH_MCP_ROOTS, "roots", "" },
};

/* The object of these capabilities. */
static const char *write_capabilities(char *to, unsigned what)
{
	const char *last = "";
	strcpy(to, "{");
	for (size_t i = 0; i < COUNT_OF(abilities); i++) {
		if ((what & abilities[i].what) == 0)
			continue;
		const bool same = strcmp(abilities[i].of, last) == 0;
		last = abilities[i].of;
		if (same)
			to[strlen(to) - 1] = '\0';
		else
			sprintf(to + strlen(to), "%s'%s':{", strlen(to) > 1 ? "," : "", last);
		sprintf(to + strlen(to), "%s%s}", same && to[strlen(to) - 1] == '}' ? "," : "", abilities[i].one);
	}
	return strcat(to, "}");
}

static void call(const char *name, unsigned what, const char *capabilities, const char *more)
{
	static char text[ROOM_FOR(4096)];
	assert_room(snprintf(text, sizeof text, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'%s','arguments':{'what':%u}%s,'_meta':{"
		"'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientCapabilities':%s}}}", name, what, more, capabilities) <
		(int)sizeof text);
	mcp_send(text);
	loop_settle(&mcp, 20);
}

/* Each combination of what is needed, by a client that can do any other one. */
static void test_each_need(void **state)
{
	char can[120], needs[120], expected[300];
	(void)state;
	for (unsigned what = 0; what < WHATS; what++) {
		write_capabilities(needs, what);
		snprintf(expected, sizeof expected, "{'jsonrpc':'2.0','id':1,'error':{'code':-32021,'message':'The client cannot be asked for what "
			"this needs','data':{'requiredCapabilities':%s}}}\n", needs);
		for (unsigned able = 0; able < WHATS; able += STRIDE) {
			/* tools are part of sampling; without a form or a URL elicitation means forms */
			const unsigned implied = able | ((able & QUASH_MCP_SAMPLING_TOOLS) != 0 ? QUASH_MCP_SAMPLING : 0);
			call("need", what, write_capabilities(can, able), "");
			const char *const heard = loop_heard(&mcp);
			if ((what & ~implied) == 0)
				assert_non_null(strstr(heard, "\"can\""));
			else
				assert_string_equal(heard, mcp_quoted(expected));
		}
	}
}

/* --- Questions are called by their number */

static void test_most_questions(void **state)
{
	static char expected[ROOM_FOR(4096)];
	(void)state;
	for (unsigned count = 1; count <= MOST; count += 7) {
		char *end = expected;
		end += sprintf(end, "'inputRequests':{");
		for (unsigned i = 1; i <= count; i++)
			end += sprintf(end, "%s'q%u':{'method':'roots/list'}", i > 1 ? "," : "", i);
		sprintf(end, "},'requestState':");
		call("ask", count, "{'roots':{}}", "");
		assert_non_null(strstr(loop_heard(&mcp), mcp_quoted(expected)));
	}
	call("ask", MOST, "{'roots':{}}", "");
	assert_non_null(strstr(loop_heard(&mcp), "\"q99\""));
	call("ask", MOST + 1, "{'roots':{}}", "");
	assert_string_equal(loop_heard(&mcp), mcp_quoted(ERROR("1", "-32603", "asked too much")));
}

/* Nobody hears it, and the answer is that which was given. */
static void test_question_behind_an_answer(void **state)
{
	(void)state;
	call("late", 0, "{'roots':{}}", "");
	assert_non_null(strstr(loop_heard(&mcp), mcp_quoted("'text':'done'")));
	assert_null(strstr(loop_heard(&mcp), "inputRequests"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_each_need, set_up),
		cmocka_unit_test_setup(test_most_questions, set_up),
		cmocka_unit_test_setup(test_question_behind_an_answer, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
