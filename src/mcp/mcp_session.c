/* SPDX-License-Identifier: MIT
 * What is forgotten when a new client speaks. */
#include "../../include/quash/mcp_listen.h"

#include "mcp_inner.h"

void quash_mcp_forget_watches(const quash_mcp_watches *watches)
{
	for (uint8_t i = 0; i < watches->count; i++)
		watches->list[i].taken = false;
}

static void forget(const quash_mcp_server *server)
{
	static const quash_mcp_session fresh = { NULL, NULL, 0, 0 };
	*server->session = fresh;
	if (server->watches != NULL)
		quash_mcp_forget_watches(server->watches);
}

void quash_mcp_new_session(quash_peer *peer)
{
	const quash_config *const config = peer->config;
	for (uint8_t i = 0; i < config->method_count; i++) {
		if (config->methods[i].handler == quash_mcp_initialize)
			forget(config->methods[i].data);
	}
}
