/* SPDX-License-Identifier: MIT */
#include "bridge_config.h"
#include "bridge_options.h"

#include <stdio.h>

static const char *const lines[] = {
	"quash-bridge [OPTION...] DEVICE: joins a client on stdin and stdout to a device.",
	"",
	"DEVICE is one of",
	"  --tty PATH [--baud N] [--reset]   a serial device; --reset: reset the board by DTR and RTS first",
	"  --tcp HOST:PORT                   a TCP socket; HOST is an address or localhost",
	"  --unix PATH                       a Unix socket",
	"  -- COMMAND [ARG...]               a command that speaks on its stdin and stdout",
	"  --device NAME=tty:PATH[,BAUD]     several devices (MCP); also NAME=tcp:HOST:PORT, NAME=unix:PATH,",
	"                                    NAME='exec:COMMAND ARG...'",
	"",
	"  --protocol mcp|acp|lsp|jsonrpc    the default is mcp",
	"  --listen-unix PATH                several clients, on a socket that only its owner may use",
	"  --listen-tcp [ADDRESS:]PORT       several clients; loopback unless an address is given",
	"  --token-file FILE                 the first line of a TCP connection must be that of the file",
	"  --clients N                       at most so many at once (16)",
	"",
	"  --wait TIME                       for a serial device that another program has locked (10s)",
	"  --grace TIME                      at the end, for the device to take the cancels (1500ms)",
	"  --timeout TIME                    a request is cancelled after so long",
	"  --idle-timeout TIME               the same, but progress begins it anew",
	"  A TIME is a number with ms, s or m; without, --wait counts seconds and the others milliseconds.",
	"",
	"  --log error|warning|info|debug    what is shown on stderr (info)",
	"  --trace                           each message, and each event with its reason",
	"  --record FILE                     what passes on the device's line, for quash-inspect --replay",
	"  --print-config HOST               what to paste into the settings of a host, and exit",
	"  --help, --version",
	"",
	"Exit codes: 0 the client has finished; 1 the device is gone for good; 2 bad options; 3 the device is in use;",
	"128 and the number of a signal.",
};

void options_help(void)
{
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		puts(lines[i]);
	printf("HOST is one of %s.\n", bridge_config_hosts());
}
