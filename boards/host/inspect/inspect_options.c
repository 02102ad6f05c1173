/* SPDX-License-Identifier: MIT */
#include "inspect_options.h"

#include "arguments.h"
#include "inspect_protocol.h"
#include "inspect_text.h"
#include "main.h"
#include "quash.h"

#include <stdio.h>
#include <string.h>

/* --- The help */

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
	"What is wrong with a device:",
	"  --doctor                 print which it is, what was seen, and the remedy: silent, garbage, echo,",
	"                           another program, no end of line, lost, another protocol, refused,",
	"                           too small, no progress, well; moves nothing, but with --tool NAME it",
	"                           calls that tool, twice at most, to see its progress",
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
	"4 --advise: a buffer is to be changed; --doctor: too small, no progress; 130 cancelled.",
	"--doctor: 0 well; 1 another protocol, refused; 3 whatever else is wrong with the line.",
};

static void print_help(void)
{
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		puts(lines[i]);
}

/* --- Values */

static bool read_protocol(struct options *o, char *text)
{
	o->protocol = protocol_named(text_of(text));
	return o->protocol != NULL;
}

static bool read_method(struct options *o, char *text)
{
	o->method = text;
	return *text != '\0';
}

static bool read_params(struct options *o, char *text)
{
	const quash_kind kind = json_kind(text);
	json_compact(text);
	o->params = text;
	return kind == QUASH_OBJECT || kind == QUASH_ARRAY;
}

static bool read_tool(struct options *o, char *text)
{
	o->tool = text;
	return true;
}

static bool read_argument(struct options *o, char *text)
{
	char *equals = strchr(text, '=');
	if (equals == NULL || equals == text || o->argument_count == MOST_ARGUMENTS)
		return false;
	*equals = '\0';
	const struct argument argument = { .name = text, .value = equals + 1 };
	o->arguments[o->argument_count++] = argument;
	return true;
}

static bool read_replay(struct options *o, char *text)
{
	o->replay = text;
	return true;
}

static bool read_name(struct options *o, char *text)
{
	o->name = text;
	return true;
}

static bool read_counters(struct options *o, char *text)
{
	o->counters = text;
	return true;
}

static bool read_prompt(struct options *o, char *text)
{
	o->prompt = text;
	return true;
}

static bool read_permission(struct options *o, char *text)
{
	static const char *const names[] = { "ask", "allow", "reject", "hang" };
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(names[i], text) == 0) {
			o->permission = (enum permission)(PERMISSION_ASK + i);
			return true;
		}
	}
	return false;
}

static bool read_cancel_by(struct options *o, char *text)
{
	o->by_request = strcmp(text, "request") == 0;
	return o->by_request || strcmp(text, "session") == 0;
}

static bool read_cancel_after(struct options *o, char *text)
{
	return argument_time(text, 1, &o->cancel_after);
}

static bool read_timeout(struct options *o, char *text)
{
	o->timed = true;
	return argument_time(text, 1, &o->timeout);
}

static bool read_grace(struct options *o, char *text)
{
	return argument_time(text, 1, &o->grace);
}

static bool read_listen(struct options *o, char *text)
{
	return argument_time(text, 1, &o->listen);
}

static bool read_wait(struct options *o, char *text)
{
	return argument_time(text, 1000, &o->wait);
}

static bool read_arena(struct options *o, char *text)
{
	const uint32_t least = 1024, most = (1u << 24) - 1;
	return argument_number(text, &o->arena) && o->arena >= least && o->arena <= most;
}

/* With the line's end that it is transmitted with. */
static bool read_token_file(struct options *o, char *path)
{
	const bool read = argument_line(path, o->token, MOST_TOKEN - 1);
	if (read)
		strcat(o->token, "\n");
	return read;
}

static const struct {
	const char *name;
	bool (*read)(struct options *options, char *text);
} valued[] = {
	{ "--protocol", read_protocol },
	{ "--method", read_method },
	{ "--params", read_params },
	{ "--tool", read_tool },
	{ "--arg", read_argument },
	{ "--prompt", read_prompt },
	{ "--permission", read_permission },
	{ "--cancel-by", read_cancel_by },
	{ "--cancel-after", read_cancel_after },
	{ "--timeout", read_timeout },
	{ "--grace", read_grace },
	{ "--listen", read_listen },
	{ "--arena", read_arena },
	{ "--wait", read_wait },
	{ "--replay", read_replay },
	{ "--name", read_name },
	{ "--token-file", read_token_file },
	{ "--counters", read_counters },
};

static bool *find_switch(struct options *o, const char *name)
{
	if (strcmp(name, "--modern") == 0)
		return &o->modern;
	if (strcmp(name, "--json") == 0)
		return &o->json;
	if (strcmp(name, "--advise") == 0)
		return &o->advise;
	if (strcmp(name, "--doctor") == 0)
		return &o->doctor;
	if (strcmp(name, "--reset") == 0)
		return &o->device.reset;
	return strcmp(name, "--trace") == 0 ? &o->trace : NULL;
}

/* How many words it takes, 0 when it is none. */
static int read_option(struct options *o, char **words)
{
	bool *const given = find_switch(o, words[0]);
	if (given != NULL) {
		*given = true;
		return 1;
	}
	for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++) {
		if (strcmp(valued[i].name, words[0]) == 0)
			return words[1] != NULL && valued[i].read(o, words[1]) ? 2 : 0;
	}
	return words[1] != NULL && device_option(&o->device, words[0], words[1]) > 0 ? 2 : 0;
}

/* The same for --advise, which can do with files alone. */
static const char *find_advise_conflict(const struct options *o)
{
	const bool device = o->device.kind != DEVICE_NONE;
	if (o->counters != NULL && !o->advise)
		return "--counters needs --advise";
	if (o->advise && o->counters != NULL && device)
		return "--counters stands for DEVICE";
	if (o->advise && o->prompt != NULL)
		return "--advise and --prompt exclude each other";
	if (!device && !(o->advise && (o->counters != NULL || o->replay != NULL)))
		return "no device, and no COMMAND behind --";
	return NULL;
}

/* What does not go together, or NULL. */
static const char *find_conflict(const struct options *o)
{
	const bool mcp = o->protocol == &protocol_mcp, acp = o->protocol == &protocol_acp;
	const char *const conflict = find_advise_conflict(o);
	if (conflict != NULL)
		return conflict;
	if (o->device.kind != DEVICE_NONE && !device_is_complete(&o->device))
		return "--baud and --reset are for --tty";
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
static bool take_command(struct options *o, char **words)
{
	if (o->device.kind != DEVICE_NONE)
		return false;
	o->device.kind = words[0] != NULL ? DEVICE_COMMAND : DEVICE_NONE;
	o->device.command = words;
	return true;
}

int read_options(struct options *o, int argc, char **argv)
{
	const struct options defaults = { .protocol = &protocol_mcp,
		.cancel_after = never,
		.grace = 5000,
		.listen = 300,
		.arena = 4u << 20,
		.wait = 10000 };
	*o = defaults;
	if (inform(argc, argv) == 0)
		return 0;
	for (int i = 1; i < argc;) {
		const bool end = strcmp(argv[i], "--") == 0;
		const int words = end ? argc - i : read_option(o, argv + i);
		if (words == 0 || (end && !take_command(o, argv + i + 1)))
			return host_bad_option(
				"quash-inspect", end ? "one device only" : "bad option", argv[i]);
		i += words;
	}
	const char *conflict = find_conflict(o);
	if (conflict == NULL && o->advise && o->tool == NULL && o->method == NULL)
		*(o->protocol == &protocol_mcp ? &o->tool : &o->method) = "stats";
	return conflict == NULL ? -1 : host_bad_option("quash-inspect", "bad options", conflict);
}
