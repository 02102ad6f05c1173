/* SPDX-License-Identifier: MIT */
#include "../../include/quash/mcp_listen.h"

#include "../core/answer.h"
#include "../core/lease.h"
#include "mcp_inner.h"

quash_mcp_slot *quash_mcp_slot_of(quash_request *request)
{
	return quash_state(request, sizeof(quash_mcp_slot));
}

const quash_mcp_slot *quash_mcp_const_slot_of(const quash_request *request)
{
	return quash_const_state(request, sizeof(quash_mcp_slot));
}

QUASH_NOINLINE const quash_mcp_server *quash_mcp_server_of(const quash_request *request)
{
	return quash_data(request);
}

bool quash_mcp_is_modern(const quash_request *request)
{
	const quash_mcp_slot *const slot = quash_mcp_const_slot_of(request);
	return slot != NULL && (slot->call.marks & MCP_MODERN) != 0;
}

/* With a list of paths the prefix was dropped, unless the whole message was stored. */
quash_value quash_mcp_meta(const quash_request *request, const char *name)
{
	const quash_value meta = quash_argument(request, "_meta");
	const quash_value found = quash_member(meta, name);
	if (quash_value_kind(&found) != QUASH_NONE || quash_config_of(quash_peer_of(request))->keeps == NULL)
		return found;
	return quash_member(meta, &name[sizeof MCP_META - 1]);
}

uint32_t quash_mcp_room(const quash_mcp_server *server, uint32_t size)
{
	return (uint32_t)QUASH_MCP_STATE(server->token_size, size);
}

bool quash_mcp_no_room(quash_request *request)
{
	(void)quash_nowhere(request, 0); /* how much it needs is not known here */
	return false;
}

/* The request is a modern one, if the server serves those. */
static bool names_version(const quash_request *request)
{
	const quash_value version = quash_mcp_meta(request, MCP_META_VERSION);
	return quash_mcp_server_of(request)->modern != NULL && quash_value_kind(&version) != QUASH_NONE;
}

bool quash_mcp_open(quash_request *request)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	if (quash_mcp_slot_of(request) == NULL)
		return quash_mcp_no_room(request);
	if (names_version(request))
		return server->modern->open(request);
	if (server->session->version != NULL)
		return true;
	(void)quash_fail(request, QUASH_INVALID_PARAMS, "No initialize. Missing _meta " MCP_META_VERSION);
	return false;
}

/* --- Members of every result */

void quash_mcp_put_info(quash_writer *w, const quash_mcp_server *server)
{
	quash_put_info(w, server->name, server->title, server->version);
}

void quash_mcp_begin_meta(quash_writer *w, const quash_request *request)
{
	quash_put_object(w);
	quash_mcp_server_of(request)->modern->begin(w, request);
}

void quash_mcp_begin(quash_writer *w, const quash_request *request)
{
	if (!quash_mcp_is_modern(request)) {
		quash_put_object(w);
		return;
	}
	quash_mcp_begin_meta(w, request);
	quash_put_end(w);
}

void quash_mcp_put_cache(quash_writer *w, const quash_request *request, uint32_t ttl)
{
	if (quash_mcp_is_modern(request))
		quash_mcp_server_of(request)->modern->put_cache(w, ttl);
}

QUASH_INLINED_ static int32_t reply_content(quash_request *request, union quash_mcp_kept content, quash_put *put)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (slot == NULL)
		return QUASH_INTERNAL_ERROR;
	if (quash_may_report(request))
		slot->call.content = content;
	return quash_reply(request, put);
}

void quash_mcp_put_content(quash_writer *w, const quash_request *request)
{
	quash_mcp_const_slot_of(request)->call.content.put(w, request);
}

int32_t quash_mcp_reply_put(quash_request *request, quash_put *content, quash_put *put)
{
	const union quash_mcp_kept stored = { .put = content };
	return reply_content(request, stored, put);
}

int32_t quash_mcp_reply_literal(quash_request *request, const char *content, quash_put *put)
{
	const union quash_mcp_kept stored = { .text = content };
	return reply_content(request, stored, put);
}

/* --- Capabilities */

const struct quash_mcp_machine *quash_mcp_machine_of(const quash_mcp_server *server)
{
	return server->parts != NULL && server->parts[0] != NULL ? server->parts[0]->kind->machine : NULL;
}

void quash_mcp_put_offer(quash_writer *w, const quash_request *request)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	const struct quash_mcp_machine *const machine = quash_mcp_machine_of(server);
	const bool change = (server->changes & QUASH_MCP_TOOLS_CHANGE) != 0;
	quash_put_key(w, "capabilities");
	quash_put_object(w);
	if (server->tools != NULL) {
		quash_put_key(w, "tools");
		quash_put_raw(w, change ? "{\"listChanged\":true}" : "{}");
	}
	if (machine != NULL)
		machine->offer(w, request);
	if (server->leases != NULL)
		server->leases->put(w, request);
	quash_put_end(w);
	quash_put_optional(w, "instructions", server->instructions);
}

/* --- initialize, ping */

QUASH_NOINLINE static const char *negotiate(const quash_value *requested)
{
	static const char *const QUASH_FLASH versions[] = QUASH_MCP_LEGACY_VERSIONS;
	enum { LATEST = sizeof versions / sizeof versions[0] - 1 };
	uint8_t i = 0;
	while (i < LATEST && !quash_value_is(requested, versions[i]))
		i++;
	return versions[i];
}

static void put_initialized(quash_writer *w, const quash_request *request)
{
	quash_mcp_begin(w, request);
	quash_put_member(w, "protocolVersion", quash_mcp_const_slot_of(request)->call.content.text);
	quash_mcp_put_offer(w, request);
	quash_put_key(w, "serverInfo");
	quash_mcp_put_info(w, quash_mcp_server_of(request));
}

int32_t quash_mcp_initialize_(quash_request *request)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	const struct quash_mcp_machine *const machine = quash_mcp_machine_of(server);
	const quash_value requested = quash_argument(request, "protocolVersion");
	if (quash_value_kind(&requested) != QUASH_STRING)
		return names_version(request) ? QUASH_METHOD_NOT_FOUND
			: quash_fail(request, QUASH_INVALID_PARAMS, "Missing protocolVersion");
	server->session->version = negotiate(&requested);
	if (machine != NULL)
		machine->begin(request);
	return quash_mcp_reply_literal(request, server->session->version, put_initialized);
}

int32_t quash_mcp_ping_(quash_request *request)
{
	return names_version(request) ? QUASH_METHOD_NOT_FOUND : quash_reply_json(request, "{}");
}

/* --- A new client */

void quash_mcp_forget_watches(const quash_mcp_watches *watches)
{
	for (uint8_t i = 0; i < watches->count; i++)
		watches->list[i].taken = false;
}

void quash_mcp_new_session(quash_peer *peer)
{
	static const quash_mcp_session fresh = { NULL, NULL, 0, 0 };
	const quash_config *const config = quash_config_of(peer);
	for (uint8_t i = 0; i < config->method_count; i++) {
		if (config->methods[i].handler != quash_mcp_initialize_)
			continue;
		const quash_mcp_server *const server = config->methods[i].data;
		*server->session = fresh;
		if (server->watches != NULL)
			quash_mcp_forget_watches(server->watches);
	}
}
