/* SPDX-License-Identifier: MIT
 * quash-bridge [OPTION...] DEVICE: joins clients to a device on a serial line, a socket or a command. */
#include "bridge_arguments.h"
#include "bridge_output.h"
#include "bridge_page_bytes.h"
#include "bridge_shell.h"
#include "posix/posix_serve.h"

#include <string.h>

int main(int argc, char **argv)
{
	static const char uncaught[] = "signals cannot be caught: they end the bridge at once";
	static struct bridge_options options;
	static struct shell shell = { .options = &options };
	int code = options_read(&options, argc, argv);
	if (code >= 0)
		return code;
	if (!options.no_page)
		options.page = (const char *)bridge_page_bytes;
	log_open();
	if (posix_signals_catch() != 0)
		log_print(LOG_WARNING, uncaught, strlen(uncaught), false);
	code = shell_open(&shell);
	if (code != 0)
		return code;
	while (!bridge_is_over(shell.bridge, &code))
		shell_turn(&shell);
	lines_close_terminal(&shell);
	record_flush();
	return code == EXIT_WELL && posix_signals_caught() != 0 ? posix_signals_exit_code() : code;
}
