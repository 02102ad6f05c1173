/* SPDX-License-Identifier: MIT */
#include "mcp_result.h"

#include "mcp_inner.h"

/* --- tools/list */

/* In the order of their marks. What a mark says is by turns that it is so, and that it is not. */
static void put_annotations(quash_writer *w, const quash_mcp_tool *tool)
{
	static const char *const QUASH_FLASH hints[] = { "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint" };
	if (tool->hints == 0)
		return;
	quash_put_key(w, "annotations");
	quash_put_object(w);
	for (uint8_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
		if ((tool->hints & 1u << i) == 0)
			continue;
		quash_put_key(w, hints[i]);
		quash_put_bool(w, i % 2 == 0);
	}
	quash_put_end(w);
}

static void put_input(quash_writer *w, const quash_mcp_tool *tool)
{
	static const quash_params none = { NULL, 0, 0 };
	quash_put_key(w, "inputSchema");
	quash_put_schema(w, tool->args != NULL ? tool->args : &none);
}

static void put_output(quash_writer *w, const quash_mcp_tool *tool)
{
	if (tool->output == NULL && tool->output_schema == NULL)
		return;
	quash_put_key(w, "outputSchema");
	if (tool->output != NULL)
		quash_put_schema(w, tool->output);
	else
		quash_put_raw(w, tool->output_schema);
}

static void put_tool(quash_writer *w, const quash_request *request, uint8_t index)
{
	const quash_mcp_tool *const tool = &quash_mcp_server_of(request)->tools[index];
	quash_put_object(w);
	quash_put_member(w, "name", tool->name);
	quash_mcp_put_optional(w, "title", tool->title);
	quash_mcp_put_optional(w, "description", tool->description);
	put_input(w, tool);
	put_output(w, tool);
	put_annotations(w, tool);
	quash_put_end(w);
}

static bool put_tool_list(quash_writer *w, const quash_request *request, uint16_t index)
{
	return quash_mcp_put_page(w, request, index, "tools", put_tool);
}

int32_t quash_mcp_tools_list(quash_request *request)
{
	return quash_mcp_reply_page(request, quash_mcp_server_of(request)->tool_count, put_tool_list);
}

/* --- tools/call */

static const quash_mcp_tool *find_tool(const quash_mcp_server *server, const quash_value *name)
{
	for (uint8_t i = 0; i < server->tool_count; i++) {
		if (quash_value_is(name, server->tools[i].name))
			return &server->tools[i];
	}
	return NULL;
}

static void put_unfit_result(quash_writer *w, const quash_request *request)
{
	quash_mcp_put_text_key(w, request);
	quash_mcp_put_unfit(w, request, quash_mcp_tool_of(request)->args);
}

static void put_busy(quash_writer *w, const quash_request *request)
{
	const quash_mcp_tool *const tool = quash_mcp_tool_of(request);
	quash_mcp_put_text_key(w, request);
	if (tool->busy != NULL) {
		quash_put_text(w, tool->busy);
		return;
	}
	quash_put_string_open(w);
	quash_put_string_text(w, tool->name);
	quash_put_string_text(w, " is busy");
	quash_put_string_close(w);
}

static int32_t reply_unfit(quash_request *request)
{
	return quash_mcp_reply_failed(request, put_unfit_result);
}

static bool hold_tool(quash_request *request, const quash_mcp_tool *tool)
{
	const bool held = tool->group == 0 || quash_hold(request, tool->group);
	if (!held)
		(void)quash_mcp_reply_failed(request, put_busy);
	return held;
}

/* The first call: finds the tool. NULL: it is refused, and the answer recorded, or its lease has run out before it began. */
static const quash_mcp_tool *begin_tool(quash_request *request)
{
	const quash_value name = quash_argument(request, "name");
	if (!quash_mcp_open(request))
		return NULL;
	const quash_mcp_tool *const tool = find_tool(quash_mcp_server_of(request), &name);
	if (tool == NULL) {
		(void)quash_mcp_unknown(request, &name, "Unknown tool");
		return NULL;
	}
	quash_mcp_begin_target(request, tool, tool->deadline);
	if (!quash_mcp_bind(request, tool->args, reply_unfit) || !hold_tool(request, tool))
		return NULL;
	if (tool->lease == 0)
		return tool;
	quash_lease(request, tool->lease);
	return quash_cancelled(request) == QUASH_NOT_CANCELLED ? tool : NULL;
}

int32_t quash_mcp_tools_call(quash_request *request)
{
	const quash_mcp_tool *tool = quash_mcp_tool_of(request);
	if (tool == NULL)
		tool = begin_tool(request);
	return tool != NULL ? quash_mcp_run(request, tool->call, tool->marks) : QUASH_DONE;
}

const quash_mcp_tool *quash_mcp_tool_of(const quash_request *request)
{
	return quash_mcp_target_of(request, quash_mcp_tools_call);
}

int32_t quash_mcp_tools_end(quash_request *request)
{
	const quash_mcp_tool *const tool = quash_mcp_called_of(request, quash_mcp_tools_call);
	return tool != NULL && tool->end != NULL ? tool->end(request) : QUASH_DONE;
}

void quash_mcp_tools_released(quash_request *request)
{
	const quash_mcp_tool *const tool = quash_mcp_called_of(request, quash_mcp_tools_call);
	if (tool != NULL && tool->released != NULL)
		tool->released(request);
}
