/* SPDX-License-Identifier: MIT */
#include "mcp_inner.h"

#define CAPABILITIES MCP_META "clientCapabilities"

QUASH_OUTLINED_ static void put_versions(quash_writer *w)
{
	quash_put_array(w);
	quash_put_text(w, QUASH_MCP_MODERN_VERSION);
	quash_put_end(w);
}

static bool put_unsupported(quash_writer *w, const quash_request *request, uint16_t index)
{
	if (index == 0) {
		quash_mcp_put_error(w, request, "Unsupported protocol version");
		quash_put_key(w, "supported");
		put_versions(w);
		quash_put_key(w, "requested");
	}
	return quash_mcp_put_named(w, request, index);
}

static bool refuse(quash_request *request, const char *words)
{
	(void)quash_fail_literal(request, QUASH_INVALID_PARAMS, words);
	return false;
}

/* The refusals are those of the modern revision. */
static bool open_modern(quash_request *request)
{
	const struct quash_mcp_machine *const machine = quash_mcp_machine_of(quash_mcp_server_of(request));
	const quash_value version = quash_mcp_meta(request, MCP_META_VERSION);
	const quash_value capabilities = quash_mcp_meta(request, CAPABILITIES);
	quash_mcp_slot_of(request)->call.marks |= MCP_MODERN;
	if (quash_value_kind(&version) != QUASH_STRING)
		return refuse(request, "protocolVersion must be a string");
	if (!quash_value_is(&version, QUASH_MCP_MODERN_VERSION)) {
		(void)quash_mcp_fail_naming(request, QUASH_MCP_UNSUPPORTED, &version, put_unsupported);
		return false;
	}
	if (quash_value_kind(&capabilities) != QUASH_OBJECT)
		return refuse(request, "Missing _meta " CAPABILITIES);
	return machine == NULL || machine->open(request);
}

static void put_modern_begin(quash_writer *w, const quash_request *request)
{
	quash_put_member(w, "resultType", "complete");
	quash_put_key(w, "_meta");
	quash_put_object(w);
	quash_put_key(w, MCP_META "serverInfo");
	quash_mcp_put_info(w, quash_mcp_server_of(request));
}

static void put_modern_cache(quash_writer *w, uint32_t ttl)
{
	quash_put_key(w, "ttlMs");
	quash_put_uint(w, ttl);
	quash_put_member(w, "cacheScope", "public");
}

static const quash_keep modern_keeps[] = { { MCP_KEPT_META("protocolVersion"), 0, false },
	{ MCP_KEPT_CLIENT, 0, true } };

const struct quash_mcp_modern_code quash_mcp_modern = { open_modern, put_modern_begin, put_modern_cache, modern_keeps,
	sizeof modern_keeps / sizeof modern_keeps[0] };

static void put_discovered(quash_writer *w, const quash_request *request)
{
	quash_mcp_begin(w, request);
	quash_put_key(w, "supportedVersions");
	put_versions(w);
	quash_mcp_put_offer(w, request);
	quash_mcp_put_cache(w, request, quash_mcp_server_of(request)->ttl);
}

int32_t quash_mcp_server_discover_(quash_request *request)
{
	if (!quash_mcp_open(request))
		return QUASH_DONE;
	if (!quash_mcp_is_modern(request))
		return quash_fail(request, QUASH_INVALID_PARAMS, "Missing _meta " MCP_META_VERSION);
	return quash_reply(request, put_discovered);
}
