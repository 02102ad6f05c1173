/* SPDX-License-Identifier: MIT
 * Fetching what a device offers, and noticing that it has changed. */
#define _POSIX_C_SOURCE 200809L
#include "bridge_lists.h"

#include "bridge_forward.h"
#include "bridge_log.h"
#include "bridge_many.h"
#include "bridge_mcp.h"
#include "bridge_server.h"
#include "bridge_text.h"
#include "quash.h"

#include <stdlib.h>
#include <string.h>

enum { FETCHING_MS = 10000, AGAIN_MS = 5000, MOST_ITEMS = 10000 };

static const struct kind {
	const char *method, *member, *key, *changed;
} kinds[LIST_KINDS] = {
	[LIST_TOOLS] = { "tools/list", "tools", "name", "notifications/tools/list_changed" },
	[LIST_PROMPTS] = { "prompts/list", "prompts", "name", "notifications/prompts/list_changed" },
	[LIST_RESOURCES] = { "resources/list", "resources", "uri", "notifications/resources/list_changed" },
	[LIST_TEMPLATES] = { "resources/templates/list", "resourceTemplates", "uriTemplate", "notifications/resources/list_changed" },
};

enum list_kind mcp_list_of(const char *method)
{
	int kind = 0;
	while (kind < LIST_KINDS && strcmp(kinds[kind].method, method) != 0)
		kind++;
	return (enum list_kind)kind;
}

const char *mcp_list_member(enum list_kind kind)
{
	return kinds[kind].member;
}

bool mcp_is_list_changed(const char *method)
{
	int kind = 0;
	while (kind < LIST_KINDS && strcmp(kinds[kind].changed, method) != 0)
		kind++;
	return kind < LIST_KINDS;
}

void list_clear(struct list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].shown);
		free(list->items[i].name);
		free(list->items[i].json);
	}
	free(list->items);
	*list = (struct list){ .items = NULL };
}

/* Sends `notifications/tools/list_changed` or its kin to every client that has begun with `initialize`. */
static void mcp_list_changed(enum list_kind kind)
{
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
		struct client *const client = bridge.clients[i];
		if (client == NULL || client->leaving || !client->greeted)
			continue;
		(void)quash_notify(&client->wire.peer, kinds[kind].changed);
		(void)quash_notify_send(&client->wire.peer);
	}
}

void mcp_lists_changed(const struct server *s)
{
	for (int kind = 0; kind < LIST_KINDS; kind++) {
		if (s->lists[kind] && kind != LIST_TEMPLATES)
			mcp_list_changed((enum list_kind)kind);
	}
}

/* --- Items */

/* An item as clients see it: with its name there. */
static char *item_json(const struct server *s, enum list_kind kind, quash_value item, const char *shown)
{
	char *text = NULL;
	size_t size = 0;
	quash_value cursor = { NULL, 0, 0 }, key, value;
	const char *comma = "";
	FILE *const to = open_memstream(&text, &size);
	if (to == NULL)
		return NULL;
	putc('{', to);
	while (quash_next(item, &cursor, &key, &value)) {
		fputs(comma, to);
		comma = ",";
		text_put_string(to, quash_text(key), quash_length(key));
		putc(':', to);
		if (quash_is(key, kinds[kind].key)) {
			text_put_string(to, shown, strlen(shown));
		} else if (quash_is(key, "name")) {
			char *const name = many_shown(s, LIST_PROMPTS, quash_text(value));
			text_put_string(to, name != NULL ? name : "", name != NULL ? strlen(name) : 0);
			free(name);
		} else {
			text_put(to, value);
		}
	}
	putc('}', to);
	return fclose(to) == 0 ? text : NULL;
}

static void append(struct server *s, enum list_kind kind, quash_value item)
{
	struct list *const list = &s->fresh[kind];
	const quash_value name = quash_get(item, kinds[kind].key);
	if (list->count == MOST_ITEMS || quash_kind_of(name) != QUASH_STRING)
		return;
	struct list_item *const items = realloc(list->items, (list->count + 1) * sizeof *items);
	if (items == NULL)
		return;
	list->items = items;
	struct list_item *const to = &items[list->count++];
	to->name = text_copy(quash_text(name));
	to->shown = many_shown(s, kind, quash_text(name));
	to->json = to->shown != NULL ? item_json(s, kind, item, to->shown) : NULL;
}

/* --- Fetching, one page after the other */

static void put_page(quash_writer *w, const quash_call *call)
{
	const struct server *const s = call->context;
	quash_put_object(w);
	if (s->cursor != NULL) {
		quash_put_key(w, "cursor");
		quash_put_text(w, s->cursor);
	}
	quash_put_end(w);
}

static void ask_page(struct server *s)
{
	server_ask(s, &s->listing, kinds[s->fetching].method, put_page, FETCHING_MS);
}

static void next_kind(struct server *s, unsigned from)
{
	free(s->cursor);
	s->cursor = NULL;
	s->fetching = from;
	while (s->fetching < LIST_KINDS && !s->lists[s->fetching])
		s->fetching++;
	if (s->fetching < LIST_KINDS) {
		list_clear(&s->fresh[s->fetching]);
		ask_page(s);
	}
}

static void take_page(struct server *s, quash_value result)
{
	const enum list_kind kind = (enum list_kind)s->fetching;
	const quash_value array = quash_get(result, kinds[kind].member), next = quash_get(result, "nextCursor");
	quash_value cursor = { NULL, 0, 0 }, item;
	while (bridge_keeps_lists() && quash_next(array, &cursor, NULL, &item))
		append(s, kind, item);
	s->fresh[kind].print = text_print(s->fresh[kind].print, array);
	free(s->cursor);
	s->cursor = quash_kind_of(next) == QUASH_STRING ? text_copy(quash_text(next)) : NULL;
}

/* Each client has the list of before. One that has not come is complete too: it is not waited for any more. */
static void compare(struct server *s, enum list_kind kind)
{
	const uint64_t before = bridge.options.many_servers ? s->list[kind].print : s->given[kind];
	const uint64_t now = s->fresh[kind].print;
	list_clear(&s->list[kind]);
	s->list[kind] = s->fresh[kind];
	s->list[kind].print += s->list[kind].print == 0;
	s->fresh[kind] = (struct list){ .items = NULL };
	if (bridge.options.many_servers || before == 0 || before == now)
		return;
	s->given[kind] = now;
	log_line(LOG_INFO, "%s: %s are others than before", s->wire.name, kinds[kind].member);
	mcp_list_changed(kind);
}

static void end_fetch(struct server *s)
{
	for (int kind = 0; kind < LIST_KINDS; kind++) {
		if (s->lists[kind])
			compare(s, (enum list_kind)kind);
	}
	if (bridge.options.many_servers)
		mcp_lists_changed(s);
}

/* A page that does not come is the end of its list. */
static void go_on(struct server *s)
{
	if (quash_call_outcome(&s->listing) == QUASH_CALL_RESULT) {
		take_page(s, quash_call_answer(&s->listing));
	} else {
		free(s->cursor);
		s->cursor = NULL;
		s->failed = quash_call_outcome(&s->listing) != QUASH_CALL_ERROR;
		s->failed_at = bridge.now;
	}
	(void)quash_call_release(&s->listing);
	if (s->cursor != NULL)
		ask_page(s);
	else
		next_kind(s, s->fetching + 1);
	if (s->fetching == LIST_KINDS)
		end_fetch(s);
}

void mcp_fetch(struct server *s)
{
	if (s->fetching < LIST_KINDS) {
		if (quash_call_has_ended(&s->listing))
			go_on(s);
		return;
	}
	if (s->failed && bridge.now - s->failed_at >= AGAIN_MS)
		s->stale = true;
	if (!s->stale)
		return;
	s->stale = s->failed = false;
	next_kind(s, 0);
	if (s->fetching == LIST_KINDS)
		end_fetch(s);
}

void mcp_fetch_stop(struct server *s)
{
	(void)quash_call_release(&s->listing);
	s->fetching = LIST_KINDS;
	for (int kind = 0; kind < LIST_KINDS; kind++)
		list_clear(&s->fresh[kind]);
}

/* --- What several devices offer together */

#define CAPABILITIES "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true}," \
	"\"resources\":{\"listChanged\":true,\"subscribe\":true},\"logging\":{},\"completions\":{}}"
#define SERVER_INFO "{\"name\":\"quash-bridge\",\"version\":\"" QUASH_VERSION "\"}"
#define INSTRUCTIONS "\"Several devices. The name of a tool or prompt begins with its device's name; the tool devices lists them.\""

const char *many_greeting(void)
{
	return ",\"capabilities\":" CAPABILITIES ",\"serverInfo\":" SERVER_INFO ",\"instructions\":" INSTRUCTIONS;
}

/* --- Results of lists */

bool mcp_is_modern(const quash_request *request)
{
	const quash_value meta = quash_get(quash_params_of(request), "_meta");
	return quash_kind_of(quash_member(meta, "io.modelcontextprotocol/protocolVersion")) == QUASH_STRING;
}

static const char modern_members[] = ",\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\"";

static const char devices_tool[] = "{\"name\":\"devices\",\"description\":\"Lists the devices behind this server, and whether "
	"each is there\",\"inputSchema\":{\"type\":\"object\",\"properties\":{}},\"annotations\":{\"readOnlyHint\":true,"
	"\"openWorldHint\":false}}";

static void put_text(FILE *to, const char *head, const char *text)
{
	fputs(head, to);
	text_put_string(to, text, strlen(text));
}

static void put_items(FILE *to, enum list_kind kind, const char *comma)
{
	for (unsigned i = 0; i < bridge.server_count; i++) {
		const struct server *const s = bridge.servers[i];
		for (size_t k = 0; s->phase == SERVER_READY && k < s->list[kind].count; k++) {
			const char *const json = s->list[kind].items[k].json;
			if (json == NULL)
				continue;
			fprintf(to, "%s%s", comma, json);
			comma = ",";
		}
	}
}

static char *list_text(const quash_request *request, enum list_kind kind)
{
	char *text = NULL;
	size_t size = 0;
	FILE *const to = open_memstream(&text, &size);
	if (to == NULL)
		return NULL;
	put_text(to, "{", mcp_list_member(kind));
	fputs(":[", to);
	fputs(kind == LIST_TOOLS ? devices_tool : "", to);
	put_items(to, kind, kind == LIST_TOOLS ? "," : "");
	fprintf(to, "]%s}", mcp_is_modern(request) ? modern_members : "");
	return fclose(to) == 0 ? text : NULL;
}

static bool must_wait(const quash_request *request)
{
	struct own *const own = wire_own((quash_request *)(uintptr_t)request);
	if (!own->passed)
		own->begun = bridge.now;
	own->passed = true;
	bridge.hello_known = true;
	return !many_all_ready() && bridge.now - own->begun < OTHERS_MS;
}

/* Devices that are about to come are waited for. */
static int32_t list(quash_request *request)
{
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (must_wait(request))
		return quash_wait(request, LOOK_AGAIN_MS);
	return forward_reply_text(request, list_text(request, mcp_list_of(quash_method_of(request)->name)));
}

static bool eras_known(void)
{
	bool known = true;
	for (unsigned i = 0; i < bridge.server_count; i++)
		known = known && (bridge.servers[i]->phase != SERVER_READY || bridge.servers[i]->modern_known);
	return known;
}

static int32_t discover(quash_request *request)
{
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	bridge.modern_wanted = true;
	if (must_wait(request) || !eras_known())
		return quash_wait(request, LOOK_AGAIN_MS);
	for (unsigned i = 0; i < bridge.server_count; i++) {
		if (bridge.servers[i]->phase == SERVER_READY && bridge.servers[i]->modern == NULL)
			return QUASH_METHOD_NOT_FOUND;
	}
	return quash_reply_json(request, "{\"resultType\":\"complete\",\"supportedVersions\":[\"" QUASH_MCP_MODERN_VERSION "\"],"
		"\"capabilities\":" CAPABILITIES ",\"instructions\":" INSTRUCTIONS ",\"ttlMs\":0,\"cacheScope\":\"private\","
		"\"_meta\":{\"io.modelcontextprotocol/serverInfo\":" SERVER_INFO "}}");
}

/* --- The tool that lists the devices */

static void put_device(FILE *to, const struct server *s)
{
	char line[128];
	device_name(&s->device.options, line, sizeof line);
	put_text(to, "{\"name\":", s->wire.name);
	put_text(to, ",\"state\":", server_state(s));
	put_text(to, ",\"line\":", line);
	put_text(to, ",\"server\":", s->own_name);
	put_text(to, ",\"version\":", s->own_version);
	fprintf(to, ",\"tools\":%lu}", (unsigned long)s->list[LIST_TOOLS].count);
}

static char *devices_text(void)
{
	char *text = NULL;
	size_t size = 0;
	FILE *const to = open_memstream(&text, &size);
	if (to == NULL)
		return NULL;
	fputs("{\"devices\":[", to);
	for (unsigned i = 0; i < bridge.server_count; i++) {
		fputs(i > 0 ? "," : "", to);
		put_device(to, bridge.servers[i]);
	}
	fputs("]}", to);
	return fclose(to) == 0 ? text : NULL;
}

static void put_devices(quash_writer *w, const quash_request *request)
{
	const struct own *const own = wire_const_own(request);
	quash_put_object(w);
	quash_put_key(w, "content");
	quash_put_array(w);
	quash_put_object(w);
	quash_put_key(w, "type");
	quash_put_text(w, "text");
	quash_put_key(w, "text");
	quash_put_text(w, own->text);
	quash_put_end(w);
	quash_put_end(w);
	quash_put_key(w, "structuredContent");
	quash_put_raw(w, own->text);
	if (mcp_is_modern(request)) {
		quash_put_key(w, "resultType");
		quash_put_text(w, "complete");
	}
	quash_put_end(w);
}

static int32_t call(quash_request *request)
{
	struct own *const own = wire_own(request);
	bridge.hello_known = true;
	if (own->route != NULL || !quash_is(quash_get(quash_params_of(request), "name"), "devices"))
		return client_request(request);
	own->text = devices_text();
	return own->text != NULL ? quash_reply(request, put_devices) : QUASH_INTERNAL_ERROR;
}

void many_methods(struct client *client)
{
	const quash_method methods[] = {
		forward_own("tools/list", list, 0),
		forward_own("prompts/list", list, 0),
		forward_own("resources/list", list, 0),
		forward_own("resources/templates/list", list, 0),
		forward_own("server/discover", discover, 0),
		forward_own("tools/call", call, 0),
	};
	for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
		names_add(&client->wire.names, &client->wire.config, &methods[i]);
}
