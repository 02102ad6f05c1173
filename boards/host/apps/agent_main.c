/* SPDX-License-Identifier: MIT
 * agent: an ACP agent on stdin and stdout. It takes no options. */
#include "main.h"

extern const quash_config agent_config;

int main(int argc, char **argv)
{
	static struct host host;
	if (argc > 1)
		return host_bad_option("agent", "bad option", argv[1]);
	const char *wrong = host_init(&host, &agent_config);
	if (wrong != NULL)
		return host_bad_option("agent", "bad config", wrong);
	return host_run(&host);
}
