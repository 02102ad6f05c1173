/* SPDX-License-Identifier: MIT
 * The struct of what is called, behind the slot, and its arguments. */
#include "../core/slots.h"
#include "mcp_inner.h"

uint32_t quash_mcp_room(const quash_mcp_server *server, uint32_t size)
{
	return (uint32_t)QUASH_MCP_STATE(server->token_size, size);
}

void *quash_mcp_state(quash_request *request, size_t size)
{
	quash_mcp_slot *const slot =
		quash_state(request, (size_t)quash_mcp_room(quash_mcp_server_of(request), (uint32_t)size));
	return slot != NULL ? slot + 1 : NULL;
}

const void *quash_mcp_const_state(const quash_request *request, size_t size)
{
	return quash_mcp_state(quash_slot(quash_peer_of(request), request->index), size);
}

QUASH_NOINLINE quash_value quash_mcp_arguments(const quash_request *request)
{
	return quash_argument(request, "arguments");
}

quash_value quash_mcp_argument(const quash_request *request, const char *name)
{
	return quash_member(quash_mcp_arguments(request), name);
}
