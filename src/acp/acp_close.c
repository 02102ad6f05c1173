/* SPDX-License-Identifier: MIT
 * session/close. */
#include "acp_inner.h"

enum { PROMPT_LOOK_MS = 5 }; /* between looks at whether the prompt has ended */

/* Another close may have been faster. */
static int32_t close_session(quash_request *request)
{
	quash_acp_session *const session = quash_acp_session_of(request);
	if (session != NULL && session->prompt != NULL) {
		quash_cancel(session->prompt);
		return quash_wait(request, PROMPT_LOOK_MS);
	}
	if (session != NULL)
		quash_acp_free_session(quash_acp_agent_of(request), session);
	return quash_reply_json(request, "{}");
}

int32_t quash_acp_close(quash_request *request)
{
	quash_acp_slot *const slot = quash_acp_slot_of(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (slot->session == NULL) {
		if (!quash_acp_is_initialized(request))
			return quash_acp_refuse_early(request);
		quash_acp_session *const session = quash_acp_find(quash_acp_agent_of(request), quash_params_of(request));
		if (session == NULL)
			return quash_acp_refuse_unknown(request);
		quash_acp_tie(slot, session);
	}
	return close_session(request);
}
