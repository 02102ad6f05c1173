/* SPDX-License-Identifier: MIT
 * langserver: a language server on stdin and stdout. It takes no options. */
#include "langserver.h"
#include "main.h"

int main(int argc, char **argv)
{
	static struct host host = { .stops = langserver_exited, .exit_code = langserver_exit_code };
	if (argc > 1)
		return host_bad_option("langserver", "bad option", argv[1]);
	const char *wrong = host_init(&host, &langserver_config);
	if (wrong != NULL)
		return host_bad_option("langserver", "bad config", wrong);
	return host_run(&host);
}
