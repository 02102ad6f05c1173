/* SPDX-License-Identifier: MIT */
#include "mcp_inner.h"

quash_writer *quash_mcp_content(quash_request *request, bool failed)
{
	quash_writer *const w = quash_mcp_begin(request);
	if (failed) {
		quash_put_key(w, "isError");
		quash_put_bool(w, true);
	}
	quash_put_key(w, "content");
	quash_put_array(w);
	return w;
}

quash_writer *quash_mcp_reply(quash_request *request, bool failed)
{
	quash_writer *const w = quash_mcp_content(request, failed);
	quash_put_object(w);
	quash_mcp_put_member(w, "type", "text");
	quash_put_key(w, "text");
	return w;
}

static int32_t send_text(quash_request *request, const char *text, bool failed)
{
	quash_put_text(quash_mcp_reply(request, failed), text);
	return quash_send(request);
}

int32_t quash_mcp_text(quash_request *request, const char *text)
{
	return send_text(request, text, false);
}

int32_t quash_mcp_failure(quash_request *request, const char *text)
{
	return send_text(request, text, true);
}

static void put_quoted(quash_writer *w, quash_mcp_put *put, const void *data)
{
	quash_put_quote_open(w);
	put(w, data);
	quash_put_quote_close(w);
}

int32_t quash_mcp_json(quash_request *request, quash_mcp_put *put, const void *data)
{
	put_quoted(quash_mcp_reply(request, false), put, data);
	return quash_send(request);
}

int32_t quash_mcp_structured(quash_request *request, quash_mcp_put *put, const void *data)
{
	quash_writer *const w = quash_mcp_reply(request, false);
	put_quoted(w, put, data);
	quash_put_end(w);
	quash_put_end(w);
	quash_put_key(w, "structuredContent");
	put(w, data);
	return quash_send(request);
}
