/* SPDX-License-Identifier: MIT
 * An MCP server with two tools: whole requests. */
#include "serving.h"

struct gpio_write {
	int32_t pin;
	bool level;
	char label[8];
};

static const quash_param gpio_write_list[] = {
	QUASH_ARG_INT(struct gpio_write, pin, 0, 31, "which"),
	QUASH_ARG_BOOL(struct gpio_write, level, "high or low"),
	QUASH_ARG_TEXT(struct gpio_write, label, "for people"),
};
static const quash_params gpio_write_params = QUASH_PARAMS(struct gpio_write, gpio_write_list);

static const quash_param log_write_list[] = {
	QUASH_ARG_STRING("text", "what to log"),
};
static const quash_params log_write_params = QUASH_PARAMS_ONLY(log_write_list);

static int32_t tool(quash_request *request)
{
	return quash_mcp_text(request, "ok");
}

static const quash_mcp_tool tools[] = {
	{ .name = "gpio_write", .args = &gpio_write_params, .call = tool },
	{ .name = "log_write", .args = &log_write_params, .call = tool },
};
enum { TOKEN_SIZE = 16 };
static quash_mcp_session session;
static const quash_mcp_server server = {
	.name = "bench", .version = "1", .tools = tools, .modern = &quash_mcp_modern, .session = &session, .tool_count = 2, .token_size = TOKEN_SIZE
};
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };

enum { STATE_SIZE = (QUASH_MCP_STATE(TOKEN_SIZE, sizeof(struct gpio_write)) + 7) / 8 * 8 };
static uint64_t states[BENCH_SLOTS * STATE_SIZE / 8];

static const quash_config config = { BENCH_STORED, .dialect = &quash_mcp, .methods = methods,
	.method_count = sizeof methods / sizeof methods[0], .states = states, .state_size = STATE_SIZE,
	.check = quash_mcp_check, .new_session = quash_mcp_new_session, .keeps = &quash_mcp_keeps };

void bench_tools(void)
{
	bench_begin(&config);
	bench_requests("mcp");
}
