/* SPDX-License-Identifier: MIT
 * resources/subscribe and resources/unsubscribe, of the legacy revisions. */
#include "mcp_watch.h"

#include "../../include/quash/mcp_resources.h"

#include "mcp_inner.h"

/* QUASH_PENDING: it goes on. */
static int32_t check_subscription(quash_request *request, quash_value params)
{
	const quash_value uri = quash_member(params, "uri");
	int32_t code;
	if (!quash_mcp_open(request, params, &code))
		return code;
	if (quash_mcp_slot_of(request)->call.modern || quash_mcp_server_of(request)->watches == NULL)
		return QUASH_METHOD_NOT_FOUND;
	if (quash_kind_of(uri) != QUASH_STRING)
		return quash_fail(request, QUASH_INVALID_PARAMS, "uri must be a string");
	return QUASH_PENDING;
}

static int32_t done(quash_request *request)
{
	(void)quash_mcp_begin(request);
	return quash_send(request);
}

static int32_t refuse(quash_request *request, quash_value uri)
{
	quash_writer *const w = quash_error_reply(request, QUASH_MCP_NO_RESOURCE, "Resource not found");
	quash_put_object(w);
	quash_put_key(w, "uri");
	quash_put_value(w, uri);
	return quash_send(request);
}

int32_t quash_mcp_subscribe(quash_request *request, quash_value params)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	const quash_value uri = quash_member(params, "uri");
	const int32_t code = check_subscription(request, params);
	if (code != QUASH_PENDING)
		return code;
	if (!quash_mcp_holds(server, uri))
		return refuse(request, uri);
	switch (quash_mcp_watch_add(server->watches, NULL, uri)) {
	case WATCH_TOO_LONG: return quash_fail(request, QUASH_INVALID_PARAMS, "uri is too long");
	case WATCH_FULL: return quash_fail(request, QUASH_BUSY, "Too many subscriptions");
	default: return done(request);
	}
}

int32_t quash_mcp_unsubscribe(quash_request *request, quash_value params)
{
	const int32_t code = check_subscription(request, params);
	if (code != QUASH_PENDING)
		return code;
	quash_mcp_watch_remove(quash_mcp_server_of(request)->watches, NULL, quash_member(params, "uri"));
	return done(request);
}
