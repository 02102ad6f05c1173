/* SPDX-License-Identifier: MIT */
#include "acp_inner.h"

/* --- What is offered */

static bool same_name(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static bool offers(const quash_request *request, const char *name)
{
	const quash_config *const config = quash_peer_of(request)->config;
	for (uint8_t i = 0; i < config->method_count; i++) {
		if (same_name(config->methods[i].name, name))
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

static void put_capabilities(quash_writer *w, quash_request *request)
{
	const uint8_t accepts = quash_acp_agent_of(request)->accepts;
	quash_put_object(w);
	quash_put_key(w, "promptCapabilities");
	quash_put_object(w);
	put_flag(w, accepts, QUASH_ACP_IMAGES, "image");
	put_flag(w, accepts, QUASH_ACP_AUDIO, "audio");
	put_flag(w, accepts, QUASH_ACP_EMBEDDED, "embeddedContext");
	quash_put_end(w);
	quash_put_key(w, "sessionCapabilities");
	quash_put_raw(w, offers(request, "session/close") ? "{\"close\":{}}" : "{}");
	quash_put_end(w);
}

static void put_info(quash_writer *w, const quash_acp_agent *agent)
{
	quash_put_object(w);
	quash_acp_put_member(w, "name", agent->name);
	quash_acp_put_optional(w, "title", agent->title);
	quash_acp_put_member(w, "version", agent->version);
	quash_put_end(w);
}

static int32_t send_offer(quash_request *request)
{
	quash_writer *const w = quash_reply(request);
	quash_put_object(w);
	quash_put_key(w, "protocolVersion");
	quash_put_int(w, QUASH_ACP_VERSION);
	quash_put_key(w, "agentCapabilities");
	put_capabilities(w, request);
	quash_put_key(w, "agentInfo");
	put_info(w, quash_acp_agent_of(request));
	quash_put_key(w, "authMethods");
	quash_put_raw(w, "[]");
	return quash_send(request);
}

/* --- What the client says */

static uint8_t flag_of(quash_value params, const char *path, uint8_t flag)
{
	return quash_kind_of(quash_get(params, path)) == QUASH_TRUE ? flag : 0;
}

static uint8_t client_of(quash_value params)
{
	return (uint8_t)(flag_of(params, "clientCapabilities.fs.readTextFile", QUASH_ACP_CAN_READ) |
			 flag_of(params, "clientCapabilities.fs.writeTextFile", QUASH_ACP_CAN_WRITE) |
			 flag_of(params, "clientCapabilities.terminal", QUASH_ACP_HAS_TERMINAL));
}

static bool is_version(quash_value value)
{
	int32_t version;
	return quash_int32(value, &version) == QUASH_NUMBER_OK && version >= 0 && version <= 65535;
}

/* The connection counts as initialized from the first call: what stands right behind in the same read is served
 * even if this answer has to wait. Whatever version is asked for, ours is the answer: there is only one. */
int32_t quash_acp_initialize(quash_request *request, quash_value params)
{
	quash_acp_connection *const connection = quash_acp_agent_of(request)->connection;
	quash_acp_slot *const slot = quash_acp_slot_of(request);
	if (slot == NULL || quash_peer_of(request)->config->tag_size < QUASH_ACP_TAG_SIZE)
		return QUASH_INTERNAL_ERROR;
	if (!slot->request.settled) {
		if (!is_version(quash_get(params, "protocolVersion")))
			return quash_acp_refuse(request, slot, ACP_VERSION);
		connection->client = client_of(params);
		connection->initialized = true;
		slot->request.settled = true;
	}
	return send_offer(request);
}

int32_t quash_acp_authenticate(quash_request *request, quash_value params)
{
	quash_acp_slot *slot;
	int32_t code;
	(void)params;
	return quash_acp_enter(request, &slot, &code) ? quash_acp_refuse(request, slot, ACP_NO_AUTHENTICATION) : code;
}
