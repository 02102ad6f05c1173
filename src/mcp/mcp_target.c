/* SPDX-License-Identifier: MIT
 * What tools, prompts and resources have in common: arguments, a deadline, a handler and its hooks. */
#include "../core/lease.h"
#include "mcp_inner.h"

void quash_mcp_begin_target(quash_request *request, const void *target, uint32_t deadline)
{
	quash_mcp_slot_of(request)->call.target = target;
	quash_mcp_keep_token(request);
	if (deadline != 0)
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
	void *const target = quash_mcp_state(request, args != NULL ? args->size : 0);
	if (kind != QUASH_NONE && kind != QUASH_OBJECT) {
		(void)quash_fail(request, QUASH_INVALID_PARAMS, "arguments must be an object");
		return false;
	}
	if (target == NULL)
		return quash_mcp_no_room(request);
	if (args != NULL && quash_read_all(args, &arguments, target).fault != QUASH_PARAM_FITS) {
		(void)unfit(request);
		return false;
	}
	if (args != NULL && !quash_params_borrow(args))
		quash_mcp_slot_of(request)->call.marks |= MCP_COPIED;
	return true;
}

void quash_mcp_put_unfit(quash_writer *w, const quash_request *request, const quash_params *args)
{
	const quash_value arguments = quash_mcp_arguments(request);
	quash_put_unfit(w, args, &arguments);
}

int32_t quash_mcp_run(quash_request *request, quash_handler *handler, uint8_t marks)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if ((marks & QUASH_DROPS) != 0 && quash_cancelled(request) != QUASH_NOT_CANCELLED)
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
