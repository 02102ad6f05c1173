/* SPDX-License-Identifier: MIT
 * MCP: log level and subscriptions. Each client has its own, a device gets what all of them need together. */
#include "bridge_forward.h"
#include "bridge_many.h"
#include "bridge_mcp.h"
#include "bridge_device.h"
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
static const char *missing(const struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	for (unsigned i = 0; i < b->client_places; i++) {
		const struct client *const client = b->clients[i];
		for (size_t k = 0; client != NULL && !client->leaving && k < client->subscriptions.count; k++) {
			const char *const uri = many_own_uri(d, client->subscriptions.at[k]);
			if (uri != NULL && !texts_has(&d->subscribed, uri))
				return uri;
		}
	}
	return NULL;
}

static bool is_wanted(const struct device *d, const char *own_uri)
{
	struct bridge *const b = d->wire.bridge;
	for (unsigned i = 0; i < b->client_places; i++) {
		const struct client *const client = b->clients[i];
		for (size_t k = 0; client != NULL && !client->leaving && k < client->subscriptions.count; k++) {
			const char *const uri = many_own_uri(d, client->subscriptions.at[k]);
			if (uri != NULL && strcmp(uri, own_uri) == 0)
				return true;
		}
	}
	return false;
}

static const char *superfluous(const struct device *d)
{
	for (size_t i = 0; i < d->subscribed.count; i++) {
		if (!is_wanted(d, d->subscribed.at[i]))
			return d->subscribed.at[i];
	}
	return NULL;
}

/* --- Giving it to the device. What it refuses is not asked again before its next session. */

static void put_level(quash_writer *w, const quash_call *call)
{
	const struct device *const d = call->context;
	quash_put_object(w);
	quash_put_key(w, "level");
	quash_put_text(w, mcp_level_name(d->level));
	quash_put_end(w);
}

static void give_level(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	const int wanted = wanted_level(b);
	if (!d->logs || wanted == NO_LEVEL || wanted == d->level || quash_call_in_use(&d->setting))
		return;
	d->level = wanted;
	device_ask(d, &d->setting, "logging/setLevel", put_level, GIVING_MS);
}

static void put_uri(quash_writer *w, const quash_call *call)
{
	const struct device *const d = call->context;
	quash_put_object(w);
	quash_put_key(w, "uri");
	quash_put_text(w, d->subscription);
	quash_put_end(w);
}

static void change_subscription(struct device *d, const char *uri, bool add)
{
	struct bridge *const b = d->wire.bridge;
	heap_free(&b->heap, d->subscription);
	d->subscription = text_copy(&b->heap, uri);
	if (d->subscription == NULL)
		return;
	if (add)
		(void)texts_add(&d->subscribed, d->subscription);
	else
		(void)texts_remove(&d->subscribed, d->subscription);
	device_ask(d, &d->subscribing, add ? "resources/subscribe" : "resources/unsubscribe", put_uri, GIVING_MS);
}

static void give_subscriptions(struct device *d)
{
	if (quash_call_in_use(&d->subscribing))
		return;
	const char *const fresh = missing(d), *const old = fresh == NULL ? superfluous(d) : NULL;
	if (fresh != NULL || old != NULL)
		change_subscription(d, fresh != NULL ? fresh : old, fresh != NULL);
}

/* One that has ended is free again. */
static void settle(quash_call *call)
{
	if (quash_call_in_use(call) && quash_call_has_ended(call))
		(void)quash_call_release(call);
}

void mcp_give(struct device *d)
{
	settle(&d->setting);
	settle(&d->subscribing);
	give_level(d);
	give_subscriptions(d);
}

/* --- Clients ask for it */

static void give_all(struct bridge *b)
{
	for (unsigned i = 0; i < b->device_count; i++) {
		if (b->devices[i]->phase == DEVICE_READY)
			mcp_give(b->devices[i]);
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

static struct device *holder_of(struct bridge *b, const char *uri)
{
	for (unsigned i = 0; i < b->device_count; i++) {
		const char *const own = many_own_uri(b->devices[i], uri);
		if (own != NULL && texts_has(&b->devices[i]->subscribed, own))
			return b->devices[i];
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
