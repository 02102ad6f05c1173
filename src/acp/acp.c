/* SPDX-License-Identifier: MIT
 * The agent: how requests find it and their sessions; `initialize`; a new client. */
#include "acp_inner.h"

#include "../core/lease.h"
#include "../json/rom.h"

/* --- What a request finds */

const quash_acp_agent *quash_acp_agent_of_(const quash_request *request)
{
	return quash_data(request);
}

static size_t slot_place(const quash_request *request)
{
	return quash_config_of(quash_peer_of(request))->state_size - sizeof(quash_acp_slot);
}

quash_acp_slot *quash_acp_slot_of(quash_request *request)
{
	uint8_t *const begin = quash_state(request, sizeof(quash_acp_slot));
	return (void *)(begin + slot_place(request));
}

const quash_acp_slot *quash_acp_const_slot_of(const quash_request *request)
{
	const uint8_t *const begin = quash_const_state(request, sizeof(quash_acp_slot));
	return (const void *)(begin + slot_place(request));
}

bool quash_acp_is_initialized(const quash_request *request)
{
	return quash_acp_agent_of_(request)->connection->initialized;
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

/* The id of the session with that number: a place in `text`. */
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

void quash_acp_put_session_(quash_writer *w, const quash_acp_session *session)
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

uint8_t quash_acp_index_(const quash_acp_agent *agent, const quash_acp_session *session)
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

/* --- Members */

void quash_acp_put_nonzero(quash_writer *w, const char *key, uint32_t value)
{
	if (value == 0)
		return;
	quash_put_key(w, key);
	quash_put_uint(w, value);
}

/* --- What is offered */

static bool offers(const quash_request *request, const char *name)
{
	const quash_config *const config = quash_config_of(quash_peer_of(request));
	for (uint8_t i = 0; i < config->method_count; i++) {
		if (quash_same_text(config->methods[i].name, name))
			return true;
	}
	return false;
}

static void put_flag(quash_writer *w, uint8_t accepts, uint8_t flag, const char *key)
{
	if ((accepts & flag) == 0)
		return;
	quash_put_key(w, key);
	quash_put_bool(w, true);
}

static void put_meta(quash_writer *w, const quash_request *request)
{
	const quash_config *const config = quash_config_of(quash_peer_of(request));
	if (quash_shortest_lease(config) == 0)
		return;
	quash_put_key(w, "_meta");
	quash_put_object(w);
	quash_put_leases(w, config);
	quash_put_end(w);
}

const struct quash_lease_code quash_acp_leases = { put_meta, NULL };

static void put_capabilities(quash_writer *w, const quash_request *request)
{
	const quash_acp_agent *const agent = quash_acp_agent_of_(request);
	const uint8_t accepts = agent->accepts;
	quash_put_object(w);
	quash_put_key(w, "promptCapabilities");
	quash_put_object(w);
	put_flag(w, accepts, QUASH_ACP_IMAGES, "image");
	put_flag(w, accepts, QUASH_ACP_AUDIO, "audio");
	put_flag(w, accepts, QUASH_ACP_EMBEDDED, "embeddedContext");
	quash_put_end(w);
	quash_put_key(w, "sessionCapabilities");
	quash_put_raw(w, offers(request, "session/close") ? "{\"close\":{}}" : "{}");
	if (agent->leases != NULL)
		agent->leases->put(w, request);
	quash_put_end(w);
}

static void put_offer(quash_writer *w, const quash_request *request)
{
	const quash_acp_agent *const agent = quash_acp_agent_of_(request);
	quash_put_object(w);
	quash_put_key(w, "protocolVersion");
	quash_put_int(w, QUASH_ACP_VERSION);
	quash_put_key(w, "agentCapabilities");
	put_capabilities(w, request);
	quash_put_key(w, "agentInfo");
	quash_put_info(w, agent->name, agent->title, agent->version);
	quash_put_key(w, "authMethods");
	quash_put_raw(w, "[]");
	quash_put_end(w);
}

/* --- What the client can do */

static uint8_t flag_of(quash_value params, const char *path, uint8_t flag)
{
	return quash_kind_of(quash_get(params, path)) == QUASH_TRUE ? flag : 0;
}

static bool is_version(quash_value value)
{
	int32_t version;
	return quash_int32(value, &version) == QUASH_NUMBER_OK && version >= 0 && version <= 65535;
}

/* The answer has our version whatever version was asked for: there is only one. */
int32_t quash_acp_initialize_(quash_request *request)
{
	const quash_acp_agent *const agent = quash_acp_agent_of_(request);
	const quash_config *const config = quash_config_of(quash_peer_of(request));
	const quash_value params = quash_params_of(request);
	/* Every other method needs the connection, so sizes and leases are checked only here. */
	if (config->state_size < QUASH_ACP_STATE(agent->state_size) || config->tag_size < QUASH_ACP_TAG_SIZE)
		return QUASH_INTERNAL_ERROR;
	if (quash_refuse_lease(request, quash_shortest_lease(config), agent->leases))
		return QUASH_DONE;
	if (!is_version(quash_get(params, "protocolVersion")))
		return quash_fail(request, QUASH_INVALID_PARAMS, "protocolVersion must be an integer from 0 to 65535");
	agent->connection->client = (uint8_t)(flag_of(params, "clientCapabilities.fs.readTextFile", QUASH_ACP_CAN_READ) |
		flag_of(params, "clientCapabilities.fs.writeTextFile", QUASH_ACP_CAN_WRITE) |
		flag_of(params, "clientCapabilities.terminal", QUASH_ACP_HAS_TERMINAL));
	agent->connection->initialized = true;
	return quash_reply(request, put_offer);
}

int32_t quash_acp_authenticate_(quash_request *request)
{
	if (!quash_acp_is_initialized(request))
		return quash_acp_refuse_early(request);
	return quash_fail(request, QUASH_INVALID_PARAMS, "No authentication is needed");
}

/* --- A new client */

void quash_acp_new_session(quash_peer *peer)
{
	const quash_acp_agent *const agent = quash_data_of(quash_config_of(peer), quash_acp_initialize_);
	if (agent == NULL)
		return;
	for (uint8_t i = 0; i < agent->session_count; i++) {
		if (agent->sessions[i].number != 0)
			quash_acp_free_session(agent, &agent->sessions[i]);
	}
	quash_acp_reset(agent);
}
