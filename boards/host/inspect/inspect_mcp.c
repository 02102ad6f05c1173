/* SPDX-License-Identifier: MIT
 * The Model Context Protocol, as a client: the greeting, what the server reports by itself, the conversation. */
#include "inspect_mcp.h"

#include "inspect_protocol.h"
#include "inspect_show.h"

#include "quash.h"

#include <string.h>

/* --- The greeting */

static void report_server(quash_value info, const char *version)
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
	note_part(", which quash-inspect does not");
	note_close();
	link->exit = EXIT_ERROR;
	return false;
}

static bool initialize(struct link *link)
{
	static quash_call call = { .method = "initialize", .put = mcp_put_initialize };
	if (!link_ask(link, &call))
		return false;
	const quash_value result = quash_call_answer(&call);
	const char *const version = quash_text(quash_get(result, "protocolVersion"));
	if (!mcp_knows(version))
		return refuse(link, version);
	report_server(quash_get(result, "serverInfo"), version);
	quash_call_release(&call);
	link_notify(link, "notifications/initialized", NULL, NULL);
	return true;
}

static quash_value server_info(quash_value result)
{
	return quash_member(quash_get(result, "_meta"), "io.modelcontextprotocol/serverInfo");
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
	static quash_call call = { .method = "server/discover", .put = mcp_put_only_meta };
	call.context = link->options;
	if (!link_ask(link, &call))
		return false;
	if (!speaks_modern(quash_call_answer(&call)))
		return refuse(link, "without " QUASH_MCP_MODERN_VERSION);
	report_server(server_info(quash_call_answer(&call)), QUASH_MCP_MODERN_VERSION);
	quash_call_release(&call);
	return true;
}

/* --- What the server reports by itself */

static int32_t on_progress(quash_request *request)
{
	const quash_value params = quash_params_of(request);
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

static int32_t on_log(quash_request *request)
{
	const quash_value params = quash_params_of(request);
	note_open();
	note_part("log ");
	note_value(quash_get(params, "level"));
	note_part(": ");
	note_value(quash_get(params, "data"));
	note_close();
	return QUASH_DONE;
}

static int32_t on_ping(quash_request *request)
{
	return quash_reply_json(request, "{}");
}

static const quash_method methods[] = {
	{ .name = "ping", .handler = on_ping },
	{ .name = "notifications/progress", .handler = on_progress, .marks = QUASH_NOTIFICATION },
	{ .name = "notifications/message", .handler = on_log, .marks = QUASH_NOTIFICATION },
};

/* --- The conversation */

static int run_any(struct link *link)
{
	if (mcp_modernise(link->options))
		return run_method(link, mcp_conduct(link, NULL));
	note("quash-inspect: out of memory");
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
