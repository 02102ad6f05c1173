/* SPDX-License-Identifier: MIT
 * Tools: lists, calls, and results. */
#include "../core/answer.h"
#include "../core/lease.h"
#include "../core/checked.h"
#include "mcp_inner.h"

/* --- Results */

/* What its deadline has ended has a result, the model reads why. */
static bool is_late(const quash_request *request)
{
	return request->cause == QUASH_BY_DEADLINE;
}

QUASH_INLINED_ static void put_content_key(quash_writer *w, const quash_request *request)
{
	quash_mcp_begin(w, request);
	if (is_late(request) || (quash_mcp_const_slot_of(request)->call.marks & MCP_FAILED) != 0) {
		quash_put_key(w, "isError");
		quash_put_bool(w, true);
	}
	quash_put_key(w, "content");
	quash_put_array(w);
}

static void put_text_key(quash_writer *w, const quash_request *request)
{
	put_content_key(w, request);
	quash_put_object(w);
	quash_put_member(w, "type", "text");
	quash_put_key(w, "text");
}

static void put_quoted(quash_writer *w, const quash_request *request, quash_put *put)
{
	put_text_key(w, request);
	quash_put_quote_open(w);
	quash_checked_first(w, request, put);
	quash_put_quote_close(w);
}

static void put_structured(quash_writer *w, const quash_request *request, quash_put *put)
{
	put_quoted(w, request, put);
	quash_put_end(w);
	quash_put_end(w);
	quash_put_key(w, "structuredContent");
	quash_checked_second(w, request, put);
}

static void put_literal_result(quash_writer *w, const quash_request *request)
{
	put_text_key(w, request);
	quash_put_text(w, quash_mcp_const_slot_of(request)->call.content.text);
}

static void put_text_result(quash_writer *w, const quash_request *request)
{
	put_text_key(w, request);
	quash_mcp_put_content(w, request);
}

static void put_content_result(quash_writer *w, const quash_request *request)
{
	put_content_key(w, request);
	quash_mcp_put_content(w, request);
}

static void put_json_result(quash_writer *w, const quash_request *request)
{
	put_quoted(w, request, quash_mcp_put_content);
}

static void put_structured_result(quash_writer *w, const quash_request *request)
{
	put_structured(w, request, quash_mcp_put_content);
}

/* --- Replies */

QUASH_INLINED_ static void mark_failed(quash_request *request)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (slot != NULL && quash_may_report(request))
		slot->call.marks |= MCP_FAILED;
}

QUASH_NOINLINE static int32_t reply_failed(quash_request *request, quash_put *put)
{
	mark_failed(request);
	return quash_reply(request, put);
}

int32_t quash_mcp_text_(quash_request *request, const char *text)
{
	return quash_mcp_reply_literal(request, text, put_literal_result);
}

int32_t quash_mcp_failure_(quash_request *request, const char *text)
{
	mark_failed(request);
	return quash_mcp_reply_literal(request, text, put_literal_result);
}

int32_t quash_mcp_reply(quash_request *request, quash_put *put)
{
	return quash_mcp_reply_put(request, put, put_text_result);
}

int32_t quash_mcp_failure_put(quash_request *request, quash_put *put)
{
	mark_failed(request);
	return quash_mcp_reply_put(request, put, put_text_result);
}

int32_t quash_mcp_content(quash_request *request, bool failed, quash_put *put)
{
	if (failed)
		mark_failed(request);
	return quash_mcp_reply_put(request, put, put_content_result);
}

int32_t quash_mcp_json(quash_request *request, quash_put *put)
{
	return quash_mcp_reply_put(request, put, put_json_result);
}

int32_t quash_mcp_structured(quash_request *request, quash_put *put)
{
	return quash_mcp_reply_put(request, put, put_structured_result);
}

/* --- tools/list */

/* Hints stand in the order of their marks. By turns, a mark sets its hint to true and to false. */
static void put_annotations(quash_writer *w, const quash_mcp_tool *tool)
{
	static const char *const QUASH_FLASH hints[] = { "readOnlyHint", "destructiveHint", "idempotentHint",
		"openWorldHint" };
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

QUASH_OUTLINED_ static void put_schema(quash_writer *w, const char *key, const quash_params *table,
	const struct quash_mcp_closed_code *closed)
{
	quash_put_key(w, key);
	quash_put_schema_open(w, table);
	if (closed != NULL)
		closed->put(w);
	quash_put_end(w);
}

static void put_output(quash_writer *w, const quash_mcp_tool *tool)
{
	if (tool->output != NULL) {
		put_schema(w, "outputSchema", tool->output, NULL);
	} else if (tool->output_schema != NULL) {
		quash_put_key(w, "outputSchema");
		quash_put_raw(w, tool->output_schema);
	}
}

static void put_closed(quash_writer *w)
{
	quash_put_key(w, "additionalProperties");
	quash_put_bool(w, false);
}

const struct quash_mcp_closed_code quash_mcp_closed = { put_closed };

static void put_tool(quash_writer *w, const quash_request *request, uint8_t index)
{
	static const quash_params none = { NULL, 0, 0, NULL };
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	const quash_mcp_tool *const tool = &server->tools[index];
	quash_put_object(w);
	quash_put_member(w, "name", tool->name);
	quash_put_optional(w, "title", tool->title);
	quash_put_optional(w, "description", tool->description);
	put_schema(w, "inputSchema", tool->args != NULL ? tool->args : &none, tool->args != NULL ? server->closed : NULL);
	put_output(w, tool);
	put_annotations(w, tool);
	quash_put_end(w);
}

static bool put_tool_list(quash_writer *w, const quash_request *request, uint16_t index)
{
	return quash_mcp_put_page(w, request, index, "tools", put_tool);
}

int32_t quash_mcp_tools_list_(quash_request *request)
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
	put_text_key(w, request);
	quash_mcp_put_unfit(w, request, quash_mcp_tool_of(request)->args);
}

/* Opens the string. */
static void put_sentence(quash_writer *w, const quash_mcp_tool *tool, const char *words)
{
	quash_put_string_open(w);
	quash_put_string_text(w, tool->name);
	quash_put_string_text(w, words);
}

static void put_busy(quash_writer *w, const quash_request *request)
{
	const quash_mcp_tool *const tool = quash_mcp_tool_of(request);
	put_text_key(w, request);
	if (tool->busy != NULL) {
		quash_put_text(w, tool->busy);
		return;
	}
	put_sentence(w, tool, " is busy");
	quash_put_string_close(w);
}

static int32_t reply_unfit(quash_request *request)
{
	return reply_failed(request, put_unfit_result);
}

/* The first call. NULL: the request is refused, and its answer recorded, or its lease ran out before the tool began. */
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
	quash_mcp_begin_target(request, tool, tool->motion.longest);
	if (tool->output != NULL && quash_mcp_state(request, tool->output->size) == NULL) {
		(void)quash_mcp_no_room(request);
		return NULL;
	}
	if (!quash_mcp_bind(request, tool->args, reply_unfit))
		return NULL;
	if (tool->motion.group != NULL && !quash_hold(request, tool->motion.group)) {
		quash_count_up(request->peer, offsetof(quash_counters, held));
		(void)reply_failed(request, put_busy);
		return NULL;
	}
	if (tool->motion.lease == 0)
		return tool;
	if (quash_refuse_lease(request, tool->motion.lease, quash_mcp_server_of(request)->leases))
		return NULL;
	quash_lease(request, tool->motion.lease);
	return quash_cancelled(request) == QUASH_NOT_CANCELLED ? tool : NULL;
}

/* avr-gcc fails over a pointer in flash that is compared in the function that reads it. */
QUASH_NOINLINE static quash_handler *end_of(const quash_mcp_tool *tool)
{
	return tool->motion.end;
}

int32_t quash_mcp_tools_call_(quash_request *request)
{
	const quash_mcp_tool *tool = quash_mcp_tool_of(request);
	if (tool == NULL)
		tool = begin_tool(request);
	if (tool == NULL)
		return QUASH_DONE;
	const int32_t outcome = quash_mcp_run(request, tool->call, end_of(tool) != NULL, tool->marks);
	const struct quash_lease_code *const leases = quash_mcp_server_of(request)->leases;
	if (leases == NULL || outcome == QUASH_PENDING || !is_late(request) || !quash_is_limit(tool->motion.longest))
		return outcome;
	request->put.value = leases->late;
	return quash_record_reply(request, FORM_PUT, 0);
}

QUASH_NOINLINE const quash_mcp_tool *quash_mcp_tool_of(const quash_request *request)
{
	return quash_mcp_target_of(request, quash_mcp_tools_call_);
}

int32_t quash_mcp_tools_end_(quash_request *request)
{
	const quash_mcp_tool *const tool = quash_mcp_called_of(request, quash_mcp_tools_call_);
	return tool != NULL && tool->motion.end != NULL ? tool->motion.end(request) : QUASH_DONE;
}

void quash_mcp_tools_released_(quash_request *request)
{
	const quash_mcp_tool *const tool = quash_mcp_called_of(request, quash_mcp_tools_call_);
	if (tool != NULL && tool->released != NULL)
		tool->released(request);
}

/* --- A tool's result from its struct */

static void put_tool_struct(quash_writer *w, const quash_request *request)
{
	const quash_params *const output = quash_mcp_tool_of(request)->output;
	quash_put_struct(w, output, quash_mcp_const_state(request, output->size));
}

static void put_struct_result(quash_writer *w, const quash_request *request)
{
	put_structured(w, request, put_tool_struct);
}

int32_t quash_mcp_struct(quash_request *request)
{
	const quash_mcp_tool *const tool = quash_mcp_tool_of(request);
	const quash_params *const output = tool != NULL ? tool->output : NULL;
	if (output == NULL || quash_params_borrow_(output) || quash_mcp_const_state(request, output->size) == NULL)
		return QUASH_INTERNAL_ERROR;
	return quash_reply(request, put_struct_result);
}

/* --- Leases and longest times */

static void put_late(quash_writer *w, const quash_request *request)
{
	const quash_mcp_tool *const tool = quash_mcp_tool_of(request);
	const uint32_t ms = request->at.flagged - request->born; /* its handler may have shortened it */
	put_text_key(w, request);
	put_sentence(w, tool, ": stopped, its longest time of ");
	quash_put_string_int(w, (int32_t)(ms < tool->motion.longest ? ms : tool->motion.longest));
	quash_put_string_text(w, " ms is up");
	quash_put_string_close(w);
}

/* Tools stand outside of the method table, so their leases are looked at too. */
static uint32_t shortest_lease_of(const quash_request *request)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	uint32_t least = quash_shortest_lease(quash_config_of(quash_peer_of(request)));
	for (uint8_t i = 0; i < server->tool_count; i++)
		least = quash_shorter_lease(least, server->tools[i].motion.lease);
	return least;
}

static void put_leases(quash_writer *w, const quash_request *request)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	const uint32_t ms = shortest_lease_of(request);
	if (ms == 0)
		return;
	quash_put_key(w, "experimental");
	quash_put_object(w);
	quash_put_life_sign(w, ms);
	for (uint8_t i = 0; i < server->tool_count; i++)
		quash_put_longest(
			w, server->tools[i].name, server->tools[i].motion.lease, server->tools[i].motion.longest);
	quash_put_end(w);
	quash_put_end(w);
}

const struct quash_lease_code quash_mcp_leases = { put_leases, put_late };
