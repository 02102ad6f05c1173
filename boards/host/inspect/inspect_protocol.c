/* SPDX-License-Identifier: MIT */
#include "inspect_protocol.h"

const struct protocol *protocol_named(struct span name)
{
	static const struct protocol *const all[] = { &protocol_mcp, &protocol_acp, &protocol_lsp, &protocol_jsonrpc };
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		if (span_same(span_of(all[i]->name), name))
			return all[i];
	}
	return NULL;
}
