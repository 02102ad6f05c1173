/* SPDX-License-Identifier: MIT
 * Subscriptions of MCP's modern era: they are named by the id of the request that opened them, which is another one on the
 * device's line (2026-07-28 subscriptions/listen). */
#define _POSIX_C_SOURCE 200809L
#include "bridge_forward.h"
#include "bridge_mcp.h"
#include "bridge_text.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE_MS = 1000, AGAIN_MS = 2 };

static const char id_name[] = "io.modelcontextprotocol/subscriptionId";

quash_value mcp_subscription_of(quash_value params)
{
	return quash_member(quash_get(params, "_meta"), id_name);
}

void mcp_put_subscription(quash_writer *w, const quash_request *listener, quash_value meta)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	quash_put_object(w);
	while (quash_next(meta, &cursor, &key, &value)) {
		quash_put_key_value(w, key);
		if (listener != NULL && quash_is(key, id_name))
			quash_put_id(w, listener);
		else
			quash_put_value(w, value);
	}
	quash_put_end(w);
}

/* --- Its result */

static void put_result(quash_writer *w, const quash_request *request, quash_value result)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	if (quash_kind_of(result) != QUASH_OBJECT) {
		quash_put_value(w, result);
		return;
	}
	quash_put_object(w);
	while (quash_next(result, &cursor, &key, &value)) {
		quash_put_key_value(w, key);
		if (quash_is(key, "_meta") && quash_kind_of(value) == QUASH_OBJECT)
			mcp_put_subscription(w, request, value);
		else
			quash_put_value(w, value);
	}
	quash_put_end(w);
}

const quash_rewrite mcp_listen_rewrite = { NULL, NULL, put_result };

/* --- Its end by the server: a cancel that names it may come behind its answer, when nothing of it is live any more. */

static char *id_text(const quash_request *request)
{
	char *text = NULL;
	size_t size = 0;
	quash_live live = { .request = NULL };
	while (quash_next_live(quash_peer_of(request), &live) && live.request != request)
		;
	FILE *const to = live.request == request && live.id != NULL ? open_memstream(&text, &size) : NULL;
	if (to == NULL)
		return NULL;
	if (live.id_is_number)
		fprintf(to, "%.*s", (int)live.id_length, live.id);
	else
		text_put_string(to, live.id, live.id_length);
	return fclose(to) == 0 ? text : NULL;
}

void mcp_note_listener(const quash_request *request, uint32_t call)
{
	struct server *const s = forward_of(request)->server;
	if (strcmp(quash_method_of(request)->name, "subscriptions/listen") != 0)
		return;
	struct listener *const l = &s->listeners[s->next_listener++ % MOST_LISTENERS];
	free(l->id);
	l->id = id_text(request);
	l->call = call;
	l->client = client_of(request)->number;
}

static const struct listener *find(const struct server *s, quash_value id)
{
	int32_t call = 0;
	if (quash_int32(id, &call) != QUASH_NUMBER_OK || call <= 0)
		return NULL;
	for (unsigned i = 0; i < MOST_LISTENERS; i++) {
		if (s->listeners[i].id != NULL && s->listeners[i].call == (uint32_t)call)
			return &s->listeners[i];
	}
	return NULL;
}

static struct client *client_by(unsigned number)
{
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
		if (bridge.clients[i] != NULL && bridge.clients[i]->number == number)
			return bridge.clients[i];
	}
	return NULL;
}

static bool is_open(const quash_request *note, const struct listener *l)
{
	return quash_forward_find(quash_peer_of(note), l->call) != NULL;
}

static void pass_on(const struct listener *l, quash_value params)
{
	struct client *const client = client_by(l->client);
	const quash_value reason = quash_get(params, "reason");
	if (client == NULL)
		return;
	quash_writer *const w = quash_notify(&client->wire.peer, "notifications/cancelled");
	quash_put_object(w);
	quash_put_key(w, "requestId");
	quash_put_raw(w, l->id);
	if (quash_kind_of(reason) != QUASH_NONE) {
		quash_put_key(w, "reason");
		quash_put_value(w, reason);
	}
	quash_put_end(w);
	(void)quash_notify_send(&client->wire.peer);
}

int32_t mcp_listener_cancelled(quash_request *request)
{
	struct note *const note = wire_own(request);
	const quash_value params = quash_params_of(request);
	const struct listener *const l = find(server_of(request), quash_get(params, "requestId"));
	const uint32_t now = quash_now(quash_peer_of(request));
	if (l == NULL)
		return QUASH_DONE;
	if (!note->begun)
		note->since = now;
	const bool early = !note->begun || (is_open(request, l) && now - note->since < PATIENCE_MS);
	note->begun = true;
	if (early)
		return quash_wait(request, AGAIN_MS);
	pass_on(l, params);
	return QUASH_DONE;
}
