/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_hosts.h"

#include <stdlib.h>
#include <string.h>

/* --- The hosts */

static void put_language(FILE *to, const char *name)
{
	fprintf(to, "\n[[language]]\nname = \"mylang\"\nscope = \"source.mylang\"\nfile-types = [\"mylang\"]\nlanguage-servers = [\"%s\"]\n", name);
}

static const struct settings_host hosts[] = {
	{ "claude", "claude_desktop_config.json", "mcp",
		{ "Library/Application Support/Claude/claude_desktop_config.json", ".config/Claude/claude_desktop_config.json" },
		&settings_jsonc, "mcpServers", NULL, NULL, NULL, false, NULL },
	{ "claude-code", ".mcp.json in the project's folder", "mcp", { ".claude.json", NULL }, &settings_jsonc, "mcpServers", "\"stdio\"", NULL,
		NULL, false, NULL },
	{ "cursor", ".cursor/mcp.json or ~/.cursor/mcp.json", "mcp", { ".cursor/mcp.json", NULL }, &settings_jsonc, "mcpServers", "\"stdio\"",
		NULL, NULL, false, NULL },
	{ "vscode", ".vscode/mcp.json", "mcp", { "Library/Application Support/Code/User/mcp.json", ".config/Code/User/mcp.json" },
		&settings_jsonc, "servers", "\"stdio\"", NULL, NULL, false, NULL },
	{ "zed", "settings.json of Zed", "mcp", { ".config/zed/settings.json", NULL }, &settings_jsonc, "context_servers", NULL, "env", "{}",
		false, NULL },
	{ "codex", "~/.codex/config.toml", "mcp", { ".codex/config.toml", NULL }, &settings_toml, "mcp_servers", NULL, NULL, NULL, false, NULL },
	{ "gemini", "~/.gemini/settings.json", "mcp", { ".gemini/settings.json", NULL }, &settings_jsonc, "mcpServers", NULL, NULL, NULL, false,
		NULL },
	{ "qwen", "~/.qwen/settings.json", "mcp", { ".qwen/settings.json", NULL }, &settings_jsonc, "mcpServers", NULL, NULL, NULL, false, NULL },
	{ "opencode", "~/.config/opencode/opencode.json", "mcp",
		{ ".config/opencode/opencode.json", ".config/opencode/opencode.jsonc" }, &settings_jsonc, "mcp", "\"local\"", "enabled", "true", true,
		NULL },
	{ "copilot", "~/.copilot/mcp-config.json", "mcp", { ".copilot/mcp-config.json", NULL }, &settings_jsonc, "mcpServers", "\"local\"",
		"tools", "[\"*\"]", false, NULL },
	{ "acp", "settings.json of Zed", "acp", { ".config/zed/settings.json", NULL }, &settings_jsonc, "agent_servers", "\"custom\"", "env",
		"{}", false, NULL },
	{ "lsp", "init.lua of Neovim", "lsp", { NULL, NULL }, NULL, NULL, NULL, NULL, NULL, false, NULL },
	{ "helix", "languages.toml of Helix", "lsp", { NULL, NULL }, &settings_toml, "language-server", NULL, NULL, NULL, false, put_language },
};

const struct settings_host *host_named(const char *name)
{
	for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
		if (strcmp(hosts[i].name, name) == 0)
			return &hosts[i];
	}
	return NULL;
}

const char *host_names(bool with_file)
{
	static char names[256];
	size_t length = 0;
	for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
		if (!with_file || hosts[i].paths[0] != NULL)
			length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length > 0 ? " " : "", hosts[i].name);
	}
	return names;
}

/* --- Texts in quotes */

/* How a control character is written within quotes; the code follows. */
static const char in_json[] = "\\u%04x"; /* TOML takes these too */
static const char in_lua[] = "\\%03u";

static void put_quoted(FILE *to, const char *control, const char *text)
{
	putc('"', to);
	for (; *text != '\0'; text++) {
		const unsigned char c = (unsigned char)*text;
		if (c < 0x20 || c == 0x7F)
			fprintf(to, control, (unsigned)c);
		else
			fprintf(to, c == '"' || c == '\\' ? "\\%c" : "%c", c);
	}
	putc('"', to);
}

static void put_words(FILE *to, const char *control, const struct command *command, bool with_program)
{
	if (with_program)
		put_quoted(to, control, command->program);
	for (size_t i = 0; i < command->count; i++) {
		fputs(i > 0 || with_program ? ", " : "", to);
		put_quoted(to, control, command->words[i]);
	}
}

/* --- A server */

/* The program, the words, or a list of both. NULL without memory. */
static char *value_of(const struct command *command, bool with_program, bool with_words)
{
	char *value = NULL;
	size_t size;
	FILE *const to = open_memstream(&value, &size);
	if (to == NULL)
		return NULL;
	if (!with_words) {
		put_quoted(to, in_json, command->program);
		return fclose(to) == 0 ? value : NULL;
	}
	putc('[', to);
	put_words(to, in_json, command, with_program);
	putc(']', to);
	return fclose(to) == 0 ? value : NULL;
}

bool host_server(const struct settings_host *host, const struct command *command, const char *name, struct server_settings *server)
{
	const struct setting all[MOST_SETTINGS] = { { "type", host->type, false },
		{ "command", value_of(command, host->one_list, host->one_list), false },
		{ "args", host->one_list ? NULL : value_of(command, false, true), false },
		{ host->more_key, host->more, true } };
	*server = (struct server_settings){ .servers = host->servers, .name = name };
	for (size_t i = 0; i < MOST_SETTINGS; i++) {
		if (all[i].value != NULL)
			server->settings[server->count++] = all[i];
	}
	return all[1].value != NULL && (all[2].value != NULL || host->one_list);
}

/* --- What is pasted */

static bool print_lua(FILE *to, const struct command *command, const char *name)
{
	fprintf(to, "vim.lsp.config[\"%s\"] = {\n\tcmd = { ", name);
	put_words(to, in_lua, command, true);
	fprintf(to, " },\n\tfiletypes = { \"text\" },\n}\nvim.lsp.enable(\"%s\")\n", name);
	return true;
}

bool host_print(FILE *to, const struct settings_host *host, const struct command *command, const char *name)
{
	struct server_settings server;
	const char *why;
	if (host->format == NULL)
		return print_lua(to, command, name);
	char *const block = host_server(host, command, name, &server) ? host->format->put("", &server, &why) : NULL;
	if (block == NULL)
		return false;
	fputs(block, to);
	free(block);
	if (host->put_more != NULL)
		host->put_more(to, name);
	return true;
}
