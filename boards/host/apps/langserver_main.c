/* SPDX-License-Identifier: MIT
 * langserver: a language server on stdin and stdout. It takes no options. */
#include "langserver.h"
#include "main.h"

int main(int argc, char **argv)
{
	static struct host host = {
		.name = "langserver", .stops = langserver_exited, .exit_code = langserver_exit_code
	};
	if (arguments_read(host.name, NULL, 0, argc, argv) != argc)
		return ARGUMENTS_BAD;
	return host_run(&host, &langserver_config);
}
