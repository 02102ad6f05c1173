/* SPDX-License-Identifier: MIT */
#include "mcp_inner.h"

quash_mcp_slot *quash_mcp_slot_of(quash_request *request)
{
	if (quash_peer_of(request)->config->state_size < sizeof(quash_mcp_slot))
		return NULL;
	return quash_state(request);
}

const quash_mcp_server *quash_mcp_server_of(const quash_request *request)
{
	return quash_data(request);
}

void quash_mcp_put_member(quash_writer *w, const char *key, const char *text)
{
	quash_put_key(w, key);
	quash_put_text(w, text);
}

void quash_mcp_put_optional(quash_writer *w, const char *key, const char *text)
{
	if (text != NULL)
		quash_mcp_put_member(w, key, text);
}

void quash_mcp_put_info(quash_writer *w, const quash_mcp_server *server)
{
	quash_put_object(w);
	quash_mcp_put_member(w, "name", server->name);
	quash_mcp_put_optional(w, "title", server->title);
	quash_mcp_put_member(w, "version", server->version);
	quash_put_end(w);
}

static const struct quash_mcp_machine *machine_of(const quash_mcp_server *server)
{
	return server->parts != NULL && server->parts[0] != NULL ? server->parts[0]->kind->machine : NULL;
}

bool quash_mcp_open_parts(quash_request *request, quash_value meta, int32_t *code)
{
	const struct quash_mcp_machine *const machine = machine_of(quash_mcp_server_of(request));
	return machine == NULL || machine->open(request, meta, code);
}

void quash_mcp_put_offer(quash_writer *w, quash_request *request)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	const struct quash_mcp_machine *const machine = machine_of(server);
	const bool change = (server->changes & QUASH_MCP_TOOLS_CHANGE) != 0;
	quash_put_key(w, "capabilities");
	quash_put_object(w);
	if (server->tools != NULL) {
		quash_put_key(w, "tools");
		quash_put_raw(w, change ? "{\"listChanged\":true}" : "{}");
	}
	if (machine != NULL)
		machine->offer(w, request);
	quash_put_end(w);
	quash_mcp_put_optional(w, "instructions", server->instructions);
}

quash_writer *quash_mcp_begin_meta(quash_request *request)
{
	quash_writer *const w = quash_reply(request);
	quash_put_object(w);
	quash_mcp_put_member(w, "resultType", "complete");
	quash_put_key(w, "_meta");
	quash_put_object(w);
	quash_put_key(w, MCP_META "serverInfo");
	quash_mcp_put_info(w, quash_mcp_server_of(request));
	return w;
}

quash_writer *quash_mcp_begin(quash_request *request)
{
	const quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	quash_writer *w;
	if (slot == NULL || !slot->call.modern) {
		w = quash_reply(request);
		quash_put_object(w);
	} else {
		w = quash_mcp_begin_meta(request);
		quash_put_end(w);
	}
	return w;
}

/* --- initialize, ping */

static const char *negotiate(quash_value requested)
{
	static const char *const versions[] = QUASH_MCP_LEGACY_VERSIONS;
	enum { LATEST = sizeof versions / sizeof versions[0] - 1 };
	uint8_t i = 0;
	while (i < LATEST && !quash_is(requested, versions[i]))
		i++;
	return versions[i];
}

static int32_t send_initialized(quash_request *request)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	quash_writer *const w = quash_mcp_begin(request);
	quash_mcp_put_member(w, "protocolVersion", server->session->version);
	quash_mcp_put_offer(w, request);
	quash_put_key(w, "serverInfo");
	quash_mcp_put_info(w, server);
	return quash_send(request);
}

/* The session counts as begun from the first call, so that what stands right behind in the same read is
 * served even if this answer has to wait; the mark in the slot tells a second call from a second request. */
int32_t quash_mcp_initialize(quash_request *request, quash_value params)
{
	quash_mcp_session *const session = quash_mcp_server_of(request)->session;
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	const struct quash_mcp_machine *const machine = machine_of(quash_mcp_server_of(request));
	const quash_value requested = quash_member(params, "protocolVersion");
	if (slot == NULL)
		return QUASH_INTERNAL_ERROR;
	if (!slot->call.begun) {
		if (session->version != NULL)
			return quash_fail(request, QUASH_INVALID_REQUEST, "Already initialized");
		if (quash_kind_of(requested) != QUASH_STRING)
			return quash_fail(request, QUASH_INVALID_PARAMS, "Missing protocolVersion");
		session->version = negotiate(requested);
		if (machine != NULL)
			machine->begin(quash_mcp_server_of(request), params);
		slot->call.begun = true;
	}
	/* The program forgets the session with its link; the request that began it may live a little longer. */
	return session->version != NULL ? send_initialized(request) : QUASH_CANCELLED;
}

int32_t quash_mcp_ping(quash_request *request, quash_value params)
{
	const quash_value meta = quash_member(params, "_meta");
	if (quash_kind_of(quash_member(meta, MCP_META "protocolVersion")) != QUASH_NONE)
		return QUASH_METHOD_NOT_FOUND;
	quash_put_object(quash_reply(request));
	return quash_send(request);
}
