/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How a control character is written within quotes; the code follows. */
static const char *const in_json = "\\u%04x"; /* TOML takes these too */
static const char *const in_lua = "\\%03u";

struct command {
	const char *program;
	char *const *arguments;
	size_t count;
};

/* --- Texts in quotes */

static void put_escaped(FILE *to, const char *control, const char *text)
{
	for (; *text != '\0'; text++) {
		const unsigned char c = (unsigned char)*text;
		if (c < 0x20 || c == 0x7F)
			fprintf(to, control, (unsigned)c);
		else
			fprintf(to, c == '"' || c == '\\' ? "\\%c" : "%c", c);
	}
}

/* --- The program */

/* The folder of PATH, cut out as a text, in which the program stands. An empty one is the working folder. */
static bool find_folder(const char *program, char *folder, size_t size)
{
	char path[PATH_MAX];
	const char *next = getenv("PATH");
	while (next != NULL && *next != '\0') {
		const size_t length = strcspn(next, ":");
		const int written = snprintf(folder, size, "%.*s", (int)length, next);
		if (written >= 0 && (size_t)written < size &&
		    snprintf(path, sizeof path, "%s/%s", length > 0 ? folder : ".", program) < (int)sizeof path &&
		    access(path, X_OK) == 0)
			return true;
		next += length + (next[length] == ':');
	}
	return false;
}

static void put_folder(FILE *to, const char *control, const char *folder)
{
	put_escaped(to, control, folder);
	putc('/', to);
}

static void put_program(FILE *to, const char *control, const char *program)
{
	char here[PATH_MAX] = "", folder[PATH_MAX] = "";
	if (strchr(program, '/') == NULL && !find_folder(program, folder, sizeof folder))
		folder[0] = '\0'; /* then it is taken to stand here */
	const char *const outer = folder[0] != '\0' ? folder : program;
	putc('"', to);
	if (outer[0] != '/' && getcwd(here, sizeof here) != NULL)
		put_folder(to, control, strcmp(here, "/") == 0 ? "" : here);
	if (folder[0] != '\0')
		put_folder(to, control, folder);
	put_escaped(to, control, strncmp(program, "./", 2) == 0 ? program + 2 : program);
	putc('"', to);
}

/* --- The arguments */

/* Each in quotes, with a comma before it; `first`: but for the first. */
static void put_arguments(FILE *to, const char *control, const struct command *command, bool first)
{
	for (size_t i = 0; i < command->count; i++) {
		fputs(first && i == 0 ? "\"" : ", \"", to);
		put_escaped(to, control, command->arguments[i]);
		putc('"', to);
	}
}

/* --- What hosts read */

struct host {
	const char *name, *place;
	void (*print)(FILE *to, const struct host *host, const struct command *command);
	const char *servers; /* JSON and Codex: what the servers stand in */
	const char *type;    /* JSON: of the server; NULL: it has none */
	bool env;            /* JSON: an environment must be there */
};

static void print_json(FILE *to, const struct host *host, const struct command *command)
{
	fprintf(to, "{\n  \"%s\": {\n    \"device\": {\n", host->servers);
	if (host->type != NULL)
		fprintf(to, "      \"type\": \"%s\",\n", host->type);
	fputs("      \"command\": ", to);
	put_program(to, in_json, command->program);
	fputs(",\n      \"args\": [", to);
	put_arguments(to, in_json, command, true);
	fprintf(to, "]%s\n    }\n  }\n}\n", host->env ? ",\n      \"env\": {}" : "");
}

static void print_toml(FILE *to, const struct host *host, const struct command *command)
{
	fprintf(to, "[%s.device]\ncommand = ", host->servers);
	put_program(to, in_json, command->program);
	fputs("\nargs = [", to);
	put_arguments(to, in_json, command, true);
	fputs("]\n", to);
}

static void print_helix(FILE *to, const struct host *host, const struct command *command)
{
	print_toml(to, host, command);
	fputs("\n[[language]]\nname = \"mylang\"\nscope = \"source.mylang\"\nfile-types = [\"mylang\"]\n"
	      "language-servers = [\"device\"]\n",
	      to);
}

static void print_neovim(FILE *to, const struct host *host, const struct command *command)
{
	(void)host;
	fputs("vim.lsp.config[\"device\"] = {\n\tcmd = { ", to);
	put_program(to, in_lua, command->program);
	put_arguments(to, in_lua, command, false);
	fputs(" },\n\tfiletypes = { \"text\" },\n}\nvim.lsp.enable(\"device\")\n", to);
}

static const struct host hosts[] = {
	{ "claude", "claude_desktop_config.json", print_json, "mcpServers", NULL, false },
	{ "claude-code", ".mcp.json in the project's folder", print_json, "mcpServers", "stdio", false },
	{ "cursor", ".cursor/mcp.json or ~/.cursor/mcp.json", print_json, "mcpServers", "stdio", false },
	{ "vscode", ".vscode/mcp.json", print_json, "servers", "stdio", false },
	{ "zed", "settings.json of Zed", print_json, "context_servers", NULL, true },
	{ "codex", "~/.codex/config.toml", print_toml, "mcp_servers", NULL, false },
	{ "acp", "settings.json of Zed", print_json, "agent_servers", "custom", true },
	{ "lsp", "init.lua of Neovim", print_neovim, NULL, NULL, false },
	{ "helix", "languages.toml of Helix", print_helix, "language-server", NULL, false },
};

static const struct host *find_host(const char *name)
{
	for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++)
		if (strcmp(hosts[i].name, name) == 0)
			return &hosts[i];
	return NULL;
}

bool bridge_print_config(FILE *to, const char *host, const char *program, char *const *arguments, size_t count)
{
	const struct command command = { program, arguments, count };
	const struct host *const found = find_host(host);
	if (found == NULL)
		return false;
	found->print(to, found, &command);
	return true;
}

const char *bridge_config_place(const char *host)
{
	const struct host *const found = find_host(host);
	return found != NULL ? found->place : NULL;
}

const char *bridge_config_hosts(void)
{
	static char names[128];
	size_t length = 0;
	for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++)
		length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i > 0 ? " " : "", hosts[i].name);
	return names;
}
