/* SPDX-License-Identifier: MIT
 * What is asked of the client: permission, and files. */
#include "acp_inner.h"

int32_t quash_acp_ask(
	quash_request *request, quash_acp_question *question, uint8_t need, const char *method, quash_call_put *put)
{
	const quash_acp_session *const session = quash_acp_session_of(request);
	if (session == NULL || quash_acp_result(question) == QUASH_PENDING)
		return QUASH_INVALID_REQUEST;
	if ((quash_acp_agent_of_(request)->connection->client & need) != need)
		return QUASH_METHOD_NOT_FOUND;
	question->session = session->number;
	question->call.method = method;
	question->call.put = put;
	return quash_call_start_for(request, quash_peer_of(request), &question->call) ? QUASH_DONE : QUASH_INVALID_REQUEST;
}

int32_t quash_acp_result(const quash_acp_question *question)
{
	if (!quash_call_in_use(&question->call))
		return QUASH_INVALID_REQUEST;
	if (!quash_call_has_ended(&question->call))
		return QUASH_PENDING;
	/* A handler cannot return every code that a client may send: others have a meaning here. */
	const int32_t code = quash_call_code(&question->call);
	return code > 0 || code < -65535 ? QUASH_INTERNAL_ERROR : code;
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

/* --- session/request_permission */

static void put_option(quash_writer *w, const quash_acp_option *option)
{
	static const char *const kinds[] = { "allow_once", "allow_always", "reject_once", "reject_always" };
	quash_put_object(w);
	quash_put_member(w, "optionId", option->id);
	quash_put_member(w, "name", option->name);
	quash_put_member(w, "kind", kinds[option->kind <= QUASH_ACP_REJECT_ALWAYS ? option->kind : QUASH_ACP_REJECT_ONCE]);
	quash_put_end(w);
}

static void put_permission(quash_writer *w, const quash_call *call)
{
	const quash_acp_permission *const permission = quash_acp_put_question(w, call);
	quash_put_key(w, "toolCall");
	quash_put_object(w);
	quash_acp_put_tool_call(w, permission->tool_call);
	quash_put_end(w);
	quash_put_key(w, "options");
	quash_put_array(w);
	for (uint8_t i = 0; i < permission->option_count; i++)
		put_option(w, &permission->options[i]);
	quash_put_end(w);
}

int32_t quash_acp_request_permission(quash_request *request, quash_acp_permission *permission)
{
	return quash_acp_ask(request, &permission->ask, 0, "session/request_permission", put_permission);
}

static int32_t chosen(const quash_acp_permission *permission, quash_value id, uint8_t *option)
{
	for (uint8_t i = 0; i < permission->option_count; i++) {
		if (quash_is(id, permission->options[i].id)) {
			*option = i;
			return QUASH_DONE;
		}
	}
	return QUASH_INTERNAL_ERROR;
}

int32_t quash_acp_permission_result(const quash_acp_permission *permission, uint8_t *option)
{
	quash_value outcome;
	const int32_t code = quash_acp_string_result(&permission->ask, "outcome.outcome", &outcome);
	if (code != QUASH_DONE)
		return code;
	if (quash_is(outcome, "cancelled"))
		return QUASH_CANCELLED;
	if (!quash_is(outcome, "selected"))
		return QUASH_INTERNAL_ERROR;
	return chosen(permission, quash_get(quash_call_answer(&permission->ask.call), "outcome.optionId"), option);
}

/* --- fs/read_text_file */

static void put_read(quash_writer *w, const quash_call *call)
{
	const quash_acp_read *const read = quash_acp_put_question(w, call);
	quash_put_member(w, "path", read->path);
	quash_acp_put_nonzero(w, "line", read->line);
	quash_acp_put_nonzero(w, "limit", read->limit);
}

int32_t quash_acp_read_file(quash_request *request, quash_acp_read *read)
{
	return quash_acp_ask(request, &read->ask, QUASH_ACP_CAN_READ, "fs/read_text_file", put_read);
}

int32_t quash_acp_read_result(const quash_acp_read *read, quash_value *content)
{
	return quash_acp_string_result(&read->ask, "content", content);
}

/* --- fs/write_text_file */

static void put_write(quash_writer *w, const quash_call *call)
{
	const quash_acp_write *const write = quash_acp_put_question(w, call);
	quash_put_member(w, "path", write->path);
	quash_put_key(w, "content");
	quash_put_string(w, write->content, write->length);
}

int32_t quash_acp_write_file(quash_request *request, quash_acp_write *write)
{
	return quash_acp_ask(request, &write->ask, QUASH_ACP_CAN_WRITE, "fs/write_text_file", put_write);
}
