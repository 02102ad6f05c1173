/* SPDX-License-Identifier: MIT
 * MCP with one device alone that has not answered yet. The bridge answers in its place, in words: a host that waits shows no reason, and
 * gives up. Once the device has answered all of it passes. */
#include "bridge_alone.h"

#include "bridge_forward.h"
#include "bridge_mcp.h"
#include "bridge_device.h"
#include "format.h"
#include "text.h"
#include "quash.h"

#include <string.h>

/* A host that is told of no changes has what is listed first, so a board may take some time to start: as long as hosts wait. */
enum { LIST_MORE_MS = 3500, INFO = 1, ERROR = 4 };

#define SERVER_INFO MCP_INFO("quash-bridge")
#define CAPABILITIES "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true},\"resources\":{\"listChanged\":true}"

/* --- In words */

static void put_instructions(struct bridge *b, struct builder *to)
{
	char words[DEVICE_WORDS], text[DEVICE_WORDS + 120];
	device_words(b->devices[0], words);
	format_text(text, sizeof text, "The device has not answered yet, and is listed as soon as it has. %s", words);
	build_text(to, ",\"instructions\":");
	text_put_string(to, text, strlen(text));
}

char *alone_greeting(struct bridge *b)
{
	struct builder made = build_begin(&b->heap), *const to = &made;
	build_text(to, ",\"capabilities\":" CAPABILITIES ",\"logging\":{}},\"serverInfo\":" SERVER_INFO);
	put_instructions(b, to);
	return build_end(to);
}

static char *discovery(struct bridge *b)
{
	struct builder made = build_begin(&b->heap), *const to = &made;
	build_text(to, "{\"resultType\":\"complete\",\"supportedVersions\":[\"" QUASH_MCP_MODERN_VERSION "\"],\"capabilities\":" CAPABILITIES "}");
	put_instructions(b, to);
	build_text(to, ",\"ttlMs\":0,\"cacheScope\":\"private\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":" SERVER_INFO "}}");
	return build_end(to);
}

static char *error(const struct device *d)
{
	struct builder made = build_begin(&d->wire.bridge->heap), *const to = &made;
	char words[DEVICE_WORDS];
	device_words(d, words);
	build_text(to, "{\"code\":-32603,\"message\":");
	text_put_string(to, words, strlen(words));
	build_char(to, '}');
	return build_end(to);
}

/* A model reads results of tools. */
static char *failure(const quash_request *request, const struct device *d)
{
	struct builder made = build_begin(&d->wire.bridge->heap), *const to = &made;
	char words[DEVICE_WORDS], said[DEVICE_WORDS + 80];
	device_words(d, words);
	format_text(said, sizeof said, "Nothing was done: the device does not answer. %s", words);
	build_text(to, mcp_is_modern(request) ? "{\"resultType\":\"complete\"," : "{");
	build_text(to, "\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":");
	text_put_string(to, said, strlen(said));
	build_text(to, "}]}");
	return build_end(to);
}

int32_t alone_refuse(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	return forward_fail_text(request, error(b->devices[0]));
}

int32_t mcp_absent(quash_request *request, const struct device *d)
{
	if (strcmp(quash_method_of(request)->name, "tools/call") == 0)
		return forward_reply_text(request, failure(request, d));
	return forward_fail_text(request, error(d));
}

/* --- What clients ask meanwhile */

/* True if the bridge answers by itself. */
static bool is_ours(quash_request *request)
{
	const struct own *const own = wire_const_own(request);
	return own->route == NULL && alone_is_silent(wire_of_request(request)->bridge) && quash_cancelled(request) == QUASH_NOT_CANCELLED;
}

static bool may_come(quash_request *request, uint32_t ms)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	b->hello_known = true;
	return !forward_has_waited(request, ms);
}

/* A client that was told of lists by the bridge may ask for one that its device lacks. */
static bool is_lacking(quash_request *request, enum list_kind kind)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct own *const own = wire_const_own(request);
	const struct device *const d = b->devices[0];
	return own->route == NULL && client_of(request)->alone && d->phase == DEVICE_READY && d->refused == NULL && !d->lists[kind];
}

/* All lists of a client wait together: hosts ask for one after the other. */
static bool list_may_come(struct client *client)
{
	struct bridge *const b = client->wire.bridge;
	if (!client->lists_asked)
		client->lists_since = b->now;
	client->lists_asked = true;
	return b->now - client->lists_since < b->options.initialize_timeout + LIST_MORE_MS;
}

static int32_t alone_list(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const enum list_kind kind = mcp_list_of(quash_method_of(request)->name);
	int32_t verdict;
	if (is_lacking(request, kind))
		return !mcp_opens(request, &verdict) ? verdict : forward_reply_text(request, many_list_text(request, kind, false));
	if (!is_ours(request))
		return client_request(request);
	if (forward_is_early(request) || (may_come(request, b->options.wait) && list_may_come(client_of(request))))
		return quash_wait(request, LOOK_AGAIN_MS);
	b->stood_in = true;
	return !mcp_opens(request, &verdict) ? verdict : forward_reply_text(request, many_list_text(request, kind, true));
}

static int32_t alone_discover(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	if (!is_ours(request))
		return client_request(request);
	if (forward_is_early(request) || may_come(request, b->options.initialize_timeout))
		return quash_wait(request, LOOK_AGAIN_MS);
	int32_t verdict;
	if (b->exit >= 0)
		return alone_refuse(request);
	if (!mcp_opens(request, &verdict))
		return verdict;
	return mcp_names_version(request) ? forward_reply_text(request, discovery(b)) : mcp_lacks_version(request);
}

static int32_t alone_call(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const bool devices = quash_is(quash_get(quash_params_of(request), "name"), "devices");
	if (!devices || !is_ours(request) || forward_is_early(request))
		return client_request(request);
	b->hello_known = true;
	int32_t verdict;
	return mcp_opens(request, &verdict) ? many_reply_devices(request) : verdict;
}

static int32_t alone_ping(quash_request *request)
{
	if (mcp_names_version(request))
		return QUASH_METHOD_NOT_FOUND; /* that era has none */
	if (!is_ours(request))
		return client_request(request);
	return quash_reply_json(request, "{}");
}

void alone_methods(struct client *client)
{
	const quash_method methods[] = {
		forward_own("tools/list", alone_list, 0),
		forward_own("prompts/list", alone_list, 0),
		forward_own("resources/list", alone_list, 0),
		forward_own("resources/templates/list", alone_list, 0),
		forward_own("server/discover", alone_discover, 0),
		forward_own("tools/call", alone_call, 0),
		forward_own("ping", alone_ping, QUASH_NEVER_BUSY),
	};
	wire_add_methods(&client->wire, methods, sizeof methods / sizeof methods[0]);
}

/* --- The device has answered */

static void put_text_member(quash_writer *w, const char *key, const char *text)
{
	quash_put_key(w, key);
	quash_put_text(w, text);
}

static void put_told(quash_writer *w, const struct device *d, quash_value instructions)
{
	quash_put_object(w);
	put_text_member(w, "level", d->refused != NULL ? "error" : "info");
	put_text_member(w, "logger", "quash-bridge");
	quash_put_key(w, "data");
	quash_put_object(w);
	put_text_member(w, "device", d->refused != NULL ? "refusing" : "ready");
	put_text_member(w, "name", d->own_name);
	put_text_member(w, "version", d->own_version);
	if (d->refused != NULL) {
		quash_put_key(w, "error");
		quash_put_raw(w, d->refused);
	}
	if (quash_kind_of(instructions) == QUASH_STRING) {
		quash_put_key(w, "instructions");
		quash_put_value(w, instructions);
	}
	quash_put_end(w);
	quash_put_end(w);
}

/* Nobody asks for instructions twice: who has got the bridge's gets the device's as a log message. */
static void alone_tell(struct client *client, const struct device *d, quash_value instructions)
{
	do {
		put_told(wire_notify(&client->wire, "notifications/message"), d, instructions);
	} while (!wire_notify_send(&client->wire) && wire_makes_room(&client->wire));
}

void alone_over(const struct device *d, quash_value instructions)
{
	struct bridge *const b = d->wire.bridge;
	for (unsigned i = 0; i < b->client_places; i++) {
		struct client *const client = b->clients[i];
		if (client == NULL || client->leaving || !client->opened || !client->alone)
			continue;
		if (client->level <= (d->refused != NULL ? ERROR : INFO))
			alone_tell(client, d, instructions);
	}
	mcp_lists_changed(d);
}
