/* SPDX-License-Identifier: MIT
 * langserver: a language server on stdin and stdout. It takes no options. */
#include "langserver.h"
#include "main.h"

int main(int argc, char **argv)
{
	static struct host host = {
		.name = "langserver", .stops = langserver_exited, .exit_code = langserver_exit_code
	};
	if (argc > 1)
		return host_bad_option(host.name, "bad option", argv[1]);
	return host_run(&host, &langserver_config);
}
