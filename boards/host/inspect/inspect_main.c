/* SPDX-License-Identifier: MIT
 * quash-inspect [OPTION...] DEVICE: see docs/inspect.md. */
#include "inspect_advise.h"
#include "inspect_doctor.h"
#include "inspect_protocol.h"
#include "inspect_replay.h"
#include "inspect_show.h"
#include "inspect_signals.h"

static int hold_conversation(struct inspect_options *options, const struct observer *observer)
{
	static struct link link;
	link.observer = observer;
	const int code = link_open(&link, options) ? options->protocol->converse(&link) : link.exit;
	link_close(&link);
	return code;
}

static int advise_after_asking(struct inspect_options *options)
{
	const int code = options->device.kind != DEVICE_NONE ? hold_conversation(options, &advise_observer) : EXIT_RESULT;
	return code == EXIT_RESULT || advise_was_refused() ? advise(options, code) : code;
}

static int run_inspect(struct inspect_options *options)
{
	if (options->doctor)
		return run_doctor(options);
	if (options->advise)
		return advise_after_asking(options);
	return options->replay != NULL ? replay(options) : hold_conversation(options, NULL);
}

int main(int argc, char **argv)
{
	static struct inspect_options options;
	const int refused = inspect_options_read(&options, argc, argv);
	if (refused >= 0)
		return refused;
	if (!signals_catch()) {
		note("quash-inspect: signals cannot be caught");
		return EXIT_NO_ANSWER;
	}
	const int code = run_inspect(&options);
	if (show_flush())
		return code;
	note("quash-inspect: stdout takes no more");
	return EXIT_NO_ANSWER;
}
