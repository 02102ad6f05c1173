/* SPDX-License-Identifier: MIT
 * Log level and subscriptions: each client has its own, a device gets what all of them need together. */
#include "bridge_forward.h"
#include "bridge_many.h"
#include "bridge_mcp.h"
#include "bridge_text.h"

#include <stdlib.h>
#include <string.h>

enum { GIVING_MS = 10000 };

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

/* --- What is wanted */

/* The lowest that a client wants; NO_LEVEL if none has said. */
static int wanted_level(void)
{
	int wanted = NO_LEVEL;
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
		const struct client *const client = bridge.clients[i];
		if (client != NULL && !client->leaving && client->level != NO_LEVEL && (wanted == NO_LEVEL || client->level < wanted))
			wanted = client->level;
	}
	return wanted;
}

/* A subscription of a client's that this device lacks; NULL if none. As the device names it. */
static const char *missing(const struct server *s)
{
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
		const struct client *const client = bridge.clients[i];
		for (size_t k = 0; client != NULL && !client->leaving && k < client->subscriptions.count; k++) {
			const char *const uri = many_own_uri(s, client->subscriptions.at[k]);
			if (uri != NULL && !texts_has(&s->subscribed, uri))
				return uri;
		}
	}
	return NULL;
}

static bool is_wanted(const struct server *s, const char *own_uri)
{
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
		const struct client *const client = bridge.clients[i];
		for (size_t k = 0; client != NULL && !client->leaving && k < client->subscriptions.count; k++) {
			const char *const uri = many_own_uri(s, client->subscriptions.at[k]);
			if (uri != NULL && strcmp(uri, own_uri) == 0)
				return true;
		}
	}
	return false;
}

static const char *superfluous(const struct server *s)
{
	for (size_t i = 0; i < s->subscribed.count; i++) {
		if (!is_wanted(s, s->subscribed.at[i]))
			return s->subscribed.at[i];
	}
	return NULL;
}

/* --- Giving it to the device. What it refuses is not asked again before its next session. */

static void put_level(quash_writer *w, const quash_call *call)
{
	const struct server *const s = call->context;
	quash_put_object(w);
	quash_put_key(w, "level");
	quash_put_text(w, mcp_level_name(s->level));
	quash_put_end(w);
}

static void give_level(struct server *s)
{
	const int wanted = wanted_level();
	if (!s->logs || wanted == NO_LEVEL || wanted == s->level || quash_call_in_use(&s->setting))
		return;
	s->level = wanted;
	mcp_ask(s, &s->setting, "logging/setLevel", put_level, GIVING_MS);
}

static void put_uri(quash_writer *w, const quash_call *call)
{
	const struct server *const s = call->context;
	quash_put_object(w);
	quash_put_key(w, "uri");
	quash_put_text(w, s->subscription);
	quash_put_end(w);
}

static void change_subscription(struct server *s, const char *uri, bool add)
{
	free(s->subscription);
	s->subscription = text_copy(uri);
	if (s->subscription == NULL)
		return;
	if (add)
		(void)texts_add(&s->subscribed, s->subscription);
	else
		(void)texts_remove(&s->subscribed, s->subscription);
	mcp_ask(s, &s->subscribing, add ? "resources/subscribe" : "resources/unsubscribe", put_uri, GIVING_MS);
}

static void give_subscriptions(struct server *s)
{
	if (quash_call_in_use(&s->subscribing))
		return;
	const char *const fresh = missing(s), *const old = fresh == NULL ? superfluous(s) : NULL;
	if (fresh != NULL || old != NULL)
		change_subscription(s, fresh != NULL ? fresh : old, fresh != NULL);
}

/* One that has ended is free again. */
static void settle(quash_call *call)
{
	if (quash_call_in_use(call) && quash_call_has_ended(call))
		(void)quash_call_release(call);
}

void mcp_give(struct server *s)
{
	settle(&s->setting);
	settle(&s->subscribing);
	give_level(s);
	give_subscriptions(s);
}

/* --- Clients ask for it */

static bool any_logs(void)
{
	bool any = bridge.options.many_servers;
	for (unsigned i = 0; i < bridge.server_count; i++)
		any = any || bridge.servers[i]->logs;
	return any;
}

static void give_all(void)
{
	for (unsigned i = 0; i < bridge.server_count; i++) {
		if (bridge.servers[i]->phase == SERVER_READY)
			mcp_give(bridge.servers[i]);
	}
}

int32_t mcp_set_level(quash_request *request)
{
	const int level = mcp_level(quash_get(quash_params_of(request), "level"));
	if (!any_logs())
		return QUASH_METHOD_NOT_FOUND;
	if (level < 0)
		return QUASH_INVALID_PARAMS;
	client_of(request)->level = level;
	give_all();
	return quash_reply_json(request, "{}");
}

static struct server *holder_of(const char *uri)
{
	for (unsigned i = 0; i < bridge.server_count; i++) {
		const char *const own = many_own_uri(bridge.servers[i], uri);
		if (own != NULL && texts_has(&bridge.servers[i]->subscribed, own))
			return bridge.servers[i];
	}
	return NULL;
}

/* The first one is the device's to judge. */
int32_t mcp_subscribe(quash_request *request)
{
	const struct own *const own = wire_own(request);
	const quash_value uri = quash_get(quash_params_of(request), "uri");
	if (quash_kind_of(uri) != QUASH_STRING)
		return QUASH_INVALID_PARAMS;
	if (own->route != NULL || holder_of(quash_text(uri)) == NULL)
		return client_request(request);
	(void)texts_add(&client_of(request)->subscriptions, quash_text(uri));
	return quash_reply_json(request, "{}");
}

int32_t mcp_unsubscribe(quash_request *request)
{
	const quash_value uri = quash_get(quash_params_of(request), "uri");
	if (quash_kind_of(uri) != QUASH_STRING)
		return QUASH_INVALID_PARAMS;
	(void)texts_remove(&client_of(request)->subscriptions, quash_text(uri));
	give_all();
	return quash_reply_json(request, "{}");
}

/* --- Whom a notification concerns */

static quash_value subscription_of(quash_value params)
{
	return quash_member(quash_get(params, "_meta"), "io.modelcontextprotocol/subscriptionId");
}

/* The request that opened the subscription, by the id that it has on the device's line. */
static const quash_request *listener(const quash_request *note, quash_value params)
{
	int32_t id = 0;
	if (quash_int32(subscription_of(params), &id) != QUASH_NUMBER_OK || id <= 0)
		return NULL;
	return quash_forward_find(quash_peer_of(note), (uint32_t)id);
}

static bool has_live(const struct client *client, const struct server *s)
{
	quash_live live = { .request = NULL };
	while (quash_next_live(&client->wire.peer, &live)) {
		const struct own *const own = forward_of(live.request);
		if (own != NULL && own->server == s)
			return true;
	}
	return false;
}

/* A modern client gets what its own requests bring about. */
static bool concerns_log(const quash_request *note, const struct client *client)
{
	const int level = mcp_level(quash_get(quash_params_of(note), "level"));
	if (!bridge.listens)
		return true;
	if (!client->greeted)
		return has_live(client, server_of(note));
	return client->level == NO_LEVEL || level < 0 || level >= client->level;
}

static bool concerns_update(const quash_request *note, const struct client *client)
{
	const char *const uri = quash_text(quash_get(quash_params_of(note), "uri"));
	for (size_t i = 0; i < client->subscriptions.count; i++) {
		const char *const own = many_own_uri(server_of(note), client->subscriptions.at[i]);
		if (own != NULL && strcmp(own, uri) == 0)
			return true;
	}
	return false;
}

bool mcp_concerns(const quash_request *note, const struct client *client)
{
	const char *const method = quash_method_of(note)->name;
	const quash_value params = quash_params_of(note);
	if (quash_kind_of(subscription_of(params)) != QUASH_NONE) {
		const quash_request *const request = listener(note, params);
		return request != NULL && client_of(request) == client;
	}
	if (strcmp(method, "notifications/message") == 0)
		return concerns_log(note, client);
	if (strcmp(method, "notifications/resources/updated") == 0)
		return concerns_update(note, client);
	if (strstr(method, "/list_changed") != NULL)
		return client->greeted && !bridge.options.many_servers;
	return true;
}

/* --- What it holds for them */

static void put_meta(quash_writer *w, const quash_request *note, quash_value params, quash_value meta)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	const quash_request *const request = listener(note, params);
	quash_put_object(w);
	while (quash_next(meta, &cursor, &key, &value)) {
		quash_put_key_value(w, key);
		if (request != NULL && quash_is(key, "io.modelcontextprotocol/subscriptionId"))
			quash_put_id(w, request);
		else
			quash_put_value(w, value);
	}
	quash_put_end(w);
}

static void put_member(quash_writer *w, const quash_request *note, quash_value params, quash_value key, quash_value value)
{
	const struct server *const s = server_of(note);
	if (quash_is(key, "_meta") && quash_kind_of(value) == QUASH_OBJECT)
		put_meta(w, note, params, value);
	else if (quash_is(key, "uri"))
		many_put_uri(w, s, value);
	else if (quash_is(key, "logger"))
		many_put_logger(w, s, value);
	else
		quash_put_value(w, value);
}

void mcp_put_note(quash_writer *w, const quash_request *note, quash_value params)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	if (quash_kind_of(params) != QUASH_OBJECT) {
		quash_put_value(w, params);
		return;
	}
	quash_put_object(w);
	while (quash_next(params, &cursor, &key, &value)) {
		quash_put_key_value(w, key);
		put_member(w, note, params, key, value);
	}
	quash_put_end(w);
}
