/* SPDX-License-Identifier: MIT
 * An MCP server with one tool that moves something. */
#include "quash.h"

struct turn {
	int32_t ms;
	bool on;
};

static const quash_param turn_list[] = { QUASH_ARG_INT(struct turn, ms, 1, 60000, "how long, in milliseconds") };
static const quash_params turn_params = QUASH_PARAMS(struct turn, turn_list);

static int32_t turn(quash_request *request)
{
	struct turn *const t = QUASH_TOOL(struct turn, request);
	if (t->on)
		return quash_mcp_text(request, "turned");
	t->on = true;
	return quash_wait(request, (uint32_t)t->ms);
}

static int32_t off(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static quash_mcp_session session;
static quash_group one_motor;
static const quash_mcp_tool tools[] = {
	{ .name = "turn", .description = "Turns the motor; a cancel stops it", .args = &turn_params, .call = turn,
	  .motion = { .end = off, .longest = 70000, .lease = 2000, .group = &one_motor } },
};
static const quash_mcp_server server = { .name = "motor", .version = "1.0", .session = &session, QUASH_MCP_TOOL_LIST(tools),
	.token_size = 16, .modern = &quash_mcp_modern };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
QUASH_STORAGE(store, 4, 24, QUASH_MCP_STATE(16, sizeof(struct turn)), 256, 128);
const quash_config device = {
	QUASH_STORED(store),
	.dialect = &quash_mcp,
	.methods = methods,
	.method_count = sizeof methods / sizeof *methods,
#ifndef UNCHECKED
	.check = quash_mcp_check,
#endif
	.new_session = quash_mcp_new_session,
	.keeps = &quash_mcp_keeps,
};

#include "endless.h"
