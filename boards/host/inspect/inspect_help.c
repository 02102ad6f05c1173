/* SPDX-License-Identifier: MIT */
#include "inspect_help.h"

#include <stdio.h>

/* In pieces: a compiler need not take longer strings. */
static const char *const lines[] = {
	"quash-inspect [OPTION...] DEVICE",
	"",
	"Speaks MCP, ACP or LSP with DEVICE, makes one request and prints the result on stdout. Everything",
	"else (progress, notices, errors) goes to stderr. Ctrl-C cancels the request, notes what the other",
	"side made of that, and ends; a second Ctrl-C ends at once.",
	"",
	"DEVICE:",
	"  -- COMMAND [ARGUMENT...] a program, started, on its stdin and stdout; at the end of the line",
	"  --tty PATH               a serial device; lines that are no JSON are shown as noise",
	"  --baud N                 its rate in bits per second (as it is)",
	"  --reset                  reset the board by DTR and RTS first",
	"  --wait S                 how long to wait for a serial device that another program has (10)",
	"  --tcp HOST:PORT          a TCP socket; HOST: an address in numbers, [::1], or localhost",
	"  --token-file FILE        send the file's first line before all else, over TCP",
	"  --unix PATH              a Unix socket",
	"",
	"  --protocol mcp|acp|lsp   what DEVICE speaks (mcp)",
	"  --method NAME            the request; without any: MCP lists the tools, ACP and LSP print what",
	"                           DEVICE answers to the greeting",
	"  --params JSON            its params, an object or array",
	"  --json                   print the raw result, or the raw error, as one line of JSON",
	"  --trace                  show every message on stderr, and why one was refused or dropped",
	"",
	"MCP:",
	"  --tool NAME              call a tool",
	"  --arg KEY=VALUE          an argument for it, typed by the tool's schema; again for further ones",
	"  --modern                 speak revision 2026-07-28, which begins without a handshake",
	"",
	"ACP:",
	"  --prompt TEXT            open a session and prompt it",
	"  --permission ask|allow|reject|hang",
	"                           what to answer when the agent asks for permission; hang: nothing",
	"                           (ask on the terminal; where stdin is none, reject)",
	"  --cancel-by session|request",
	"                           cancel a prompt with session/cancel or with $/cancel_request (session)",
	"",
	"Records of quash-bridge:",
	"  --replay FILE            send what the record has sent, at its times, and compare what comes back",
	"  --name NAME              the device in a record of several",
	"",
	"Sizes of buffers:",
	"  --advise                 read the device's counters, and print which buffer to change to which size;",
	"                           the tool or method `stats` has them, or the one of --tool or --method",
	"  --counters FILE          read them from a file instead, the JSON of such a `stats`",
	"                           with --replay FILE: what the messages of a record need; without DEVICE too",
	"",
	"Times in milliseconds, or with a unit (500ms, 2s, 5m), and memory:",
	"  --cancel-after MS        cancel the request after that time, as Ctrl-C does",
	"  --timeout MS             give up on an answer; 0: never (10000 for the greeting, else 0)",
	"  --grace MS               wait for the other side after a cancel (5000)",
	"  --listen MS              MCP: listen for what should not come after a cancel (300)",
	"  --arena BYTES            memory for what is received, up to 16777215 (4194304)",
	"",
	"  --help, --version        print this, or the version",
	"",
	"Exit code: 0 a result; 1 an error, a tool's result with isError, a difference; 2 bad options;",
	"3 no answer: DEVICE cannot be opened or is in use, the link is lost, a timeout, too large;",
	"4 --advise: a buffer is to be changed; 130 cancelled.",
};

void print_help(void)
{
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		puts(lines[i]);
}
