/* SPDX-License-Identifier: MIT */
#include "bridge_options.h"

#include "arguments.h"
#include "bridge_config.h"
#include "bridge_log.h"
#include "main.h"
#include "quash.h"

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

static bool read_protocol(struct options *o, char *text)
{
	static const struct protocol *const all[] = { &protocol_mcp, &protocol_acp, &protocol_lsp, &protocol_jsonrpc };
	o->protocol = NULL;
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		o->protocol = strcmp(all[i]->name, text) == 0 ? all[i] : o->protocol;
	return o->protocol != NULL;
}

static bool read_unix(struct options *o, char *text)
{
	o->listen_unix = text;
	return *text != '\0';
}

/* `[ADDRESS:]PORT`; an address of IPv6 stands in brackets. */
static bool read_tcp(struct options *o, char *text)
{
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
	return read && number <= UINT16_MAX && o->listen_host[0] != '\0';
}

static bool read_token(struct options *o, char *text)
{
	static char token[TOKEN_MOST];
	o->token = token;
	return argument_line(text, token, sizeof token);
}

static bool read_clients(struct options *o, char *text)
{
	uint32_t number = 0;
	const bool read = argument_number(text, &number);
	o->clients = number;
	return read && number >= 1 && number <= MOST_CLIENTS;
}

static bool read_wait(struct options *o, char *text)
{
	return argument_time(text, 1000, &o->wait);
}

static bool read_grace(struct options *o, char *text)
{
	return argument_time(text, 1, &o->grace);
}

static bool read_timeout(struct options *o, char *text)
{
	return argument_time(text, 1, &o->timeout);
}

static bool read_idle(struct options *o, char *text)
{
	return argument_time(text, 1, &o->idle);
}

static bool read_log(struct options *o, char *text)
{
	const enum log_level level = log_level_of(text);
	(void)o;
	log_set_level(level);
	return level != LOG_LEVELS;
}

static bool read_record(struct options *o, char *text)
{
	o->record = text;
	return *text != '\0';
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

static bool read_device(struct options *o, char *text)
{
	char *const equals = strchr(text, '=');
	if (equals == NULL || o->server_count == MOST_SERVERS)
		return false;
	*equals = '\0';
	if (!is_name(text) || is_clash(o, text))
		return false;
	o->servers[o->server_count].name = text;
	o->many_servers = true;
	return device_parse(&o->servers[o->server_count++].device, equals + 1);
}

/* --- The command line */

static const struct {
	const char *name;
	bool (*read)(struct options *options, char *text);
} valued[] = {
	{ "--protocol", read_protocol },
	{ "--listen-unix", read_unix },
	{ "--listen-tcp", read_tcp },
	{ "--token-file", read_token },
	{ "--clients", read_clients },
	{ "--wait", read_wait },
	{ "--grace", read_grace },
	{ "--timeout", read_timeout },
	{ "--idle-timeout", read_idle },
	{ "--log", read_log },
	{ "--record", read_record },
	{ "--device", read_device },
};

/* 1: taken; 0: unknown; -1: a wrong value. */
static int take_valued(struct options *o, struct device_options *device, const char *name, char *value)
{
	for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++) {
		if (strcmp(valued[i].name, name) == 0)
			return valued[i].read(o, value) ? 1 : -1;
	}
	return device_option(device, name, value);
}

static bool take_switch(struct options *o, struct device_options *device, const char *name)
{
	if (strcmp(name, "--trace") == 0)
		o->trace = true;
	else if (strcmp(name, "--reset") == 0)
		device->reset = true;
	else
		return false;
	return true;
}

/* -1, or the exit code. */
static int take_arguments(struct options *o, struct device_options *device, int argc, char **argv)
{
	int i = 1;
	while (i < argc && strcmp(argv[i], "--") != 0) {
		if (take_switch(o, device, argv[i])) {
			i++;
			continue;
		}
		if (i + 1 == argc)
			return host_bad_option(program, "bad option", argv[i]);
		char value[64];
		snprintf(value, sizeof value, "%s", argv[i + 1]);
		const int taken = take_valued(o, device, argv[i], argv[i + 1]);
		if (taken == 0)
			return host_bad_option(program, "bad option", argv[i]);
		if (taken < 0)
			return host_bad_option(program, argv[i], value);
		i += 2;
	}
	if (i + 1 < argc && device->kind != DEVICE_NONE)
		return host_bad_option(program, "one device too many", argv[i + 1]);
	if (i + 1 < argc) {
		device->kind = DEVICE_COMMAND;
		device->command = &argv[i + 1];
	}
	return -1;
}

static bool is_loopback(const char *host)
{
	return strcmp(host, "::1") == 0 || (strtol(host, NULL, 10) == LOOPBACK_FIRST && strchr(host, '.') != NULL);
}

static int check(struct options *o, const struct device_options *device)
{
	if (o->many_servers && (device->kind != DEVICE_NONE || device->baud != 0 || device->reset))
		return host_bad_option(program, "a device", "stands beside --device");
	if (o->many_servers && o->protocol != &protocol_mcp)
		return host_bad_option(program, "--device", "several devices speak MCP");
	if (!o->many_servers && device->kind == DEVICE_NONE)
		return host_bad_option(program, "no device", "--tty, --tcp, --unix, --device or -- COMMAND; see --help");
	if (o->listens_tcp && !is_loopback(o->listen_host) && o->token == NULL)
		return host_bad_option(program, "--listen-tcp", "an address that others reach needs --token-file");
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
	return known ? EXIT_WELL : host_bad_option(program, "--print-config: it is one of", bridge_config_hosts());
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
