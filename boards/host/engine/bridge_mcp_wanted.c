/* SPDX-License-Identifier: MIT
 * MCP: log level and subscriptions. Each client has its own, a device gets what all of them need together. */
#include "bridge_forward.h"
#include "bridge_many.h"
#include "bridge_mcp.h"
#include "bridge_server.h"
#include "text.h"

#include <string.h>

enum { GIVING_MS = 10000 };

/* --- What is wanted */

/* The lowest that a client wants; NO_LEVEL if none has set one. */
static int wanted_level(struct bridge *b)
{
	int wanted = NO_LEVEL;
	for (unsigned i = 0; i < b->client_places; i++) {
		const struct client *const client = b->clients[i];
		if (client != NULL && !client->leaving && client->level != NO_LEVEL && (wanted == NO_LEVEL || client->level < wanted))
			wanted = client->level;
	}
	return wanted;
}

/* A subscription of a client's that this device lacks; NULL if none. As the device names it. */
static const char *missing(const struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	for (unsigned i = 0; i < b->client_places; i++) {
		const struct client *const client = b->clients[i];
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
	struct bridge *const b = s->wire.bridge;
	for (unsigned i = 0; i < b->client_places; i++) {
		const struct client *const client = b->clients[i];
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
	struct bridge *const b = s->wire.bridge;
	const int wanted = wanted_level(b);
	if (!s->logs || wanted == NO_LEVEL || wanted == s->level || quash_call_in_use(&s->setting))
		return;
	s->level = wanted;
	server_ask(s, &s->setting, "logging/setLevel", put_level, GIVING_MS);
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
	struct bridge *const b = s->wire.bridge;
	heap_free(&b->heap, s->subscription);
	s->subscription = text_copy(&b->heap, uri);
	if (s->subscription == NULL)
		return;
	if (add)
		(void)texts_add(&s->subscribed, s->subscription);
	else
		(void)texts_remove(&s->subscribed, s->subscription);
	server_ask(s, &s->subscribing, add ? "resources/subscribe" : "resources/unsubscribe", put_uri, GIVING_MS);
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

static void give_all(struct bridge *b)
{
	for (unsigned i = 0; i < b->server_count; i++) {
		if (b->servers[i]->phase == SERVER_READY)
			mcp_give(b->servers[i]);
	}
}

int32_t mcp_set_level(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const int level = mcp_level(quash_get(quash_params_of(request), "level"));
	int32_t verdict;
	if (forward_is_early(request))
		return quash_wait(request, LOOK_AGAIN_MS);
	if (!mcp_opens_legacy(request, &verdict))
		return verdict;
	if (level < 0)
		return quash_fail(request, QUASH_INVALID_PARAMS, "Unknown log level");
	client_of(request)->level = level;
	give_all(b);
	return quash_reply_json(request, "{}");
}

static struct server *holder_of(struct bridge *b, const char *uri)
{
	for (unsigned i = 0; i < b->server_count; i++) {
		const char *const own = many_own_uri(b->servers[i], uri);
		if (own != NULL && texts_has(&b->servers[i]->subscribed, own))
			return b->servers[i];
	}
	return NULL;
}

/* The first one is the device's to judge. */
int32_t mcp_subscribe(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct own *const own = wire_own(request);
	const quash_value uri = quash_get(quash_params_of(request), "uri");
	int32_t verdict;
	if (own->route != NULL || mcp_is_unannounced(request))
		return client_request(request);
	if (!mcp_opens_legacy(request, &verdict))
		return verdict;
	if (quash_kind_of(uri) != QUASH_STRING)
		return quash_fail(request, QUASH_INVALID_PARAMS, "uri must be a string");
	if (holder_of(b, quash_text(uri)) == NULL)
		return client_request(request);
	(void)texts_add(&client_of(request)->subscriptions, quash_text(uri));
	return quash_reply_json(request, "{}");
}

int32_t mcp_unsubscribe(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const quash_value uri = quash_get(quash_params_of(request), "uri");
	int32_t verdict;
	const bool has = quash_kind_of(uri) == QUASH_STRING && texts_has(&client_of(request)->subscriptions, quash_text(uri));
	if (!(has && mcp_is_unannounced(request)) && !mcp_opens_legacy(request, &verdict))
		return verdict;
	if (quash_kind_of(uri) != QUASH_STRING)
		return quash_fail(request, QUASH_INVALID_PARAMS, "uri must be a string");
	(void)texts_remove(&client_of(request)->subscriptions, quash_text(uri));
	give_all(b);
	return quash_reply_json(request, "{}");
}
