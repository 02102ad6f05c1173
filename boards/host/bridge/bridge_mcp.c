/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_mcp.h"

#include "bridge_forward.h"
#include "bridge_many.h"
#include "bridge_text.h"
#include "quash.h"

#include <stdlib.h>
#include <string.h>

static const char *const versions[] = QUASH_MCP_LEGACY_VERSIONS;
enum { VERSIONS = sizeof versions / sizeof versions[0] };

/* --- The session with a client */

static const char *version_for(quash_value wish)
{
	for (int i = 0; i < VERSIONS; i++) {
		if (quash_is(wish, versions[i]))
			return versions[i];
	}
	return mcp_latest;
}

static char *result_for(const quash_request *request, const char *rest)
{
	char *text = NULL;
	size_t size = 0;
	FILE *const to = open_memstream(&text, &size);
	if (to == NULL)
		return NULL;
	const char *const version = version_for(quash_get(quash_params_of(request), "protocolVersion"));
	fputs("{\"protocolVersion\":", to);
	text_put_string(to, version, strlen(version));
	fprintf(to, "%s}", rest != NULL ? rest : "");
	return fclose(to) == 0 ? text : NULL;
}

/* What the device has said once is known, also while it is away. */
static bool must_wait(const struct own *own)
{
	if (!bridge.options.many_servers)
		return !bridge.servers[0]->was_ready;
	return !many_all_ready() && bridge.now - own->begun < OTHERS_MS;
}

static int32_t answer_initialize(quash_request *request)
{
	const struct server *const s = bridge.servers[0];
	if (bridge.options.many_servers)
		return forward_reply_text(request, result_for(request, many_greeting()));
	if (s->refused != NULL)
		return forward_fail_text(request, text_copy(s->refused));
	return forward_reply_text(request, result_for(request, s->greeted));
}

static int32_t initialize(quash_request *request)
{
	struct client *const client = client_of(request);
	struct own *const own = wire_own(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (!own->passed) {
		if (client->greeted)
			return QUASH_INVALID_REQUEST;
		client->greeted = own->passed = true;
		own->begun = bridge.now;
		if (!bridge.hello_known)
			bridge.hello = text_of(quash_get(quash_params_of(request), "capabilities"));
		bridge.hello_known = true;
	}
	return must_wait(own) ? quash_wait(request, LOOK_AGAIN_MS) : answer_initialize(request);
}

/* --- Lists that pass */

static void passes(quash_request *request, quash_value result)
{
	struct client *const client = client_of(request);
	struct own *const own = wire_own(request);
	const char *const method = quash_method_of(request)->name;
	const enum list_kind kind = mcp_list_of(method);
	if (strcmp(method, "resources/subscribe") == 0) {
		const char *const uri = quash_text(quash_get(quash_params_of(request), "uri"));
		(void)texts_add(&client->subscriptions, uri);
		(void)texts_add(&own->server->subscribed, uri + own->skip);
	}
	if (kind == LIST_KINDS)
		return;
	if (quash_kind_of(quash_get(quash_params_of(request), "cursor")) == QUASH_NONE)
		client->given[kind] = 0;
	client->given[kind] = text_print(client->given[kind], quash_get(result, mcp_list_member(kind)));
	if (quash_kind_of(quash_get(result, "nextCursor")) == QUASH_NONE)
		own->server->given[kind] = client->given[kind];
}

/* --- Tables */

static int32_t swallow(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static int32_t ping(quash_request *request)
{
	return quash_reply_json(request, "{}");
}

static void add(struct client *client, quash_method method)
{
	names_add(&client->wire.names, &client->wire.config, &method);
}

static void client_methods(struct client *client)
{
	const uint8_t note = QUASH_NOTIFICATION;
	quash_method progress = forward_own("notifications/progress", quash_forward_progress, note);
	progress.data = &client->route;
	add(client, forward_own("initialize", initialize, 0));
	add(client, forward_own("logging/setLevel", mcp_set_level, 0));
	add(client, forward_own("resources/subscribe", mcp_subscribe, 0));
	add(client, forward_own("resources/unsubscribe", mcp_unsubscribe, 0));
	add(client, forward_own("notifications/initialized", swallow, note));
	add(client, forward_own("notifications/roots/list_changed", bridge.listens ? swallow : client_note, note));
	add(client, progress);
	if (bridge.options.many_servers)
		many_methods(client);
	if (bridge.options.many_servers)
		add(client, forward_own("ping", ping, 0));
}

static void server_methods(struct server *s)
{
	const quash_method answers = { .name = "ping", .handler = ping };
	const quash_method progress = { .name = "notifications/progress", .handler = server_progress, .data = &s->plain,
		.state_size = WIRE_STATE, .marks = QUASH_NOTIFICATION };
	names_add(&s->wire.names, &s->wire.config, &answers);
	const quash_method cancelled = { .name = "notifications/cancelled", .handler = mcp_listener_cancelled,
		.state_size = WIRE_STATE, .marks = QUASH_NOTIFICATION };
	names_add(&s->wire.names, &s->wire.config, &progress);
	names_add(&s->wire.names, &s->wire.config, &cancelled);
	s->note.data = &s->plain;
	s->listen.rewrite = &mcp_listen_rewrite;
	many_routes(s);
}

static void comes(struct server *s, const quash_request *note)
{
	if (bridge.options.many_servers && mcp_is_list_changed(quash_method_of(note)->name))
		s->stale = true;
}

/* With several clients nothing can be asked: who would answer? */
static struct client *asked(const quash_request *request)
{
	(void)request;
	return bridge.listens ? NULL : bridge.clients[0];
}

const struct protocol protocol_mcp = {
	.name = "mcp",
	.dialect = &quash_mcp,
	.progress = &quash_mcp_progress_form,
	.client_methods = client_methods,
	.server_methods = server_methods,
	.greet = mcp_greet,
	.tend = mcp_tend,
	.lost = mcp_lost,
	.choose = many_choose,
	.begins = mcp_note_listener,
	.passes = passes,
	.addresses = mcp_addresses,
	.concerns = mcp_concerns,
	.comes = comes,
	.put_note = mcp_put_note,
	.asked = asked,
};
