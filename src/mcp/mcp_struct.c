/* SPDX-License-Identifier: MIT
 * A tool's result from its struct. */
#include "mcp_inner.h"

struct described {
	const quash_params *table;
	const void *source;
};

static void put_described(quash_writer *w, const void *data)
{
	const struct described *const d = data;
	quash_put_struct(w, d->table, d->source);
}

int32_t quash_mcp_struct(quash_request *request, const void *source)
{
	const quash_mcp_tool *const tool = quash_mcp_tool_of(request);
	if (tool == NULL || tool->output == NULL)
		return QUASH_INTERNAL_ERROR;
	const struct described d = { tool->output, source };
	return quash_mcp_structured(request, put_described, &d);
}
