/* SPDX-License-Identifier: MIT */
#include "mcp_inner.h"

#include "../json/decimal.h"

/* The token stands at the end of the slot's state, NUL-terminated. */
static char *progress_token(quash_request *request)
{
	const quash_size size = quash_peer_of(request)->config->state_size;
	const quash_size room = (quash_size)(quash_mcp_server_of(request)->token_size + 1);
	return quash_mcp_state(request, 0) != NULL ? (char *)quash_state(request, size) + (size - room) : NULL;
}

static bool is_progress_token(const quash_value *token)
{
	return quash_value_kind(token) == QUASH_STRING || quash_is_integer(token);
}

void quash_mcp_keep_token(quash_request *request)
{
	const quash_value token = quash_mcp_meta(request, "progressToken");
	quash_size length;
	const quash_size from = quash_value_text(&token, &length);
	char *const to = progress_token(request);
	if (to == NULL || !is_progress_token(&token) || length > quash_mcp_server_of(request)->token_size)
		return;
	for (quash_size i = 0; i < length; i++)
		to[i] = (char)quash_value_byte(&token, (quash_size)(from + i));
	to[length] = '\0';
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	slot->call.token_length = (uint8_t)length;
	slot->call.token_kind = (uint8_t)quash_value_kind(&token);
}

static void put_progress_token(quash_writer *w, quash_request *request, const quash_mcp_slot *slot)
{
	quash_put_key(w, "progressToken");
	if (slot->call.token_kind == QUASH_STRING)
		quash_put_string(w, progress_token(request), slot->call.token_length);
	else
		quash_put_raw(w, progress_token(request));
}

static bool is_news(const quash_mcp_slot *slot, uint32_t done, uint32_t total)
{
	const bool reported = (slot->call.marks & MCP_REPORTED) != 0;
	return (total == 0 || done < total) && (!reported || done > slot->call.extent.reported);
}

static bool send_progress(quash_request *request, uint32_t done, uint32_t total, const char *message)
{
	quash_peer *const peer = quash_peer_of(request);
	quash_writer *const w = quash_notify(peer, "notifications/progress");
	quash_put_object(w);
	put_progress_token(w, request, quash_mcp_slot_of(request));
	quash_put_key(w, "progress");
	quash_put_uint(w, done);
	if (total != 0) {
		quash_put_key(w, "total");
		quash_put_uint(w, total);
	}
	quash_mcp_put_optional(w, "message", message);
	return quash_notify_send(peer);
}

bool quash_mcp_progress(quash_request *request, uint32_t done, uint32_t total, const char *message)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (slot == NULL || slot->call.token_kind == QUASH_NONE || !is_news(slot, done, total) ||
		!quash_may_report(request) || !send_progress(request, done, total, message))
		return false;
	slot->call.marks |= MCP_REPORTED;
	slot->call.extent.reported = done;
	return true;
}
