/* SPDX-License-Identifier: MIT */
#include "mcp_inner.h"

#define META_VERSION MCP_META "protocolVersion"
#define CAPABILITIES MCP_META "clientCapabilities"

static void put_versions(quash_writer *w)
{
	quash_put_array(w);
	quash_put_text(w, QUASH_MCP_MODERN_VERSION);
	quash_put_end(w);
}

static int32_t refuse_version(quash_request *request, quash_value requested)
{
	quash_writer *const w = quash_error_reply(
		request, QUASH_MCP_UNSUPPORTED, "Unsupported protocol version");
	quash_put_object(w);
	quash_put_key(w, "supported");
	put_versions(w);
	quash_put_key(w, "requested");
	quash_put_value(w, requested);
	return quash_send(request);
}

/* What stands in `_meta` decides; a request is refused as the modern revision wants it. */
static int32_t check_modern(quash_request *request, quash_value meta, quash_value version)
{
	if (quash_kind_of(version) != QUASH_STRING)
		return quash_fail(request, QUASH_INVALID_PARAMS, "_meta " META_VERSION " must be a string");
	if (!quash_is(version, QUASH_MCP_MODERN_VERSION))
		return refuse_version(request, version);
	if (quash_kind_of(quash_member(meta, CAPABILITIES)) != QUASH_OBJECT)
		return quash_fail(request, QUASH_INVALID_PARAMS, "Missing _meta " CAPABILITIES);
	int32_t code = QUASH_PENDING;
	return quash_mcp_open_parts(request, meta, &code) ? QUASH_PENDING : code;
}

/* QUASH_PENDING: it goes on. */
static int32_t check_meta(quash_request *request, quash_value params, quash_mcp_slot *slot)
{
	const quash_value meta = quash_member(params, "_meta");
	const quash_value version = quash_member(meta, META_VERSION);
	slot->call.modern = quash_kind_of(version) != QUASH_NONE;
	if (slot->call.modern)
		return check_modern(request, meta, version);
	if (quash_mcp_server_of(request)->session->version == NULL)
		return quash_fail(request, QUASH_INVALID_PARAMS, "Missing initialize, or _meta " META_VERSION);
	return QUASH_PENDING;
}

bool quash_mcp_open(quash_request *request, quash_value params, int32_t *code)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	*code = slot != NULL ? check_meta(request, params, slot) : QUASH_INTERNAL_ERROR;
	return *code == QUASH_PENDING;
}

void quash_mcp_put_cache(quash_writer *w, quash_request *request, uint32_t ttl)
{
	const quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (slot == NULL || !slot->call.modern)
		return;
	quash_put_key(w, "ttlMs");
	quash_put_uint(w, ttl);
	quash_mcp_put_member(w, "cacheScope", "public");
}

int32_t quash_mcp_discover(quash_request *request, quash_value params)
{
	int32_t code;
	if (!quash_mcp_open(request, params, &code))
		return code;
	if (!quash_mcp_slot_of(request)->call.modern)
		return quash_fail(request, QUASH_INVALID_PARAMS, "Missing _meta " META_VERSION);
	quash_writer *const w = quash_mcp_begin(request);
	quash_put_key(w, "supportedVersions");
	put_versions(w);
	quash_mcp_put_offer(w, request);
	quash_mcp_put_cache(w, request, quash_mcp_server_of(request)->ttl);
	return quash_send(request);
}
