/* SPDX-License-Identifier: MIT
 * session/prompt. */
#include "acp_inner.h"

enum { END_LOOK_MS = 5 }; /* between two checks of whether the earlier prompt has ended */

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

/* The message of the error, or NULL. */
static const char *find_wrong_block(const quash_acp_agent *agent, quash_value prompt)
{
	quash_value cursor = { NULL, 0, 0 };
	quash_value block;
	if (quash_kind_of(prompt) != QUASH_ARRAY)
		return "prompt must be an array of content blocks";
	while (quash_next(prompt, &cursor, NULL, &block)) {
		if (!accepts(agent, block))
			return "Unsupported content";
	}
	return NULL;
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

quash_value quash_acp_prompt_of(const quash_request *request)
{
	return quash_get(quash_params_of(request), "prompt");
}

/* The earlier prompt may be answered while its `end` is still pending. */
static int32_t begin_turn(quash_request *request, quash_acp_slot *slot, quash_acp_session *session)
{
	if (session->prompt != NULL && !quash_acp_const_slot_of(session->prompt)->ended)
		return quash_fail(request, QUASH_INVALID_REQUEST, "A prompt is running in this session");
	if (session->prompt != NULL)
		return quash_wait(request, END_LOOK_MS);
	session->prompt = request;
	quash_acp_tie(slot, session);
	return quash_acp_agent_of_(request)->prompt(request);
}

static int32_t begin_prompt(quash_request *request, quash_acp_slot *slot)
{
	const quash_acp_agent *const agent = quash_acp_agent_of_(request);
	quash_acp_session *const session = quash_acp_find(agent, quash_params_of(request));
	const char *const wrong = find_wrong_block(agent, quash_acp_prompt_of(request));
	if (!quash_acp_is_initialized(request))
		return quash_acp_refuse_early(request);
	if (session == NULL)
		return quash_acp_refuse_unknown(request);
	if (wrong != NULL)
		return quash_fail_literal(request, QUASH_INVALID_PARAMS, wrong);
	return begin_turn(request, slot, session);
}

int32_t quash_acp_prompt_(quash_request *request)
{
	quash_acp_slot *const slot = quash_acp_slot_of(request);
	if (slot->session != NULL)
		return quash_acp_agent_of_(request)->prompt(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	return begin_prompt(request, slot);
}

int32_t quash_acp_prompt_end_(quash_request *request)
{
	const quash_acp_agent *const agent = quash_acp_agent_of_(request);
	quash_acp_slot *const slot = quash_acp_slot_of(request);
	if (slot->session == NULL)
		return QUASH_DONE;
	slot->ended = true;
	if (agent->end != NULL && agent->end(request) == QUASH_PENDING)
		return QUASH_PENDING;
	if (slot->session->prompt == request)
		slot->session->prompt = NULL;
	return QUASH_DONE;
}

void quash_acp_prompt_released_(quash_request *request)
{
	const quash_acp_agent *const agent = quash_acp_agent_of_(request);
	if (quash_acp_const_slot_of(request)->session != NULL && agent->released != NULL)
		agent->released(request);
}

int32_t quash_acp_stop(quash_request *request, quash_acp_reason stop)
{
	if (quash_may_report(request))
		quash_acp_slot_of(request)->stopped = true;
	switch (stop) {
	case QUASH_ACP_MAX_TOKENS: return quash_reply_json(request, "{\"stopReason\":\"max_tokens\"}");
	case QUASH_ACP_MAX_TURN_REQUESTS: return quash_reply_json(request, "{\"stopReason\":\"max_turn_requests\"}");
	case QUASH_ACP_REFUSAL: return quash_reply_json(request, "{\"stopReason\":\"refusal\"}");
	default: return quash_reply_json(request, "{\"stopReason\":\"end_turn\"}");
	}
}
