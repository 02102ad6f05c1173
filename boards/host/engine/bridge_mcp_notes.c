/* SPDX-License-Identifier: MIT
 * MCP: whom the notifications of devices concern, and what is sent of them. */
#include "bridge_forward.h"
#include "bridge_many.h"
#include "bridge_mcp.h"
#include "bridge_device.h"
#include "text.h"

#include <string.h>

/* --- Whose request a message belongs to: a device that is asked to names it by the id on its line */

static const char request_name[] = "quash/request";

/* With one client all messages are for that one. Legacy requests need it not: `initialize` asks for all of them. */
void mcp_put_related(quash_writer *w, const quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const quash_value meta = quash_get(quash_params_of(request), "_meta");
	const quash_value version = quash_member(meta, "io.modelcontextprotocol/protocolVersion");
	if (!b->listens || quash_kind_of(version) == QUASH_NONE)
		return;
	quash_put_key(w, "quash/related");
	quash_put_bool(w, true);
}

const quash_rewrite mcp_asked_rewrite = { .hop = request_name };

static bool is_marked(const quash_request *cause)
{
	return cause != NULL && client_of(cause)->session != NULL;
}

/* A message for a session of HTTP names the request that it belongs to. The transport takes that off. */
static void put_mark(quash_writer *w, const quash_request *cause)
{
	quash_put_key(w, request_name);
	quash_put_id(w, cause);
}

static void put_cause(quash_writer *w, const quash_request *question)
{
	const quash_request *const cause = mcp_cause(question);
	if (is_marked(cause))
		put_mark(w, cause);
}

const quash_rewrite mcp_asked_marked = { .hop = request_name, .put_hop = put_cause };

static quash_value named_request(const quash_request *message)
{
	return quash_member(quash_get(quash_params_of(message), "_meta"), request_name);
}

static bool names_request(const quash_request *message)
{
	const quash_value named = named_request(message);
	return quash_kind_of(named) != QUASH_NONE;
}

const quash_request *mcp_cause(const quash_request *message)
{
	int32_t id = 0;
	if (quash_int32(named_request(message), &id) != QUASH_NUMBER_OK || id <= 0)
		return NULL;
	return quash_forward_find(quash_peer_of(message), (uint32_t)id);
}

struct client *mcp_whose(const quash_request *message)
{
	const quash_request *const cause = mcp_cause(message);
	return cause != NULL ? client_of(cause) : NULL;
}

static bool holds_request_alone(quash_value meta)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	return quash_next(meta, &cursor, &key, &value) && quash_is(key, request_name) && !quash_next(meta, &cursor, &key, &value);
}

/* --- Listening: subscriptions of MCP's modern era */

/* They are named by the id of the request that opened them, which is another one on the device's line (2026-07-28
 * subscriptions/listen). */

enum { PATIENCE_MS = 1000, AGAIN_MS = 2 };

static const char id_name[] = "io.modelcontextprotocol/subscriptionId";

static quash_value mcp_subscription_of(quash_value params)
{
	return quash_member(quash_get(params, "_meta"), id_name);
}

/* `_meta` with the client's own id in place of the device's; `listener` and `cause` may be NULL. */
static void mcp_put_subscription(quash_writer *w, const quash_request *listener, const quash_request *cause, quash_value meta)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	quash_put_object(w);
	if (is_marked(cause))
		put_mark(w, cause);
	while (quash_next(meta, &cursor, &key, &value)) {
		if (quash_is(key, request_name))
			continue;
		quash_put_key_value(w, key);
		if (listener != NULL && quash_is(key, id_name))
			quash_put_id(w, listener);
		else
			quash_put_value(w, value);
	}
	quash_put_end(w);
}

/* --- Listening: its result */

static void put_listen_result(quash_writer *w, const quash_request *request, quash_value result)
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
			mcp_put_subscription(w, request, NULL, value);
		else
			quash_put_value(w, value);
	}
	quash_put_end(w);
}

const quash_rewrite mcp_listen_rewrite = { NULL, NULL, put_listen_result, MCP_HOP };

/* --- Listening: its end by the device. A cancel that names it may come after its answer, when nothing of it is live any more */

static char *id_text(const quash_request *request)
{
	quash_live live = { .request = NULL };
	while (quash_next_live(quash_peer_of(request), &live) && live.request != request)
		;
	struct builder made = build_begin(&wire_of_request(request)->bridge->heap), *const to = &made;
	if (live.request != request || live.id == NULL)
		return NULL;
	if (live.id_is_number)
		build_bytes(to, live.id, live.id_length);
	else
		text_put_string(to, live.id, live.id_length);
	return build_end(to);
}

void mcp_note_listener(const quash_request *request, uint32_t call)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct device *const d = forward_of(request)->device;
	if (strcmp(quash_method_of(request)->name, "subscriptions/listen") != 0)
		return;
	struct listener *const l = &d->listeners[d->next_listener++ % MOST_LISTENERS];
	heap_free(&b->heap, l->id);
	l->id = id_text(request);
	l->call = call;
	l->client = client_of(request)->number;
}

static const struct listener *find_listener(const struct device *d, quash_value id)
{
	int32_t call = 0;
	if (quash_int32(id, &call) != QUASH_NUMBER_OK || call <= 0)
		return NULL;
	for (unsigned i = 0; i < MOST_LISTENERS; i++) {
		if (d->listeners[i].id != NULL && d->listeners[i].call == (uint32_t)call)
			return &d->listeners[i];
	}
	return NULL;
}

static struct client *client_by(struct bridge *b, unsigned number)
{
	for (unsigned i = 0; i < b->client_places; i++) {
		if (b->clients[i] != NULL && b->clients[i]->number == number)
			return b->clients[i];
	}
	return NULL;
}

static void pass_on(struct bridge *b, const struct listener *l, quash_value params)
{
	struct client *const client = client_by(b, l->client);
	const quash_value reason = quash_get(params, "reason");
	if (client == NULL)
		return;
	quash_writer *const w = wire_notify(&client->wire, "notifications/cancelled");
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
	struct bridge *const b = wire_of_request(request)->bridge;
	struct note *const note = wire_own(request);
	const quash_value params = quash_params_of(request);
	const struct listener *const l = find_listener(device_of(request), quash_get(params, "requestId"));
	const uint32_t now = quash_now(quash_peer_of(request));
	if (l == NULL)
		return QUASH_DONE;
	if (!note->begun)
		note->since = now;
	const bool early = !note->begun || (quash_forward_find(quash_peer_of(request), l->call) != NULL && now - note->since < PATIENCE_MS);
	note->begun = true;
	if (early)
		return quash_wait(request, AGAIN_MS);
	pass_on(b, l, params);
	return QUASH_DONE;
}

/* --- Whom a notification concerns */

/* The request that opened the subscription, by the id that it has on the device's line. */
static const quash_request *listener(const quash_request *note, quash_value params)
{
	int32_t id = 0;
	if (quash_int32(mcp_subscription_of(params), &id) != QUASH_NUMBER_OK || id <= 0)
		return NULL;
	return quash_forward_find(quash_peer_of(note), (uint32_t)id);
}

static bool has_live_listener(const struct client *client, const struct device *d)
{
	quash_live live = { .request = NULL };
	while (quash_next_live(&client->wire.peer, &live)) {
		const struct own *const own = forward_of(live.request);
		if (own != NULL && own->device == d)
			return true;
	}
	return false;
}

static bool asks_for_logs(const struct client *client, const struct device *d, int level)
{
	quash_live live = { .request = NULL };
	while (quash_next_live(&client->wire.peer, &live)) {
		const struct own *const own = forward_of(live.request);
		const quash_value meta = quash_get(quash_params_of(live.request), "_meta");
		const int wanted = mcp_level(quash_member(meta, "io.modelcontextprotocol/logLevel"));
		if (own != NULL && own->device == d && wanted >= 0 && level >= wanted)
			return true;
	}
	return false;
}

/* A device that names no request is not asked by anyone else. */
static bool asks_alone(const struct client *client, const struct device *d, int level)
{
	struct bridge *const b = d->wire.bridge;
	for (unsigned i = 0; i < b->client_places; i++) {
		if (b->clients[i] != NULL && b->clients[i] != client && has_live_listener(b->clients[i], d))
			return false;
	}
	return asks_for_logs(client, d, level);
}

/* A modern client gets what its own requests bring about. */
static bool concerns_log(const quash_request *log, const struct client *client)
{
	struct bridge *const b = wire_of_request(log)->bridge;
	const int level = mcp_level(quash_get(quash_params_of(log), "level"));
	if (!b->listens)
		return true;
	if (!client->greeted)
		return names_request(log) || asks_alone(client, device_of(log), level);
	if (client->level == NO_LEVEL || level < 0 || level >= client->level)
		return true;
	return names_request(log) && asks_for_logs(client, device_of(log), level);
}

static bool concerns_update(const quash_request *note, const struct client *client)
{
	const char *const uri = quash_text(quash_get(quash_params_of(note), "uri"));
	for (size_t i = 0; i < client->subscriptions.count; i++) {
		const char *const own = many_own_uri(device_of(note), client->subscriptions.at[i]);
		if (own != NULL && strcmp(own, uri) == 0)
			return true;
	}
	return false;
}

static bool is_known(const char *method)
{
	return strcmp(method, "notifications/message") == 0 || strcmp(method, "notifications/resources/updated") == 0 ||
		mcp_is_list_changed(method);
}

bool mcp_addresses(const quash_request *note)
{
	return is_known(quash_method_of(note)->name) || names_request(note) || quash_forward_of_progress(note) != NULL ||
		quash_kind_of(mcp_subscription_of(quash_params_of(note))) != QUASH_NONE;
}

bool mcp_concerns(const quash_request *note, const struct client *client)
{
	struct bridge *const b = wire_of_request(note)->bridge;
	const char *const method = quash_method_of(note)->name;
	const quash_value params = quash_params_of(note);
	const quash_request *const asked = quash_forward_of_progress(note);
	const struct note *const seen = wire_const_own(note);
	if (!client->greeted && !client->modern)
		return asked != NULL && client_of(asked) == client; /* it has no session */
	if (b->listens && names_request(note) && seen->client != client->number)
		return false;
	if (quash_kind_of(mcp_subscription_of(params)) != QUASH_NONE) {
		const quash_request *const request = listener(note, params);
		return request != NULL && client_of(request) == client;
	}
	if (strcmp(method, "notifications/message") == 0)
		return concerns_log(note, client);
	if (strcmp(method, "notifications/resources/updated") == 0)
		return concerns_update(note, client);
	if (mcp_is_list_changed(method))
		return client->opened && !b->options.many_devices;
	return asked == NULL || client_of(asked) == client;
}

/* --- What follows one */

static void tell_changed(struct client *client, const quash_request *listener, const char *method)
{
	quash_writer *const w = wire_notify(&client->wire, method);
	quash_put_object(w);
	quash_put_key(w, "_meta");
	quash_put_object(w);
	quash_put_key(w, id_name);
	quash_put_id(w, listener);
	quash_put_end(w);
	quash_put_end(w);
	(void)quash_notify_send(&client->wire.peer);
}

/* A subscription that has waited for its device begins behind lists that the bridge has answered in its place. */
void mcp_sent(const quash_request *note, struct client *client)
{
	struct bridge *const b = wire_of_request(note)->bridge;
	static const struct { const char *member, *method; } changes[] = { { "notifications.toolsListChanged", "notifications/tools/list_changed" },
		{ "notifications.promptsListChanged", "notifications/prompts/list_changed" },
		{ "notifications.resourcesListChanged", "notifications/resources/list_changed" } };
	const quash_value params = quash_params_of(note);
	const bool begins = strcmp(quash_method_of(note)->name, "notifications/subscriptions/acknowledged") == 0;
	const quash_request *const request = begins ? listener(note, params) : NULL;
	struct own *const own = request != NULL ? wire_own((quash_request *)(uintptr_t)request) : NULL;
	if (own == NULL || !own->waits || !b->stood_in)
		return;
	own->waits = false;
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		if (quash_kind_of(quash_get(params, changes[i].member)) == QUASH_TRUE)
			tell_changed(client, request, changes[i].method);
	}
}

/* --- What a notification holds for a client */

static const quash_request *cause_of(const quash_request *note)
{
	const quash_request *const asked = quash_forward_of_progress(note);
	return asked != NULL ? asked : mcp_cause(note);
}

static void put_note_member(quash_writer *w, const quash_request *note, quash_value params, quash_value key, quash_value value)
{
	const struct device *const d = device_of(note);
	const quash_request *const asked = quash_forward_of_progress(note);
	if (quash_is(key, "_meta") && quash_kind_of(value) == QUASH_OBJECT)
		mcp_put_subscription(w, listener(note, params), cause_of(note), value);
	else if (quash_is(key, "progressToken") && asked != NULL)
		quash_put_value(w, quash_get(quash_params_of(asked), "_meta.progressToken"));
	else if (quash_is(key, "uri"))
		many_put_uri(w, d, value);
	else if (quash_is(key, "logger"))
		many_put_logger(w, d, value);
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
	const quash_value meta = quash_get(params, "_meta");
	const bool marked = is_marked(cause_of(note));
	quash_put_object(w);
	if (marked && quash_kind_of(meta) != QUASH_OBJECT) {
		quash_put_key(w, "_meta");
		quash_put_object(w);
		put_mark(w, cause_of(note));
		quash_put_end(w);
	}
	while (quash_next(params, &cursor, &key, &value)) {
		if (!marked && quash_is(key, "_meta") && holds_request_alone(value))
			continue;
		quash_put_key_value(w, key);
		put_note_member(w, note, params, key, value);
	}
	quash_put_end(w);
}
