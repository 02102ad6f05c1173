/* SPDX-License-Identifier: MIT
 * agent: an ACP agent on stdin and stdout. It takes no options. */
#include "agent.h"
#include "main.h"

int main(int argc, char **argv)
{
	static struct host host = { .name = "agent" };
	if (argc > 1)
		return host_bad_option(host.name, "bad option", argv[1]);
	return host_run(&host, &agent_config);
}
