/* SPDX-License-Identifier: MIT
 * What a list says of each tool, with each set of hints; and a server that is wrong. */
#include "unit.h"

#include <stdio.h>

#include "mcp_talk.h"
#include "quash.h"

enum { SETS = 16 };

static int32_t done(quash_request *request)
{
	return quash_mcp_text(request, "done");
}

static quash_mcp_tool tools[SETS];
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .tools = tools, .tool_count = SETS,
	.page = 1, .modern = &quash_mcp_modern };
static const quash_method methods[] = { QUASH_MCP_MODERN(&server), QUASH_MCP_TOOLS(&server) };

#define COMPLETE "'resultType':'complete','_meta':{'io.modelcontextprotocol/serverInfo':{'name':'s','version':'1'}},"

/* `true` and `false` are those of the marks' names: what is not additive destroys, what is no closed world is open. */
static const struct {
	uint8_t mark;
	const char *hint;
} hints[] = {
	{ QUASH_MCP_READ_ONLY, "'readOnlyHint':true" },
	{ QUASH_MCP_ADDITIVE, "'destructiveHint':false" },
	{ QUASH_MCP_IDEMPOTENT, "'idempotentHint':true" },
	{ QUASH_MCP_CLOSED_WORLD, "'openWorldHint':false" },
};

static void write_annotations(char *to, uint8_t marks)
{
	strcpy(to, marks != 0 ? ",'annotations':{" : "");
	for (size_t i = 0; i < COUNT_OF(hints); i++) {
		if ((marks & hints[i].mark) == 0)
			continue;
		strcat(to, to[strlen(to) - 1] != '{' ? "," : "");
		strcat(to, hints[i].hint);
	}
	strcat(to, marks != 0 ? "}" : "");
}

static void test_each_set_of_hints(void **state)
{
	char asked[300], annotations[150], expected[500], next[40];
	(void)state;
	for (unsigned i = 0; i < SETS; i++)
		tools[i] = (quash_mcp_tool){ .name = &"0123456789abcdef"[i], .call = done, .hints = (uint8_t)i };
	mcp_start(methods, COUNT_OF(methods), QUASH_MCP_STATE(0, 7), LOOP_TX);
	for (unsigned i = 0; i < SETS; i++) {
		write_annotations(annotations, (uint8_t)i);
		snprintf(next, sizeof next, ",'nextCursor':'%u'", i + 1);
		snprintf(expected, sizeof expected, RESULT("1", COMPLETE "'tools':[{'name':'%s','inputSchema':{'type':'object',"
			"'properties':{}}%s}]%s,'ttlMs':0,'cacheScope':'public'"), tools[i].name, annotations, i < SETS - 1 ? next : "");
		snprintf(asked, sizeof asked, i > 0 ? REQUEST("1", "tools/list", "'cursor':'%u'," META) : REQUEST("1", "tools/list", META), i);
		mcp_check(asked, expected);
	}
}

/* --- Wrong servers */

static quash_mcp_server wrong;
static const quash_method wrong_methods[] = { QUASH_MCP_MODERN(&wrong), QUASH_MCP_TOOLS(&wrong) };

static void check_fault(const char *name, const char *what)
{
	mcp_prepare(wrong_methods, COUNT_OF(wrong_methods), MCP_STATE, LOOP_TX);
	mcp_refuses("server", name, what);
	wrong = server;
}

static void test_wrong_servers(void **state)
{
	static quash_mcp_watch watch;
	static char uris[8];
	static const quash_mcp_watches no_list = { NULL, uris, 1, 7 }, no_uris = { &watch, NULL, 1, 7 };
	(void)state;
	for (unsigned i = 0; i < SETS; i++)
		tools[i] = (quash_mcp_tool){ .name = &"0123456789abcdef"[i], .call = done };
	wrong = server;
	wrong.modern = NULL;
	check_fault("", "modern is needed and not named");
	wrong.watches = &no_list;
	check_fault("s", "watches is missing");
	wrong.watches = &no_uris;
	check_fault("s", "watches is missing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_set_of_hints),
		cmocka_unit_test(test_wrong_servers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
