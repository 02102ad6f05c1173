/* SPDX-License-Identifier: MIT
 * session/new. */
#include "acp_inner.h"

static quash_acp_session *free_session(const quash_acp_agent *agent)
{
	for (uint8_t i = 0; i < agent->session_count; i++) {
		if (agent->sessions[i].number == 0)
			return &agent->sessions[i];
	}
	return NULL;
}

static void mint(quash_acp_connection *connection, quash_acp_session *session)
{
	connection->minted++;
	if (connection->minted == 0)
		connection->minted = 1;
	session->number = connection->minted;
}

static uint8_t judge_session(quash_value params)
{
	const quash_kind servers = quash_kind_of(quash_get(params, "mcpServers"));
	if (quash_kind_of(quash_get(params, "cwd")) != QUASH_STRING)
		return ACP_CWD;
	return servers == QUASH_ARRAY || servers == QUASH_NONE || servers == QUASH_NULL ? ACP_WELCOME : ACP_MCP_SERVERS;
}

/* QUASH_PENDING: it goes on. */
static int32_t begin_session(quash_request *request, quash_value params, quash_acp_slot *slot)
{
	const quash_acp_agent *const agent = quash_acp_agent_of(request);
	quash_acp_session *const session = free_session(agent);
	const uint8_t refusal = judge_session(params);
	if (refusal != ACP_WELCOME)
		return quash_acp_refuse(request, slot, refusal);
	if (session == NULL)
		return quash_acp_refuse(request, slot, ACP_SESSIONS_TAKEN);
	mint(agent->connection, session);
	const int32_t code = agent->open != NULL ? agent->open(session, params) : QUASH_DONE;
	if (code < 0) {
		session->number = 0;
		return code;
	}
	quash_acp_tie(slot, session);
	return QUASH_PENDING;
}

static void put_mode(quash_writer *w, const quash_acp_mode *mode)
{
	quash_put_object(w);
	quash_acp_put_member(w, "id", mode->id);
	quash_acp_put_member(w, "name", mode->name);
	quash_acp_put_optional(w, "description", mode->description);
	quash_put_end(w);
}

static void put_modes(quash_writer *w, const quash_acp_agent *agent)
{
	if (agent->mode_count == 0)
		return;
	quash_put_key(w, "modes");
	quash_put_object(w);
	quash_acp_put_member(w, "currentModeId", agent->modes[0].id);
	quash_put_key(w, "availableModes");
	quash_put_array(w);
	for (uint8_t i = 0; i < agent->mode_count; i++)
		put_mode(w, &agent->modes[i]);
	quash_put_end(w);
	quash_put_end(w);
}

static int32_t send_session(quash_request *request, quash_acp_slot *slot)
{
	quash_writer *const w = quash_reply(request);
	quash_put_object(w);
	quash_put_key(w, "sessionId");
	quash_acp_put_number(w, slot->request.number);
	put_modes(w, quash_acp_agent_of(request));
	const int32_t code = quash_send(request);
	slot->request.settled = code == QUASH_DONE && quash_cancelled(request) == QUASH_NOT_CANCELLED;
	return code;
}

int32_t quash_acp_new(quash_request *request, quash_value params)
{
	quash_acp_slot *slot;
	int32_t code;
	if (!quash_acp_enter(request, &slot, &code))
		return code;
	if (slot->request.session == NULL) {
		code = begin_session(request, params, slot);
		if (code != QUASH_PENDING)
			return code;
	}
	return send_session(request, slot);
}

/* Nobody knows the id of a session whose request was cancelled. */
void quash_acp_new_end(quash_request *request)
{
	const quash_acp_slot *const slot = quash_acp_slot_of(request);
	if (slot != NULL && quash_acp_is_tied(slot) && !slot->request.settled)
		quash_acp_free_session(quash_acp_agent_of(request), slot->request.session);
}
