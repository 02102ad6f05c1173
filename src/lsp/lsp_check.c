/* SPDX-License-Identifier: MIT
 * Finds what is wrong with a server and its methods, for quash_init. */
#include "lsp_inner.h"

/* --- The server */

static bool check_capabilities(const quash_lsp_capability *list, uint8_t count, const char *table, quash_fault *fault)
{
	if (!quash_check_member(list != NULL || count == 0, "server", NULL, table, fault))
		return false;
	for (uint8_t i = 0; i < count; i++) {
		if (!quash_check_member(list[i].name != NULL, table, NULL, "name", fault) ||
			!quash_check_member(list[i].json != NULL, table, list[i].name, "json", fault)) {
			fault->index = i;
			return false;
		}
	}
	return true;
}

static bool check_server(const quash_lsp_server *server, quash_fault *fault)
{
	const char *const name = server->name;
	return quash_check_member(name != NULL, "server", NULL, "name", fault) &&
	       quash_check_member(server->version != NULL, "server", name, "version", fault) &&
	       quash_check_member(server->session != NULL, "server", name, "session", fault) &&
	       check_capabilities(server->capabilities, server->capability_count, "capabilities", fault) &&
	       check_capabilities(server->experimental, server->experimental_count, "experimental", fault);
}

/* --- Methods */

static bool check_lsp_method(
	const quash_config *config, const quash_method *entry, const quash_lsp_server *server, quash_fault *fault)
{
	const quash_lsp_method *const method = entry->data;
	const char *const name = entry->name;
	return quash_check_member(method != NULL, "methods", name, "data", fault) &&
	       quash_check_member(method->server == server, "methods", name, "server", fault) &&
	       quash_check_member(method->handler != NULL, "methods", name, "handler", fault) &&
	       quash_check_size(config->state_size, QUASH_LSP_STATE(server->token_size, method->state_size), "config",
			"state_size", fault);
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

bool quash_lsp_check(const quash_config *config, quash_fault *fault)
{
	const quash_lsp_server *const server = quash_data_of(config, quash_lsp_initialize);
	if (!quash_check_member(server != NULL, "methods", "initialize", "data", fault) || !check_server(server, fault))
		return false;
	for (uint8_t i = 0; i < config->method_count; i++) {
		if (!check_lsp_entry(config, i, server, fault))
			return false;
	}
	return true;
}
