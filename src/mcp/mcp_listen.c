/* SPDX-License-Identifier: MIT
 * Subscriptions: their table, resources/subscribe of the legacy revisions, subscriptions/listen of the modern one, and
 * the notifications to subscribers. */
#include "../../include/quash/mcp_listen.h"
#include "../../include/quash/mcp_resources.h"
#include "mcp_inner.h"

/* --- The table of subscriptions. Each belongs to a listen request, or to resources/subscribe: then `listen` is
 * NULL. */

enum watched { WATCHED, WATCH_TOO_LONG, WATCH_FULL };

static char *watched_uri(const quash_mcp_watches *watches, uint8_t i)
{
	return &watches->uris[(size_t)i * ((size_t)watches->uri_size + 1)];
}

/* The URI of entry `i`. NULL: the entry is free or belongs to another one. */
static const char *watch_uri(const quash_mcp_watches *watches, const quash_request *listen, uint8_t i)
{
	const quash_mcp_watch *const watch = &watches->list[i];
	return watch->taken && watch->listen == listen ? watched_uri(watches, i) : NULL;
}

/* The entry of that URI; of a NULL `uri` a free entry. `count`: there is none. */
static uint8_t find_watch(const quash_mcp_watches *watches, const quash_request *listen, const quash_value *uri)
{
	uint8_t i = 0;
	for (; i < watches->count; i++) {
		const char *const text = watch_uri(watches, listen, i);
		if (uri != NULL ? text != NULL && quash_is(*uri, text) : !watches->list[i].taken)
			break;
	}
	return i;
}

static bool has_nul(const char *text, size_t length)
{
	size_t i = 0;
	while (i < length && text[i] != '\0')
		i++;
	return i < length;
}

/* Adds the URI to the table, once. */
static enum watched watch_add(
	const quash_mcp_watches *watches, const quash_request *listen, quash_value uri)
{
	const char *const text = quash_text(uri);
	const size_t length = quash_length(uri);
	if (length > watches->uri_size || has_nul(text, length))
		return WATCH_TOO_LONG;
	if (find_watch(watches, listen, &uri) < watches->count)
		return WATCHED;
	const uint8_t i = find_watch(watches, listen, NULL);
	if (i == watches->count)
		return WATCH_FULL;
	for (size_t n = 0; n <= length; n++)
		watched_uri(watches, i)[n] = text[n];
	watches->list[i].listen = listen;
	watches->list[i].taken = true;
	return WATCHED;
}

static void watch_remove(const quash_mcp_watches *watches, const quash_request *listen, quash_value uri)
{
	const uint8_t i = find_watch(watches, listen, &uri);
	if (i < watches->count)
		watches->list[i].taken = false;
}

/* Removes all subscriptions of a listen request. */
static void watch_leave(const quash_mcp_watches *watches, const quash_request *listen)
{
	for (uint8_t i = 0; i < watches->count; i++) {
		if (watches->list[i].listen == listen)
			watches->list[i].taken = false;
	}
}

/* True if a part of the server has that resource. */
static bool has_resource(const quash_mcp_server *server, quash_value uri)
{
	for (const quash_mcp_part *const *part = server->parts; part != NULL && *part != NULL; part++) {
		if ((*part)->kind->holds != NULL && (*part)->kind->holds(*part, uri))
			return true;
	}
	return false;
}

/* Puts `_meta` with the id of the listen request that a notification is for. */
static void put_subscription(quash_writer *w, const quash_request *listen)
{
	quash_put_key(w, "_meta");
	quash_put_object(w);
	quash_put_key(w, MCP_META "subscriptionId");
	quash_put_id(w, listen);
	quash_put_end(w);
}

/* --- resources/subscribe and resources/unsubscribe */

/* False: the request is refused, and `*code` is what its handler returns. */
static bool open_subscription(quash_request *request, int32_t *code)
{
	*code = QUASH_DONE;
	if (!quash_mcp_open(request))
		return false;
	if (quash_mcp_is_modern(request) || quash_mcp_server_of(request)->watches == NULL)
		*code = QUASH_METHOD_NOT_FOUND;
	else if (quash_kind_of(quash_argument(request, "uri")) != QUASH_STRING)
		*code = quash_fail(request, QUASH_INVALID_PARAMS, "uri must be a string");
	else
		return true;
	return false;
}

int32_t quash_mcp_resources_subscribe_(quash_request *request)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	const quash_value uri = quash_argument(request, "uri");
	int32_t code;
	if (!open_subscription(request, &code))
		return code;
	if (!has_resource(server, uri))
		return quash_mcp_no_resource(request);
	switch (watch_add(server->watches, NULL, uri)) {
	case WATCH_TOO_LONG: return quash_fail(request, QUASH_INVALID_PARAMS, "uri is too long");
	case WATCH_FULL: return quash_fail(request, QUASH_BUSY, "Too many subscriptions");
	default: return quash_reply_json(request, "{}");
	}
}

int32_t quash_mcp_resources_unsubscribe_(quash_request *request)
{
	int32_t code;
	if (!open_subscription(request, &code))
		return code;
	watch_remove(quash_mcp_server_of(request)->watches, NULL, quash_argument(request, "uri"));
	return quash_reply_json(request, "{}");
}

/* --- subscriptions/listen begins */

/* The members of `notifications`, in the order of the bits QUASH_MCP_TOOLS_CHANGE ... */
static const char *const filter_names[] = { "toolsListChanged", "promptsListChanged", "resourcesListChanged" };
enum { NAMES = sizeof filter_names / sizeof filter_names[0] };
#define RESOURCES "resourceSubscriptions"

static uint8_t read_wants(const quash_mcp_server *server, quash_value filter)
{
	uint8_t wants = 0;
	for (uint8_t i = 0; i < NAMES; i++) {
		if (quash_kind_of(quash_member(filter, filter_names[i])) == QUASH_TRUE)
			wants = (uint8_t)(wants | 1u << i);
	}
	return wants & server->changes;
}

/* A URI that names no resource, or finds no room, is left out: the acknowledgement then does not list it. */
static void add_watches(const quash_request *request, quash_value uris)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	quash_value cursor = { NULL, 0, 0 };
	quash_value uri;
	if (quash_value_kind(&uris) != QUASH_ARRAY || server->watches == NULL)
		return;
	while (quash_next(uris, &cursor, NULL, &uri)) {
		if (quash_value_kind(&uri) == QUASH_STRING && has_resource(server, uri))
			(void)watch_add(server->watches, request, uri);
	}
}

static void put_watches(quash_writer *w, const quash_request *request)
{
	const quash_mcp_watches *const watches = quash_mcp_server_of(request)->watches;
	quash_put_key(w, RESOURCES);
	quash_put_array(w);
	for (uint8_t i = 0; watches != NULL && i < watches->count; i++) {
		const char *const uri = watch_uri(watches, request, i);
		if (uri != NULL)
			quash_put_text(w, uri);
	}
	quash_put_end(w);
}

static void put_wants(quash_writer *w, uint8_t wants)
{
	for (uint8_t i = 0; i < NAMES; i++) {
		if ((wants & 1u << i) == 0)
			continue;
		quash_put_key(w, filter_names[i]);
		quash_put_bool(w, true);
	}
}

/* False: TX has no room for it now. */
static bool acknowledge(const quash_request *request, const quash_mcp_listen *l, quash_value filter)
{
	quash_peer *const peer = quash_peer_of(request);
	quash_writer *const w = quash_notify(peer, "notifications/subscriptions/acknowledged");
	quash_put_object(w);
	put_subscription(w, request);
	quash_put_key(w, "notifications");
	quash_put_object(w);
	put_wants(w, l->wants);
	if (quash_kind_of(quash_member(filter, RESOURCES)) == QUASH_ARRAY)
		put_watches(w, request);
	return quash_notify_send(peer);
}

static void join(quash_request *request, quash_mcp_listen *l)
{
	quash_mcp_session *const session = quash_mcp_server_of(request)->session;
	if (l->request != NULL)
		return;
	l->request = request;
	l->next = session->listens;
	session->listens = l;
}

/* False: the request is refused, and `*code` is what its handler returns. */
static bool open_listen(quash_request *request, int32_t *code)
{
	const quash_value filter = quash_argument(request, "notifications");
	*code = QUASH_DONE;
	if (!quash_mcp_open(request))
		return false;
	*code = QUASH_PENDING;
	if (!quash_mcp_is_modern(request))
		*code = QUASH_METHOD_NOT_FOUND;
	else if (quash_value_kind(&filter) != QUASH_OBJECT)
		*code = quash_fail(request, QUASH_INVALID_PARAMS, "notifications must be an object");
	return *code == QUASH_PENDING;
}

/* Called again until TX takes the acknowledgement, which is the first message that the client receives for its
 * request. */
static int32_t begin_listen(quash_request *request, quash_mcp_listen *l)
{
	const quash_value filter = quash_argument(request, "notifications");
	int32_t code;
	if (!open_listen(request, &code))
		return code;
	join(request, l);
	l->wants = read_wants(quash_mcp_server_of(request), filter);
	add_watches(request, quash_member(filter, RESOURCES));
	l->acknowledged = acknowledge(request, l, filter);
	if (l->acknowledged)
		quash_release_params(request);
	return l->acknowledged || quash_notify_fits(quash_peer_of(request)) ? QUASH_PENDING : QUASH_TOO_LARGE;
}

/* --- subscriptions/listen ends */

/* The cause is on this side, so the client gets an answer. */
static bool ends_in_order(const quash_request *request)
{
	switch (quash_cancelled(request)) {
	case QUASH_NOT_CANCELLED:
	case QUASH_BY_OTHER_SIDE:
	case QUASH_BY_SESSION:
	case QUASH_BY_LINK: return false;
	default: return true;
	}
}

static void put_listen_end(quash_writer *w, const quash_request *request)
{
	quash_mcp_begin_meta(w, request);
	quash_put_key(w, MCP_META "subscriptionId");
	quash_put_id(w, request);
}

int32_t quash_mcp_subscriptions_listen_(quash_request *request)
{
	quash_mcp_listen *const l = quash_mcp_state(request, sizeof *l);
	if (l == NULL)
		return QUASH_INTERNAL_ERROR;
	if (l->acknowledged && ends_in_order(request))
		return quash_reply(request, put_listen_end);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (l->acknowledged)
		return quash_wait(request, INT32_MAX);
	const int32_t code = begin_listen(request, l);
	return code == QUASH_PENDING && l->acknowledged ? quash_wait(request, INT32_MAX) : code;
}

static void leave(const quash_request *request)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	quash_mcp_listen **at = &server->session->listens;
	while (*at != NULL && (*at)->request != request)
		at = &(*at)->next;
	if (*at != NULL)
		*at = (*at)->next;
	if (server->watches != NULL)
		watch_leave(server->watches, request);
}

static quash_mcp_sent send_cancelled(const quash_request *request)
{
	quash_peer *const peer = quash_peer_of(request);
	quash_writer *const w = quash_notify(peer, "notifications/cancelled");
	quash_put_object(w);
	quash_put_key(w, "requestId");
	quash_put_id(w, request);
	return quash_mcp_send(peer);
}

/* The result comes first: clients take it for an orderly end, and ignore what follows an answer. */
int32_t quash_mcp_subscriptions_end_(quash_request *request)
{
	const quash_mcp_listen *const l = quash_mcp_const_state(request, sizeof *l);
	leave(request);
	if (l == NULL || !l->acknowledged || !ends_in_order(request))
		return QUASH_DONE;
	return send_cancelled(request) != QUASH_MCP_NO_ROOM ? QUASH_DONE : QUASH_PENDING;
}

void quash_mcp_end_listens(const quash_mcp_server *server)
{
	for (const quash_mcp_listen *l = server->session->listens; l != NULL; l = l->next)
		quash_cancel(l->request);
}

/* What is said of several. */
static quash_mcp_sent first_of(quash_mcp_sent a, quash_mcp_sent b)
{
	return a < b ? a : b;
}

/* --- notifications/resources/updated */

/* Peers may share a server: what is sent for a listen request is sent where that came from. */
static quash_peer *receiver(quash_peer *peer, const quash_request *listen)
{
	return listen != NULL ? quash_peer_of(listen) : peer;
}

static quash_mcp_sent send_updated(quash_peer *peer, const quash_request *listen, const char *uri)
{
	quash_writer *const w = quash_notify(peer, "notifications/resources/updated");
	quash_put_object(w);
	if (listen != NULL)
		put_subscription(w, listen);
	quash_put_member(w, "uri", uri);
	return quash_mcp_send(peer);
}

static bool may_send(const quash_mcp_server *server, const quash_request *listen)
{
	const quash_mcp_listen *l = server->session->listens;
	if (listen == NULL)
		return server->session->version != NULL;
	while (l != NULL && l->request != listen)
		l = l->next;
	return l != NULL && l->acknowledged && quash_may_report(listen);
}

quash_mcp_sent quash_mcp_updated(quash_peer *peer, const quash_mcp_server *server, const char *uri)
{
	const quash_mcp_watches *const watches = server->watches;
	quash_mcp_sent sent = QUASH_MCP_UNWANTED;
	for (uint8_t i = 0; watches != NULL && i < watches->count; i++) {
		const quash_request *const listen = watches->list[i].listen;
		const char *const watched = watch_uri(watches, listen, i);
		if (watched != NULL && quash_same_text(watched, uri) && may_send(server, listen))
			sent = first_of(sent, send_updated(receiver(peer, listen), listen, uri));
	}
	return sent;
}

/* --- notifications/…/list_changed */

static quash_mcp_sent send_changed(quash_peer *peer, const quash_request *listen, const char *method)
{
	quash_writer *const w = quash_notify(peer, method);
	quash_put_object(w);
	if (listen != NULL)
		put_subscription(w, listen);
	return quash_mcp_send(peer);
}

static quash_mcp_sent send_to_all(quash_peer *peer, const quash_mcp_session *session, uint8_t which, const char *method)
{
	quash_mcp_sent sent = session->version != NULL ? send_changed(peer, NULL, method) : QUASH_MCP_UNWANTED;
	for (const quash_mcp_listen *l = session->listens; l != NULL; l = l->next) {
		if ((l->wants & which) != 0 && l->acknowledged && quash_may_report(l->request))
			sent = first_of(sent, send_changed(quash_peer_of(l->request), l->request, method));
	}
	return sent;
}

quash_mcp_sent quash_mcp_changed(quash_peer *peer, const quash_mcp_server *server, uint8_t which)
{
	static const char *const methods[] = { "notifications/tools/list_changed",
		"notifications/prompts/list_changed", "notifications/resources/list_changed" };
	quash_mcp_sent sent = QUASH_MCP_UNWANTED;
	for (uint8_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
		const uint8_t bit = (uint8_t)(1u << i);
		if ((which & server->changes & bit) != 0)
			sent = first_of(sent, send_to_all(peer, server->session, bit, methods[i]));
	}
	return sent;
}

/* Answers of these methods read a list while they are written. */
static bool reads_lists(const char *method)
{
	static const char *const readers[] = { "initialize", "server/discover", "tools/list", "prompts/list",
		"resources/list", "resources/templates/list", "completion/complete" };
	enum { READERS = sizeof readers / sizeof readers[0] };
	uint8_t i = 0;
	while (i < READERS && !quash_same_text(method, readers[i]))
		i++;
	return i < READERS;
}

bool quash_mcp_may_change(const quash_peer *peer)
{
	quash_live live = { .request = NULL };
	while (quash_next_live(peer, &live)) {
		if (reads_lists(live.method))
			return false;
	}
	return true;
}
