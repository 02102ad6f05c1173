/* SPDX-License-Identifier: MIT
 * Each word that an agent may say: kinds and states of tool calls, plans, options. The rest is in tests/talk/acp-turns.talk. */
#include "acp_agent.h"

static quash_acp_tool_call tool_call;
static quash_acp_entry entry;

static int32_t calls_tool(quash_request *request)
{
	const int32_t code = quash_acp_tool(request, &tool_call);
	return code == QUASH_DONE ? quash_acp_stop(request, QUASH_ACP_END_TURN) : code;
}

static int32_t plans(quash_request *request)
{
	const int32_t code = quash_acp_plan(request, &entry, 1);
	return code == QUASH_DONE ? quash_acp_stop(request, QUASH_ACP_END_TURN) : code;
}

/* The turn sends an update of that kind, with these members, and ends. */
static void check_update(quash_handler *turn, const char *kind, const char *members)
{
	char expected[600];
	script = turn;
	say(PROMPT("2", "s1", "go"));
	steps(4);
	snprintf(expected, sizeof expected, UPDATE("s1", "%s", "%s") RESULT("2", "{'stopReason':'end_turn'}"), kind, members);
	ANSWERS(expected);
}

static int set_up(void **state)
{
	static const quash_acp_tool_call fresh = { .id = "c" };
	(void)state;
	tool_call = fresh;
	agent_start(NULL);
	return 0;
}

/* --- Tool calls */

static const char *const kinds[] = { "", ",'kind':'read'", ",'kind':'edit'", ",'kind':'delete'", ",'kind':'move'", ",'kind':'search'",
	",'kind':'execute'", ",'kind':'think'", ",'kind':'fetch'", ",'kind':'switch_mode'", ",'kind':'other'", "", "" };
static const char *const statuses[] = { "", ",'status':'pending'", ",'status':'in_progress'", ",'status':'completed'", ",'status':'failed'", "", "" };

/* What is none is left out. */
static void test_kinds_and_states(void **state)
{
	char members[200];
	(void)state;
	for (unsigned kind = 0; kind < COUNT_OF(kinds); kind++) {
		for (unsigned status = 0; status < COUNT_OF(statuses); status++) {
			tool_call.kind = (quash_acp_kind)kind;
			tool_call.status = (quash_acp_status)status;
			snprintf(members, sizeof members, "'toolCallId':'c'%s%s", kinds[kind], statuses[status]);
			check_update(calls_tool, "tool_call", members);
		}
	}
}

static void put_item(quash_writer *w, const void *data)
{
	quash_put_object(w);
	quash_put_key(w, "type");
	quash_put_text(w, data);
	quash_put_end(w);
}

/* Each set of members that a tool call may lack. */
static void test_members(void **state)
{
	char members[400];
	(void)state;
	for (unsigned set = 0; set < 32; set++) {
		const bool text = (set & 1) != 0, put = (set & 2) != 0, path = (set & 4) != 0, line = (set & 8) != 0, title = (set & 16) != 0;
		tool_call = (quash_acp_tool_call){ .id = "c", .title = title ? "T" : NULL, .text = text ? "t" : NULL, .path = path ? "/p" : NULL,
			.line = line ? 7 : 0, .put = put ? put_item : NULL, .data = "diff" };
		snprintf(members, sizeof members, "'toolCallId':'c'%s%s%s%s%s%s%s", title ? ",'title':'T'" : "", text || put ? ",'content':[" : "",
			text ? "{'type':'content','content':{'type':'text','text':'t'}}" : "", text && put ? "," : "", put ? "{'type':'diff'}" : "",
			text || put ? "]" : "", !path ? "" : line ? ",'locations':[{'path':'/p','line':7}]" : ",'locations':[{'path':'/p'}]");
		check_update(calls_tool, "tool_call", members);
	}
}

/* --- Plans */

static void test_plans(void **state)
{
	static const char *const priorities[] = { "high", "medium", "low", "medium" };
	static const char *const states[] = { "pending", "pending", "in_progress", "completed", "completed", "pending" };
	char members[200];
	(void)state;
	for (unsigned priority = 0; priority < COUNT_OF(priorities); priority++) {
		for (unsigned status = 0; status < COUNT_OF(states); status++) {
			entry = (quash_acp_entry){ "do", (quash_acp_priority)priority, (quash_acp_status)status };
			snprintf(members, sizeof members, "'entries':[{'content':'do','priority':'%s','status':'%s'}]", priorities[priority], states[status]);
			check_update(plans, "plan", members);
		}
	}
}

/* --- Permission */

static quash_acp_option options[6];
static quash_acp_permission permission;

static int32_t asks_permission(quash_request *request)
{
	if (!quash_call_in_use(&permission.ask.call))
		assert_int_equal(quash_acp_request_permission(request, &permission), QUASH_DONE);
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? quash_acp_stop(request, QUASH_ACP_END_TURN) : QUASH_PENDING;
}

/* What is no kind of an option counts as the mildest refusal. */
static void test_options(void **state)
{
	static const char *const option_kinds[] = { "allow_once", "allow_always", "reject_once", "reject_always", "reject_once", "reject_once" };
	char expected[800];
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(options); i++)
		options[i] = (quash_acp_option){ .id = &"012345"[i], .name = "n", .kind = (uint8_t)i };
	for (unsigned count = 0; count <= COUNT_OF(options); count++) {
		memset(&permission, 0, sizeof permission);
		permission.tool_call = &tool_call;
		permission.options = options;
		permission.option_count = (uint8_t)count;
		agent_start(asks_permission);
		say(PROMPT("2", "s1", "go"));
		steps(2);
		int n = snprintf(expected, sizeof expected, "{'jsonrpc':'2.0','id':1,'method':'session/request_permission','params':{'sessionId':'s1',"
			"'toolCall':{'toolCallId':'c'},'options':[");
		for (unsigned i = 0; i < count; i++)
			n += snprintf(expected + n, sizeof expected - (size_t)n, "%s{'optionId':'%s','name':'n','kind':'%s'}", i > 0 ? "," : "", options[i].id,
				option_kinds[i]);
		snprintf(expected + n, sizeof expected - (size_t)n, "]}}\n");
		ANSWERS(expected);
		quash_cancel_all(&device.peer);
		steps(5);
		(void)loop_heard(&device);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_kinds_and_states, set_up),
		cmocka_unit_test_setup(test_members, set_up),
		cmocka_unit_test_setup(test_plans, set_up),
		cmocka_unit_test_setup(test_options, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
