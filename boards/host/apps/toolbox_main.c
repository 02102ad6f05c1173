/* SPDX-License-Identifier: MIT
 * toolbox [--slots N] [--arena N] [--tx N] [--longest MS]: an MCP server on stdin and stdout. Its motor turns for no longer than
 * MS. */
#include "arguments.h"
#include "main.h"
#include "quash.h"
#include "toolbox.h"

#include <string.h>

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
		if (tools[i].lease != 0)
			tools[i].deadline = longest;
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
	for (int i = 1; i < argc; i += 2) {
		const bool limits = strcmp(argv[i], "--longest") == 0;
		if (i + 1 == argc || !(limits ? argument_number(argv[i + 1], &longest) : sizes_option(&sizes, argv[i], argv[i + 1])))
			return host_bad_option(host.name, "bad option", argv[i]);
	}
	config = toolbox_config;
	limit_motion(&config, longest);
	sizes_provide(host.name, &sizes, &config);
	return host_run(&host, &config);
}
