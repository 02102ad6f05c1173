/* SPDX-License-Identifier: MIT
 * Finds what is wrong with a server, for quash_init. */
#include "../../include/quash/mcp_listen.h"

#include "../core/faults.h"
#include "../json/rom.h"
#include "mcp_inner.h"

enum { LONGEST_TOOL_NAME = 128 };

bool quash_mcp_check_room(const quash_mcp_server *server, const quash_config *config, uint32_t size, quash_fault *fault)
{
	fault->member = "state_size";
	fault->is = config->state_size;
	fault->needs = quash_mcp_room(server, size);
	return fault->is >= fault->needs;
}

static bool are_wrong_tool_marks(uint8_t marks, bool ends)
{
	return (marks & ~QUASH_FINISHES) != 0 || (marks != 0 && !ends);
}

const char *quash_mcp_wrong_marks(uint8_t marks, uint32_t deadline, bool ends)
{
	if (deadline > INT32_MAX && deadline != QUASH_NO_LIMIT)
		return "deadline";
	return are_wrong_tool_marks(marks, ends) ? "marks" : NULL;
}

/* --- Tools */

static bool is_name_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
		c == '-' || c == '.';
}

static bool is_tool_name(const char *name)
{
	size_t length = 0;
	while (name != NULL && length < LONGEST_TOOL_NAME && is_name_character(quash_rom(&name[length])))
		length++;
	return length > 0 && quash_rom(&name[length]) == '\0';
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
	if (!is_tool_name(tool->name) || is_listed_before(tools, index))
		return "name";
	if (tool->call == NULL)
		return "call";
	if (tool->output != NULL && tool->output_schema != NULL)
		return "output_schema";
	if (tool->busy != NULL && tool->motion.group == NULL)
		return "busy";
	return are_wrong_tool_marks(tool->marks, tool->motion.end != NULL) ? "marks" : NULL;
}

static bool check_tool(const quash_mcp_server *server, uint8_t index, const quash_config *config, quash_fault *fault)
{
	const quash_mcp_tool *const tool = &server->tools[index];
	const uint32_t args = tool->args != NULL ? tool->args->size : 0;
	const uint32_t output = tool->output != NULL ? tool->output->size : 0;
	bool good = quash_check_member(fault, "tools", tool->name, wrong_tool_member(server->tools, index));
	if (good) {
		fault->table = tool->name;
		if ((tool->args != NULL && !quash_params_check(tool->args, fault)) ||
			(tool->output != NULL && !quash_params_check(tool->output, fault)))
			return false;
		(void)quash_check_member(fault, "tools", tool->name, "motion");
		good = !quash_is_motion_wrong(&tool->motion, fault);
	}
	fault->index = index;
	return good && quash_mcp_check_room(server, config, args > output ? args : output, fault) &&
		quash_check_member(fault, "server", server->name, tool->motion.lease > 0 && server->leases == NULL ? "leases"
			: NULL);
}

/* --- Servers */

static const char *wrong_server_member(const quash_mcp_server *server)
{
	if (server->name == NULL)
		return "name";
	if (server->version == NULL)
		return "version";
	if (server->session == NULL)
		return "session";
	if (server->tools == NULL && server->tool_count > 0)
		return "tools";
	if (server->keeps == NULL && server->keep_count > 0)
		return "keeps";
	if (server->token_size > MCP_LONGEST_TOKEN)
		return "token_size";
	if (server->watches != NULL && (server->watches->list == NULL || server->watches->uris == NULL))
		return "watches";
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
	return quash_check_size(fault, "word_size", config->word_size, (size_t)longest + QUASH_LEX_ROOM);
}

/* --- What is named and not served, or the reverse */

static bool refuse_entry(const quash_config *config, const quash_method *method, const char *member, quash_fault *fault)
{
	(void)quash_check_member(fault, "methods", method->name, member);
	fault->index = (uint16_t)(method - config->methods);
	return false;
}

bool quash_mcp_check_caller(const quash_config *config, quash_handler *handler, int32_t (*end)(quash_request *),
	const quash_mcp_server *server, const char *entries, quash_fault *fault)
{
	const quash_method *const method = quash_entry_of(config, handler);
	if (method == NULL)
		return quash_check_member(fault, "server", server->name, entries);
	if (method->data == NULL)
		return refuse_entry(config, method, "data", fault);
	return method->motion.end == end || refuse_entry(config, method, "motion.end", fault);
}

bool quash_mcp_are_of_one_part(const char *a, const char *b)
{
	while (quash_rom(a) == quash_rom(b) && quash_rom(a) != '/' && quash_rom(a) != '\0') {
		a++;
		b++;
	}
	return quash_rom(a) == '/' && quash_rom(b) == '/';
}

static bool is_of_a_part(const char *name)
{
	return quash_mcp_are_of_one_part(name, "prompts/") || quash_mcp_are_of_one_part(name, "resources/") ||
		quash_mcp_are_of_one_part(name, "completion/") || quash_mcp_are_of_one_part(name, "logging/");
}

/* No method of a part stands in the table without it. */
static bool check_entries_of_parts(const quash_mcp_server *server, const quash_config *config, quash_fault *fault)
{
	const struct quash_mcp_machine *const machine = quash_mcp_machine_of(server);
	for (uint8_t i = 0; i < config->method_count; i++) {
		const quash_method *const method = &config->methods[i];
		if (method->data == server && is_of_a_part(method->name) &&
			(machine == NULL || !machine->serves(server, config, method->name)))
			return refuse_entry(config, method, "part", fault);
	}
	return true;
}

/* What the server lacks, or the entries for what it names; or NULL. */
static const char *wrong_offer_member(const quash_mcp_server *server, const quash_config *config)
{
	const uint8_t changes = server->changes;
	if (server->modern != NULL && quash_entry_of(config, quash_mcp_server_discover_) == NULL)
		return "QUASH_MCP_MODERN";
	if (server->tools == NULL && (changes & QUASH_MCP_TOOLS_CHANGE) != 0)
		return "tools";
	if (quash_mcp_machine_of(server) == NULL && (server->watches != NULL || changes > QUASH_MCP_TOOLS_CHANGE))
		return "parts";
	return NULL;
}

QUASH_OUTLINED_ static bool check_mcp_server(const quash_mcp_server *server, const quash_config *config,
	quash_fault *fault)
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
	if (!quash_check_leases(fault, "server", server->name, server->leases, config))
		return false;
	fault->table = "server";
	return (machine == NULL || machine->check(server, config, fault)) &&
		quash_check_member(fault, "server", server->name, wrong_offer_member(server, config)) &&
		quash_mcp_check_caller(config, quash_mcp_tools_call_, quash_mcp_tools_end_, server,
			server->tools != NULL ? "QUASH_MCP_TOOLS" : NULL, fault) &&
		check_entries_of_parts(server, config, fault);
}

bool quash_mcp_check(const quash_config *config, quash_fault *fault)
{
	bool found = false;
	for (uint8_t i = 0; i < config->method_count; i++) {
		const quash_method *const method = &config->methods[i];
		if (method->handler != quash_mcp_initialize_ && method->handler != quash_mcp_server_discover_)
			continue;
		found = true;
		if (method->data == NULL)
			return refuse_entry(config, method, "data", fault);
		if (!check_mcp_server(method->data, config, fault))
			return false;
		if (method->handler == quash_mcp_server_discover_ && ((const quash_mcp_server *)method->data)->modern == NULL)
			return quash_check_member(fault, "server", NULL, "modern");
		if (method->handler == quash_mcp_initialize_ && config->new_session == NULL)
			return quash_check_member(fault, "config", NULL, "new_session");
	}
	return found || quash_check_member(fault, "config", NULL, "initialize");
}
