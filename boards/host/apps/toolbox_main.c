/* SPDX-License-Identifier: MIT
 * toolbox [--slots N] [--arena N] [--tx N]: an MCP server on stdin and stdout. */
#include "main.h"
#include "toolbox.h"

int main(int argc, char **argv)
{
	static struct host host = { .name = "toolbox" };
	static quash_config config;
	struct sizes sizes = sizes_of(&toolbox_config);
	for (int i = 1; i < argc; i += 2) {
		if (i + 1 == argc || !sizes_option(&sizes, argv[i], argv[i + 1]))
			return host_bad_option(host.name, "bad option", argv[i]);
	}
	config = toolbox_config;
	sizes_provide(host.name, &sizes, &config);
	return host_run(&host, &config);
}
