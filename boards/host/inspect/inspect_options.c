/* SPDX-License-Identifier: MIT */
#include "inspect_options.h"

#include "inspect_protocol.h"
#include "quash.h"
#include "reading.h"
#include "span.h"
#include "text.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char program[] = "quash-inspect";

/* --- The help */

/* In pieces: a compiler need not take longer strings. */
static const char *const lines[] = {
	"quash-inspect [OPTION...] DEVICE",
	"",
	"Speaks MCP, ACP, LSP or plain JSON-RPC with DEVICE, makes one request and prints the result on",
	"stdout. Everything else (progress, notices, errors) goes to stderr. Ctrl-C cancels the request,",
	"notes what the other side made of that, and ends; a second Ctrl-C ends at once.",
	"",
	"DEVICE:",
	"  -- COMMAND [ARGUMENT...] a program, started, on its stdin and stdout; at the end of the line",
	"  --tty PORT               a serial device; lines that are no JSON are shown as noise; a path, auto for",
	"                           the only board, or usb:VID:PID[:SERIAL]: see quash-bridge --list",
	"  --baud N                 its rate in bits per second (as it is)",
	"  --reset                  reset the board by DTR and RTS first",
	"  --wait S                 how long to wait for a serial device that another program has (10)",
	"  --tcp HOST:PORT          a TCP socket; HOST: an address in numbers, [::1], or localhost",
	"  --token-file FILE        send the file's first line before all else, over TCP",
	"  --unix PATH              a Unix socket",
	"",
	"  --protocol mcp|acp|lsp|jsonrpc",
	"                           what DEVICE speaks (mcp)",
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
	"What is wrong with a device:",
	"  --doctor                 print which it is, what was seen, and the remedy: silent, garbage, echo,",
	"                           another program, no end of line, no answer, unreadable, wrong id,",
	"                           lost, another protocol, refused, too small, no progress, noise, well;",
	"                           moves nothing, but with --tool NAME it calls that tool, twice at most,",
	"                           to see its progress",
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
	"4 --advise: a buffer is to be changed; --doctor: too small, no progress, noise; 130 cancelled.",
	"--doctor: 0 well; 1 another protocol, refused; 3 whatever else is wrong with the line.",
};

static void print_help(void)
{
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		puts(lines[i]);
}

/* --- Values */

static const char *read_protocol_option(void *to, char *text)
{
	struct inspect_options *const o = to;
	o->protocol = inspect_protocol_named(span_of(text));
	return argument_if(o->protocol != NULL);
}

static const char *read_params(void *to, char *text)
{
	struct inspect_options *const o = to;
	const quash_kind kind = json_kind(text);
	text_compact(text);
	o->params = text;
	return argument_if(kind == QUASH_OBJECT || kind == QUASH_ARRAY);
}

static const char *read_argument(void *to, char *text)
{
	struct inspect_options *const o = to;
	char *equals = strchr(text, '=');
	if (equals == NULL || equals == text)
		return "";
	if (o->argument_count == MOST_ARGUMENTS)
		return "is one too many: 64 are the most";
	*equals = '\0';
	const struct argument argument = { .name = text, .value = equals + 1 };
	o->arguments[o->argument_count++] = argument;
	return NULL;
}

static const char *read_permission(void *to, char *text)
{
	static const char *const names[] = { "ask", "allow", "reject", "hang" };
	struct inspect_options *const o = to;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(names[i], text) == 0) {
			o->permission = (enum permission)(PERMISSION_ASK + i);
			return NULL;
		}
	}
	return "";
}

static const char *read_cancel_by(void *to, char *text)
{
	struct inspect_options *const o = to;
	o->by_request = strcmp(text, "request") == 0;
	return argument_if(o->by_request || strcmp(text, "session") == 0);
}

static const char *read_arena_option(void *to, char *text)
{
	struct inspect_options *const o = to;
	const uint32_t least = 1024, most = (1u << 24) - 1;
	return argument_if(argument_number(text, &o->arena) && o->arena >= least && o->arena <= most);
}

/* With the line's end that it is transmitted with. */
static const char *read_token_file(void *to, char *path)
{
	struct inspect_options *const o = to;
	const bool read = argument_line(path, o->token, MOST_TOKEN - 1);
	if (read)
		strcat(o->token, "\n");
	return argument_if(read);
}

#define OPTION(name, takes, kind, member) { name, takes, kind, offsetof(struct inspect_options, member), NULL }

static const struct argument_option own[] = {
	{ "--protocol", "mcp, acp, lsp or jsonrpc", ARGUMENT_READ, .read = read_protocol_option },
	OPTION("--method", "the name of a method", ARGUMENT_NAME, method),
	{ "--params", "JSON, an object or an array", ARGUMENT_READ, .read = read_params },
	OPTION("--json", NULL, ARGUMENT_FLAG, json),
	OPTION("--trace", NULL, ARGUMENT_FLAG, trace),
	OPTION("--tool", "the name of a tool", ARGUMENT_TEXT, tool),
	{ "--arg", "KEY=VALUE", ARGUMENT_READ, .read = read_argument },
	OPTION("--modern", NULL, ARGUMENT_FLAG, modern),
	OPTION("--prompt", "a text", ARGUMENT_TEXT, prompt),
	{ "--permission", "ask, allow, reject or hang", ARGUMENT_READ, .read = read_permission },
	{ "--cancel-by", "session or request", ARGUMENT_READ, .read = read_cancel_by },
	OPTION("--cancel-after", NULL, ARGUMENT_MS, cancel_after),
	OPTION("--timeout", NULL, ARGUMENT_MS, timeout),
	OPTION("--grace", NULL, ARGUMENT_MS, grace),
	OPTION("--listen", NULL, ARGUMENT_MS, listen),
	{ "--arena", "a number of bytes from 1024 to 16777215", ARGUMENT_READ, .read = read_arena_option },
	OPTION("--wait", NULL, ARGUMENT_SECONDS, wait),
	OPTION("--replay", "the file of a record", ARGUMENT_TEXT, replay),
	OPTION("--name", "the name of a device in a record", ARGUMENT_TEXT, name),
	{ "--token-file", "a file whose first line is a token, of at most 1021 bytes", ARGUMENT_READ, .read = read_token_file },
	OPTION("--advise", NULL, ARGUMENT_FLAG, advise),
	OPTION("--doctor", NULL, ARGUMENT_FLAG, doctor),
	OPTION("--counters", "the file of a device's counters", ARGUMENT_TEXT, counters),
};

/* --- What does not go together */

/* The same for --advise, which can do with files alone. */
static const char *find_advise_conflict(const struct inspect_options *o)
{
	const bool device = o->device.kind != DEVICE_NONE;
	if (o->counters != NULL && !o->advise)
		return "--counters needs --advise";
	if (o->advise && o->counters != NULL && device)
		return "--counters stands for DEVICE";
	if (o->advise && o->prompt != NULL)
		return "--advise and --prompt exclude each other";
	if (!device && !(o->advise && (o->counters != NULL || o->replay != NULL)))
		return device_conflict(&o->device);
	return NULL;
}

/* What does not go together, or NULL. */
static const char *find_options_conflict(const struct inspect_options *o)
{
	const bool mcp = o->protocol == &inspect_mcp, acp = o->protocol == &inspect_acp;
	const char *const conflict = find_advise_conflict(o);
	if (conflict != NULL)
		return conflict;
	if (o->device.kind != DEVICE_NONE && device_conflict(&o->device) != NULL)
		return device_conflict(&o->device);
	if (o->token[0] != '\0' && o->device.kind != DEVICE_TCP)
		return "--token-file is for --tcp";
	if (o->doctor && (o->advise || o->method != NULL || o->prompt != NULL || o->replay != NULL))
		return "--doctor excludes --advise, --method, --prompt and --replay";
	const bool replays = o->replay != NULL && !o->advise;
	if ((o->method != NULL) + (o->tool != NULL) + (o->prompt != NULL) + replays > 1)
		return "--method, --tool, --prompt and --replay exclude each other";
	if (o->name != NULL && o->replay == NULL)
		return "--name needs --replay";
	if (o->params != NULL && o->method == NULL)
		return "--params needs --method";
	if (o->argument_count > 0 && o->tool == NULL)
		return "--arg needs --tool";
	if ((o->tool != NULL || o->modern) && !mcp)
		return "--tool and --modern are for mcp";
	if ((o->prompt != NULL || o->by_request) && !acp)
		return "--prompt and --cancel-by are for acp";
	if (o->protocol == &inspect_jsonrpc && o->method == NULL && !o->doctor && !o->advise && o->replay == NULL)
		return "--protocol jsonrpc needs --method";
	if (o->modern && o->params != NULL && o->params[0] != '{')
		return "--modern wants an object as --params";
	return NULL;
}

/* -1 unless the command line asks for nothing but words about us. */
static int inform(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--help") == 0) {
			print_help();
			return 0;
		}
		if (strcmp(argv[i], "--version") == 0) {
			puts("quash-inspect " QUASH_VERSION);
			return 0;
		}
	}
	return -1;
}

/* The words after `--`. False when there is a device already. */
static bool take_command_words(struct inspect_options *o, char **words)
{
	if (words[0] == NULL)
		return true;
	if (o->device.kind != DEVICE_NONE)
		return false;
	o->device.kind = DEVICE_COMMAND;
	o->device.command = words;
	return true;
}

int inspect_options_read(struct inspect_options *o, int argc, char **argv)
{
	const struct inspect_options defaults = { .protocol = &inspect_mcp,
		.timeout = never,
		.cancel_after = never,
		.grace = 5000,
		.listen = 300,
		.arena = 4u << 20,
		.wait = 10000 };
	const struct argument_table tables[] = { { own, sizeof own / sizeof own[0], o }, { device_arguments, DEVICE_ARGUMENTS, &o->device } };
	*o = defaults;
	if (inform(argc, argv) == 0)
		return 0;
	const int end = arguments_read(program, tables, 2, argc, argv);
	if (end < 0)
		return EXIT_USAGE;
	o->timed = o->timeout != never;
	o->timeout = o->timed ? o->timeout : 0;
	if (end < argc && !take_command_words(o, argv + end + 1))
		return arguments_refuse(program, argv[end + 1], "is one device too many");
	const char *conflict = find_options_conflict(o);
	if (conflict == NULL && o->advise && o->tool == NULL && o->method == NULL)
		*(o->protocol == &inspect_mcp ? &o->tool : &o->method) = "stats";
	return conflict == NULL ? device_refuse_several(program, &o->device) : arguments_refuse(program, NULL, conflict);
}
