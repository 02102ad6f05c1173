/* SPDX-License-Identifier: MIT
 * The table of subscriptions, and the notifications to subscribers. */
#include "mcp_watch.h"

#include "mcp_inner.h"

static char *watched_uri(const quash_mcp_watches *watches, uint8_t i)
{
	return &watches->uris[(size_t)i * ((size_t)watches->uri_size + 1)];
}

const char *quash_mcp_watch_uri(const quash_mcp_watches *watches, const quash_request *listen, uint8_t i)
{
	const quash_mcp_watch *const watch = &watches->list[i];
	return watch->taken && watch->listen == listen ? watched_uri(watches, i) : NULL;
}

/* The entry of that URI; of a NULL `uri` a free entry. `count`: there is none. */
static uint8_t find_watch(const quash_mcp_watches *watches, const quash_request *listen, const quash_value *uri)
{
	uint8_t i = 0;
	for (; i < watches->count; i++) {
		const char *const text = quash_mcp_watch_uri(watches, listen, i);
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

enum quash_mcp_watched quash_mcp_watch_add(
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

void quash_mcp_watch_remove(const quash_mcp_watches *watches, const quash_request *listen, quash_value uri)
{
	const uint8_t i = find_watch(watches, listen, &uri);
	if (i < watches->count)
		watches->list[i].taken = false;
}

void quash_mcp_watch_leave(const quash_mcp_watches *watches, const quash_request *listen)
{
	for (uint8_t i = 0; i < watches->count; i++) {
		if (watches->list[i].listen == listen)
			watches->list[i].taken = false;
	}
}

bool quash_mcp_holds(const quash_mcp_server *server, quash_value uri)
{
	for (const quash_mcp_part *const *part = server->parts; part != NULL && *part != NULL; part++) {
		if ((*part)->kind->holds != NULL && (*part)->kind->holds(*part, uri))
			return true;
	}
	return false;
}

void quash_mcp_put_subscription(quash_writer *w, const quash_request *listen)
{
	quash_put_key(w, "_meta");
	quash_put_object(w);
	quash_put_key(w, MCP_META "subscriptionId");
	quash_put_id(w, listen);
	quash_put_end(w);
}

/* --- notifications/resources/updated */

/* Peers may share a server: what is sent for a listen request is sent where that came from. */
static quash_peer *receiver(quash_peer *peer, const quash_request *listen)
{
	return listen != NULL ? quash_peer_of(listen) : peer;
}

static bool send_updated(quash_peer *peer, const quash_request *listen, const char *uri)
{
	quash_writer *const w = quash_notify(peer, "notifications/resources/updated");
	quash_put_object(w);
	if (listen != NULL)
		quash_mcp_put_subscription(w, listen);
	quash_put_member(w, "uri", uri);
	return quash_notify_is_done(peer);
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

bool quash_mcp_updated(quash_peer *peer, const quash_mcp_server *server, const char *uri)
{
	const quash_mcp_watches *const watches = server->watches;
	bool done = true;
	for (uint8_t i = 0; watches != NULL && i < watches->count; i++) {
		const quash_request *const listen = watches->list[i].listen;
		const char *const watched = quash_mcp_watch_uri(watches, listen, i);
		if (watched != NULL && quash_same_text(watched, uri) && may_send(server, listen))
			done = send_updated(receiver(peer, listen), listen, uri) && done;
	}
	return done;
}

/* --- notifications/…/list_changed */

static bool send_changed(quash_peer *peer, const quash_request *listen, const char *method)
{
	quash_writer *const w = quash_notify(peer, method);
	quash_put_object(w);
	if (listen != NULL)
		quash_mcp_put_subscription(w, listen);
	return quash_notify_is_done(peer);
}

static bool send_to_all(quash_peer *peer, const quash_mcp_session *session, uint8_t which, const char *method)
{
	bool done = session->version == NULL || send_changed(peer, NULL, method);
	for (const quash_mcp_listen *l = session->listens; l != NULL; l = l->next) {
		if ((l->wants & which) != 0 && l->acknowledged && quash_may_report(l->request))
			done = send_changed(quash_peer_of(l->request), l->request, method) && done;
	}
	return done;
}

bool quash_mcp_changed(quash_peer *peer, const quash_mcp_server *server, uint8_t which)
{
	static const char *const methods[] = { "notifications/tools/list_changed",
		"notifications/prompts/list_changed", "notifications/resources/list_changed" };
	bool done = true;
	for (uint8_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
		const uint8_t bit = (uint8_t)(1u << i);
		if ((which & server->changes & bit) != 0)
			done = send_to_all(peer, server->session, bit, methods[i]) && done;
	}
	return done;
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
