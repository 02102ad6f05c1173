/* SPDX-License-Identifier: MIT
 * Finds what is wrong with a server and its methods, for quash_init. */
#include "lsp_inner.h"

/* --- The server */

static bool check_capabilities(const quash_lsp_capability *list, uint8_t count, const char *table, quash_fault *fault)
{
	if (!quash_check_member(fault, "server", NULL, list == NULL && count > 0 ? table : NULL))
		return false;
	for (uint8_t i = 0; i < count; i++) {
		const char *const wrong = list[i].name == NULL ? "name" : list[i].json == NULL ? "json" : NULL;
		if (!quash_check_member(fault, table, list[i].name, wrong)) {
			fault->index = i;
			return false;
		}
	}
	return true;
}

/* The wrong member, or NULL. */
static const char *wrong_lsp_server_member(const quash_lsp_server *server)
{
	if (server->name == NULL)
		return "name";
	if (server->version == NULL)
		return "version";
	return server->session == NULL ? "session" : NULL;
}

/* --- Methods */

static const char *wrong_method_member(const quash_lsp_method *method, const quash_lsp_server *server)
{
	if (method == NULL)
		return "data";
	if (method->server != server)
		return "server";
	return method->handler == NULL ? "handler" : NULL;
}

static bool check_lsp_entry(const quash_config *config, uint8_t i, const quash_lsp_server *server, quash_fault *fault)
{
	const quash_method *const entry = &config->methods[i];
	const quash_lsp_method *const method = entry->data;
	if (entry->handler != quash_lsp_run_ ||
		(quash_check_member(fault, "methods", NULL, wrong_method_member(method, server)) &&
			quash_check_member(fault, "methods", NULL,
				entry->motion.end != quash_lsp_end_ || (entry->motion.lease > 0 && method->end == NULL)
					? "motion.end" : NULL) &&
			quash_check_size(fault, "state_size", config->state_size,
				QUASH_LSP_STATE(server->token_size, method->state_size))))
		return true;
	fault->name = entry->name;
	fault->index = i;
	return false;
}

/* The life cycle is served whole, for this server. */
static bool check_life(const quash_config *config, const quash_lsp_server *server, quash_fault *fault)
{
	static quash_handler *const life[] = { quash_lsp_initialized_, quash_lsp_shutdown_, quash_lsp_exit_,
		quash_lsp_unknown_ };
	const uint8_t count = sizeof life / sizeof *life;
	uint8_t i = 0;
	while (i < count && quash_data_of(config, life[i]) == server)
		i++;
	return quash_check_member(fault, "server", server->name, i < count ? "QUASH_LSP_METHODS" : NULL);
}

bool quash_lsp_check(const quash_config *config, quash_fault *fault)
{
	const quash_lsp_server *const server = quash_check_initialize(fault, config, quash_lsp_initialize_);
	if (server == NULL || !quash_check_member(fault, "server", server->name, wrong_lsp_server_member(server)) ||
		!quash_check_leases(fault, "server", server->name, server->leases, config) ||
		!check_capabilities(server->capabilities, server->capability_count, "capabilities", fault) ||
		!check_capabilities(server->experimental, server->experimental_count, "experimental", fault) ||
		!check_life(config, server, fault))
		return false;
	for (uint8_t i = 0; i < config->method_count; i++) {
		if (!check_lsp_entry(config, i, server, fault))
			return false;
	}
	return true;
}
