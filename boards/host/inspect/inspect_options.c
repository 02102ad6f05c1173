/* SPDX-License-Identifier: MIT */
#include "inspect_options.h"

#include "inspect_help.h"
#include "inspect_json.h"
#include "inspect_protocol.h"
#include "main.h"

#include <stdio.h>
#include <string.h>

static const struct protocol *const protocols[] = { &protocol_mcp, &protocol_acp, &protocol_lsp };

static bool read_protocol(struct options *o, char *text)
{
	for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++) {
		if (strcmp(protocols[i]->name, text) == 0) {
			o->protocol = protocols[i];
			return true;
		}
	}
	return false;
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

/* At most 2^31 - 1, as deadlines are. */
static bool read_number(const char *text, uint32_t *number)
{
	const uint32_t most = INT32_MAX;
	uint32_t value = 0;
	if (*text == '\0')
		return false;
	for (; *text >= '0' && *text <= '9'; text++) {
		const uint32_t digit = (uint32_t)(*text - '0');
		if (value > (most - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*number = value;
	return *text == '\0';
}

static bool read_cancel_after(struct options *o, char *text)
{
	return read_number(text, &o->cancel_after);
}

static bool read_timeout(struct options *o, char *text)
{
	o->timed = true;
	return read_number(text, &o->timeout);
}

static bool read_grace(struct options *o, char *text)
{
	return read_number(text, &o->grace);
}

static bool read_listen(struct options *o, char *text)
{
	return read_number(text, &o->listen);
}

static bool read_arena(struct options *o, char *text)
{
	const uint32_t least = 1024, most = (1u << 24) - 1;
	return read_number(text, &o->arena) && o->arena >= least && o->arena <= most;
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
};

static bool *find_switch(struct options *o, const char *name)
{
	if (strcmp(name, "--modern") == 0)
		return &o->modern;
	if (strcmp(name, "--json") == 0)
		return &o->json;
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
	return 0;
}

/* What does not go together, or NULL. */
static const char *find_conflict(const struct options *o)
{
	const bool mcp = o->protocol == &protocol_mcp, acp = o->protocol == &protocol_acp;
	if (o->command == NULL || o->command[0] == NULL)
		return "no COMMAND behind --";
	if ((o->method != NULL) + (o->tool != NULL) + (o->prompt != NULL) > 1)
		return "--method, --tool and --prompt exclude each other";
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

static int help(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--help") == 0) {
			print_help();
			return 0;
		}
	}
	return -1;
}

int read_options(struct options *o, int argc, char **argv)
{
	const struct options defaults = {
		.protocol = &protocol_mcp, .cancel_after = never, .grace = 5000, .listen = 300, .arena = 4u << 20
	};
	*o = defaults;
	if (help(argc, argv) == 0)
		return 0;
	for (int i = 1; i < argc && o->command == NULL;) {
		const bool end = strcmp(argv[i], "--") == 0;
		const int words = end ? 1 : read_option(o, argv + i);
		if (words == 0)
			return host_bad_option("quash-inspect", "bad option", argv[i]);
		i += words;
		if (end)
			o->command = argv + i;
	}
	const char *conflict = find_conflict(o);
	return conflict == NULL ? -1 : host_bad_option("quash-inspect", "bad options", conflict);
}
