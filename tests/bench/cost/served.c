/* SPDX-License-Identifier: MIT */
#include "served.h"

#include <stdio.h>
#include <string.h>

#define COUNT(list) ((uint8_t)(sizeof(list) / sizeof(list)[0]))

struct set {
	int32_t pin;
	bool level;
	char label[16];
};

static const quash_param set_list[] = {
	QUASH_ARG_INT(struct set, pin, 0, 31, "which"),
	QUASH_ARG_BOOL(struct set, level, "high or low"),
	QUASH_ARG_TEXT(struct set, label, "for people"),
};
static const quash_params set_params = QUASH_PARAMS(struct set, set_list);

/* --- Plain methods */

static int32_t ok(quash_request *request)
{
	return quash_reply_text(request, "ok");
}

static int32_t wait(quash_request *request)
{
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? QUASH_CANCELLED : QUASH_PENDING;
}

static int32_t note(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static int32_t bind(quash_request *request)
{
	int32_t code;
	if (!quash_bind_or_answer(request, &set_params, &code))
		return code;
	return quash_reply_struct(request, &set_params);
}

static const quash_method plain[] = {
	{ .name = "ok", .handler = ok },
	{ .name = "wait", .handler = wait },
	{ .name = "bind", .handler = bind, .state_size = sizeof(struct set) },
	{ .name = "note", .handler = note, .marks = QUASH_NOTIFICATION },
};

#define PLAIN(name, dialect, arena, tx, slots, calls) \
	{ name, dialect, plain, NULL, arena, tx, 64, COUNT(plain), slots, calls, false }

const struct cost_setup cost_plain[] = {
	PLAIN("plain JSON-RPC with much room", &quash_jsonrpc, COST_ARENA, COST_TX, 4, false),
	PLAIN("plain JSON-RPC with little room", &quash_jsonrpc, 256, 64, 2, false),
	PLAIN("ACP with calls", &quash_acp, COST_ARENA, 256, 4, true),
	PLAIN("LSP with little room", &quash_lsp, 256, 128, 2, true),
	PLAIN("MCP with many slots", &quash_mcp, 256, 256, 8, false),
};
const unsigned cost_plain_count = COUNT(cost_plain);

/* --- An MCP server */

static int32_t tool(quash_request *request)
{
	return quash_mcp_text(request, "ok");
}

static int32_t read_log(quash_request *request)
{
	return quash_mcp_read_text(request, "log");
}

static int32_t read_place(quash_request *request)
{
	char place[32];
	if (!quash_mcp_variable(request, "place", place, sizeof place))
		return quash_mcp_no_resource(request);
	return quash_mcp_read_text(request, "place");
}

static const quash_mcp_tool tools[] = {
	{ .name = "set", .description = "sets a pin", .args = &set_params, .call = tool },
	{ .name = "see", .description = "sees", .call = tool, .hints = QUASH_MCP_READ_ONLY },
};
static const quash_mcp_resource resources[] = {
	QUASH_MCP_RESOURCE("log://all", "all", NULL, read_log, 0),
};
static const quash_mcp_resource templates[] = {
	QUASH_MCP_RESOURCE("log://{+place}/end", "some", NULL, read_place, 0),
	QUASH_MCP_RESOURCE("log://{place}", "one", NULL, read_place, 0),
};
static const quash_mcp_resources resource_part = QUASH_MCP_RESOURCE_LISTS(resources, templates);
static const quash_mcp_part *const parts[] = { &resource_part.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "cost", .version = "1", .session = &session, QUASH_MCP_TOOL_LIST(tools),
	.parts = parts, .token_size = 16, .modern = &quash_mcp_modern };
static const quash_method served[] = { QUASH_MCP_METHODS(&server), QUASH_MCP_RESOURCES(&server) };

#define MCP(name, tx) \
	{ name, &quash_mcp, served, "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-06-18'}}", \
	  COST_ARENA, tx, COST_STATE, COUNT(served), 4, false, true }

const struct cost_setup cost_mcp[] = { MCP("an MCP server", COST_TX), MCP("an MCP server with a small TX", QUASH_TX_MIN) };

/* --- Many methods */

#define NINE "long/name"
#define LONG NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE NINE

static char names[QUASH_METHODS_MAX][sizeof LONG + 3];
static quash_method crowd[QUASH_METHODS_MAX];

void cost_crowd_begin(void)
{
	for (unsigned i = 0; i < QUASH_METHODS_MAX; i++) {
		(void)snprintf(names[i], sizeof names[i], LONG "%u", i);
		crowd[i].name = names[i];
		crowd[i].handler = ok;
	}
}

void cost_crowd_unit(char *to, size_t size, const char *end)
{
	(void)snprintf(to, size, "{'jsonrpc':'2.0','id':#,'method':'%s%s'}\n", end != NULL ? LONG : "l", end != NULL ? end : "");
}

const struct cost_setup cost_crowd = { "many methods with long names", &quash_jsonrpc, crowd, NULL, COST_ARENA, COST_TX, 0, QUASH_METHODS_MAX,
	4, false, false };
