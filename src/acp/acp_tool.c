/* SPDX-License-Identifier: MIT
 * Tool calls in session/update. */
#include "acp_inner.h"

static const char *const kinds[] = { NULL, "read", "edit", "delete", "move", "search", "execute", "think", "fetch",
	"switch_mode", "other" };
static const char *const statuses[] = { NULL, "pending", "in_progress", "completed", "failed" };

static const char *name_in(const char *const *names, size_t count, unsigned index)
{
	return index < count ? names[index] : NULL;
}

static void put_text_item(quash_writer *w, const char *text)
{
	quash_put_object(w);
	quash_put_member(w, "type", "content");
	quash_put_key(w, "content");
	quash_acp_put_text(w, text, quash_acp_length(text));
	quash_put_end(w);
}

static void put_content(quash_writer *w, const quash_acp_tool_call *call)
{
	if (call->text == NULL && call->put == NULL)
		return;
	quash_put_key(w, "content");
	quash_put_array(w);
	if (call->text != NULL)
		put_text_item(w, call->text);
	if (call->put != NULL)
		call->put(w, call->data);
	quash_put_end(w);
}

static void put_location(quash_writer *w, const quash_acp_tool_call *call)
{
	if (call->path == NULL)
		return;
	quash_put_key(w, "locations");
	quash_put_array(w);
	quash_put_object(w);
	quash_put_member(w, "path", call->path);
	quash_acp_put_nonzero(w, "line", call->line);
	quash_put_end(w);
	quash_put_end(w);
}

void quash_acp_put_tool_call(quash_writer *w, const quash_acp_tool_call *call)
{
	quash_put_member(w, "toolCallId", call->id);
	quash_put_optional(w, "title", call->title);
	quash_put_optional(w, "kind", name_in(kinds, sizeof kinds / sizeof *kinds, call->kind));
	quash_put_optional(w, "status", name_in(statuses, sizeof statuses / sizeof *statuses, call->status));
	put_content(w, call);
	put_location(w, call);
}

static int32_t send_tool_call(quash_request *request, const char *update, const quash_acp_tool_call *call)
{
	quash_writer *w;
	if (!quash_acp_begin_update(request, update, &w))
		return QUASH_DONE;
	quash_acp_put_tool_call(w, call);
	return quash_send_report(request);
}

int32_t quash_acp_tool(quash_request *request, const quash_acp_tool_call *call)
{
	return send_tool_call(request, "tool_call", call);
}

int32_t quash_acp_tool_update(quash_request *request, const quash_acp_tool_call *call)
{
	return send_tool_call(request, "tool_call_update", call);
}
