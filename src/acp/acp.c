/* SPDX-License-Identifier: MIT
 * The agent, its sessions, and what all requests of the profile share. */
#include "acp_inner.h"

#include "../json/rom.h"

/* --- What a request finds */

const quash_acp_agent *quash_acp_agent_of(const quash_request *request)
{
	return quash_data(request);
}

quash_acp_slot *quash_acp_slot_of(quash_request *request)
{
	return quash_end_of_state(request, sizeof(quash_acp_slot));
}

const quash_acp_slot *quash_acp_const_slot_of(const quash_request *request)
{
	return quash_const_end_of_state(request, sizeof(quash_acp_slot));
}

bool quash_acp_is_initialized(const quash_request *request)
{
	return quash_acp_agent_of(request)->connection->initialized;
}

int32_t quash_acp_refuse_early(quash_request *request)
{
	return quash_fail(request, QUASH_INVALID_REQUEST, "Not initialized");
}

int32_t quash_acp_refuse_unknown(quash_request *request)
{
	return quash_fail(request, QUASH_INVALID_PARAMS, "Unknown session");
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
	slot->session = session;
	slot->number = session->number;
}

quash_acp_session *quash_acp_session_of(const quash_request *request)
{
	const quash_acp_slot *const slot = quash_acp_const_slot_of(request);
	return slot->session != NULL && slot->session->number == slot->number ? slot->session : NULL;
}

uint8_t quash_acp_index(const quash_acp_agent *agent, const quash_acp_session *session)
{
	return (uint8_t)(session - agent->sessions);
}

static void clear_session(quash_acp_session *session)
{
	session->number = 0;
	session->prompt = NULL;
	session->mode = 0;
}

void quash_acp_free_session(const quash_acp_agent *agent, quash_acp_session *session)
{
	if (agent->close != NULL)
		agent->close(session);
	clear_session(session);
}

void quash_acp_reset(const quash_acp_agent *agent)
{
	agent->connection->initialized = false;
	agent->connection->client = 0;
	for (uint8_t i = 0; i < agent->session_count; i++)
		clear_session(&agent->sessions[i]);
}

/* --- Texts and members */

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
	while (quash_rom(&text[n]) != '\0')
		n++;
	return n;
}

void quash_acp_put_text(quash_writer *w, const char *text, size_t length)
{
	quash_put_object(w);
	quash_put_member(w, "type", "text");
	quash_put_key(w, "text");
	quash_put_string(w, text, length);
	quash_put_end(w);
}
