/* SPDX-License-Identifier: MIT
 * session/set_mode, and the agent's own changes. */
#include "acp_inner.h"

static uint8_t find_mode(const quash_acp_agent *agent, quash_value id)
{
	uint8_t i = 0;
	while (i < agent->mode_count && !quash_is(id, agent->modes[i].id))
		i++;
	return i;
}

/* QUASH_PENDING: it goes on. */
static int32_t set_mode(quash_request *request, quash_value params, quash_acp_slot *slot)
{
	const quash_acp_agent *const agent = quash_acp_agent_of(request);
	quash_acp_session *const session = quash_acp_find(agent, params);
	const uint8_t mode = find_mode(agent, quash_get(params, "modeId"));
	if (session == NULL)
		return quash_acp_refuse(request, slot, ACP_UNKNOWN_SESSION);
	if (mode == agent->mode_count)
		return quash_acp_refuse(request, slot, ACP_UNKNOWN_MODE);
	session->mode = mode;
	slot->request.settled = true;
	return QUASH_PENDING;
}

int32_t quash_acp_set_mode(quash_request *request, quash_value params)
{
	quash_acp_slot *slot;
	int32_t code;
	if (!quash_acp_enter(request, &slot, &code))
		return code;
	if (!slot->request.settled) {
		code = set_mode(request, params, slot);
		if (code != QUASH_PENDING)
			return code;
	}
	quash_put_object(quash_reply(request));
	return quash_send(request);
}

int32_t quash_acp_change_mode(quash_request *request, uint8_t mode)
{
	const quash_acp_agent *const agent = quash_acp_agent_of(request);
	quash_writer *w;
	if (mode >= agent->mode_count)
		return QUASH_INVALID_PARAMS;
	if (!quash_acp_begin_update(request, "current_mode_update", &w))
		return QUASH_DONE;
	quash_acp_put_member(w, "currentModeId", agent->modes[mode].id);
	const int32_t code = quash_notify_send(quash_peer_of(request));
	if (code == QUASH_DONE)
		quash_acp_session_of(request)->mode = mode;
	return code;
}
