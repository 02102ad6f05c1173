/* SPDX-License-Identifier: MIT
 * The numbers of a config that quash_init has found right, as lines of C for the device's compiler. */
#include "pc_check.h"

#include <stdio.h>
#include <string.h>

extern const char *const quash_pc_place;

/* --- Lines */

/* How to come to a table from the config, in C, and what a fault's line calls it. */
struct place {
	char path[400];
	char label[100];
};

static const struct place the_config = { "quash_check_the_config", "config: " };

static struct place element(
	const struct place *in, const char *member, const char *table, unsigned index, const char *name)
{
	struct place at;
	snprintf(at.path, sizeof at.path, "%s%s[%u]", in->path, member, index);
	snprintf(at.label, sizeof at.label, "%s[%u] %s: ", table, index, name != NULL ? name : "");
	return at;
}

static struct place pointed(const struct place *in, const char *member, const char *type)
{
	struct place at = *in;
	snprintf(at.path, sizeof at.path, "((const %s *)%s%s)", type, in->path, member);
	return at;
}

/* Part of a literal: what the assembler would take for something else is left out. */
static void put_words(const char *words)
{
	for (const char *c = words; *c != '\0'; c++)
		putchar(*c >= ' ' && *c <= '~' && strchr("\"\\%{|}", *c) == NULL ? *c : '?');
}

static void put_label(const struct place *at)
{
	putchar('"');
	put_words(quash_pc_place);
	fputs(": ", stdout);
	put_words(at->label);
}

static void put_same(const struct place *at, const char *access, const char *member, long long value)
{
	printf("\tQUASH_CHECK_SAME(");
	put_label(at);
	printf("%s\", %s%s%s, %lld);\n", member, at->path, access, member, value);
}

#define SAME(at, p, member) put_same((at), "->", #member, (long long)(p)->member)
#define SAME_OF(at, p, member) put_same((at), ".", #member, (long long)(p)->member)

/* `text` is C: each @ in it stands for the path. */
static void put_text(const struct place *at, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '@')
			fputs(at->path, stdout);
		else
			putchar(*text);
	}
}

static void put_that(const struct place *at, const char *text, const char *member)
{
	printf("\tQUASH_CHECK_THAT(");
	put_text(at, text);
	printf(", ");
	put_label(at);
	printf("%s is wrong on the device, or it is not constant\");\n", member);
}

/* The room that a table needs: QUASH_MCP_STATE of the server's token size and `size`, for one. */
static void put_room(const struct place *at, const char *state, const struct place *server, const char *size)
{
	printf("\tQUASH_CHECK_ROOM(");
	put_label(at);
	printf("\", %s, %s(", the_config.path, state);
	if (server != NULL)
		printf("%s->token_size, ", server->path);
	put_text(at, size);
	printf("));\n");
}

/* --- Params */

static void put_param(const struct place *table, const char *of, const quash_param *param, unsigned index)
{
	const struct place at = element(table, "->list", of, index, param->name);
	SAME_OF(&at, param, min);
	SAME_OF(&at, param, max);
	SAME_OF(&at, param, fallback);
	SAME_OF(&at, param, size);
	SAME_OF(&at, param, optional);
}

/* Offsets are of a struct, and differ. */
static void put_offsets(const struct place *table, const struct place *at)
{
	printf("\tQUASH_CHECK_THAT(%s.offset < %s->size && %s.count_offset < %s->size, ", at->path, table->path, at->path,
		table->path);
	put_label(at);
	printf("offset lies outside of its struct on the device, or it is not constant\");\n");
}

static void put_params(const struct place *in, const char *member, const char *of, const quash_params *table)
{
	const struct place at = pointed(in, member, "quash_params");
	SAME(&at, table, count);
	for (uint8_t i = 0; i < table->count; i++) {
		const struct place field = element(&at, "->list", of, i, table->list[i].name);
		put_param(&at, of, &table->list[i], i);
		if ((table->list[i].type->marks & QUASH_PARAM_IN_PARAMS) == 0)
			put_offsets(&at, &field);
	}
}

/* --- MCP */

static void put_struct(const struct place *server, const struct place *at, const char *member, const char *of,
	const quash_params *table)
{
	const struct place params = pointed(at, member, "quash_params");
	if (table == NULL)
		return;
	put_params(at, member, of, table);
	put_room(&params, "QUASH_MCP_STATE", server, "@->size");
}

/* A field that is no part of what a rule keeps would be written over it. */
static void put_confirmed(const struct place *tool, const char *of, const quash_params *table)
{
	const struct place params = pointed(tool, ".args", "quash_params");
	for (uint8_t i = 0; i < table->count; i++) {
		const struct place at = element(&params, "->list", of, i, table->list[i].name);
		printf("\tQUASH_CHECK_THAT(%s.offset >= sizeof(quash_mcp_confirming), ", at.path);
		put_label(&at);
		printf("offset lies in what a rule keeps, on the device\");\n");
	}
}

static void put_tool(const struct place *server, const quash_mcp_tool *tool, unsigned index)
{
	const struct place at = element(server, "->tools", "tools", index, tool->name);
	SAME_OF(&at, tool, motion.longest);
	SAME_OF(&at, tool, motion.lease);
	SAME_OF(&at, tool, marks);
	put_struct(server, &at, ".args", tool->name, tool->args);
	put_struct(server, &at, ".output", tool->name, tool->output);
	if (tool->call == quash_mcp_confirm_call && tool->args != NULL)
		put_confirmed(&at, tool->name, tool->args);
}

static void put_resources(const struct place *server, const struct place *part, const char *member,
	const quash_mcp_resource *list, uint8_t count)
{
	for (uint8_t i = 0; i < count; i++) {
		const struct place at = element(part, member, "resources", i, list[i].uri);
		SAME_OF(&at, &list[i], deadline);
		SAME_OF(&at, &list[i], marks);
		put_room(&at, "QUASH_MCP_STATE", server, "@.state_size");
	}
}

static void put_resource_lists(const struct place *server, const struct place *in, const quash_mcp_resources *resources)
{
	const struct place at = pointed(in, "", "quash_mcp_resources");
	SAME(&at, resources, count);
	SAME(&at, resources, template_count);
	put_resources(server, &at, "->list", resources->list, resources->count);
	put_resources(server, &at, "->templates", resources->templates, resources->template_count);
}

static void put_prompts(const struct place *server, const struct place *in, const quash_mcp_prompts *prompts)
{
	const struct place part = pointed(in, "", "quash_mcp_prompts");
	SAME(&part, prompts, count);
	for (uint8_t i = 0; i < prompts->count; i++) {
		const quash_mcp_prompt *const prompt = &prompts->list[i];
		const struct place at = element(&part, "->list", "prompts", i, prompt->name);
		SAME_OF(&at, prompt, deadline);
		SAME_OF(&at, prompt, marks);
		put_struct(server, &at, ".args", prompt->name, prompt->args);
	}
}

static void put_rules(const struct place *in, const quash_mcp_confirm *confirm)
{
	const struct place part = pointed(in, "", "quash_mcp_confirm");
	SAME(&part, confirm, count);
	for (uint8_t i = 0; i < confirm->count; i++) {
		const quash_mcp_rule *const rule = &confirm->rules[i];
		const struct place at = element(&part, "->rules", "rules", i, rule->tool);
		SAME_OF(&at, rule, above);
		SAME_OF(&at, rule, below);
		SAME_OF(&at, rule, wait);
		SAME_OF(&at, rule, armed);
		SAME_OF(&at, rule, by);
	}
}

static void put_level(const struct place *in, const quash_mcp_logging *logging)
{
	const struct place at = pointed(in, "", "quash_mcp_logging");
	SAME(&at, logging, level);
}

static void put_completion(const struct place *in, const quash_mcp_completion *completion)
{
	const struct place at = pointed(in, "", "quash_mcp_completion");
	SAME(&at, completion, count);
}

static void put_input(const struct place *in, const quash_mcp_input *input)
{
	const struct place at = pointed(in, "", "quash_mcp_input");
	SAME(&at, input, lifetime);
}

static void put_part(const struct place *server, const quash_mcp_part *part, unsigned index)
{
	const struct place in = element(server, "->parts", "parts", index, "");
	const void *const kind = part->kind, *const p = part;
	if (kind == &quash_mcp_prompts_kind)
		put_prompts(server, &in, p);
	else if (kind == &quash_mcp_resources_kind)
		put_resource_lists(server, &in, p);
	else if (kind == &quash_mcp_confirm_kind)
		put_rules(&in, p);
	else if (kind == &quash_mcp_logging_kind)
		put_level(&in, p);
	else if (kind == &quash_mcp_completion_kind)
		put_completion(&in, p);
	else if (kind == &quash_mcp_input_kind)
		put_input(&in, p);
}

static void put_mcp(const struct place *method, const quash_mcp_server *server)
{
	struct place at = pointed(method, ".data", "quash_mcp_server");
	snprintf(at.label, sizeof at.label, "server: ");
	SAME(&at, server, tool_count);
	SAME(&at, server, token_size);
	SAME(&at, server, keep_count);
	SAME(&at, server, changes);
	put_room(&at, "QUASH_MCP_STATE", &at, "0");
	for (uint8_t i = 0; i < server->tool_count; i++)
		put_tool(&at, &server->tools[i], i);
	for (unsigned i = 0; server->parts != NULL && server->parts[i] != NULL; i++)
		put_part(&at, server->parts[i], i);
}

/* --- LSP, ACP, and requests that are handed on */

static void put_lsp(const struct place *method, const quash_lsp_method *entry)
{
	const struct place at = pointed(method, ".data", "quash_lsp_method");
	const struct place server = pointed(&at, "->server", "quash_lsp_server");
	SAME(&server, entry->server, token_size);
	put_room(&at, "QUASH_LSP_STATE", &server, "@->state_size");
}

static void put_acp(const struct place *method, const quash_acp_agent *agent)
{
	const struct place at = pointed(method, ".data", "quash_acp_agent");
	SAME(&at, agent, session_count);
	SAME(&at, agent, mode_count);
	put_room(&at, "QUASH_ACP_STATE", NULL, "@->state_size");
}

static void put_route(const struct place *method, const quash_route *route)
{
	const struct place at = pointed(method, ".data", "quash_route");
	SAME(&at, route, token_size);
	put_room(&at, "QUASH_FORWARD_STATE", NULL, "@->token_size");
}

/* --- The config */

/* A server of both eras stands in the table twice. */
static bool is_server(const quash_config *config, unsigned index)
{
	const quash_method *const method = &config->methods[index];
	bool before = false;
	for (unsigned i = 0; i < index; i++)
		before = before ||
			(config->methods[i].handler == quash_mcp_initialize_ && config->methods[i].data == method->data);
	return method->handler == quash_mcp_initialize_ || (method->handler == quash_mcp_server_discover_ && !before);
}

static void put_data(const struct place *at, const quash_config *config, unsigned index)
{
	const quash_method *const method = &config->methods[index];
	if (method->data == NULL)
		return;
	if (is_server(config, index))
		put_mcp(at, method->data);
	else if (method->handler == quash_lsp_run_)
		put_lsp(at, method->data);
	else if (method->handler == quash_acp_initialize_)
		put_acp(at, method->data);
	else if (method->handler == quash_forward)
		put_route(at, method->data);
}

static void put_method(const quash_config *config, unsigned index)
{
	const quash_method *const method = &config->methods[index];
	const struct place at = element(&the_config, ".methods", "methods", index, method->name);
	SAME_OF(&at, method, motion.longest);
	SAME_OF(&at, method, motion.lease);
	SAME_OF(&at, method, marks);
	put_room(&at, "", NULL, "@.state_size");
	put_data(&at, config, index);
}

static void put_sizes(const quash_config *config)
{
	SAME_OF(&the_config, config, slot_count);
	SAME_OF(&the_config, config, id_size);
	SAME_OF(&the_config, config, word_size);
	SAME_OF(&the_config, config, method_count);
	SAME_OF(&the_config, config, tag_size);
	SAME_OF(&the_config, config, reason_size);
	put_that(&the_config, "@.arena_size >= QUASH_ARENA_MIN && @.arena_size <= 0xFFFFFF", "arena_size");
	put_that(&the_config, "@.tx_size >= QUASH_TX_MIN", "tx_size");
	put_that(&the_config, "QUASH_CHECK_ALIGNED(@.state_size)", "state_size");
	if (config->state_size > 0)
		put_that(&the_config, "QUASH_CHECK_ALIGNED((uintptr_t)@.states)", "states");
}

void quash_pc_numbers(const quash_config *config)
{
	printf("#pragma GCC system_header\n");
	printf("static void quash_check_device(void)\n{\n");
	put_sizes(config);
	for (uint8_t i = 0; i < config->method_count; i++)
		put_method(config, i);
	printf("}\n");
}
