/* SPDX-License-Identifier: MIT */
#include "bridge_mcp.h"

const char mcp_latest[] = "2025-11-25";

void mcp_ask(struct server *s, quash_call *call, const char *method, quash_call_put *put, uint32_t ms)
{
	call->method = method;
	call->put = put;
	call->context = s;
	call->deadline = ms;
	(void)quash_call_start(&s->wire.peer, call);
}

bool mcp_is_modern(const quash_request *request)
{
	const quash_value meta = quash_get(quash_params_of(request), "_meta");
	return quash_kind_of(quash_member(meta, "io.modelcontextprotocol/protocolVersion")) == QUASH_STRING;
}
