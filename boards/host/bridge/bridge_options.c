/* SPDX-License-Identifier: MIT */
#include "bridge_options.h"

#include "bridge_config.h"
#include "bridge_log.h"
#include "quash.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The help */

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

static void options_help(void)
{
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		puts(lines[i]);
	printf("HOST is one of %s.\n", bridge_config_hosts());
}

enum { LOOPBACK_FIRST = 127 };

static const char program[] = "quash-bridge";

/* --- Values */

static const char *read_protocol(void *to, char *text)
{
	static const struct protocol *const all[] = { &protocol_mcp, &protocol_acp, &protocol_lsp, &protocol_jsonrpc };
	struct options *const o = to;
	o->protocol = NULL;
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		o->protocol = strcmp(all[i]->name, text) == 0 ? all[i] : o->protocol;
	return argument_if(o->protocol != NULL);
}

/* `[ADDRESS:]PORT`; an address of IPv6 stands in brackets. */
static const char *read_tcp(void *to, char *text)
{
	struct options *const o = to;
	char *const colon = strrchr(text, ':');
	uint32_t number = 0;
	const bool read = argument_number(colon != NULL ? colon + 1 : text, &number);
	if (colon != NULL)
		*colon = '\0';
	o->listen_host = colon != NULL ? text : "127.0.0.1";
	if (colon != NULL && text[0] == '[' && colon > text + 1 && colon[-1] == ']') {
		colon[-1] = '\0';
		o->listen_host = text + 1;
	}
	o->listen_number = (uint16_t)number;
	o->listens_tcp = true;
	return argument_if(read && number <= UINT16_MAX && o->listen_host[0] != '\0');
}

static const char *read_token(void *to, char *text)
{
	static char token[TOKEN_MOST];
	struct options *const o = to;
	o->token = token;
	return argument_if(argument_line(text, token, sizeof token));
}

static const char *read_clients(void *to, char *text)
{
	struct options *const o = to;
	uint32_t number = 0;
	const bool read = argument_number(text, &number);
	o->clients = number;
	return argument_if(read && number >= 1 && number <= MOST_CLIENTS);
}

static const char *read_log(void *to, char *text)
{
	const enum log_level level = log_level_of(text);
	(void)to;
	log_set_level(level);
	return argument_if(level != LOG_LEVELS);
}

/* --- Devices */

static bool is_name(const char *name)
{
	const bool begins = (name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z');
	return begins && strlen(name) < SERVER_NAME &&
		strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == strlen(name);
}

/* A name that begins as `a_` would hide tools of `a`. */
static bool hides(const char *a, const char *b)
{
	const size_t n = strlen(a);
	return strncmp(a, b, n) == 0 && (b[n] == '\0' || b[n] == '_');
}

static bool is_clash(const struct options *o, const char *name)
{
	for (unsigned i = 0; i < o->server_count; i++) {
		if (hides(o->servers[i].name, name) || hides(name, o->servers[i].name))
			return true;
	}
	return false;
}

static const char *read_device(void *to, char *text)
{
	struct options *const o = to;
	char *const equals = strchr(text, '=');
	if (equals == NULL)
		return "";
	*equals = '\0';
	if (!is_name(text))
		return "takes a NAME that is a letter, then at most 23 letters, digits, _ or -";
	if (o->server_count == MOST_SERVERS)
		return "is one device too many: 24 are the most";
	if (is_clash(o, text))
		return "has a NAME with which a tool of another device could have the same name";
	o->servers[o->server_count].name = text;
	o->many_servers = true;
	return argument_if(device_parse(&o->servers[o->server_count++].device, equals + 1));
}

/* --- The command line */

#define OPTION(name, takes, kind, member) { name, takes, kind, offsetof(struct options, member), NULL }

static const struct argument_option own[] = {
	{ "--protocol", "mcp, acp, lsp or jsonrpc", ARGUMENT_READ, .read = read_protocol },
	OPTION("--listen-unix", "a path for a Unix socket", ARGUMENT_NAME, listen_unix),
	{ "--listen-tcp", "[ADDRESS:]PORT; PORT is from 0 to 65535", ARGUMENT_READ, .read = read_tcp },
	{ "--token-file", "a file whose first line is a token, of at most 1022 bytes", ARGUMENT_READ, .read = read_token },
	{ "--clients", "a number from 1 to 64", ARGUMENT_READ, .read = read_clients },
	OPTION("--wait", NULL, ARGUMENT_SECONDS, wait),
	OPTION("--grace", NULL, ARGUMENT_MS, grace),
	OPTION("--timeout", NULL, ARGUMENT_MS, timeout),
	OPTION("--idle-timeout", NULL, ARGUMENT_MS, idle),
	{ "--log", "error, warning, info or debug", ARGUMENT_READ, .read = read_log },
	OPTION("--trace", NULL, ARGUMENT_FLAG, trace),
	OPTION("--record", "a path for a file", ARGUMENT_NAME, record),
	{ "--device", "NAME=LINE; LINE is tty:PATH[,BAUD], tcp:HOST:PORT, unix:PATH or exec:COMMAND ARG...", ARGUMENT_READ, .read = read_device },
};

/* -1, or the exit code. */
static int take_arguments(struct options *o, struct device_options *device, int argc, char **argv)
{
	const struct argument_table tables[] = { { own, sizeof own / sizeof own[0], o }, { device_arguments, DEVICE_ARGUMENTS, device } };
	const int end = arguments_read(program, tables, 2, argc, argv);
	if (end < 0)
		return EXIT_OPTIONS;
	if (end + 1 < argc && device->kind != DEVICE_NONE)
		return arguments_refuse(program, argv[end + 1], "is one device too many");
	if (end + 1 < argc) {
		device->kind = DEVICE_COMMAND;
		device->command = &argv[end + 1];
	}
	return -1;
}

static bool is_loopback(const char *host)
{
	return strcmp(host, "::1") == 0 || (strtol(host, NULL, 10) == LOOPBACK_FIRST && strchr(host, '.') != NULL);
}

/* NULL, or what does not go together. */
static const char *find_conflict(const struct options *o, const struct device_options *device)
{
	if (o->many_servers && (device->kind != DEVICE_NONE || device->baud != 0 || device->reset))
		return "--device names all devices: --tty, --baud, --reset, --tcp, --unix and a command do not stand beside it";
	if (o->many_servers && o->protocol != &protocol_mcp)
		return "--device is for MCP: several devices speak nothing else";
	if (!o->many_servers && device->kind == DEVICE_NONE)
		return "no device: it takes --tty, --tcp, --unix, --device, or a command behind --";
	if (!o->many_servers && device_conflict(device) != NULL)
		return device_conflict(device);
	if (o->listens_tcp && !is_loopback(o->listen_host) && o->token == NULL)
		return "--listen-tcp with an address that others reach needs --token-file";
	return NULL;
}

static int check(struct options *o, const struct device_options *device)
{
	const char *const conflict = find_conflict(o, device);
	if (conflict != NULL)
		return arguments_refuse(program, NULL, conflict);
	if (!o->many_servers) {
		o->servers[0].name = "device";
		o->servers[0].device = *device;
		o->server_count = 1;
	}
	return -1;
}

/* Asked for instead of a run. -1: none of them. */
static int answer(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--help") == 0) {
			options_help();
			return EXIT_WELL;
		}
		if (strcmp(argv[i], "--version") == 0) {
			printf("%s " QUASH_VERSION "\n", program);
			return EXIT_WELL;
		}
	}
	return -1;
}

/* The arguments without `--print-config HOST`; 0 or the exit code. */
static int print_config(int argc, char **argv, int at)
{
	char **const rest = calloc((size_t)argc, sizeof *rest);
	size_t count = 0;
	for (int i = 1; rest != NULL && i < argc; i++) {
		if (i != at && i != at + 1)
			rest[count++] = argv[i];
	}
	const bool known = rest != NULL && at + 1 < argc && bridge_print_config(stdout, argv[at + 1], argv[0], rest, count);
	free(rest);
	if (known)
		fprintf(stderr, "%s: paste it into %s\n", program, bridge_config_place(argv[at + 1]));
	return known ? EXIT_WELL : arguments_refuse(program, "--print-config", bridge_config_hosts());
}

static int find_print_config(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--print-config") == 0)
			return i;
	}
	return 0;
}

int options_read(struct options *o, int argc, char **argv)
{
	struct device_options device = { .kind = DEVICE_NONE };
	const int config = find_print_config(argc, argv), answered = answer(argc, argv);
	if (answered >= 0)
		return answered;
	if (config > 0)
		return print_config(argc, argv, config);
	*o = (struct options){ .protocol = &protocol_mcp, .clients = 16, .wait = 10000, .grace = 1500 };
	const int code = take_arguments(o, &device, argc, argv);
	return code >= 0 ? code : check(o, &device);
}
