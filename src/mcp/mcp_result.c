/* SPDX-License-Identifier: MIT */
#include "mcp_result.h"

#include "mcp_inner.h"

/* --- What puts read: the slot, and what it holds of the content */

static void put_kept_content(quash_writer *w, const quash_request *request)
{
	quash_mcp_const_slot_of(request)->call.content.put(w, request);
}

static void put_content_key(quash_writer *w, const quash_request *request)
{
	quash_mcp_begin(w, request);
	if ((quash_mcp_const_slot_of(request)->call.marks & MCP_FAILED) != 0) {
		quash_put_key(w, "isError");
		quash_put_bool(w, true);
	}
	quash_put_key(w, "content");
	quash_put_array(w);
}

void quash_mcp_put_text_key(quash_writer *w, const quash_request *request)
{
	put_content_key(w, request);
	quash_put_object(w);
	quash_put_member(w, "type", "text");
	quash_put_key(w, "text");
}

static void put_quoted(quash_writer *w, const quash_request *request, quash_put *put)
{
	quash_mcp_put_text_key(w, request);
	quash_put_quote_open(w);
	put(w, request);
	quash_put_quote_close(w);
}

void quash_mcp_put_structured(quash_writer *w, const quash_request *request, quash_put *put)
{
	put_quoted(w, request, put);
	quash_put_end(w);
	quash_put_end(w);
	quash_put_key(w, "structuredContent");
	put(w, request);
}

static void put_literal_result(quash_writer *w, const quash_request *request)
{
	quash_mcp_put_text_key(w, request);
	quash_put_text(w, quash_mcp_const_slot_of(request)->call.content.text);
}

static void put_text_result(quash_writer *w, const quash_request *request)
{
	quash_mcp_put_text_key(w, request);
	put_kept_content(w, request);
}

static void put_content_result(quash_writer *w, const quash_request *request)
{
	put_content_key(w, request);
	put_kept_content(w, request);
}

static void put_json_result(quash_writer *w, const quash_request *request)
{
	put_quoted(w, request, put_kept_content);
}

static void put_structured_result(quash_writer *w, const quash_request *request)
{
	quash_mcp_put_structured(w, request, put_kept_content);
}

/* --- Replies */

static void mark_failed(quash_request *request)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (slot != NULL && quash_may_report(request))
		slot->call.marks |= MCP_FAILED;
}

int32_t quash_mcp_reply_failed(quash_request *request, quash_put *put)
{
	mark_failed(request);
	return quash_reply(request, put);
}

int32_t quash_mcp_text_literal(quash_request *request, const char *text)
{
	return quash_mcp_reply_literal(request, text, put_literal_result);
}

int32_t quash_mcp_failure_literal(quash_request *request, const char *text)
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
