/* SPDX-License-Identifier: MIT */
#include "inspect_protocol.h"

const struct inspect_protocol *inspect_protocol_named(struct span name)
{
	static const struct inspect_protocol *const all[] = { &inspect_mcp, &inspect_acp, &inspect_lsp, &inspect_jsonrpc };
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		if (span_same(span_of(all[i]->name), name))
			return all[i];
	}
	return NULL;
}
