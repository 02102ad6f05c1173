/* SPDX-License-Identifier: MIT
 * What all questions to the client share. */
#include "acp_inner.h"

int32_t quash_acp_ask(
	quash_request *request, quash_acp_question *question, uint8_t need, const char *method, quash_call_put *put)
{
	const quash_acp_session *const session = quash_acp_session_of(request);
	if (session == NULL || quash_acp_result(question) == QUASH_PENDING)
		return QUASH_INVALID_REQUEST;
	if ((quash_acp_agent_of(request)->connection->client & need) != need)
		return QUASH_METHOD_NOT_FOUND;
	question->session = session->number;
	question->call.method = method;
	question->call.put = put;
	return quash_call_start_for(request, quash_peer_of(request), &question->call) ? QUASH_DONE : QUASH_INVALID_REQUEST;
}

/* Codes of others that a handler could not return would be taken for something else. */
static int32_t as_returned(int32_t code)
{
	return code > 0 || code < -65535 ? QUASH_INTERNAL_ERROR : code;
}

int32_t quash_acp_result(const quash_acp_question *question)
{
	if (!quash_call_in_use(&question->call))
		return QUASH_INVALID_REQUEST;
	return quash_call_has_ended(&question->call) ? as_returned(quash_call_code(&question->call)) : QUASH_PENDING;
}

int32_t quash_acp_string_result(const quash_acp_question *question, const char *path, quash_value *text)
{
	const int32_t code = quash_acp_result(question);
	if (code != QUASH_DONE)
		return code;
	*text = quash_get(quash_call_answer(&question->call), path);
	return quash_kind_of(*text) == QUASH_STRING ? QUASH_DONE : QUASH_INTERNAL_ERROR;
}

/* Every question's struct begins with its call. */
const void *quash_acp_put_question(quash_writer *w, const quash_call *call)
{
	const quash_acp_question *const question = (const void *)call;
	quash_put_object(w);
	quash_put_key(w, "sessionId");
	quash_acp_put_number(w, question->session);
	return question;
}
