/* SPDX-License-Identifier: MIT
 * session/close. */
#include "acp_inner.h"

enum { PROMPT_LOOK_MS = 5 }; /* between looks at whether the prompt has ended */

static int32_t close_session(quash_request *request, quash_acp_slot *slot)
{
	quash_acp_session *const session = slot->request.session;
	if (!slot->request.settled && quash_acp_is_tied(slot)) {
		if (session->prompt != NULL) {
			quash_cancel(session->prompt);
			return quash_wait(request, PROMPT_LOOK_MS);
		}
		quash_acp_free_session(quash_acp_agent_of(request), session);
	}
	slot->request.settled = true;
	quash_put_object(quash_reply(request));
	return quash_send(request);
}

int32_t quash_acp_close(quash_request *request, quash_value params)
{
	quash_acp_slot *slot;
	int32_t code;
	if (!quash_acp_enter(request, &slot, &code))
		return code;
	if (slot->request.session == NULL) {
		quash_acp_session *const session = quash_acp_find(quash_acp_agent_of(request), params);
		if (session == NULL)
			return quash_acp_refuse(request, slot, ACP_UNKNOWN_SESSION);
		quash_acp_tie(slot, session);
	}
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	return close_session(request, slot);
}
