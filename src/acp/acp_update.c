/* SPDX-License-Identifier: MIT
 * session/update: how one begins, and chunks. */
#include "acp_inner.h"

/* A cancelled turn is answered when it ends; its session or its link may be gone by then. One that has stopped may be
 * cancelled late. */
bool quash_acp_may_update(const quash_request *request)
{
	const quash_acp_slot *const slot = quash_acp_const_slot_of(request);
	if (quash_acp_session_of(request) == NULL || slot->stopped || slot->ended)
		return false;
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? !quash_is_gone(quash_peer_of(request)) :
								 quash_may_report(request);
}

quash_writer *quash_acp_update(quash_peer *peer, const quash_acp_session *session, const char *kind)
{
	quash_writer *const w = quash_notify(peer, "session/update");
	quash_put_object(w);
	quash_put_key(w, "sessionId");
	quash_acp_put_session(w, session);
	quash_put_key(w, "update");
	quash_put_object(w);
	quash_put_member(w, "sessionUpdate", kind);
	return w;
}

bool quash_acp_begin_update(quash_request *request, const char *kind, quash_writer **w)
{
	if (!quash_acp_may_update(request))
		return false;
	*w = quash_acp_update(quash_peer_of(request), quash_acp_session_of(request), kind);
	return true;
}

int32_t quash_acp_chunk(quash_request *request, const char *kind, const char *text, size_t length)
{
	quash_writer *w;
	if (!quash_acp_begin_update(request, kind, &w))
		return QUASH_DONE;
	quash_put_key(w, "content");
	quash_acp_put_text(w, text, length);
	return quash_send_report(request);
}

int32_t quash_acp_message(quash_request *request, const char *text)
{
	return quash_acp_chunk(request, "agent_message_chunk", text, quash_acp_length(text));
}

int32_t quash_acp_thought(quash_request *request, const char *text)
{
	return quash_acp_chunk(request, "agent_thought_chunk", text, quash_acp_length(text));
}
