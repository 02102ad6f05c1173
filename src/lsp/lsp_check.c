/* SPDX-License-Identifier: MIT
 * Finds what is wrong with a server and its methods, for quash_init. */
#include "lsp_inner.h"

static bool has_lsp_member(bool has, const char *table, const char *name, const char *member, quash_fault *fault)
{
	const quash_fault wrong = { table, name, member, 0, 0, 0 };
	if (!has)
		*fault = wrong;
	return has;
}

/* --- The server */

static bool check_capabilities(const quash_lsp_capability *list, uint8_t count, const char *table, quash_fault *fault)
{
	if (!has_lsp_member(list != NULL || count == 0, "server", NULL, table, fault))
		return false;
	for (uint8_t i = 0; i < count; i++) {
		if (!has_lsp_member(list[i].name != NULL, table, NULL, "name", fault) ||
			!has_lsp_member(list[i].json != NULL, table, list[i].name, "json", fault)) {
			fault->index = i;
			return false;
		}
	}
	return true;
}

static bool check_server(const quash_lsp_server *server, quash_fault *fault)
{
	const char *const name = server->name;
	return has_lsp_member(name != NULL, "server", NULL, "name", fault) &&
	       has_lsp_member(server->version != NULL, "server", name, "version", fault) &&
	       has_lsp_member(server->session != NULL, "server", name, "session", fault) &&
	       check_capabilities(server->capabilities, server->capability_count, "capabilities", fault) &&
	       check_capabilities(server->experimental, server->experimental_count, "experimental", fault);
}

/* --- Methods */

static bool has_room_for(const quash_config *config, const quash_lsp_method *method, quash_fault *fault)
{
	const size_t needs = QUASH_LSP_STATE(method->server->token_size, method->state_size);
	if (config->state_size >= needs)
		return true;
	fault->table = "config";
	fault->member = "state_size";
	fault->is = config->state_size;
	fault->needs = (uint32_t)needs;
	return false;
}

static bool check_lsp_method(
	const quash_config *config, const quash_method *entry, const quash_lsp_server *server, quash_fault *fault)
{
	const quash_lsp_method *const method = entry->data;
	const char *const name = entry->name;
	return has_lsp_member(method != NULL, "methods", name, "data", fault) &&
	       has_lsp_member(method->server == server, "methods", name, "server", fault) &&
	       has_lsp_member(method->handler != NULL, "methods", name, "handler", fault) &&
	       has_room_for(config, method, fault);
}

static bool check_lsp_entry(const quash_config *config, uint8_t i, const quash_lsp_server *server, quash_fault *fault)
{
	const quash_method *const entry = &config->methods[i];
	if (entry->handler != quash_lsp_run || check_lsp_method(config, entry, server, fault))
		return true;
	fault->name = entry->name;
	fault->index = i;
	return false;
}

/* --- The config */

static const quash_lsp_server *server_in(const quash_config *config)
{
	for (uint8_t i = 0; i < config->method_count; i++) {
		if (config->methods[i].handler == quash_lsp_initialize)
			return config->methods[i].data;
	}
	return NULL;
}

bool quash_lsp_check(const quash_config *config, quash_fault *fault)
{
	const quash_lsp_server *const server = server_in(config);
	const quash_fault none = { NULL, NULL, NULL, 0, 0, 0 };
	*fault = none;
	if (!has_lsp_member(server != NULL, "methods", "initialize", "data", fault) || !check_server(server, fault))
		return false;
	for (uint8_t i = 0; i < config->method_count; i++) {
		if (!check_lsp_entry(config, i, server, fault))
			return false;
	}
	return true;
}
