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

/* A path in the home of each system. */
#define IN_HOME(path) { { "~/" path }, { "~/" path }, { "~/" path } }
/* One of each: Linux, macOS, Windows. */
#define BY_SYSTEM(linux_path, macos_path, windows_path) { { linux_path }, { macos_path }, { windows_path } }

#define ZED_PLACES BY_SYSTEM("~/.config/zed/settings.json", "~/.config/zed/settings.json", "%APPDATA%/Zed/settings.json")
#define CLAUDE_FILE "Claude/claude_desktop_config.json"

static const char quit_desktop[] = "quit Claude Desktop before its file is changed, from the tray or the menu bar, not by closing its window: "
	"while it runs it writes the file anew, without the server";
static const char quit_code[] = "quit Claude Code before its file is changed: while it runs it writes the file too";

static const struct settings_host hosts[] = {
	{ .name = "claude", .protocol = "mcp", .spawns = true, .quit = quit_desktop,
		.places = { { "~/.config/" CLAUDE_FILE }, { "~/Library/Application Support/" CLAUDE_FILE },
			{ "%LOCALAPPDATA%/Packages/Claude_*/LocalCache/Roaming/" CLAUDE_FILE, "%APPDATA%/" CLAUDE_FILE } },
		.format = &settings_jsonc, .servers = "mcpServers" },
	{ .name = "claude-code", .protocol = "mcp", .spawns = true, .quit = quit_code, .in_project = ".mcp.json in the project's folder",
		.places = IN_HOME(".claude.json"), .format = &settings_jsonc, .servers = "mcpServers", .type = "\"stdio\"",
		.offer = offer_claude },
	{ .name = "cursor", .protocol = "mcp", .spawns = true, .in_project = ".cursor/mcp.json", .places = IN_HOME(".cursor/mcp.json"),
		.format = &settings_jsonc, .servers = "mcpServers", .type = "\"stdio\"", .offer = offer_cursor },
	{ .name = "vscode", .protocol = "mcp", .in_project = ".vscode/mcp.json",
		.places = BY_SYSTEM("~/.config/Code/User/mcp.json", "~/Library/Application Support/Code/User/mcp.json", "%APPDATA%/Code/User/mcp.json"),
		.format = &settings_jsonc, .servers = "servers", .type = "\"stdio\"", .offer = offer_vscode },
	{ .name = "zed", .protocol = "mcp", .places = ZED_PLACES, .format = &settings_jsonc, .servers = "context_servers", .more_key = "env",
		.more = "{}" },
	{ .name = "codex", .protocol = "mcp", .places = IN_HOME(".codex/config.toml"), .format = &settings_toml, .servers = "mcp_servers" },
	{ .name = "gemini", .protocol = "mcp", .places = IN_HOME(".gemini/settings.json"), .format = &settings_jsonc, .servers = "mcpServers" },
	{ .name = "qwen", .protocol = "mcp", .places = IN_HOME(".qwen/settings.json"), .format = &settings_jsonc, .servers = "mcpServers" },
	{ .name = "opencode", .protocol = "mcp",
		.places = { { "~/.config/opencode/opencode.json", "~/.config/opencode/opencode.jsonc" },
			{ "~/.config/opencode/opencode.json", "~/.config/opencode/opencode.jsonc" },
			{ "~/.config/opencode/opencode.json", "~/.config/opencode/opencode.jsonc" } },
		.format = &settings_jsonc, .servers = "mcp", .type = "\"local\"", .more_key = "enabled", .more = "true", .one_list = true },
	{ .name = "copilot", .protocol = "mcp", .places = IN_HOME(".copilot/mcp-config.json"), .format = &settings_jsonc,
		.servers = "mcpServers", .type = "\"local\"", .more_key = "tools", .more = "[\"*\"]" },
	{ .name = "acp", .protocol = "acp", .places = ZED_PLACES, .format = &settings_jsonc, .servers = "agent_servers",
		.type = "\"custom\"", .more_key = "env", .more = "{}" },
	{ .name = "lsp", .protocol = "lsp", .spawns = true, .only_pasted = true,
		.places = BY_SYSTEM("~/.config/nvim/init.lua", "~/.config/nvim/init.lua", "%LOCALAPPDATA%/nvim/init.lua") },
	{ .name = "helix", .protocol = "lsp", .only_pasted = true,
		.places = BY_SYSTEM("~/.config/helix/languages.toml", "~/.config/helix/languages.toml", "%APPDATA%/helix/languages.toml"),
		.format = &settings_toml, .servers = "language-server", .put_more = put_language },
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
		if (!with_file || !hosts[i].only_pasted)
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

enum command_form host_form(const struct settings_host *host, enum host_system system)
{
	if (system == system_own() && system != SYSTEM_WINDOWS && !system_is_package())
		return COMMAND_BY_PATH;
	return system == SYSTEM_WINDOWS && host->spawns ? COMMAND_BY_CMD : COMMAND_BY_NPX;
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
