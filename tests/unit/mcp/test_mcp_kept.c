/* SPDX-License-Identifier: MIT
 * Which members of params servers keep whole, of which they keep that they are there, and what is passed over. */
#include "unit.h"

#include "mcp_talk.h"
#include "quash.h"
#include "quash/mcp_input.h"

static void put_params(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_params_of(request));
}

static int32_t probe(quash_request *request)
{
	return quash_reply(request, put_params);
}

static int32_t done(quash_request *request)
{
	return quash_mcp_text(request, "done");
}

static const quash_mcp_tool tools[] = { { .name = "done", .call = done } };
static const quash_mcp_resource list[] = { QUASH_MCP_RESOURCE("r:1", "r", NULL, done, 0) };
static const quash_mcp_resources resources = QUASH_MCP_RESOURCE_LIST(list);
static const char *const values[] = { "v", NULL };
static const quash_mcp_completer completers[] = { { NULL, "r:1", "x", values, NULL } };
static const quash_mcp_completion completion = QUASH_MCP_COMPLETERS(completers);
static const quash_mcp_logging logging = { .part = { &quash_mcp_logging_kind } };
static const uint8_t key[QUASH_MCP_KEY] = { 1 };
static const quash_mcp_input input = QUASH_MCP_INPUT(key, 1, 20);
static const quash_keep own[] = { { "own>deep", 0, false } };
static const quash_mcp_part *parts[5];
static quash_mcp_session session;
static quash_mcp_server server;
static const quash_method of_all[] = { QUASH_MCP_METHODS(&server), { .name = "probe", .handler = probe, .marks = QUASH_LISTED } };
static const quash_method of_resources[] = { QUASH_MCP_RESOURCES(&server) };
static const quash_method of_completion[] = { QUASH_MCP_COMPLETION(&server) };
static const quash_method of_logging[] = { QUASH_MCP_LOGGING(&server) };
static quash_method methods[COUNT_OF(of_all) + COUNT_OF(of_resources) + COUNT_OF(of_completion) + COUNT_OF(of_logging)];
static uint8_t arena[4096];

static uint8_t add(uint8_t count, const quash_method *more, size_t size)
{
	memcpy(&methods[count], more, size);
	return (uint8_t)(count + size / sizeof *more);
}

/* Each part has its methods in the table. */
static uint8_t count_methods(void)
{
	uint8_t count = add(0, of_all, sizeof of_all);
	for (size_t i = 0; i < COUNT_OF(parts) && parts[i] != NULL; i++) {
		if (parts[i] == &resources.part)
			count = add(count, of_resources, sizeof of_resources);
		else if (parts[i] == &completion.part)
			count = add(count, of_completion, sizeof of_completion);
		else if (parts[i] == &logging.part)
			count = add(count, of_logging, sizeof of_logging);
	}
	return count;
}

static void start(void)
{
	mcp_prepare(methods, count_methods(), QUASH_MCP_STATE(7, 16), LOOP_TX);
	mcp.config.calls = &quash_mcp_calls;
	mcp.config.arena = arena;
	mcp.config.arena_size = sizeof arena;
	loop_start(&mcp);
}

static int set_up(void **state)
{
	(void)state;
	server = (quash_mcp_server){ .name = "s", .version = "1", .session = &session, .tools = tools, .tool_count = COUNT_OF(tools), .parts = parts,
		.modern = &quash_mcp_modern, .token_size = 7 };
	memset(parts, 0, sizeof parts);
	return 0;
}

/* --- A message with each member that anybody looks at */

#define V "['v',{'w':10}]"
#define ABILITIES \
	"{'elicitation':{'form':" V ",'url':" V ",'x':" V "},'sampling':{'tools':" V ",'y':" V "},'roots':" V ",'experimental':{'quash/related':" V \
	",'z':" V "},'other':" V "}"
#define ALL REQUEST("1", "probe", \
	"'name':" V ",'arguments':" V ",'cursor':" V ",'protocolVersion':" V ",'notifications':" V ",'uri':" V ",'ref':" V ",'argument':" V \
	",'context':{'arguments':" V ",'other':" V "},'level':" V ",'inputResponses':" V ",'requestState':" V ",'own':{'deep':" V ",'x':" V "},'stray':" V \
	",'capabilities':" ABILITIES ",'_meta':{'progressToken':'t','io.modelcontextprotocol/protocolVersion':" V \
	",'io.modelcontextprotocol/clientCapabilities':" ABILITIES ",'io.modelcontextprotocol/logLevel':" V ",'quash/related':true,'stray':" V "}")

/* What every server keeps. */
#define USUAL "'name':" V ",'arguments':" V ",'cursor':" V ",'protocolVersion':" V ",'notifications':" V

/* Abilities, of which it is kept that they are there: what a container holds is passed over. */
#define CAN "{'elicitation':{'form':[],'url':[]},'sampling':{'tools':[]},'roots':[]"

static void check_kept(const char *kept)
{
	start();
	mcp_check(ALL, kept);
}

static void test_no_parts(void **state)
{
	(void)state;
	check_kept(RESULT("1", USUAL ",'_meta':{'progressToken':'t','protocolVersion':" V ",'clientCapabilities':{}}"));
}

static void test_own(void **state)
{
	(void)state;
	server.keeps = own;
	server.keep_count = 1;
	check_kept(RESULT("1", USUAL ",'own':{'deep':" V "},'_meta':{'progressToken':'t','protocolVersion':" V ",'clientCapabilities':{}}"));
}

static void test_parts_that_do_not_ask(void **state)
{
	(void)state;
	parts[0] = &resources.part;
	parts[1] = &completion.part;
	parts[2] = &logging.part;
	check_kept(RESULT("1", USUAL ",'uri':" V ",'ref':" V ",'argument':" V ",'context':{'arguments':" V "},'level':" V ",'capabilities':{'experimental':{'quash/related':[]}},"
		"'_meta':{'progressToken':'t','protocolVersion':" V ",'clientCapabilities':{},'logLevel':" V ",'quash/related':true}"));
}

static void test_who_asks_legacy_clients(void **state)
{
	(void)state;
	parts[0] = &quash_mcp_ask_part;
	check_kept(RESULT("1", USUAL ",'capabilities':" CAN ",'experimental':{'quash/related':[]}},'_meta':{'progressToken':'t','protocolVersion':" V
		",'clientCapabilities':{}}"));
}

static void test_who_asks_all(void **state)
{
	(void)state;
	parts[0] = &input.part;
	check_kept(RESULT("1", USUAL ",'inputResponses':" V ",'requestState':" V ",'capabilities':" CAN ",'experimental':{'quash/related':[]}},"
		"'_meta':{'progressToken':'t','protocolVersion':" V ",'clientCapabilities':" CAN "}}"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_no_parts, set_up),
		cmocka_unit_test_setup(test_own, set_up),
		cmocka_unit_test_setup(test_parts_that_do_not_ask, set_up),
		cmocka_unit_test_setup(test_who_asks_legacy_clients, set_up),
		cmocka_unit_test_setup(test_who_asks_all, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
