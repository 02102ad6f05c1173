/* SPDX-License-Identifier: MIT
 * quash-inspect [OPTION...] DEVICE: see docs/inspect.md. */
#include "inspect_protocol.h"
#include "inspect_replay.h"
#include "inspect_show.h"
#include "inspect_signals.h"

static int converse(struct options *options)
{
	static struct link link;
	const int code = link_open(&link, options) ? options->protocol->converse(&link) : link.exit;
	link_close(&link);
	return code;
}

int main(int argc, char **argv)
{
	static struct options options;
	const int refused = read_options(&options, argc, argv);
	if (refused >= 0)
		return refused;
	if (!signals_catch()) {
		note("quash-inspect: signals cannot be caught");
		return EXIT_NO_ANSWER;
	}
	const int code = options.replay != NULL ? replay(&options) : converse(&options);
	if (show_flush())
		return code;
	note("quash-inspect: stdout takes no more");
	return EXIT_NO_ANSWER;
}
