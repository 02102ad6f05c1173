/* SPDX-License-Identifier: MIT */
#include "bridge_arguments.h"

#include "bridge_http_head.h"
#include "bridge.h"
#include "bridge_output.h"
#include "device_arguments.h"
#include "host_escape.h"
#include "ports_text.h"
#include "text.h"
#include "quash.h"
#include "settings/bridge_install.h"
#include "settings/bridge_places.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- The help */

static const char *const lines[] = {
	"quash-bridge [OPTION...] DEVICE: joins a client on stdin and stdout to a device.",
	"",
	"DEVICE is one of",
	"  --tty PORT [--baud N] [--reset]   a serial device; --reset: reset the board by DTR and RTS first",
	"  --tcp HOST:PORT                   a TCP socket; HOST is an address or localhost",
	"  --unix PATH                       a Unix socket",
	"  -- COMMAND [ARG...]               a command that speaks on its stdin and stdout",
	"  --device NAME=tty:PORT[,BAUD]     several devices (MCP); also NAME=tcp:HOST:PORT, NAME=unix:PATH,",
	"                                    NAME='exec:COMMAND ARG...'",
	"PORT is a path, auto for the only board, or usb:VID:PID[:SERIAL] for that one, wherever it is plugged in.",
	"  --list [--json]                   which ports there are, and exit",
	"",
	"  --protocol mcp|acp|lsp|jsonrpc    the default is mcp",
	"  --listen-unix PATH                several clients, on a socket that only its owner may use",
	"  --listen-tcp [ADDRESS:]PORT       several clients; loopback unless an address is given",
	"  --listen-http [ADDRESS:]PORT      clients of MCP over HTTP, at http://ADDRESS:PORT/mcp; likewise",
	"  --http-host NAME                  a name by which they may reach it, beside localhost and addresses in numbers",
	"  --http-origin ORIGIN              an Origin that they may have besides, as that of a browser's extension",
	"  --no-page                         without the page for browsers, which HTTP has at /, and without its Stop for all",
	"  --session-idle TIME               a session of HTTP ends when nobody was there for so long (10m)",
	"  --token-file FILE                 the first line of a TCP connection must be that of the file, and so the token of HTTP",
	"  --clients N                       at most so many at once (16), beside those of HTTP",
	"  --no-watch-parent                 a client on stdin: go on when the program has ended that has started the bridge",
	"",
	"  --wait TIME                       for a device that does not answer (MCP), or that another program has locked (10s)",
	"  --initialize-timeout TIME         when initialize is answered in place of one MCP device that does not answer (1500ms)",
	"  --grace TIME                      at the end, for the device to take the cancels (1500ms)",
	"  --timeout TIME                    a request is cancelled after so long",
	"  --idle-timeout TIME               the same, but progress begins it anew",
	"  A TIME is a number with ms, s or m; without, --wait counts seconds and the others milliseconds.",
	"",
	"  --log error|warning|info|debug    what is shown on stderr (info)",
	"  --trace                           each message, and each event with its reason",
	"  --record FILE                     what passes on the device's line, for quash-inspect --replay",
	"  --help, --version",
	"",
	"  --print-config HOST               what to paste into the settings of a host, and exit",
	"  --install HOST                    write that into the host's file, show the change, and exit",
	"  --uninstall HOST                  take it out again, and exit",
	"  --system windows|macos|linux      the system of the host (this one)",
	"  --name NAME                       what the server is called there (device)",
	"",
	"Exit codes: 0 the client has finished; 1 the device is gone for good; 2 bad options; 3 the device is in use;",
	"128 and the number of a signal.",
};

static void options_help(void)
{
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		puts(lines[i]);
	printf("HOST is one of %s.\n", host_names(false));
	printf("Those with a file that can be changed: %s.\n", host_names(true));
}

enum { LOOPBACK_FIRST = 127 };

static const char program[] = "quash-bridge";

/* --- Values */

static const char *read_protocol(void *to, char *text)
{
	struct bridge_options *const o = to;
	o->protocol = bridge_protocol(text);
	return argument_if(o->protocol != NULL);
}

/* `[ADDRESS:]PORT`; an address of IPv6 stands in brackets. */
static const char *read_door(char *text, const char **host, uint16_t *port)
{
	char *const colon = strrchr(text, ':');
	uint32_t number = 0;
	const bool read = argument_number(colon != NULL ? colon + 1 : text, &number);
	if (colon != NULL)
		*colon = '\0';
	*host = colon != NULL ? text : "127.0.0.1";
	if (colon != NULL && text[0] == '[' && colon > text + 1 && colon[-1] == ']') {
		colon[-1] = '\0';
		*host = text + 1;
	}
	*port = (uint16_t)number;
	return argument_if(read && number <= UINT16_MAX && (*host)[0] != '\0');
}

static const char *read_tcp(void *to, char *text)
{
	struct bridge_options *const o = to;
	o->listens_tcp = true;
	return read_door(text, &o->listen_host, &o->listen_number);
}

static const char *read_http(void *to, char *text)
{
	struct bridge_options *const o = to;
	o->listens_http = true;
	return read_door(text, &o->http_host, &o->http_number);
}

static const char *read_http_host(void *to, char *text)
{
	struct bridge_options *const o = to;
	if (o->http_host_count == MOST_HTTP_HOSTS)
		return "is one name too many: 8 are the most";
	o->http_hosts[o->http_host_count++] = text;
	return argument_if(text[0] != '\0' && strpbrk(text, ":/ ") == NULL);
}

static const char *read_http_origin(void *to, char *text)
{
	struct bridge_options *const o = to;
	if (o->http_origin_count == MOST_HTTP_ORIGINS)
		return "is one origin too many: 8 are the most";
	o->http_origins[o->http_origin_count++] = text;
	return argument_if(http_is_origin(text));
}

static const char *read_token_option(void *to, char *text)
{
	static char token[TOKEN_MOST];
	struct bridge_options *const o = to;
	o->token = token;
	return argument_if(argument_line(text, token, sizeof token));
}

static const char *read_clients(void *to, char *text)
{
	struct bridge_options *const o = to;
	uint32_t number = 0;
	const bool read = argument_number(text, &number);
	o->clients = number;
	return argument_if(read && number >= 1 && number <= MOST_LINES);
}

static const char *read_log(void *to, char *text)
{
	struct bridge_options *const o = to;
	o->level = log_level_of(text);
	return argument_if(o->level != LOG_LEVELS);
}

/* --- Devices */

static bool is_name(const char *name)
{
	const bool begins = (name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z');
	return begins && strlen(name) < DEVICE_NAME &&
		strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == strlen(name);
}

/* A name that begins as `a_` would hide tools of `a`. */
static bool hides(const char *a, const char *b)
{
	const size_t n = strlen(a);
	return strncmp(a, b, n) == 0 && (b[n] == '\0' || b[n] == '_');
}

static bool is_clash(const struct bridge_options *o, const char *name)
{
	for (unsigned i = 0; i < o->device_count; i++) {
		if (hides(o->devices[i].name, name) || hides(name, o->devices[i].name))
			return true;
	}
	return false;
}

/* Two names for one port: whoever opens it first would have it. */
static bool is_port_of_other(const struct bridge_options *o, const struct device_options *device)
{
	for (unsigned i = 0; device->kind == DEVICE_TTY && i < o->device_count; i++) {
		const struct device_options *const other = &o->devices[i].options;
		if (other->kind == DEVICE_TTY && strcasecmp(other->path, device->path) == 0)
			return true;
	}
	return false;
}

static const char *read_device(void *to, char *text)
{
	struct bridge_options *const o = to;
	char *const equals = strchr(text, '=');
	if (equals == NULL)
		return "";
	*equals = '\0';
	if (!is_name(text))
		return "takes a NAME that is a letter, then at most 23 letters, digits, _ or -";
	if (o->device_count == MOST_DEVICES)
		return "is one device too many: 24 are the most";
	if (is_clash(o, text))
		return "has a NAME with which a tool of another device could have the same name";
	o->devices[o->device_count].name = text;
	o->many_devices = true;
	struct device_options *const device = &o->devices[o->device_count].options;
	if (!device_parse(device, equals + 1))
		return "";
	if (is_port_of_other(o, device))
		return "has the serial port of another device";
	o->device_count++;
	return NULL;
}

/* --- The command line */

#define OPTION(name, takes, kind, member) { name, takes, kind, offsetof(struct bridge_options, member), NULL }

static const struct argument_option own[] = {
	{ "--protocol", "mcp, acp, lsp or jsonrpc", ARGUMENT_READ, .read = read_protocol },
	OPTION("--listen-unix", "a path for a Unix socket", ARGUMENT_NAME, listen_unix),
	{ "--listen-tcp", "[ADDRESS:]PORT; PORT is from 0 to 65535", ARGUMENT_READ, .read = read_tcp },
	{ "--listen-http", "[ADDRESS:]PORT; PORT is from 0 to 65535", ARGUMENT_READ, .read = read_http },
	{ "--http-host", "a name, without port", ARGUMENT_READ, .read = read_http_host },
	{ "--http-origin", "an origin as a browser shows it, SCHEME://HOST[:PORT], or SCHEME://* for a scheme that is not of the web", ARGUMENT_READ,
		.read = read_http_origin },
	OPTION("--session-idle", NULL, ARGUMENT_MS, session_idle),
	{ "--token-file", "a file whose first line is a token, of at most 1022 bytes", ARGUMENT_READ, .read = read_token_option },
	{ "--clients", "a number from 1 to 64", ARGUMENT_READ, .read = read_clients },
	OPTION("--no-page", NULL, ARGUMENT_FLAG, no_page),
	OPTION("--no-watch-parent", NULL, ARGUMENT_FLAG, no_watch_parent),
	OPTION("--wait", NULL, ARGUMENT_SECONDS, wait),
	OPTION("--initialize-timeout", NULL, ARGUMENT_MS, initialize_timeout),
	OPTION("--grace", NULL, ARGUMENT_MS, grace),
	OPTION("--timeout", NULL, ARGUMENT_MS, timeout),
	OPTION("--idle-timeout", NULL, ARGUMENT_MS, idle),
	{ "--log", "error, warning, info or debug", ARGUMENT_READ, .read = read_log },
	OPTION("--trace", NULL, ARGUMENT_FLAG, trace),
	OPTION("--record", "a path for a file", ARGUMENT_NAME, record),
	{ "--device", "NAME=LINE; LINE is tty:PORT[,BAUD], tcp:HOST:PORT, unix:PATH or exec:COMMAND ARG...", ARGUMENT_READ, .read = read_device },
};

/* What a host is to get, in place of a run. */
struct settings_question {
	const struct settings_host *host;
	int (*tell)(const struct settings_question *asked, const struct command *command);
	const char *name; /* of the server */
	bool named;
	enum host_system system; /* SYSTEMS: none was named */
};

static int print_block(const struct settings_question *asked, const struct command *command);
static int install(const struct settings_question *asked, const struct command *command);
static int uninstall(const struct settings_question *asked, const struct command *command);

static const char *ask_settings(struct settings_question *asked, const char *name, int (*tell)(const struct settings_question *, const struct command *))
{
	static char words[300];
	const bool print = tell == print_block;
	if (asked->host != NULL)
		return "is one host too many";
	asked->tell = tell;
	asked->host = host_named(name);
	if (asked->host != NULL && (print || !asked->host->only_pasted))
		return NULL;
	snprintf(words, sizeof words, "takes one of %s", host_names(!print));
	return words;
}

static const char *read_print_config(void *to, char *text)
{
	return ask_settings(to, text, print_block);
}

static const char *read_install(void *to, char *text)
{
	return ask_settings(to, text, install);
}

static const char *read_uninstall(void *to, char *text)
{
	return ask_settings(to, text, uninstall);
}

static const char *read_name(void *to, char *text)
{
	struct settings_question *const asked = to;
	asked->name = text;
	asked->named = true;
	return argument_if(is_name(text));
}

static const char *read_system(void *to, char *text)
{
	static const char *const names[SYSTEMS] = { [SYSTEM_LINUX] = "linux", [SYSTEM_MACOS] = "macos", [SYSTEM_WINDOWS] = "windows" };
	struct settings_question *const asked = to;
	asked->system = SYSTEM_LINUX;
	while (asked->system < SYSTEMS && strcmp(names[asked->system], text) != 0)
		asked->system++;
	return argument_if(asked->system != SYSTEMS);
}

static const struct argument_option of_hosts[] = {
	{ "--print-config", "the name of a host, see --help", ARGUMENT_READ, .read = read_print_config },
	{ "--install", "the name of a host, see --help", ARGUMENT_READ, .read = read_install },
	{ "--uninstall", "the name of a host, see --help", ARGUMENT_READ, .read = read_uninstall },
	{ "--system", "windows, macos or linux", ARGUMENT_READ, .read = read_system },
	{ "--name", "a letter, then at most 23 letters, digits, _ or -", ARGUMENT_READ, .read = read_name },
};

/* -1, or the exit code. */
static int take_arguments(const struct argument_table *tables, size_t count, struct device_options *device, int argc, char **argv)
{
	const int end = arguments_read(program, tables, count, argc, argv);
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
static const char *find_conflict(const struct bridge_options *o, const struct device_options *device)
{
	if (o->many_devices && (device->kind != DEVICE_NONE || device->baud != 0 || device->reset))
		return "--device names all devices: --tty, --baud, --reset, --tcp, --unix and a command do not stand beside it";
	if (o->many_devices && o->protocol != bridge_protocol("mcp"))
		return "--device is for MCP: several devices speak nothing else";
	if (!o->many_devices && device->kind == DEVICE_NONE)
		return "no device: it takes --tty, --tcp, --unix, --device, or a command behind --";
	if (!o->many_devices && device_conflict(device) != NULL)
		return device_conflict(device);
	if (o->listens_tcp && !is_loopback(o->listen_host) && o->token == NULL)
		return "--listen-tcp with an address that others reach needs --token-file";
	if (o->listens_http && !is_loopback(o->http_host) && o->token == NULL)
		return "--listen-http with an address that others reach needs --token-file";
	if (o->listens_http && o->protocol != bridge_protocol("mcp"))
		return "--listen-http is for MCP";
	return NULL;
}

static int check(struct bridge_options *o, const struct device_options *device)
{
	const char *const conflict = find_conflict(o, device);
	if (conflict != NULL)
		return arguments_refuse(program, NULL, conflict);
	if (!o->many_devices) {
		o->devices[0].name = "device";
		o->devices[0].options = *device;
		o->device_count = 1;
	}
	return -1;
}

/* -1, or the exit code. */
static int check_ports(const struct bridge_options *o)
{
	int code = -1;
	for (unsigned i = 0; code < 0 && i < o->device_count; i++)
		code = device_refuse_several(program, &o->devices[i].options);
	return code;
}

/* --- Ports: the exit code */

/* As a line of a screen. */
static void print_built(struct builder *line, enum escape_form form)
{
	const size_t length = line->length;
	char *const text = build_end(line);
	if (text != NULL)
		escape_put(stdout, form, text, length);
	heap_free(&heap_standard, text);
	puts("");
}

static int list_ports(int argc, char **argv)
{
	bool asked[2] = { false, false };
	static const struct argument_option of_lists[] = { { "--list", NULL, ARGUMENT_FLAG, 0, NULL }, { "--json", NULL, ARGUMENT_FLAG, sizeof asked[0], NULL } };
	const struct argument_table table = { of_lists, sizeof of_lists / sizeof of_lists[0], asked };
	struct builder line = build_begin(&heap_standard);
	if (arguments_read(program, &table, 1, argc, argv) < 0)
		return EXIT_OPTIONS;
	const bool json = asked[1];
	struct ports *const ports = malloc(sizeof *ports);
	if (ports == NULL)
		return arguments_refuse(program, NULL, settings_no_memory);
	device_ports(ports);
	if (json) {
		ports_put_json(&line, ports);
		print_built(&line, ESCAPE_LINE);
	}
	for (size_t i = 0; !json && i < ports->count; i++) {
		line = build_begin(&heap_standard);
		port_put_line(&line, ports, &ports->at[i]);
		print_built(&line, ESCAPE_LINE);
	}
	if (!json && ports->count == 0)
		arguments_say(program, NULL, "there is no serial port");
	free(ports);
	return EXIT_WELL;
}

/* Asked for instead of a run. -1: none of them. */
static int answer_questions(int argc, char **argv)
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
		if (strcmp(argv[i], "--list") == 0)
			return list_ports(argc, argv);
	}
	return -1;
}

/* --- What hosts get: the exit code */

/* Where the block goes, what is to be done before, and what can be done in its place. */
static void say_place(const struct settings_question *asked, const struct server_settings *server, const struct command *command)
{
	fprintf(stderr, "%s: paste it into ", program);
	places_put(stderr, asked->host, asked->system);
	putc('\n', stderr);
	if (asked->host->quit != NULL && asked->host->in_project == NULL)
		arguments_say(program, NULL, asked->host->quit);
	if (asked->host->offer != NULL) {
		fprintf(stderr, "%s: or ", program);
		asked->host->offer(stderr, server, command, asked->system);
		putc('\n', stderr);
	}
}

static int print_block(const struct settings_question *asked, const struct command *command)
{
	struct server_settings server;
	size_t at = 0;
	if (!host_server(asked->host, command, asked->name, &server) || !host_print(stdout, asked->host, command, asked->name))
		return arguments_refuse(program, NULL, settings_no_memory);
	for (const char *word; (word = command_next_relative(command, &at)) != NULL;)
		arguments_say(program, word, "is a file here, and a host starts the command elsewhere: write the whole path");
	say_place(asked, &server, command);
	return EXIT_WELL;
}

static int report(const struct settings_question *asked, bool well, const struct install_report *report)
{
	if (report->changed && asked->host->quit != NULL)
		arguments_say(program, NULL, asked->host->quit);
	arguments_say(program, report->path[0] != '\0' ? report->path : NULL, report->words);
	return well ? EXIT_WELL : EXIT_OPTIONS;
}

static int install(const struct settings_question *asked, const struct command *command)
{
	struct server_settings server;
	struct install_report made;
	if (!host_server(asked->host, command, asked->name, &server))
		return arguments_refuse(program, NULL, settings_no_memory);
	const bool well = settings_install(stdout, asked->host, asked->system, &server, &made);
	return report(asked, well, &made);
}

static int uninstall(const struct settings_question *asked, const struct command *command)
{
	struct install_report made;
	(void)command;
	const bool well = settings_uninstall(stdout, asked->host, asked->system, asked->name, &made);
	return report(asked, well, &made);
}

/* -1, or the exit code. Without --protocol it is the host's. */
static int check_for_host(const struct settings_question *asked, struct bridge_options *o, const struct device_options *device)
{
	char words[80];
	if (o->protocol == NULL)
		o->protocol = bridge_protocol(asked->host->protocol);
	if (strcmp(bridge_protocol_name(o->protocol), asked->host->protocol) != 0) {
		snprintf(words, sizeof words, "speaks %s, and --protocol is %s", asked->host->protocol, bridge_protocol_name(o->protocol));
		return arguments_refuse(program, asked->host->name, words);
	}
	if (o->listen_unix != NULL || o->listens_tcp || o->listens_http)
		return arguments_refuse(program, asked->host->name,
			"starts a bridge of its own, which cannot listen; to one that listens it gets by --unix or --tcp");
	return check(o, device);
}

static int tell_host(const struct settings_question *asked, struct bridge_options *o, const struct device_options *device, const struct command_line *line)
{
	const bool given = o->protocol != NULL;
	struct command command;
	const char *wrong;
	if (asked->tell == uninstall)
		return uninstall(asked, NULL);
	const int code = check_for_host(asked, o, device);
	if (code >= 0)
		return code;
	const char *const why = command_make(&command, line, given || o->protocol == bridge_protocol("mcp") ? NULL : bridge_protocol_name(o->protocol), &wrong);
	return why != NULL ? arguments_refuse(program, wrong, why) : asked->tell(asked, &command);
}

/* --- All of it */

/* Values are cut where they stand. NULL without memory. */
static char **copy_of(int argc, char **argv)
{
	char **const copy = calloc((size_t)argc + 1, sizeof *copy);
	for (int i = 0; copy != NULL && i < argc; i++) {
		copy[i] = text_copy(&heap_standard, argv[i]);
		if (copy[i] == NULL)
			return NULL;
	}
	return copy;
}

static void free_copy(char **copy)
{
	for (char **word = copy; *word != NULL; word++)
		heap_free(&heap_standard, *word);
	free(copy);
}

int options_read(struct bridge_options *o, int argc, char **argv)
{
	struct device_options device = { .kind = DEVICE_NONE };
	struct settings_question asked = { .name = "device", .system = SYSTEMS };
	const struct argument_table tables[] = { { own, sizeof own / sizeof own[0], o },
		{ device_arguments, DEVICE_ARGUMENTS, &device },
		{ of_hosts, sizeof of_hosts / sizeof of_hosts[0], &asked } };
	static char **given; /* of settings: to the end of the process */
	given = copy_of(argc, argv);
	int code = given == NULL ? arguments_refuse(program, NULL, settings_no_memory) : answer_questions(argc, argv);
	if (code >= 0)
		return code;
	*o = (struct bridge_options){ .clients = 16, .wait = 10000, .initialize_timeout = 1500, .grace = 1500, .session_idle = 600000, .level = LOG_INFO };
	code = take_arguments(tables, 3, &device, argc, argv);
	if (code >= 0)
		return code;
	if (asked.host != NULL) {
		asked.system = asked.system == SYSTEMS ? system_own() : asked.system;
		const struct command_line line = { argc, given, tables, 3, of_hosts, asked.system, host_form(asked.host, asked.system), QUASH_VERSION };
		return tell_host(&asked, o, &device, &line);
	}
	free_copy(given);
	if (asked.named)
		return arguments_refuse(program, NULL, "--name needs --print-config, --install or --uninstall");
	if (asked.system != SYSTEMS)
		return arguments_refuse(program, NULL, "--system needs --print-config, --install or --uninstall");
	if (o->protocol == NULL)
		o->protocol = bridge_protocol("mcp");
	code = check(o, &device);
	return code < 0 ? check_ports(o) : code;
}
