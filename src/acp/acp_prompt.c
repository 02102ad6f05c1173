/* SPDX-License-Identifier: MIT
 * session/prompt. */
#include "acp_inner.h"

/* --- Content */

static bool is_string(quash_value block, const char *path)
{
	return quash_kind_of(quash_get(block, path)) == QUASH_STRING;
}

static bool accepts(const quash_acp_agent *agent, quash_value block)
{
	const quash_value type = quash_get(block, "type");
	if (quash_is(type, "text"))
		return is_string(block, "text");
	if (quash_is(type, "resource_link"))
		return is_string(block, "uri") && is_string(block, "name");
	return ((agent->accepts & QUASH_ACP_IMAGES) != 0 && quash_is(type, "image")) ||
	       ((agent->accepts & QUASH_ACP_AUDIO) != 0 && quash_is(type, "audio")) ||
	       ((agent->accepts & QUASH_ACP_EMBEDDED) != 0 && quash_is(type, "resource"));
}

static uint8_t judge_prompt(const quash_acp_agent *agent, quash_value prompt)
{
	quash_value cursor = { NULL, 0, 0 };
	quash_value block;
	if (quash_kind_of(prompt) != QUASH_ARRAY)
		return ACP_PROMPT;
	while (quash_next(prompt, &cursor, NULL, &block)) {
		if (!accepts(agent, block))
			return ACP_CONTENT;
	}
	return ACP_WELCOME;
}

static bool next_of(quash_value prompt, quash_value *cursor, const char *type, quash_value *block)
{
	while (quash_next(prompt, cursor, NULL, block)) {
		if (quash_is(quash_get(*block, "type"), type))
			return true;
	}
	return false;
}

bool quash_acp_next_text(quash_value prompt, quash_value *cursor, quash_value *text)
{
	quash_value block;
	if (!next_of(prompt, cursor, "text", &block))
		return false;
	*text = quash_get(block, "text");
	return true;
}

bool quash_acp_next_link(quash_value prompt, quash_value *cursor, quash_value *link)
{
	return next_of(prompt, cursor, "resource_link", link);
}

/* --- Turns */

/* QUASH_PENDING: it goes on. */
static int32_t begin_prompt(quash_request *request, quash_value params, quash_acp_slot *slot)
{
	const quash_acp_agent *const agent = quash_acp_agent_of(request);
	quash_acp_session *const session = quash_acp_find(agent, params);
	const uint8_t refusal = judge_prompt(agent, quash_get(params, "prompt"));
	if (session == NULL)
		return quash_acp_refuse(request, slot, ACP_UNKNOWN_SESSION);
	if (refusal != ACP_WELCOME)
		return quash_acp_refuse(request, slot, refusal);
	if (session->prompt != NULL)
		return quash_acp_refuse(request, slot, ACP_PROMPT_RUNS);
	session->prompt = request;
	quash_acp_tie(slot, session);
	return QUASH_PENDING;
}

int32_t quash_acp_prompt(quash_request *request, quash_value params)
{
	quash_acp_slot *slot = quash_acp_slot_of(request);
	int32_t code;
	if (slot == NULL || slot->request.session == NULL) {
		if (!quash_acp_enter(request, &slot, &code))
			return code;
		code = begin_prompt(request, params, slot);
		if (code != QUASH_PENDING)
			return code;
	}
	return quash_acp_agent_of(request)->prompt(request, quash_get(params, "prompt"), slot + 1);
}

void quash_acp_prompt_end(quash_request *request)
{
	const quash_acp_agent *const agent = quash_acp_agent_of(request);
	quash_acp_slot *const slot = quash_acp_slot_of(request);
	if (slot == NULL || slot->request.session == NULL)
		return;
	if (agent->end != NULL)
		agent->end(request, slot + 1);
	if (slot->request.session->prompt == request)
		slot->request.session->prompt = NULL;
}

int32_t quash_acp_stop(quash_request *request, quash_acp_reason reason)
{
	static const char *const reasons[] = { "end_turn", "max_tokens", "max_turn_requests", "refusal" };
	quash_acp_slot *const slot = quash_acp_slot_of(request);
	const bool heard = quash_may_report(request);
	quash_writer *const w = quash_reply(request);
	quash_put_object(w);
	quash_acp_put_member(w, "stopReason", reasons[reason <= QUASH_ACP_REFUSAL ? reason : QUASH_ACP_END_TURN]);
	const int32_t code = quash_send(request);
	if (slot != NULL && heard && code == QUASH_DONE)
		slot->request.settled = true;
	return code;
}
