/* SPDX-License-Identifier: MIT
 * The agent, its sessions, and how a request of the profile begins. */
#include "acp_inner.h"

/* --- What a request finds */

const quash_acp_agent *quash_acp_agent_of(const quash_request *request)
{
	return quash_data(request);
}

quash_acp_slot *quash_acp_slot_of(quash_request *request)
{
	const uint32_t need = (uint32_t)QUASH_ACP_STATE(quash_acp_agent_of(request)->state_size);
	if (quash_peer_of(request)->config->state_size < need)
		return NULL;
	return quash_state(request);
}

bool quash_acp_enter(quash_request *request, quash_acp_slot **slot, int32_t *code)
{
	*slot = quash_acp_slot_of(request);
	*code = QUASH_INTERNAL_ERROR;
	if (*slot == NULL)
		return false;
	if ((*slot)->request.refusal == ACP_WELCOME && quash_acp_agent_of(request)->connection->initialized)
		return true;
	*code = quash_acp_refuse(request, *slot, ACP_NOT_INITIALIZED);
	return false;
}

/* --- Refusals */

struct refusal {
	int32_t code;
	const char *text;
};

static const struct refusal refusals[] = {
	{ QUASH_INTERNAL_ERROR, "" },
	{ QUASH_INVALID_REQUEST, "Not initialized" },
	{ QUASH_INVALID_PARAMS, "protocolVersion must be an integer from 0 to 65535" },
	{ QUASH_INVALID_PARAMS, "No authentication is needed" },
	{ QUASH_INVALID_PARAMS, "cwd must be a string" },
	{ QUASH_INVALID_PARAMS, "mcpServers must be an array" },
	{ QUASH_BUSY, "Too many sessions" },
	{ QUASH_INVALID_PARAMS, "Unknown session" },
	{ QUASH_INVALID_REQUEST, "A prompt is running in this session" },
	{ QUASH_INVALID_PARAMS, "prompt must be an array of content blocks" },
	{ QUASH_INVALID_PARAMS, "Unsupported content" },
	{ QUASH_INVALID_PARAMS, "Unknown mode" },
};

/* What it was refused for may have passed when the answer goes on in a smaller TX: the first reason stays. */
int32_t quash_acp_refuse(quash_request *request, quash_acp_slot *slot, uint8_t refusal)
{
	if (slot->request.refusal == ACP_WELCOME)
		slot->request.refusal = refusal;
	const struct refusal *const why = &refusals[slot->request.refusal];
	return quash_fail(request, why->code, why->text);
}

/* --- Sessions */

enum { NUMBER_SIZE = 12 }; /* `s`, ten digits, NUL */

/* The id of the session with that number; it begins somewhere in `text`. */
static const char *name_of(uint32_t number, char text[NUMBER_SIZE])
{
	uint8_t at = NUMBER_SIZE - 1;
	text[at] = '\0';
	do {
		text[--at] = (char)('0' + number % 10u);
		number /= 10u;
	} while (number > 0);
	text[--at] = 's';
	return &text[at];
}

void quash_acp_put_number(quash_writer *w, uint32_t number)
{
	char text[NUMBER_SIZE];
	quash_put_text(w, name_of(number, text));
}

void quash_acp_put_session(quash_writer *w, const quash_acp_session *session)
{
	quash_acp_put_number(w, session->number);
}

quash_acp_session *quash_acp_find(const quash_acp_agent *agent, quash_value params)
{
	const quash_value id = quash_get(params, "sessionId");
	char text[NUMBER_SIZE];
	for (uint8_t i = 0; i < agent->session_count; i++) {
		quash_acp_session *const session = &agent->sessions[i];
		if (session->number != 0 && quash_is(id, name_of(session->number, text)))
			return session;
	}
	return NULL;
}

void quash_acp_tie(quash_acp_slot *slot, quash_acp_session *session)
{
	slot->request.session = session;
	slot->request.number = session->number;
}

bool quash_acp_is_tied(const quash_acp_slot *slot)
{
	return slot->request.session != NULL && slot->request.session->number == slot->request.number;
}

quash_acp_session *quash_acp_session_of(quash_request *request)
{
	const quash_acp_slot *const slot = quash_acp_slot_of(request);
	return slot != NULL ? slot->request.session : NULL;
}

uint8_t quash_acp_index(const quash_acp_agent *agent, const quash_acp_session *session)
{
	return (uint8_t)(session - agent->sessions);
}

static void clear(quash_acp_session *session)
{
	session->number = 0;
	session->prompt = NULL;
	session->mode = 0;
}

void quash_acp_free_session(const quash_acp_agent *agent, quash_acp_session *session)
{
	if (agent->close != NULL)
		agent->close(session);
	clear(session);
}

void quash_acp_reset(const quash_acp_agent *agent)
{
	agent->connection->minted = 0;
	agent->connection->initialized = false;
	agent->connection->client = 0;
	for (uint8_t i = 0; i < agent->session_count; i++)
		clear(&agent->sessions[i]);
}

/* --- Members */

void quash_acp_put_member(quash_writer *w, const char *key, const char *text)
{
	quash_put_key(w, key);
	quash_put_text(w, text);
}

void quash_acp_put_optional(quash_writer *w, const char *key, const char *text)
{
	if (text != NULL)
		quash_acp_put_member(w, key, text);
}

void quash_acp_put_nonzero(quash_writer *w, const char *key, uint32_t value)
{
	if (value == 0)
		return;
	quash_put_key(w, key);
	quash_put_uint(w, value);
}

size_t quash_acp_length(const char *text)
{
	size_t n = 0;
	while (text[n] != '\0')
		n++;
	return n;
}

void quash_acp_put_text(quash_writer *w, const char *text, size_t length)
{
	quash_put_object(w);
	quash_acp_put_member(w, "type", "text");
	quash_put_key(w, "text");
	quash_put_string(w, text, length);
	quash_put_end(w);
}
