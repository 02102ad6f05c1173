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

static void put_unsupported(quash_writer *w, const quash_request *request)
{
	quash_put_object(w);
	quash_put_key(w, "supported");
	put_versions(w);
	quash_put_key(w, "requested");
	quash_put_value(w, quash_mcp_meta(request, META_VERSION));
}

static bool open_parts_of(quash_request *request)
{
	const struct quash_mcp_machine *const machine = quash_mcp_machine_of(quash_mcp_server_of(request));
	return machine == NULL || machine->open(request, quash_argument(request, "_meta"));
}

/* What stands in `_meta` decides; a request is refused as the modern revision wants it. */
static bool open_modern(quash_request *request, quash_value version)
{
	const char *missing;
	if (quash_value_kind(&version) != QUASH_STRING) {
		missing = "_meta " META_VERSION " must be a string";
	} else if (!quash_value_is(&version, QUASH_MCP_MODERN_VERSION)) {
		(void)quash_fail_data(
			request, QUASH_MCP_UNSUPPORTED, "Unsupported protocol version", put_unsupported);
		return false;
	} else if (quash_kind_of(quash_mcp_meta(request, CAPABILITIES)) != QUASH_OBJECT) {
		missing = "Missing _meta " CAPABILITIES;
	} else {
		return open_parts_of(request);
	}
	(void)quash_fail_literal(request, QUASH_INVALID_PARAMS, missing);
	return false;
}

bool quash_mcp_open(quash_request *request)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	const quash_value version = quash_mcp_meta(request, META_VERSION);
	if (slot == NULL)
		return quash_mcp_no_room(request);
	if (quash_value_kind(&version) != QUASH_NONE) {
		slot->call.marks |= MCP_MODERN;
		return open_modern(request, version);
	}
	if (quash_mcp_server_of(request)->session->version != NULL)
		return true;
	(void)quash_fail(request, QUASH_INVALID_PARAMS, "Missing initialize, or _meta " META_VERSION);
	return false;
}

void quash_mcp_put_cache(quash_writer *w, const quash_request *request, uint32_t ttl)
{
	if (!quash_mcp_is_modern(request))
		return;
	quash_put_key(w, "ttlMs");
	quash_put_uint(w, ttl);
	quash_put_member(w, "cacheScope", "public");
}

static void put_discovered(quash_writer *w, const quash_request *request)
{
	quash_mcp_begin(w, request);
	quash_put_key(w, "supportedVersions");
	put_versions(w);
	quash_mcp_put_offer(w, request);
	quash_mcp_put_cache(w, request, quash_mcp_server_of(request)->ttl);
}

int32_t quash_mcp_server_discover(quash_request *request)
{
	if (!quash_mcp_open(request))
		return QUASH_DONE;
	if (!quash_mcp_is_modern(request))
		return quash_fail(request, QUASH_INVALID_PARAMS, "Missing _meta " META_VERSION);
	return quash_reply(request, put_discovered);
}
