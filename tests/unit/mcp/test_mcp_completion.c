/* SPDX-License-Identifier: MIT
 * Completers of every kind, beside each other; any number of values; and those that are wrong. */
#include "unit.h"

#include <stdio.h>

#include "mcp_talk.h"
#include "quash.h"

static int32_t get(quash_request *request)
{
	return quash_mcp_prompt_text(request, "done");
}

static int32_t read(quash_request *request)
{
	return quash_mcp_read_text(request, "done");
}

static const quash_mcp_prompt prompt_list[] = { QUASH_MCP_PROMPT("one", NULL, NULL, get), QUASH_MCP_PROMPT("two", NULL, NULL, get) };
static const quash_mcp_prompts prompts = QUASH_MCP_PROMPT_LIST(prompt_list);
static const quash_mcp_resource templates[] = { QUASH_MCP_RESOURCE("one", "one", NULL, read, 0), QUASH_MCP_RESOURCE("r:{x}", "r", NULL, read, 0) };
static const quash_mcp_resources resources = { { &quash_mcp_resources_kind }, NULL, templates, 0, COUNT_OF(templates) };

/* As many as are typed, and then what the other arguments say. */
static const char *suggest(const quash_request *request, quash_value typed, quash_value arguments, uint16_t index)
{
	int32_t count = 0;
	(void)request;
	assert_int_equal(quash_kind_of(typed), QUASH_STRING);
	for (const char *c = quash_text(typed); *c != '\0'; c++)
		count = count * 10 + (*c - '0');
	if (index < count)
		return "s";
	return index == count && quash_kind_of(arguments) == QUASH_OBJECT ? quash_text(quash_member(arguments, "other")) : NULL;
}

static const char *const first[] = { "red", "rose", "green", NULL }, *const second[] = { "rice", NULL };
static const quash_mcp_completer completers[] = {
	{ "one", NULL, "x", first, NULL },
	{ "one", NULL, "y", second, NULL },
	{ NULL, "one", "x", second, NULL },
	{ NULL, "r:{x}", "x", NULL, suggest },
};
static quash_mcp_completion completion = QUASH_MCP_COMPLETERS(completers);
static const quash_mcp_part *const parts[] = { &completion.part, &prompts.part, &resources.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .parts = parts, .modern = &quash_mcp_modern };
static const quash_method methods[] = { QUASH_MCP_MODERN(&server), QUASH_MCP_PROMPTS(&server), QUASH_MCP_RESOURCES(&server),
	QUASH_MCP_COMPLETION(&server) };

static int set_up(void **state)
{
	static const quash_mcp_completion usual = QUASH_MCP_COMPLETERS(completers);
	(void)state;
	completion = usual;
	mcp_start(methods, COUNT_OF(methods), QUASH_MCP_STATE(7, 16), LOOP_TX);
	return 0;
}

#define COMPLETE "'resultType':'complete','_meta':{'io.modelcontextprotocol/serverInfo':{'name':'s','version':'1'}},"
#define VALUES(values, count, more) RESULT("1", COMPLETE "'completion':{'values':[" values "],'total':" count ",'hasMore':" more "}")

static void ask(const char *ref, const char *name, const char *value, const char *more)
{
	char asked[500];
	snprintf(asked, sizeof asked, REQUEST("1", "completion/complete", "'ref':{%s},'argument':{'name':'%s','value':'%s'}%s," META), ref, name, value, more);
	mcp_send(asked);
	loop_settle(&mcp, 2000);
}

static void check(const char *ref, const char *name, const char *value, const char *expected)
{
	ask(ref, name, value, "");
	assert_string_equal(loop_heard(&mcp), mcp_quoted(expected));
}

#define PROMPT(name) "'type':'ref/prompt','name':'" name "'"
#define RESOURCE(uri) "'type':'ref/resource','uri':'" uri "'"
#define NONE VALUES("", "0", "false")

/* Each completes its own argument. */
static void test_whose_argument(void **state)
{
	(void)state;
	check(PROMPT("one"), "x", "", VALUES("'red','rose','green'", "3", "false"));
	check(PROMPT("one"), "x", "r", VALUES("'red','rose'", "2", "false"));
	check(PROMPT("one"), "x", "ros", VALUES("'rose'", "1", "false"));
	check(PROMPT("one"), "x", "rose", VALUES("'rose'", "1", "false"));
	check(PROMPT("one"), "x", "roses", NONE);
	check(PROMPT("one"), "x", "R", NONE);
	check(PROMPT("one"), "y", "", VALUES("'rice'", "1", "false"));
	check(PROMPT("one"), "z", "", NONE);
	check(PROMPT("two"), "x", "", NONE);
	check(RESOURCE("one"), "x", "", VALUES("'rice'", "1", "false"));
	check(RESOURCE("one"), "y", "", NONE);
	check(RESOURCE("r:{x}"), "x", "2", VALUES("'s','s'", "2", "false"));
	check(RESOURCE("r:{x}"), "y", "2", NONE);
	check(RESOURCE("r:1"), "x", "2", NONE);
	check("'type':'ref/prompt','uri':'one'", "x", "", ERROR("1", "-32602", "Unknown ref"));
	check("'type':'ref/resource','name':'one'", "x", "", ERROR("1", "-32602", "Unknown ref"));
	check("'name':'one','uri':'one'", "x", "", ERROR("1", "-32602", "Unknown ref"));
}

static void test_other_arguments(void **state)
{
	(void)state;
	ask(RESOURCE("r:{x}"), "x", "1", ",'context':{'arguments':{'other':'told'}}");
	assert_string_equal(loop_heard(&mcp), mcp_quoted(VALUES("'s','told'", "2", "false")));
}

/* 100 are sent, all are counted. */
static void test_each_number_of_values(void **state)
{
	char typed[8], expected[1000];
	(void)state;
	for (unsigned count = 0; count < 110; count++) {
		snprintf(typed, sizeof typed, "%u", count);
		int n = snprintf(expected, sizeof expected, "{'jsonrpc':'2.0','id':1,'result':{" COMPLETE "'completion':{'values':[");
		for (unsigned i = 0; i < count && i < 100; i++)
			n += snprintf(expected + n, sizeof expected - (size_t)n, "%s's'", i > 0 ? "," : "");
		snprintf(expected + n, sizeof expected - (size_t)n, "],'total':%u,'hasMore':%s}}}\n", count, count > 100 ? "true" : "false");
		check(RESOURCE("r:{x}"), "x", typed, expected);
	}
}

/* --- Wrong ones */

/* The member that is wrong of one that has these. */
static const char *wrong_of(bool prompt, bool resource, bool argument, bool values, bool suggests)
{
	if (!argument)
		return "argument";
	if (prompt == resource)
		return prompt ? "resource" : "prompt";
	return values != suggests ? NULL : values ? "suggest" : "values";
}

static void test_each_set_of_members(void **state)
{
	quash_mcp_completer list[2];
	quash_fault fault;
	(void)state;
	for (unsigned set = 0; set < 32; set++) {
		const bool prompt = (set & 1) != 0, resource = (set & 2) != 0, argument = (set & 4) != 0, values = (set & 8) != 0, suggests = (set & 16) != 0;
		const char *const wrong = wrong_of(prompt, resource, argument, values, suggests);
		list[0] = completers[0];
		list[1] = (quash_mcp_completer){ prompt ? "one" : NULL, resource ? "one" : NULL, argument ? "x" : NULL, values ? first : NULL, suggests ? suggest : NULL };
		completion.list = list;
		completion.count = 2;
		assert_true(quash_init(&mcp.peer, &mcp.config, &fault) == (wrong == NULL));
		if (wrong == NULL)
			continue;
		assert_string_equal(fault.table, "completers");
		assert_string_equal(fault.member, wrong);
		assert_int_equal(fault.index, 1);
	}
	completion.list = NULL;
	assert_false(quash_init(&mcp.peer, &mcp.config, &fault));
	assert_string_equal(fault.member, "list");
	completion.count = 0;
	assert_true(quash_init(&mcp.peer, &mcp.config, &fault));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_whose_argument, set_up),
		cmocka_unit_test_setup(test_other_arguments, set_up),
		cmocka_unit_test_setup(test_each_number_of_values, set_up),
		cmocka_unit_test_setup(test_each_set_of_members, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
