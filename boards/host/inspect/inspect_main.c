/* SPDX-License-Identifier: MIT
 * quash-inspect [OPTION...] -- COMMAND [ARGUMENT...]: see docs/inspect.md. */
#include "inspect_protocol.h"
#include "inspect_show.h"

static int converse(struct options *options)
{
	static struct link link;
	int code = EXIT_NO_ANSWER;
	if (link_open(&link, options))
		code = options->protocol->converse(&link);
	link_close(&link);
	return code;
}

int main(int argc, char **argv)
{
	static struct options options;
	const int refused = read_options(&options, argc, argv);
	if (refused >= 0)
		return refused;
	const int code = converse(&options);
	if (show_flush())
		return code;
	note("quash-inspect: stdout takes no more");
	return EXIT_NO_ANSWER;
}
