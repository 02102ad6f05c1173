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

int32_t quash_acp_set_mode(quash_request *request)
{
	const quash_acp_agent *const agent = quash_acp_agent_of(request);
	const quash_value params = quash_params_of(request);
	quash_acp_session *const session = quash_acp_find(agent, params);
	const uint8_t mode = find_mode(agent, quash_get(params, "modeId"));
	if (!quash_acp_is_initialized(request))
		return quash_acp_refuse_early(request);
	if (session == NULL)
		return quash_acp_refuse_unknown(request);
	if (mode == agent->mode_count)
		return quash_fail(request, QUASH_INVALID_PARAMS, "Unknown mode");
	session->mode = mode;
	return quash_reply_json(request, "{}");
}

int32_t quash_acp_change_mode(quash_request *request, uint8_t mode)
{
	const quash_acp_agent *const agent = quash_acp_agent_of(request);
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
