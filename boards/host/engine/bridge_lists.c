/* SPDX-License-Identifier: MIT
 * What several devices offer together. */
#include "bridge_lists.h"

#include "bridge_forward.h"
#include "bridge_many.h"
#include "bridge_mcp.h"
#include "bridge_device.h"
#include "format.h"
#include "text.h"
#include "quash.h"

#include <string.h>

#define CAPABILITIES "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true}," \
	"\"resources\":{\"listChanged\":true,\"subscribe\":true},\"logging\":{},\"completions\":{}}"
#define SERVER_INFO MCP_INFO("quash-bridge")
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

static void put_items(struct bridge *b, struct builder *to, enum list_kind kind, const char *comma)
{
	for (unsigned i = 0; i < b->device_count; i++) {
		const struct device *const d = b->devices[i];
		for (size_t k = 0; d->phase == DEVICE_READY && k < d->list[kind].count; k++) {
			const char *const json = d->list[kind].items[k].json;
			if (json == NULL)
				continue;
			build_text(to, comma);
			build_text(to, json);
			comma = ",";
		}
	}
}

char *many_list_text(const quash_request *request, enum list_kind kind, bool devices)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct builder made = build_begin(&b->heap), *const to = &made;
	text_put_named(to, "{", mcp_lists[kind].member);
	build_text(to, ":[");
	const bool tool = devices && kind == LIST_TOOLS;
	build_text(to, tool ? devices_tool : "");
	put_items(b, to, kind, tool ? "," : "");
	build_char(to, ']');
	build_text(to, mcp_is_modern(request) ? modern_members : "");
	build_char(to, '}');
	return build_end(to);
}

static bool must_wait_for_devices(const quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct own *const own = wire_own((quash_request *)(uintptr_t)request);
	if (!own->passed)
		own->begun = b->now;
	own->passed = true;
	b->hello_known = true;
	return !many_all_ready(b) && b->now - own->begun < OTHERS_MS;
}

/* Devices that are about to come are waited for. */
static int32_t many_list(quash_request *request)
{
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	int32_t verdict;
	if (!mcp_admits(request, &verdict))
		return verdict;
	if (quash_kind_of(quash_get(quash_params_of(request), "cursor")) != QUASH_NONE)
		return quash_fail(request, QUASH_INVALID_PARAMS, "Invalid cursor"); /* there is one page */
	if (must_wait_for_devices(request) || forward_is_early(request))
		return quash_wait(request, LOOK_AGAIN_MS);
	return forward_reply_text(request, many_list_text(request, mcp_list_of(quash_method_of(request)->name), true));
}

static bool eras_known(struct bridge *b)
{
	bool known = true;
	for (unsigned i = 0; i < b->device_count; i++)
		known = known && (b->devices[i]->phase != DEVICE_READY || b->devices[i]->modern_known);
	return known;
}

static int32_t many_discover(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	int32_t verdict;
	if (!mcp_admits(request, &verdict))
		return verdict;
	if (!mcp_names_version(request))
		return mcp_lacks_version(request);
	b->modern_wanted = true;
	if (must_wait_for_devices(request) || !eras_known(b))
		return quash_wait(request, LOOK_AGAIN_MS);
	for (unsigned i = 0; i < b->device_count; i++) {
		if (b->devices[i]->phase == DEVICE_READY && b->devices[i]->modern == NULL)
			return QUASH_METHOD_NOT_FOUND;
	}
	return quash_reply_json(request, "{\"resultType\":\"complete\",\"supportedVersions\":[\"" QUASH_MCP_MODERN_VERSION "\"],"
		"\"capabilities\":" CAPABILITIES ",\"instructions\":" INSTRUCTIONS ",\"ttlMs\":0,\"cacheScope\":\"private\","
		"\"_meta\":{\"io.modelcontextprotocol/serverInfo\":" SERVER_INFO "}}");
}

/* --- The tool that lists the devices */

void many_put_device(struct builder *to, const struct device *d, const char *tools)
{
	char line[128], words[DEVICE_WORDS];
	device_name(&d->options, line, sizeof line);
	text_put_named(to, "{\"name\":", d->wire.name);
	text_put_named(to, ",\"state\":", device_state(d));
	text_put_named(to, ",\"line\":", line);
	text_put_named(to, ",\"server\":", d->own_name);
	text_put_named(to, ",\"version\":", d->own_version);
	build_text(to, ",\"tools\":");
	build_text(to, tools);
	if (d->phase != DEVICE_READY) {
		device_words(d, words);
		text_put_named(to, ",\"trouble\":", words);
	}
	build_char(to, '}');
}

static char *devices_text(struct bridge *b)
{
	struct builder made = build_begin(&b->heap), *const to = &made;
	char tools[24];
	build_text(to, "{\"devices\":[");
	for (unsigned i = 0; i < b->device_count; i++) {
		build_text(to, i > 0 ? "," : "");
		format_text(tools, sizeof tools, "%zu", b->devices[i]->list[LIST_TOOLS].count);
		many_put_device(to, b->devices[i], tools);
	}
	build_text(to, "]}");
	return build_end(to);
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
	struct bridge *const b = wire_of_request(request)->bridge;
	struct own *const own = wire_own(request);
	own->text = devices_text(b);
	return own->text != NULL ? quash_reply(request, put_devices) : QUASH_INTERNAL_ERROR;
}

static int32_t many_call(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct own *const own = wire_const_own(request);
	b->hello_known = true;
	if (own->route != NULL || !quash_is(quash_get(quash_params_of(request), "name"), "devices"))
		return client_request(request);
	int32_t verdict;
	return mcp_admits(request, &verdict) ? many_reply_devices(request) : verdict;
}

void many_methods(struct client *client)
{
	const quash_method methods[] = {
		forward_own("tools/list", many_list, 0),
		forward_own("prompts/list", many_list, 0),
		forward_own("resources/list", many_list, 0),
		forward_own("resources/templates/list", many_list, 0),
		forward_own("server/discover", many_discover, 0),
		forward_own("tools/call", many_call, 0),
	};
	wire_add_methods(&client->wire, methods, sizeof methods / sizeof methods[0]);
}
