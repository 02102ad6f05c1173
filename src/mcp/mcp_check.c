/* SPDX-License-Identifier: MIT
 * Finds what is wrong with a server, for quash_init. */
#include "../../include/quash/mcp_listen.h"

#include "../json/rom.h"
#include "mcp_inner.h"

enum { LONGEST_TOOL_NAME = 128 };

bool quash_mcp_check_room(const quash_mcp_server *server, const quash_config *config, uint32_t size, quash_fault *fault)
{
	return !quash_is_state_short(fault, config, quash_mcp_room(server, size));
}

const char *quash_mcp_wrong_marks(uint8_t marks, uint32_t deadline)
{
	if (deadline > INT32_MAX && deadline != QUASH_NO_LIMIT)
		return IS_LARGE "deadline";
	return (marks & ~QUASH_DROPS) != 0 ? HAS_WRONG_MARKS "marks" : NULL;
}

/* --- Tools */

static bool is_name_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
		c == '-' || c == '.';
}

static const char *wrong_tool_name(const char *name)
{
	size_t length = 0;
	if (name == NULL)
		return IS_MISSING "name";
	while (length <= LONGEST_TOOL_NAME && is_name_character(quash_rom(&name[length])))
		length++;
	if (length > LONGEST_TOOL_NAME)
		return IS_LONG "name";
	return length == 0 || quash_rom(&name[length]) != '\0' ? IS_NO_NAME "name" : NULL;
}

static bool is_listed_before(const quash_mcp_tool *tools, uint8_t index)
{
	uint8_t i = 0;
	while (i < index && !quash_same_text(tools[i].name, tools[index].name))
		i++;
	return i < index;
}

/* The wrong member, or NULL. */
static const char *wrong_tool_member(const quash_mcp_tool *tools, uint8_t index)
{
	const quash_mcp_tool *const tool = &tools[index];
	const char *const name = wrong_tool_name(tool->name);
	if (name != NULL)
		return name;
	if (is_listed_before(tools, index))
		return IS_TWICE "name";
	if (tool->call == NULL)
		return IS_MISSING "call";
	if (tool->output != NULL && tool->output_schema != NULL)
		return IS_BESIDE_ANOTHER "output_schema";
	if (tool->busy != NULL && tool->group == NULL)
		return HAS_NO_GROUP "busy";
	if (tool->lease > INT32_MAX)
		return IS_LARGE "lease";
	if (tool->lease > 0 && tool->end == NULL) /* what moves must come to rest, whatever its client has forgotten */
		return HAS_NO_END "end";
	return tool->lease > 0 && tool->deadline == 0 ? HAS_NO_LIMIT "deadline" : quash_mcp_wrong_marks(tool->marks, tool->deadline);
}

static bool check_tool(const quash_mcp_server *server, uint8_t index, const quash_config *config, quash_fault *fault)
{
	const quash_mcp_tool *const tool = &server->tools[index];
	const uint32_t args = tool->args != NULL ? tool->args->size : 0;
	const uint32_t output = tool->output != NULL ? tool->output->size : 0;
	const bool good = quash_check_member(fault, "tools", tool->name, wrong_tool_member(server->tools, index));
	if (good) {
		fault->table = tool->name;
		if ((tool->args != NULL && !quash_params_check(tool->args, fault)) ||
			(tool->output != NULL && !quash_params_check(tool->output, fault)))
			return false;
		fault->table = "tools";
		fault->name = tool->name;
	}
	fault->index = index;
	return good && quash_mcp_check_room(server, config, args > output ? args : output, fault) &&
		quash_check_member(fault, "server", server->name, tool->lease > 0 && server->leases == NULL ? IS_UNNAMED "leases" : NULL);
}

/* --- Servers */

static const char *wrong_server_member(const quash_mcp_server *server)
{
	if (server->name == NULL)
		return IS_MISSING "name";
	if (server->version == NULL)
		return IS_MISSING "version";
	if (server->session == NULL)
		return IS_MISSING "session";
	if (server->tools == NULL && server->tool_count > 0)
		return IS_MISSING "tools";
	if (server->keeps == NULL && server->keep_count > 0)
		return IS_MISSING "keeps";
	if (server->token_size > MCP_LONGEST_TOKEN)
		return IS_LARGE "token_size";
	if (server->watches != NULL && (server->watches->list == NULL || server->watches->uris == NULL))
		return IS_MISSING "watches";
	return NULL;
}

/* The longest name of a path; a '<' in it is not received. */
static uint8_t longest_name(const char *path)
{
	uint8_t longest = 0, length = 0;
	for (uint8_t i = 0; i < UINT8_MAX && quash_rom(&path[i]) != '\0'; i++) {
		if (quash_rom(&path[i]) == '>')
			length = 0;
		else if (quash_rom(&path[i]) != '<')
			length++;
		longest = length > longest ? length : longest;
	}
	return longest;
}

/* A name that the word has no room for is never found. */
static bool check_keeps(const quash_config *config, quash_fault *fault)
{
	const quash_keep *list;
	uint8_t count = 0, longest = 0;
	if (config->keeps != &quash_mcp_keeps)
		return true;
	for (uint8_t n = 0; (list = quash_mcp_keeps.list(config, n, &count)) != NULL; n++) {
		for (uint8_t i = 0; i < count; i++) {
			const uint8_t length = longest_name(list[i].path);
			longest = length > longest ? length : longest;
		}
	}
	return quash_check_size(fault, IS_SMALL "word_size", config->word_size, (size_t)longest + QUASH_LEX_ROOM);
}

QUASH_OUTLINED static bool check_mcp_server(const quash_mcp_server *server, const quash_config *config, quash_fault *fault)
{
	const struct quash_mcp_machine *const machine = quash_mcp_machine_of(server);
	fault->table = "server";
	fault->index = 0;
	fault->name = server->name;
	if (!quash_check_member(fault, "server", server->name, wrong_server_member(server)) ||
		!quash_mcp_check_room(server, config, 0, fault) || !check_keeps(config, fault))
		return false;
	for (uint8_t i = 0; i < server->tool_count; i++) {
		if (!check_tool(server, i, config, fault))
			return false;
	}
	return quash_check_leases(fault, "server", server->name, server->leases, config) &&
		(machine == NULL || machine->check(server, config, fault));
}

bool quash_mcp_check(const quash_config *config, quash_fault *fault)
{
	bool found = false;
	for (uint8_t i = 0; i < config->method_count; i++) {
		const quash_method *const method = &config->methods[i];
		if (method->handler != quash_mcp_initialize && method->handler != quash_mcp_server_discover)
			continue;
		found = true;
		if (method->data == NULL)
			return quash_check_member(fault, "methods", method->name, IS_MISSING "data");
		if (!check_mcp_server(method->data, config, fault))
			return false;
		if (method->handler == quash_mcp_server_discover && ((const quash_mcp_server *)method->data)->modern == NULL)
			return quash_check_member(fault, "server", NULL, IS_UNNAMED "modern");
		if (method->handler == quash_mcp_initialize && config->new_session == NULL)
			return quash_check_member(fault, "config", NULL, IS_UNNAMED "new_session");
	}
	return found || quash_check_member(fault, "config", NULL, IS_ANOTHER "check");
}
