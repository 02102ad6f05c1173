/* SPDX-License-Identifier: MIT
 * toolbox [--slots N] [--arena N] [--tx N] [--longest MS]: an MCP server on stdin and stdout. Its motor turns for no longer than
 * MS. */
#include "main.h"
#include "quash.h"
#include "toolbox.h"

enum { TOOLS = 8, METHODS = 8 };

/* The tables of the toolbox again, in which the tools that move end sooner or later. */
static void limit_motion(quash_config *config, uint32_t longest)
{
	static quash_method methods[METHODS];
	static quash_mcp_server server;
	static quash_mcp_tool tools[TOOLS];
	server = *(const quash_mcp_server *)config->methods[0].data;
	for (uint8_t i = 0; i < server.tool_count && i < TOOLS; i++) {
		tools[i] = server.tools[i];
		if (tools[i].motion.lease != 0)
			tools[i].motion.longest = longest;
	}
	for (uint8_t i = 0; i < config->method_count && i < METHODS; i++) {
		methods[i] = config->methods[i];
		methods[i].data = &server;
	}
	server.tools = tools;
	config->methods = methods;
}

int main(int argc, char **argv)
{
	static struct host host = { .name = "toolbox" };
	static quash_config config;
	struct sizes sizes = sizes_of(&toolbox_config);
	uint32_t longest = TOOLBOX_LONGEST;
	const struct argument_option own[] = { { "--longest", NULL, ARGUMENT_MS, 0, NULL } };
	const struct argument_table tables[] = { { sizes_arguments, SIZES_ARGUMENTS, &sizes }, { own, 1, &longest } };
	if (arguments_read(host.name, tables, 2, argc, argv) != argc)
		return ARGUMENTS_BAD;
	config = toolbox_config;
	limit_motion(&config, longest);
	sizes_provide(host.name, &sizes, &config);
	return host_run(&host, &config);
}
