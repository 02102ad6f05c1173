/* SPDX-License-Identifier: MIT
 * resources/subscribe and resources/unsubscribe, of the legacy revisions. */
#include "mcp_watch.h"

#include "../../include/quash/mcp_resources.h"

#include "mcp_inner.h"

static quash_value resource_uri(const quash_request *request)
{
	return quash_argument(request, "uri");
}

/* When it is refused: false, what to return. */
static bool open_subscription(quash_request *request, int32_t *code)
{
	*code = QUASH_DONE;
	if (!quash_mcp_open(request))
		return false;
	if (quash_mcp_is_modern(request) || quash_mcp_server_of(request)->watches == NULL)
		*code = QUASH_METHOD_NOT_FOUND;
	else if (quash_kind_of(resource_uri(request)) != QUASH_STRING)
		*code = quash_fail(request, QUASH_INVALID_PARAMS, "uri must be a string");
	else
		return true;
	return false;
}

static bool put_unknown(quash_writer *w, const quash_request *request, uint16_t index)
{
	if (index == 0) {
		quash_mcp_put_error(w, request, "Resource not found");
		quash_put_key(w, "uri");
	}
	return quash_mcp_put_named(w, request, index);
}

int32_t quash_mcp_resources_subscribe(quash_request *request)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	const quash_value uri = resource_uri(request);
	int32_t code;
	if (!open_subscription(request, &code))
		return code;
	if (!quash_mcp_holds(server, uri))
		return quash_mcp_fail_naming(request, QUASH_MCP_NO_RESOURCE, &uri, put_unknown);
	switch (quash_mcp_watch_add(server->watches, NULL, uri)) {
	case WATCH_TOO_LONG: return quash_fail(request, QUASH_INVALID_PARAMS, "uri is too long");
	case WATCH_FULL: return quash_fail(request, QUASH_BUSY, "Too many subscriptions");
	default: return quash_reply_json(request, "{}");
	}
}

int32_t quash_mcp_resources_unsubscribe(quash_request *request)
{
	int32_t code;
	if (!open_subscription(request, &code))
		return code;
	quash_mcp_watch_remove(quash_mcp_server_of(request)->watches, NULL, resource_uri(request));
	return quash_reply_json(request, "{}");
}
