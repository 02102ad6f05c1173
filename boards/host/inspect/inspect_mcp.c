/* SPDX-License-Identifier: MIT
 * The Model Context Protocol, as a client. Both eras: `initialize` (2025-11-25 basic/lifecycle), and 2026-07-28, in
 * which every request says what it speaks. */
#include "inspect_mcp.h"

#include "inspect_json.h"
#include "inspect_protocol.h"
#include "inspect_show.h"

#include "quash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLIENT "{\"name\":\"quash-inspect\",\"version\":\"" QUASH_VERSION "\"}"
/* What each request of the modern era carries (2026-07-28 basic "_meta"). */
#define MODERN \
	"\"io.modelcontextprotocol/protocolVersion\":\"" QUASH_MCP_MODERN_VERSION "\"," \
	"\"io.modelcontextprotocol/clientInfo\":" CLIENT "," \
	"\"io.modelcontextprotocol/clientCapabilities\":{}"
#define PROGRESS "\"progressToken\":1"

enum { COUNT_OF_VERSIONS = 4 };

static const char *const versions[] = QUASH_MCP_LEGACY_VERSIONS;

/* --- Params */

void mcp_put_meta(quash_writer *w, const struct options *o, bool progress)
{
	const char *const meta = o->modern ? (progress ? "{" PROGRESS "," MODERN "}" : "{" MODERN "}")
					   : "{" PROGRESS "}";
	if (!progress && !o->modern)
		return;
	quash_put_key(w, "_meta");
	quash_put_raw(w, meta);
}

static void put_only_meta(quash_writer *w, const quash_call *call)
{
	quash_put_object(w);
	mcp_put_meta(w, call->context, false);
	quash_put_end(w);
}

static void put_initialize(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_object(w);
	quash_put_key(w, "protocolVersion");
	quash_put_text(w, versions[COUNT_OF_VERSIONS - 1]);
	quash_put_key(w, "capabilities");
	quash_put_object(w);
	quash_put_end(w);
	quash_put_key(w, "clientInfo");
	quash_put_raw(w, CLIENT);
	quash_put_end(w);
}

/* --- The greeting */

static void tell_server(quash_value info, const char *version)
{
	note_open();
	if (quash_kind_of(info) == QUASH_NONE) {
		note_part("it");
	} else {
		note_value(quash_get(info, "name"));
		note_part(" ");
		note_value(quash_get(info, "version"));
	}
	note_part(" speaks MCP ");
	note_text(version, strlen(version));
	note_close();
}

static bool refuse(struct link *link, const char *version)
{
	note_open();
	note_part("it speaks MCP ");
	note_text(version, strlen(version));
	note_part(", which inspect does not");
	note_close();
	link->exit = EXIT_ERROR;
	return false;
}

static bool know(const char *version)
{
	for (size_t i = 0; i < COUNT_OF_VERSIONS; i++) {
		if (strcmp(versions[i], version) == 0)
			return true;
	}
	return false;
}

static bool initialize(struct link *link)
{
	static quash_call call = { .method = "initialize", .put = put_initialize };
	if (!link_ask(link, &call))
		return false;
	const quash_value result = quash_answer(&call);
	const char *const version = quash_text(quash_get(result, "protocolVersion"));
	if (!know(version))
		return refuse(link, version);
	tell_server(quash_get(result, "serverInfo"), version);
	quash_call_release(&call);
	link_notify(link, "notifications/initialized", NULL, NULL);
	return true;
}

static quash_value server_info(quash_value result)
{
	return mcp_member(quash_get(result, "_meta"), "io.modelcontextprotocol/serverInfo");
}

static bool speaks_modern(quash_value result)
{
	const quash_value list = quash_get(result, "supportedVersions");
	quash_value cursor = { 0 }, version;
	while (quash_next(list, &cursor, NULL, &version)) {
		if (quash_is(version, QUASH_MCP_MODERN_VERSION))
			return true;
	}
	return false;
}

static bool discover(struct link *link)
{
	static quash_call call = { .method = "server/discover", .put = put_only_meta };
	call.context = link->options;
	if (!link_ask(link, &call))
		return false;
	if (!speaks_modern(quash_answer(&call)))
		return refuse(link, "without " QUASH_MCP_MODERN_VERSION);
	tell_server(server_info(quash_answer(&call)), QUASH_MCP_MODERN_VERSION);
	quash_call_release(&call);
	return true;
}

/* --- What the server says by itself */

static int32_t on_progress(quash_request *request, quash_value params)
{
	const quash_value total = quash_get(params, "total"), message = quash_get(params, "message");
	link_of(request)->progress++;
	note_progress_open();
	note_part("progress ");
	note_value(quash_get(params, "progress"));
	if (quash_kind_of(total) != QUASH_NONE) {
		note_part(" of ");
		note_value(total);
	}
	if (quash_kind_of(message) != QUASH_NONE) {
		note_part(": ");
		note_value(message);
	}
	note_progress_close();
	return QUASH_DONE;
}

static int32_t on_log(quash_request *request, quash_value params)
{
	(void)request;
	note_open();
	note_part("log ");
	note_value(quash_get(params, "level"));
	note_part(": ");
	note_value(quash_get(params, "data"));
	note_close();
	return QUASH_DONE;
}

static int32_t on_ping(quash_request *request, quash_value params)
{
	(void)params;
	quash_put_object(quash_reply(request));
	return quash_send(request);
}

static const quash_method methods[] = {
	{ .name = "ping", .handler = on_ping },
	{ .name = "notifications/progress", .handler = on_progress, .marks = QUASH_NOTIFICATION },
	{ .name = "notifications/message", .handler = on_log, .marks = QUASH_NOTIFICATION },
};

/* --- The conversation */

/* The modern era has no ping. */
const struct conduct *mcp_conduct(const struct link *link, int (*show)(struct link *link, quash_value result))
{
	static struct conduct conduct;
	conduct.show = show;
	conduct.probe = link->options->modern ? "server/discover" : "ping";
	conduct.put_probe = link->options->modern ? put_only_meta : NULL;
	conduct.probe_context = link->options;
	return &conduct;
}

/* The params with what the modern era wants; one's own `_meta` stays as it is. */
static bool modernise(struct options *o)
{
	const char *const given = o->params != NULL ? o->params : "{}";
	const size_t size = strlen(given) + sizeof MODERN + sizeof "{\"_meta\":{},";
	if (!o->modern || json_has(given, "_meta"))
		return true;
	char *const text = malloc(size);
	if (text != NULL)
		snprintf(text, size, "{\"_meta\":{%s}%s%s", MODERN, given[1] == '}' ? "" : ",", given + 1);
	o->params = text; /* the process's */
	return text != NULL;
}

static int run_any(struct link *link)
{
	if (modernise(link->options))
		return run_method(link, mcp_conduct(link, NULL));
	note("inspect: out of memory");
	return EXIT_NO_ANSWER;
}

static int converse(struct link *link)
{
	if (!(link->options->modern ? discover(link) : initialize(link)))
		return link->exit;
	if (link->options->method != NULL)
		return run_any(link);
	return link->options->tool != NULL ? mcp_call_tool(link) : mcp_list_tools(link);
}

const struct protocol protocol_mcp = {
	.name = "mcp",
	.dialect = &quash_mcp,
	.methods = methods,
	.method_count = sizeof methods / sizeof methods[0],
	.converse = converse,
};
