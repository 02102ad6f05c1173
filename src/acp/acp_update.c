/* SPDX-License-Identifier: MIT
 * session/update: chunks, long texts, plans, tool calls. */
#include "acp_inner.h"

#include "../json/c_text.h"
#include "../json/rom.h"

/* A cancelled turn may report until it ends, if its session and its link still exist. A turn that has stopped may be
 * cancelled later, and reports nothing. */
bool quash_acp_may_update(const quash_request *request)
{
	const quash_acp_slot *const slot = quash_acp_const_slot_of(request);
	if (quash_acp_session_of(request) == NULL || slot->stopped || slot->ended)
		return false;
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? !quash_is_gone(quash_peer_of(request)) :
								 quash_may_report(request);
}

quash_writer *quash_acp_update(quash_peer *peer, const quash_acp_session *session, const char *kind)
{
	quash_writer *const w = quash_notify(peer, "session/update");
	quash_put_object(w);
	quash_put_key(w, "sessionId");
	quash_acp_put_session_(w, session);
	quash_put_key(w, "update");
	quash_put_object(w);
	quash_put_member(w, "sessionUpdate", kind);
	return w;
}

bool quash_acp_begin_update(quash_request *request, const char *kind, quash_writer **w)
{
	if (!quash_acp_may_update(request))
		return false;
	*w = quash_acp_update(quash_peer_of(request), quash_acp_session_of(request), kind);
	return true;
}

/* A content block of type text. */
static void put_text_block(quash_writer *w, const char *text, size_t length)
{
	quash_put_object(w);
	quash_put_member(w, "type", "text");
	quash_put_key(w, "text");
	quash_put_string(w, text, length);
	quash_put_end(w);
}

static int32_t send_chunk(quash_request *request, const char *kind, const char *text, size_t length)
{
	quash_writer *w;
	if (!quash_acp_begin_update(request, kind, &w))
		return QUASH_DONE;
	quash_put_key(w, "content");
	put_text_block(w, text, length);
	return quash_send_report(request);
}

int32_t quash_acp_message(quash_request *request, const char *text)
{
	return send_chunk(request, "agent_message_chunk", text, quash_text_length(text));
}

int32_t quash_acp_thought(quash_request *request, const char *text)
{
	return send_chunk(request, "agent_thought_chunk", text, quash_text_length(text));
}

/* --- A text of any length in chunks */

/* The length of a chunk without its text, with the longest session id. */
enum {
	AROUND = sizeof "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s4294967295\","
			"\"update\":{\"sessionUpdate\":\"agent_message_chunk\","
			"\"content\":{\"type\":\"text\",\"text\":\"\"}}}}\n" - 1
};

/* How many bytes of JSON a byte of text becomes. */
static uint8_t width_of(char c)
{
	const uint8_t byte = (uint8_t)c;
	if (c == '"' || c == '\\' || (byte >= 8 && byte <= 13 && byte != 11))
		return 2;
	return byte < 0x20 ? 6 : 1;
}

static bool is_continuation(char c)
{
	return ((uint8_t)c & 0xC0) == 0x80;
}

/* The length of the longest piece at the beginning of the text that fits; 0 when there is none. */
static size_t piece_of(const char *text, size_t length, size_t room)
{
	size_t n = 0;
	for (size_t width = 0; n < length; n++) {
		width += width_of(quash_rom(&text[n]));
		if (width > room)
			break;
	}
	while (n > 0 && n < length && is_continuation(quash_rom(&text[n])))
		n--;
	return n;
}

int32_t quash_acp_long_message(quash_request *request, const char *text, size_t length, size_t *sent)
{
	const size_t size = quash_config_of(quash_peer_of(request))->tx_size;
	const size_t room = size > AROUND ? size - AROUND : 0;
	while (*sent < length) {
		const char *const rest = text + *sent;
		const size_t n = piece_of(rest, length - *sent, room);
		if (n == 0)
			return QUASH_TOO_LARGE;
		const int32_t code = send_chunk(request, "agent_message_chunk", rest, n);
		if (code != QUASH_DONE)
			return code;
		*sent += n;
	}
	return QUASH_DONE;
}

/* --- Plans */

static const char *status_of(const quash_acp_entry *entry)
{
	switch (entry->status) {
	case QUASH_ACP_IN_PROGRESS: return "in_progress";
	case QUASH_ACP_COMPLETED:
	case QUASH_ACP_FAILED: return "completed";
	default: return "pending";
	}
}

static const char *priority_of(const quash_acp_entry *entry)
{
	switch (entry->priority) {
	case QUASH_ACP_HIGH: return "high";
	case QUASH_ACP_LOW: return "low";
	default: return "medium";
	}
}

int32_t quash_acp_plan(quash_request *request, const quash_acp_entry *entries, uint8_t count)
{
	quash_writer *w;
	if (!quash_acp_begin_update(request, "plan", &w))
		return QUASH_DONE;
	quash_put_key(w, "entries");
	quash_put_array(w);
	for (uint8_t i = 0; i < count; i++) {
		quash_put_object(w);
		quash_put_member(w, "content", entries[i].content);
		quash_put_member(w, "priority", priority_of(&entries[i]));
		quash_put_member(w, "status", status_of(&entries[i]));
		quash_put_end(w);
	}
	quash_put_end(w);
	return quash_send_report(request);
}

/* --- Tool calls */

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
	put_text_block(w, text, quash_text_length(text));
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
