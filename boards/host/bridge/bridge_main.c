/* SPDX-License-Identifier: MIT
 * quash-bridge [OPTION...] DEVICE: joins clients to a device on a serial line, a socket or a command. */
#include "bridge_log.h"
#include "bridge_options.h"
#include "bridge_run.h"
#include "posix/posix_serve.h"

int main(int argc, char **argv)
{
	int code = options_read(&bridge.options, argc, argv);
	if (code >= 0)
		return code;
	log_open();
	if (posix_signals_catch() != 0)
		log_line(LOG_WARNING, "signals cannot be caught: they end the bridge at once");
	code = bridge_open();
	if (code != 0)
		return code;
	while (!bridge_is_over())
		bridge_turn(UINT32_MAX);
	bridge_end();
	if (!bridge.listens)
		posix_stdio_close(&bridge.clients[0]->terminal);
	record_flush();
	if (bridge.exit >= 0)
		return bridge.exit;
	return posix_signals_caught() != 0 ? posix_signals_exit_code() : EXIT_WELL;
}
