/* SPDX-License-Identifier: MIT
 * A tool's result from its struct. */
#include "mcp_result.h"

#include "mcp_inner.h"

static void put_tool_struct(quash_writer *w, const quash_request *request)
{
	const quash_params *const output = quash_mcp_tool_of(request)->output;
	quash_put_struct(w, output, quash_mcp_const_state(request, output->size));
}

static void put_struct_result(quash_writer *w, const quash_request *request)
{
	quash_mcp_put_structured(w, request, put_tool_struct);
}

int32_t quash_mcp_struct(quash_request *request)
{
	const quash_mcp_tool *const tool = quash_mcp_tool_of(request);
	const quash_params *const output = tool != NULL ? tool->output : NULL;
	if (output == NULL || quash_params_borrow(output) || quash_mcp_const_state(request, output->size) == NULL)
		return QUASH_INTERNAL_ERROR;
	return quash_reply(request, put_struct_result);
}
