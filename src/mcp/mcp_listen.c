/* SPDX-License-Identifier: MIT
 * subscriptions/listen, of the modern revision. */
#include "mcp_watch.h"

#include "mcp_inner.h"

/* The members of `notifications`, in the order of the bits QUASH_MCP_TOOLS_CHANGE ... */
static const char *const filter_names[] = { "toolsListChanged", "promptsListChanged", "resourcesListChanged" };
enum { NAMES = sizeof filter_names / sizeof filter_names[0] };
#define RESOURCES "resourceSubscriptions"

static quash_mcp_listen *listen_of(quash_request *request)
{
	return (quash_mcp_listen *)(void *)(quash_mcp_slot_of(request) + 1);
}

/* --- Beginning */

static uint8_t read_wants(const quash_mcp_server *server, quash_value filter)
{
	uint8_t wants = 0;
	for (uint8_t i = 0; i < NAMES; i++) {
		if (quash_kind_of(quash_member(filter, filter_names[i])) == QUASH_TRUE)
			wants = (uint8_t)(wants | 1u << i);
	}
	return wants & server->changes;
}

/* What finds no room, or is no resource, is left out. */
static void add_watches(const quash_request *request, quash_value uris)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	quash_value cursor = { NULL, 0, 0 };
	quash_value uri;
	if (quash_kind_of(uris) != QUASH_ARRAY || server->watches == NULL)
		return;
	while (quash_next(uris, &cursor, NULL, &uri)) {
		if (quash_kind_of(uri) == QUASH_STRING && quash_mcp_holds(server, uri))
			(void)quash_mcp_watch_add(server->watches, request, uri);
	}
}

static void put_watches(quash_writer *w, const quash_request *request)
{
	const quash_mcp_watches *const watches = quash_mcp_server_of(request)->watches;
	quash_put_key(w, RESOURCES);
	quash_put_array(w);
	for (uint8_t i = 0; watches != NULL && i < watches->count; i++) {
		const char *const uri = quash_mcp_watch_uri(watches, request, i);
		if (uri != NULL)
			quash_put_text(w, uri);
	}
	quash_put_end(w);
}

static int32_t acknowledge(quash_request *request, quash_value filter)
{
	quash_mcp_listen *const l = listen_of(request);
	quash_peer *const peer = quash_peer_of(request);
	quash_writer *const w = quash_notify(peer, "notifications/subscriptions/acknowledged");
	quash_put_object(w);
	quash_mcp_put_subscription(w, request);
	quash_put_key(w, "notifications");
	quash_put_object(w);
	for (uint8_t i = 0; i < NAMES; i++) {
		if ((l->wants & 1u << i) == 0)
			continue;
		quash_put_key(w, filter_names[i]);
		quash_put_bool(w, true);
	}
	if (quash_kind_of(quash_member(filter, RESOURCES)) == QUASH_ARRAY)
		put_watches(w, request);
	const int32_t code = quash_notify_send(peer);
	l->acknowledged = code == QUASH_DONE;
	return code;
}

static void join(quash_request *request)
{
	quash_mcp_session *const session = quash_mcp_server_of(request)->session;
	quash_mcp_listen *const l = listen_of(request);
	if (l->request != NULL)
		return;
	l->request = request;
	l->next = session->listens;
	session->listens = l;
}

/* QUASH_PENDING: it is open. */
static int32_t begin_listen(quash_request *request, quash_value params)
{
	const quash_value filter = quash_member(params, "notifications");
	int32_t code;
	if (!quash_mcp_open(request, params, &code))
		return code;
	if (!quash_mcp_slot_of(request)->call.modern)
		return QUASH_METHOD_NOT_FOUND;
	if (quash_kind_of(filter) != QUASH_OBJECT)
		return quash_fail(request, QUASH_INVALID_PARAMS, "notifications must be an object");
	if (!quash_mcp_has_room(request, sizeof(quash_mcp_listen)))
		return QUASH_INTERNAL_ERROR;
	join(request);
	listen_of(request)->wants = read_wants(quash_mcp_server_of(request), filter);
	add_watches(request, quash_member(filter, RESOURCES));
	code = acknowledge(request, filter);
	return code == QUASH_DONE ? QUASH_PENDING : code;
}

/* --- Ending */

/* The result comes first, as clients take it for an orderly end, and what follows an answer for nothing. */
static int32_t finish(quash_request *request)
{
	quash_peer *const peer = quash_peer_of(request);
	quash_writer *w = quash_mcp_begin_meta(request);
	quash_put_key(w, MCP_META "subscriptionId");
	quash_put_id(w, request);
	const int32_t code = quash_send(request);
	if (code != QUASH_DONE)
		return code;
	w = quash_notify(peer, "notifications/cancelled");
	quash_put_object(w);
	quash_put_key(w, "requestId");
	quash_put_id(w, request);
	(void)quash_notify_send(peer);
	return code;
}

static bool is_open(quash_request *request)
{
	const quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	return slot != NULL && quash_mcp_has_room(request, sizeof(quash_mcp_listen)) &&
		listen_of(request)->acknowledged;
}

int32_t quash_mcp_serve_listen(quash_request *request, quash_value params)
{
	const quash_cause cause = quash_cancelled(request);
	const bool open = is_open(request);
	if (cause == QUASH_BY_OTHER_SIDE || cause == QUASH_BY_LINK || (cause != QUASH_NOT_CANCELLED && !open))
		return QUASH_CANCELLED;
	if (cause != QUASH_NOT_CANCELLED)
		return finish(request);
	if (!open) {
		const int32_t code = begin_listen(request, params);
		if (code != QUASH_PENDING)
			return code;
	}
	return quash_wait(request, UINT32_MAX);
}

void quash_mcp_listen_end(quash_request *request)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	quash_mcp_listen **at = &server->session->listens;
	while (*at != NULL && (*at)->request != request)
		at = &(*at)->next;
	if (*at != NULL)
		*at = (*at)->next;
	if (server->watches != NULL)
		quash_mcp_watch_leave(server->watches, request);
}

void quash_mcp_end_listens(const quash_mcp_server *server)
{
	for (quash_mcp_listen *l = server->session->listens; l != NULL; l = l->next)
		quash_cancel(l->request);
}
