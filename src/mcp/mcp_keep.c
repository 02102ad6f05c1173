/* SPDX-License-Identifier: MIT
 * What of params is stored. Only a token has a limit, as without one a request is served: all else is read or
 * refused. */
#include "mcp_inner.h"

enum { USUAL_TOKEN = 40 };

static const quash_keep always[] = {
	{ "name", 0, false },
	{ "arguments", 0, false },
	{ "cursor", 0, false },
	{ "protocolVersion", 0, false },
	{ "notifications", 0, false },
};

static const quash_keep usual_token = { "_meta>progressToken", MCP_TOKEN_ON_TAPE + USUAL_TOKEN, false };
static const quash_keep long_token = { "_meta>progressToken", MCP_TOKEN_ON_TAPE + MCP_LONGEST_TOKEN, false };

/* The keeps of a server, in the order of their numbers. */
enum { KEEPS_ALWAYS, KEEPS_TOKEN, KEEPS_MODERN, KEEPS_OWN, KEEPS_OF_PARTS };

/* A table without `initialize` has another method of the server as its first listed one. */
static const quash_mcp_server *server_of_table(const quash_config *config)
{
	const quash_mcp_server *const server = quash_data_of(config, quash_mcp_initialize_);
	uint8_t i = 0;
	while (i < config->method_count && (config->methods[i].marks & QUASH_LISTED) == 0)
		i++;
	return server != NULL || i == config->method_count ? server : config->methods[i].data;
}

static const quash_keep *keeps_of_part(const quash_mcp_server *server, uint8_t number, uint8_t *count)
{
	const struct quash_mcp_machine *const machine = quash_mcp_machine_of(server);
	return machine != NULL ? machine->keeps(server, number, count) : NULL;
}

static const quash_keep *keeps_of_server(const quash_mcp_server *server, uint8_t number, uint8_t *count)
{
	switch (number) {
	case KEEPS_TOKEN:
		*count = 1;
		return server->token_size <= USUAL_TOKEN ? &usual_token : &long_token;
	case KEEPS_MODERN:
		*count = server->modern != NULL ? server->modern->keep_count : 0;
		return server->modern != NULL ? server->modern->keeps : always;
	case KEEPS_OWN:
		*count = server->keeps != NULL ? server->keep_count : 0;
		return server->keeps != NULL ? server->keeps : always;
	default: return keeps_of_part(server, (uint8_t)(number - KEEPS_OF_PARTS), count);
	}
}

static const quash_keep *list_of_server(const quash_config *config, uint8_t number, uint8_t *count)
{
	const quash_mcp_server *const server = server_of_table(config);
	*count = sizeof always / sizeof always[0];
	if (number == KEEPS_ALWAYS)
		return always;
	return server != NULL ? keeps_of_server(server, number, count) : NULL;
}

const quash_keeps quash_mcp_keeps = { &quash_keeping, list_of_server };
