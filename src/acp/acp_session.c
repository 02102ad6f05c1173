/* SPDX-License-Identifier: MIT
 * session/new, session/close, session/set_mode. */
#include "acp_inner.h"

/* --- session/new */

static quash_acp_session *find_free_session(const quash_acp_agent *agent)
{
	for (uint8_t i = 0; i < agent->session_count; i++) {
		if (agent->sessions[i].number == 0)
			return &agent->sessions[i];
	}
	return NULL;
}

static void put_mode(quash_writer *w, const quash_acp_mode *mode)
{
	quash_put_object(w);
	quash_put_member(w, "id", mode->id);
	quash_put_member(w, "name", mode->name);
	quash_put_optional(w, "description", mode->description);
	quash_put_end(w);
}

static void put_modes(quash_writer *w, const char *current)
{
	quash_put_key(w, "modes");
	quash_put_object(w);
	quash_put_member(w, "currentModeId", current);
	quash_put_key(w, "availableModes");
	quash_put_array(w);
}

/* The first piece has everything but the modes. Each mode is a piece. */
static bool put_new(quash_writer *w, const quash_request *request, uint16_t index)
{
	const quash_acp_agent *const agent = quash_acp_agent_of_(request);
	if (index > agent->mode_count)
		return false;
	if (index > 0) {
		put_mode(w, &agent->modes[index - 1]);
		return true;
	}
	quash_put_object(w);
	quash_put_key(w, "sessionId");
	quash_acp_put_number(w, quash_acp_const_slot_of(request)->number);
	if (agent->mode_count > 0)
		put_modes(w, agent->modes[0].id);
	return true;
}

static int32_t open_session(quash_request *request, quash_acp_session *session)
{
	const quash_acp_agent *const agent = quash_acp_agent_of_(request);
	agent->connection->minted++;
	if (agent->connection->minted == 0)
		agent->connection->minted = 1;
	session->number = agent->connection->minted;
	const int32_t code = agent->open != NULL ? agent->open(session, quash_params_of(request)) : QUASH_DONE;
	if (code < 0) {
		session->number = 0;
		return code;
	}
	quash_acp_tie(quash_acp_slot_of(request), session);
	return quash_reply_items(request, put_new);
}

int32_t quash_acp_new_(quash_request *request)
{
	const quash_value params = quash_params_of(request);
	const quash_kind servers = quash_kind_of(quash_get(params, "mcpServers"));
	quash_acp_session *const session = find_free_session(quash_acp_agent_of_(request));
	if (!quash_acp_is_initialized(request))
		return quash_acp_refuse_early(request);
	if (quash_kind_of(quash_get(params, "cwd")) != QUASH_STRING)
		return quash_fail_literal(request, QUASH_INVALID_PARAMS, "cwd must be a string");
	if (servers != QUASH_ARRAY && servers != QUASH_NONE && servers != QUASH_NULL)
		return quash_fail_literal(request, QUASH_INVALID_PARAMS, "mcpServers must be an array");
	if (session == NULL)
		return quash_fail(request, QUASH_BUSY, "Too many sessions");
	return open_session(request, session);
}

/* --- session/close */

enum { PROMPT_LOOK_MS = 5 }; /* between two checks of whether the prompt has ended */

/* Another close may have freed the session. */
static int32_t close_session(quash_request *request)
{
	quash_acp_session *const session = quash_acp_session_of(request);
	if (session != NULL && session->prompt != NULL) {
		quash_cancel(session->prompt);
		return quash_wait(request, PROMPT_LOOK_MS);
	}
	if (session != NULL)
		quash_acp_free_session(quash_acp_agent_of_(request), session);
	return quash_reply_json(request, "{}");
}

int32_t quash_acp_close_(quash_request *request)
{
	quash_acp_slot *const slot = quash_acp_slot_of(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (slot->session == NULL) {
		if (!quash_acp_is_initialized(request))
			return quash_acp_refuse_early(request);
		quash_acp_session *const session = quash_acp_find(quash_acp_agent_of_(request), quash_params_of(request));
		if (session == NULL)
			return quash_acp_refuse_unknown(request);
		quash_acp_tie(slot, session);
	}
	return close_session(request);
}

/* --- Modes */

int32_t quash_acp_set_mode_(quash_request *request)
{
	const quash_acp_agent *const agent = quash_acp_agent_of_(request);
	const quash_value params = quash_params_of(request);
	quash_acp_session *const session = quash_acp_find(agent, params);
	const quash_value id = quash_get(params, "modeId");
	uint8_t mode = 0;
	if (!quash_acp_is_initialized(request))
		return quash_acp_refuse_early(request);
	if (session == NULL)
		return quash_acp_refuse_unknown(request);
	while (mode < agent->mode_count && !quash_is(id, agent->modes[mode].id))
		mode++;
	if (mode == agent->mode_count)
		return quash_fail(request, QUASH_INVALID_PARAMS, "Unknown mode");
	session->mode = mode;
	return quash_reply_json(request, "{}");
}

int32_t quash_acp_change_mode(quash_request *request, uint8_t mode)
{
	const quash_acp_agent *const agent = quash_acp_agent_of_(request);
	quash_writer *w;
	if (mode >= agent->mode_count)
		return QUASH_INVALID_PARAMS;
	if (!quash_acp_begin_update(request, "current_mode_update", &w))
		return QUASH_DONE;
	quash_put_member(w, "currentModeId", agent->modes[mode].id);
	const int32_t code = quash_send_report(request);
	if (code == QUASH_DONE)
		quash_acp_session_of(request)->mode = mode;
	return code;
}
