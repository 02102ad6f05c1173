/* SPDX-License-Identifier: MIT
 * MCP: what a client may ask by its era. A device judges that of its own client. Here it is judged, in the device's words, for what
 * the bridge answers itself, and for what it would ask in its session with the device. */
#include "bridge_many.h"
#include "bridge_mcp.h"
#include "quash.h"

#include <string.h>

static quash_value meta_of(const quash_request *request, const char *name)
{
	return quash_member(quash_get(quash_params_of(request), "_meta"), name);
}

bool mcp_names_version(const quash_request *request)
{
	return quash_kind_of(meta_of(request, MCP_META "protocolVersion")) != QUASH_NONE;
}

/* --- What is offered: what a device has not announced it refuses itself, in any era */

enum offer { OFFER_ALWAYS, OFFER_PROMPTS, OFFER_RESOURCES, OFFER_SUBSCRIBE, OFFER_CHANGES, OFFER_LOGS, OFFER_COMPLETIONS };

static const struct {
	const char *method;
	enum offer offer;
} in_sessions[] = {
	{ "tools/list", OFFER_ALWAYS },
	{ "tools/call", OFFER_ALWAYS },
	{ "server/discover", OFFER_ALWAYS },
	{ "prompts/list", OFFER_PROMPTS },
	{ "prompts/get", OFFER_PROMPTS },
	{ "resources/list", OFFER_RESOURCES },
	{ "resources/templates/list", OFFER_RESOURCES },
	{ "resources/read", OFFER_RESOURCES },
	{ "resources/subscribe", OFFER_SUBSCRIBE },
	{ "resources/unsubscribe", OFFER_SUBSCRIBE },
	{ "subscriptions/listen", OFFER_CHANGES },
	{ "logging/setLevel", OFFER_LOGS },
	{ "completion/complete", OFFER_COMPLETIONS },
};

static bool offers(struct bridge *b, enum offer offer)
{
	const struct device *const d = b->devices[0];
	if (b->options.many_devices)
		return offer != OFFER_CHANGES; /* to listen is not served there */
	switch (offer) {
	case OFFER_PROMPTS: return d->lists[LIST_PROMPTS];
	case OFFER_RESOURCES: return d->lists[LIST_RESOURCES];
	case OFFER_SUBSCRIBE: return d->subscribes;
	case OFFER_CHANGES: return d->changes;
	case OFFER_LOGS: return d->logs;
	case OFFER_COMPLETIONS: return d->completes;
	default: return true;
	}
}

static bool is_offered(const quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const char *const method = quash_method_of(request)->name;
	for (size_t i = 0; i < sizeof in_sessions / sizeof in_sessions[0]; i++) {
		if (strcmp(in_sessions[i].method, method) == 0)
			return offers(b, in_sessions[i].offer);
	}
	return false;
}

bool mcp_is_unannounced(const quash_request *request)
{
	return client_of(request)->greeted && !mcp_names_version(request) && !is_offered(request);
}

/* --- The modern era */

static const char *const levels[] = { "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency" };
enum { LEVELS = sizeof levels / sizeof levels[0] };

int mcp_level(quash_value name)
{
	int i = LEVELS - 1;
	while (i >= 0 && !quash_is(name, levels[i]))
		i--;
	return i;
}

const char *mcp_level_name(int level)
{
	return level >= 0 && level < LEVELS ? levels[level] : "";
}

static void put_unsupported(quash_writer *w, const quash_request *request)
{
	quash_put_object(w);
	quash_put_key(w, "code");
	quash_put_int(w, QUASH_MCP_UNSUPPORTED);
	quash_put_key(w, "message");
	quash_put_text(w, "Unsupported protocol version");
	quash_put_key(w, "data");
	quash_put_object(w);
	quash_put_key(w, "supported");
	quash_put_raw(w, "[\"" QUASH_MCP_MODERN_VERSION "\"]");
	quash_put_key(w, "requested");
	quash_put_value(w, meta_of(request, MCP_META "protocolVersion"));
	quash_put_end(w);
	quash_put_end(w);
}

static bool is_level(quash_value level)
{
	return quash_kind_of(level) == QUASH_NONE || mcp_level(level) >= 0;
}

/* NULL, or what is wrong. */
static const char *find_wrong_meta(const quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	if (quash_kind_of(meta_of(request, MCP_META "protocolVersion")) != QUASH_STRING)
		return "protocolVersion must be a string";
	if (quash_kind_of(meta_of(request, MCP_META "clientCapabilities")) != QUASH_OBJECT)
		return "Missing _meta " MCP_META "clientCapabilities";
	if (offers(b, OFFER_LOGS) && !is_level(meta_of(request, MCP_META "logLevel")))
		return "_meta " MCP_META "logLevel must be a log level";
	return NULL;
}

static bool opens_modern(quash_request *request, int32_t *verdict)
{
	const quash_value version = meta_of(request, MCP_META "protocolVersion");
	const char *const wrong = find_wrong_meta(request);
	if (quash_kind_of(version) == QUASH_STRING && !quash_is(version, QUASH_MCP_MODERN_VERSION))
		*verdict = quash_fail_as(request, QUASH_MCP_UNSUPPORTED, put_unsupported);
	else if (wrong != NULL)
		*verdict = quash_fail_literal(request, QUASH_INVALID_PARAMS, wrong);
	else
		return true;
	return false;
}

/* --- Both */

static int32_t code_of_no_resource(const quash_request *request)
{
	return mcp_names_version(request) ? QUASH_INVALID_PARAMS : QUASH_MCP_NO_RESOURCE;
}

static void put_no_resource(quash_writer *w, const quash_request *request)
{
	quash_put_object(w);
	quash_put_key(w, "code");
	quash_put_int(w, code_of_no_resource(request));
	quash_put_key(w, "message");
	quash_put_text(w, "Resource not found");
	quash_put_key(w, "data");
	quash_put_object(w);
	quash_put_key(w, "uri");
	quash_put_value(w, quash_get(quash_params_of(request), "uri"));
	quash_put_end(w);
	quash_put_end(w);
}

int32_t mcp_no_resource(quash_request *request)
{
	return quash_fail_as(request, code_of_no_resource(request), put_no_resource);
}

int32_t mcp_lacks_version(quash_request *request)
{
	return quash_fail_literal(request, QUASH_INVALID_PARAMS, "Missing _meta " MCP_META "protocolVersion");
}

bool mcp_opens(quash_request *request, int32_t *verdict)
{
	if (mcp_names_version(request))
		return opens_modern(request, verdict);
	if (client_of(request)->greeted)
		return true;
	*verdict = quash_fail_literal(request, QUASH_INVALID_PARAMS, "No initialize. Missing _meta " MCP_META "protocolVersion");
	return false;
}

/* What a device is not known to offer goes to it. It judges modern requests too: it may speak a revision that the bridge does not. */
bool mcp_admits(quash_request *request, int32_t *verdict)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const bool passes = mcp_names_version(request) && !b->options.many_devices;
	return passes || !is_offered(request) || mcp_opens(request, verdict);
}

/* A client that the bridge has greeted in place of its device was told of what that may lack. */
bool mcp_opens_legacy(quash_request *request, int32_t *verdict)
{
	*verdict = QUASH_METHOD_NOT_FOUND;
	if (!is_offered(request) && !(client_of(request)->alone && !mcp_names_version(request)))
		return false;
	if (!mcp_opens(request, verdict))
		return false;
	*verdict = QUASH_METHOD_NOT_FOUND;
	return !mcp_names_version(request);
}
