/* SPDX-License-Identifier: MIT
 * toolbox: an MCP server on stdin and stdout. It takes no options. */
#include "main.h"

extern const quash_config toolbox_config;

int main(int argc, char **argv)
{
	static struct host host;
	if (argc > 1)
		return host_bad_option("toolbox", "bad option", argv[1]);
	const char *wrong = host_init(&host, &toolbox_config);
	if (wrong != NULL)
		return host_bad_option("toolbox", "bad config", wrong);
	return host_run(&host);
}
