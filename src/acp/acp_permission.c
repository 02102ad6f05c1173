/* SPDX-License-Identifier: MIT
 * session/request_permission. */
#include "acp_inner.h"

static void put_option(quash_writer *w, const quash_acp_option *option)
{
	static const char *const kinds[] = { "allow_once", "allow_always", "reject_once", "reject_always" };
	quash_put_object(w);
	quash_put_member(w, "optionId", option->id);
	quash_put_member(w, "name", option->name);
	quash_put_member(w, "kind", kinds[option->kind <= QUASH_ACP_REJECT_ALWAYS ? option->kind : QUASH_ACP_REJECT_ONCE]);
	quash_put_end(w);
}

static void put_permission(quash_writer *w, const quash_call *call)
{
	const quash_acp_permission *const permission = quash_acp_put_question(w, call);
	quash_put_key(w, "toolCall");
	quash_put_object(w);
	quash_acp_put_tool_call(w, permission->tool_call);
	quash_put_end(w);
	quash_put_key(w, "options");
	quash_put_array(w);
	for (uint8_t i = 0; i < permission->option_count; i++)
		put_option(w, &permission->options[i]);
	quash_put_end(w);
}

int32_t quash_acp_request_permission(quash_request *request, quash_acp_permission *permission)
{
	return quash_acp_ask(request, &permission->ask, 0, "session/request_permission", put_permission);
}

static int32_t chosen(const quash_acp_permission *permission, quash_value id, uint8_t *option)
{
	for (uint8_t i = 0; i < permission->option_count; i++) {
		if (quash_is(id, permission->options[i].id)) {
			*option = i;
			return QUASH_DONE;
		}
	}
	return QUASH_INTERNAL_ERROR;
}

int32_t quash_acp_permission_result(const quash_acp_permission *permission, uint8_t *option)
{
	quash_value outcome;
	const int32_t code = quash_acp_string_result(&permission->ask, "outcome.outcome", &outcome);
	if (code != QUASH_DONE)
		return code;
	if (quash_is(outcome, "cancelled"))
		return QUASH_CANCELLED;
	if (!quash_is(outcome, "selected"))
		return QUASH_INTERNAL_ERROR;
	return chosen(permission, quash_get(quash_call_answer(&permission->ask.call), "outcome.optionId"), option);
}
