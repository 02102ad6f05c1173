/* SPDX-License-Identifier: MIT
 * A target is the tool, prompt or resource that a request calls. It has arguments, a struct, a deadline, progress. */
#include "../core/answer.h"
#include "../core/due.h"
#include "../core/reason_hooks.h"
#include "../core/slots.h"
#include "../profile/token.h"
#include "mcp_inner.h"

/* --- The struct and the arguments */

void *quash_mcp_state(quash_request *request, size_t size)
{
	quash_mcp_slot *const slot =
		quash_state(request, (size_t)quash_mcp_room(quash_mcp_server_of(request), (uint32_t)size));
	return slot != NULL ? slot + 1 : NULL;
}

const void *quash_mcp_const_state(const quash_request *request, size_t size)
{
	return quash_mcp_state(quash_slot(quash_peer_of(request), request->index), size);
}

/* For the data of an error; where none has data, any size will do. */
static size_t needed_for(const quash_request *request, size_t size)
{
	if (!quash_has_reasons(quash_peer_of(request)))
		return size;
	return (size_t)quash_mcp_room(quash_mcp_server_of(request), (uint32_t)size);
}

void *quash_mcp_tool_state_(quash_request *request, size_t size)
{
	void *const state = quash_mcp_state(request, size);
	return state != NULL ? state : quash_nowhere(request, needed_for(request, size));
}

const void *quash_mcp_const_tool_state_(const quash_request *request, size_t size)
{
	return quash_mcp_tool_state_(quash_slot(quash_peer_of(request), request->index), size);
}

QUASH_NOINLINE quash_value quash_mcp_arguments(const quash_request *request)
{
	return quash_argument(request, "arguments");
}

quash_value quash_mcp_argument(const quash_request *request, const char *name)
{
	return quash_member(quash_mcp_arguments(request), name);
}

/* --- Progress */

/* The token is at the end of the request's state, NUL-terminated. */
char *quash_mcp_progress_token(quash_request *request)
{
	const size_t size = (size_t)quash_mcp_server_of(request)->token_size + 1;
	char *const state = quash_state(request, sizeof(quash_mcp_slot) + size);
	return state != NULL ? state + (quash_config_of(quash_peer_of(request))->state_size - size) : NULL;
}

void quash_mcp_keep_token(quash_request *request)
{
	const quash_value token = quash_member(quash_argument(request, "_meta"), "progressToken");
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	char *const to = quash_mcp_progress_token(request);
	if (to == NULL || !quash_is_token(&token))
		return;
	slot->call.token_kind =
		quash_keep_token(&token, to, quash_mcp_server_of(request)->token_size, &slot->call.token_length);
}

static bool is_news(const quash_mcp_slot *slot, uint32_t done, uint32_t total)
{
	const bool reported = (slot->call.marks & MCP_REPORTED) != 0;
	return (total == 0 || done < total) && (!reported || done > slot->call.extent.reported);
}

quash_mcp_sent quash_mcp_send(quash_peer *peer)
{
	if (quash_notify_send(peer))
		return QUASH_MCP_SENT;
	if (!quash_notify_fits(peer))
		return QUASH_MCP_TOO_LONG;
	return quash_is_gone(peer) ? QUASH_MCP_UNWANTED : QUASH_MCP_NO_ROOM;
}

QUASH_OUTLINED_ static quash_mcp_sent send_progress(
	quash_request *request, uint32_t done, uint32_t total, const char *message)
{
	const quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	quash_peer *const peer = quash_peer_of(request);
	quash_writer *const w = quash_notify(peer, "notifications/progress");
	quash_put_object(w);
	quash_put_key(w, "progressToken");
	quash_put_token(w, slot->call.token_kind, quash_mcp_progress_token(request), slot->call.token_length);
	quash_put_key(w, "progress");
	quash_put_uint(w, done);
	if (total != 0) {
		quash_put_key(w, "total");
		quash_put_uint(w, total);
	}
	quash_put_optional(w, "message", message);
	return quash_mcp_send(peer);
}

quash_mcp_sent quash_mcp_progress(quash_request *request, uint32_t done, uint32_t total, const char *message)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (slot == NULL || slot->call.token_kind == QUASH_NONE || !is_news(slot, done, total) ||
		!quash_may_report(request))
		return QUASH_MCP_UNWANTED;
	const quash_mcp_sent sent = send_progress(request, done, total, message);
	if (sent != QUASH_MCP_SENT)
		return sent;
	slot->call.marks |= MCP_REPORTED;
	slot->call.extent.reported = done;
	return sent;
}

/* --- Calls of a target */

void quash_mcp_begin_target(quash_request *request, const void *target, uint32_t deadline)
{
	quash_mcp_slot_of(request)->call.target = target;
	quash_mcp_keep_token(request);
	if (quash_is_limit(deadline))
		quash_deadline(request, quash_ms_until(quash_peer_of(request), request->born + deadline));
}

bool quash_mcp_unknown(quash_request *request, const quash_value *name, const char *words)
{
	(void)quash_fail_literal(request, QUASH_INVALID_PARAMS,
		quash_value_kind(name) == QUASH_STRING ? words : "name must be a string");
	return false;
}

bool quash_mcp_bind(quash_request *request, const quash_params *args, quash_handler *unfit)
{
	const quash_value arguments = quash_mcp_arguments(request);
	const quash_kind kind = quash_value_kind(&arguments);
	const char *const *const ignored = quash_mcp_server_of(request)->ignored;
	quash_param_error error;
	void *const target = quash_mcp_state(request, args != NULL ? args->size : 0);
	if (kind != QUASH_NONE && kind != QUASH_OBJECT) {
		(void)quash_fail(request, QUASH_INVALID_PARAMS, "arguments must be an object");
		return false;
	}
	if (target == NULL)
		return quash_mcp_no_room(request);
	if (args != NULL && quash_bind_all(args, ignored, &arguments, target, &error) != QUASH_PARAM_FITS) {
		(void)unfit(request);
		return false;
	}
	if (args != NULL && !quash_params_borrow_(args))
		quash_mcp_slot_of(request)->call.marks |= MCP_COPIED;
	return true;
}

void quash_mcp_put_unfit(quash_writer *w, const quash_request *request, const quash_params *args)
{
	const quash_value arguments = quash_mcp_arguments(request);
	quash_put_unfit(w, args, quash_mcp_server_of(request)->ignored, &arguments);
}

int32_t quash_mcp_run(quash_request *request, quash_handler *handler, bool ends, uint8_t marks)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (ends && (marks & QUASH_FINISHES) == 0 && quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	slot->call.marks |= MCP_CALLED;
	const int32_t outcome = handler(request);
	if ((slot->call.marks & MCP_COPIED) != 0)
		quash_release_params(request);
	return outcome;
}

const void *quash_mcp_target_of(const quash_request *request, quash_handler *handler)
{
	const quash_mcp_slot *const slot = quash_mcp_const_slot_of(request);
	const quash_method *const method = quash_method_of(request);
	return slot != NULL && method != NULL && method->handler == handler ? slot->call.target : NULL;
}

const void *quash_mcp_called_of(const quash_request *request, quash_handler *handler)
{
	const void *const target = quash_mcp_target_of(request, handler);
	return target != NULL && (quash_mcp_const_slot_of(request)->call.marks & MCP_CALLED) != 0 ? target : NULL;
}
