/* SPDX-License-Identifier: MIT */
#include "mcp_inner.h"

/* --- tools/list */

static void put_hint(quash_writer *w, const quash_mcp_tool *tool, uint8_t hint, const char *key, bool value)
{
	if ((tool->hints & hint) == 0)
		return;
	quash_put_key(w, key);
	quash_put_bool(w, value);
}

static void put_annotations(quash_writer *w, const quash_mcp_tool *tool)
{
	if (tool->hints == 0)
		return;
	quash_put_key(w, "annotations");
	quash_put_object(w);
	put_hint(w, tool, QUASH_MCP_READ_ONLY, "readOnlyHint", true);
	put_hint(w, tool, QUASH_MCP_ADDITIVE, "destructiveHint", false);
	put_hint(w, tool, QUASH_MCP_IDEMPOTENT, "idempotentHint", true);
	put_hint(w, tool, QUASH_MCP_CLOSED_WORLD, "openWorldHint", false);
	quash_put_end(w);
}

static const quash_params *args_of(const quash_mcp_tool *tool)
{
	static const quash_params none = { NULL, 0, 0 };
	return tool->args != NULL ? tool->args : &none;
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

static void put_tool(quash_writer *w, const quash_mcp_tool *tool)
{
	quash_put_object(w);
	quash_mcp_put_member(w, "name", tool->name);
	quash_mcp_put_optional(w, "title", tool->title);
	quash_mcp_put_optional(w, "description", tool->description);
	quash_put_key(w, "inputSchema");
	quash_put_schema(w, args_of(tool));
	put_output(w, tool);
	put_annotations(w, tool);
	quash_put_end(w);
}

int32_t quash_mcp_list(quash_request *request, quash_value params)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	struct quash_mcp_page page;
	int32_t code;
	if (!quash_mcp_open_page(request, params, server->tool_count, &page, &code))
		return code;
	quash_writer *const w = quash_mcp_begin_page(request, "tools");
	for (uint8_t i = page.first; i < page.end; i++)
		put_tool(w, &server->tools[i]);
	return quash_mcp_send_page(request, w, &page);
}

/* --- tools/call */

static void *tool_state(quash_mcp_slot *slot)
{
	return slot + 1;
}

static const quash_mcp_tool *find_tool(const quash_mcp_server *server, quash_value name)
{
	for (uint8_t i = 0; i < server->tool_count; i++) {
		if (quash_is(name, server->tools[i].name))
			return &server->tools[i];
	}
	return NULL;
}

static int32_t refuse_arguments(quash_request *request, const quash_param_error *error)
{
	quash_put_param_error(quash_mcp_reply(request, true), error);
	return quash_send(request);
}

/* Fills the tool's struct. QUASH_PENDING: it goes on. */
static int32_t bind_tool(
	quash_request *request, const quash_mcp_tool *tool, quash_value params, quash_mcp_slot *slot)
{
	const quash_value arguments = quash_member(params, "arguments");
	quash_param_error error;
	if (quash_kind_of(arguments) != QUASH_NONE && quash_kind_of(arguments) != QUASH_OBJECT)
		return quash_fail(request, QUASH_INVALID_PARAMS, "arguments must be an object");
	if (!quash_mcp_has_room(request, args_of(tool)->size))
		return QUASH_INTERNAL_ERROR;
	if (!quash_read_params(args_of(tool), arguments, tool_state(slot), &error))
		return refuse_arguments(request, &error);
	return QUASH_PENDING;
}

/* The first call, and each further one that still has params. QUASH_PENDING: it goes on. */
static int32_t prepare_tool(quash_request *request, quash_value params, quash_mcp_slot *slot)
{
	const quash_value name = quash_member(params, "name");
	const quash_mcp_tool *const tool = find_tool(quash_mcp_server_of(request), name);
	int32_t code;
	if (!quash_mcp_open(request, params, &code))
		return code;
	if (tool == NULL)
		return quash_fail(request, QUASH_INVALID_PARAMS,
			quash_kind_of(name) == QUASH_STRING ? "Unknown tool" : "name must be a string");
	code = bind_tool(request, tool, params, slot);
	if (code != QUASH_PENDING || slot->call.target != NULL)
		return code;
	slot->call.target = tool;
	quash_mcp_keep_token(request, params);
	if (tool->deadline != 0)
		quash_deadline(request, tool->deadline);
	return QUASH_PENDING;
}

static int32_t run_tool(quash_request *request, quash_mcp_slot *slot)
{
	const quash_mcp_tool *const tool = slot->call.target;
	const int32_t code = tool->call(request, tool_state(slot));
	slot->call.again = code == QUASH_RETRY;
	if (code == QUASH_PENDING)
		quash_forget_params(args_of(tool), tool_state(slot));
	return code;
}

int32_t quash_mcp_call(quash_request *request, quash_value params)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (slot == NULL)
		return QUASH_INTERNAL_ERROR;
	const quash_mcp_tool *const tool = slot->call.target;
	if (tool != NULL && (tool->marks & QUASH_DROPS) != 0 && quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (tool == NULL || quash_kind_of(params) != QUASH_NONE) {
		const int32_t code = prepare_tool(request, params, slot);
		if (code != QUASH_PENDING)
			return code;
	}
	return run_tool(request, slot);
}

void quash_mcp_end(quash_request *request)
{
	const quash_mcp_tool *const tool = quash_mcp_tool_of(request);
	if (tool != NULL && tool->end != NULL)
		tool->end(request, tool_state(quash_mcp_slot_of(request)));
}

const quash_mcp_tool *quash_mcp_tool_of(quash_request *request)
{
	const quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	const quash_method *const method = quash_method_of(request);
	return slot != NULL && method != NULL && method->handler == quash_mcp_call ? slot->call.target : NULL;
}
