/* SPDX-License-Identifier: MIT
 * A motor at the pin of the board's LED, for resets in the middle of its motion. Small enough for each board. */
#include "board.h"
#include "firmware.h"
#include "quash.h"

enum { TOKEN = 24, LONGEST_MS = 30000, LEASE_MS = 1000 };

struct turn {
	int32_t ms;
	bool begun;
};

static const quash_param turn_list[] = { QUASH_ARG_INT(struct turn, ms, 1, 30000, NULL) };
static const quash_params turn_params = QUASH_PARAMS(struct turn, turn_list);

static int32_t turn(quash_request *request)
{
	struct turn *const t = QUASH_TOOL(struct turn, request);
	if (t->begun)
		return quash_mcp_text(request, "turned");
	t->begun = true;
	board_led(true);
	return quash_wait(request, (uint32_t)t->ms);
}

static int32_t turn_end(quash_request *request)
{
	(void)request;
	board_led(false);
	return QUASH_DONE;
}

static quash_group one_motor;
static const quash_mcp_tool tools[] = {
	{ .name = "turn", .args = &turn_params, .call = turn, .motion = { .end = turn_end, .longest = LONGEST_MS, .lease = LEASE_MS, .group = &one_motor } },
};
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "resets", .version = "1", .session = &session, .tools = tools, .tool_count = 1,
	.token_size = TOKEN, .leases = &quash_mcp_leases };
static const quash_method methods[] = { QUASH_MCP_LEGACY(&server), QUASH_MCP_TOOLS(&server) };
QUASH_STORAGE(store, 2, 24, QUASH_MCP_STATE(TOKEN, sizeof(struct turn)), 256, 160);

extern const quash_config motor_config;
const quash_config motor_config = {
	QUASH_STORED(store), .dialect = &quash_mcp, .methods = methods, .method_count = sizeof methods / sizeof methods[0],
	.new_session = quash_mcp_new_session, .keeps = &quash_mcp_keeps,
};

const quash_config *const firmware_config = &motor_config;
