/* SPDX-License-Identifier: MIT
 * What several devices offer together. */
#define _POSIX_C_SOURCE 200809L
#include "bridge_lists.h"

#include "bridge_forward.h"
#include "bridge_many.h"
#include "bridge_mcp.h"
#include "bridge_server.h"
#include "bridge_text.h"
#include "quash.h"

#include <stdlib.h>
#include <string.h>

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

char *many_list_text(const quash_request *request, enum list_kind kind, bool devices)
{
	char *text = NULL;
	size_t size = 0;
	FILE *const to = open_memstream(&text, &size);
	if (to == NULL)
		return NULL;
	put_text(to, "{", mcp_list_member(kind));
	fputs(":[", to);
	const bool tool = devices && kind == LIST_TOOLS;
	fputs(tool ? devices_tool : "", to);
	put_items(to, kind, tool ? "," : "");
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
	int32_t verdict;
	if (!mcp_admits(request, &verdict))
		return verdict;
	if (quash_kind_of(quash_get(quash_params_of(request), "cursor")) != QUASH_NONE)
		return quash_fail(request, QUASH_INVALID_PARAMS, "Invalid cursor"); /* there is one page */
	if (must_wait(request) || forward_is_early(request))
		return quash_wait(request, LOOK_AGAIN_MS);
	return forward_reply_text(request, many_list_text(request, mcp_list_of(quash_method_of(request)->name), true));
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
	int32_t verdict;
	if (!mcp_admits(request, &verdict))
		return verdict;
	if (!mcp_names_version(request))
		return mcp_lacks_version(request);
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
	char line[128], words[SERVER_WORDS];
	device_name(&s->device.options, line, sizeof line);
	put_text(to, "{\"name\":", s->wire.name);
	put_text(to, ",\"state\":", server_state(s));
	put_text(to, ",\"line\":", line);
	put_text(to, ",\"server\":", s->own_name);
	put_text(to, ",\"version\":", s->own_version);
	fprintf(to, ",\"tools\":%lu", (unsigned long)s->list[LIST_TOOLS].count);
	if (s->phase != SERVER_READY) {
		server_words(s, words);
		put_text(to, ",\"trouble\":", words);
	}
	putc('}', to);
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

int32_t many_reply_devices(quash_request *request)
{
	struct own *const own = wire_own(request);
	own->text = devices_text();
	return own->text != NULL ? quash_reply(request, put_devices) : QUASH_INTERNAL_ERROR;
}

static int32_t call(quash_request *request)
{
	const struct own *const own = wire_const_own(request);
	bridge.hello_known = true;
	if (own->route != NULL || !quash_is(quash_get(quash_params_of(request), "name"), "devices"))
		return client_request(request);
	int32_t verdict;
	return mcp_admits(request, &verdict) ? many_reply_devices(request) : verdict;
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
