/* SPDX-License-Identifier: MIT
 * agent: an ACP agent on stdin and stdout. It takes no options. */
#include "agent.h"
#include "main.h"

int main(int argc, char **argv)
{
	static struct host host = { .name = "agent" };
	if (arguments_read(host.name, NULL, 0, argc, argv) != argc)
		return ARGUMENTS_BAD;
	return host_run(&host, &agent_config);
}
