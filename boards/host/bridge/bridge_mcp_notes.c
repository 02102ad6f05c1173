/* SPDX-License-Identifier: MIT
 * Notifications of devices in MCP: whom each concerns, and what it holds for them. */
#include "bridge_forward.h"
#include "bridge_many.h"
#include "bridge_mcp.h"

#include <string.h>

/* --- Whom a notification concerns */

/* The request that opened the subscription, by the id that it has on the device's line. */
static const quash_request *listener(const quash_request *note, quash_value params)
{
	int32_t id = 0;
	if (quash_int32(mcp_subscription_of(params), &id) != QUASH_NUMBER_OK || id <= 0)
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

static bool is_known(const char *method)
{
	return strcmp(method, "notifications/message") == 0 || strcmp(method, "notifications/resources/updated") == 0 ||
		mcp_is_list_changed(method);
}

bool mcp_addresses(const quash_request *note)
{
	return is_known(quash_method_of(note)->name) || quash_forward_of_progress(note) != NULL ||
		quash_kind_of(mcp_subscription_of(quash_params_of(note))) != QUASH_NONE;
}

bool mcp_concerns(const quash_request *note, const struct client *client)
{
	const char *const method = quash_method_of(note)->name;
	const quash_value params = quash_params_of(note);
	const quash_request *const asked = quash_forward_of_progress(note);
	if (quash_kind_of(mcp_subscription_of(params)) != QUASH_NONE) {
		const quash_request *const request = listener(note, params);
		return request != NULL && client_of(request) == client;
	}
	if (strcmp(method, "notifications/message") == 0)
		return concerns_log(note, client);
	if (strcmp(method, "notifications/resources/updated") == 0)
		return concerns_update(note, client);
	if (mcp_is_list_changed(method))
		return client->greeted && !bridge.options.many_servers;
	return asked == NULL || client_of(asked) == client;
}

/* --- What it holds for them */

static void put_member(quash_writer *w, const quash_request *note, quash_value params, quash_value key, quash_value value)
{
	const struct server *const s = server_of(note);
	const quash_request *const asked = quash_forward_of_progress(note);
	if (quash_is(key, "_meta") && quash_kind_of(value) == QUASH_OBJECT)
		mcp_put_subscription(w, listener(note, params), value);
	else if (quash_is(key, "progressToken") && asked != NULL)
		quash_put_value(w, quash_get(quash_params_of(asked), "_meta.progressToken"));
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
