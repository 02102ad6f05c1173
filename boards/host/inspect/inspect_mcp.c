/* SPDX-License-Identifier: MIT
 * The Model Context Protocol, as a client: the greeting, its tools, what the device reports by itself, the conversation. */
#include "inspect_mcp.h"

#include "inspect_call.h"
#include "inspect_protocol.h"
#include "inspect_show.h"
#include "mcp_client.h"
#include "quash.h"
#include "reading.h"
#include "span.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What each era of MCP wants of requests */

#define CLIENT "quash-inspect"
#define MODERN MCP_MODERN_MEMBERS(CLIENT)

/* Puts `_meta` into the open params: what the era wants, and a token for progress, JSON or NULL. */
static void mcp_put_meta(quash_writer *w, const struct inspect_options *o, const char *token)
{
	char meta[512];
	if (token == NULL && !o->modern)
		return;
	snprintf(meta, sizeof meta, "{%s%s%s%s}", token != NULL ? "\"progressToken\":" : "", token != NULL ? token : "",
		token != NULL && o->modern ? "," : "", o->modern ? MODERN : "");
	quash_put_key(w, "_meta");
	quash_put_raw(w, meta);
}

/* Puts params with `_meta` alone; the call's context are the options. */
static void mcp_put_only_meta(quash_writer *w, const quash_call *call)
{
	quash_put_object(w);
	mcp_put_meta(w, call->context, NULL);
	quash_put_end(w);
}

static void mcp_put_initialize(quash_writer *w, const quash_call *call)
{
	(void)call;
	mcp_put_greeting(w, "{}", MCP_INFO(CLIENT));
}

const struct conduct *mcp_conduct(const struct link *link, int (*show_string)(struct link *link, quash_value result))
{
	static struct conduct conduct;
	conduct.show = show_string;
	conduct.probe = link->options->modern ? "server/discover" : "ping";
	conduct.put_probe = link->options->modern ? mcp_put_only_meta : NULL;
	conduct.probe_context = link->options;
	return &conduct;
}

/* Gives the params what the modern era wants; one's own `_meta` stays as it is. False: out of memory. */
static bool mcp_modernise(struct inspect_options *o)
{
	const char *const given = o->params != NULL ? o->params : "{}";
	const size_t size = strlen(given) + sizeof MODERN + sizeof "{\"_meta\":{},";
	if (!o->modern || span_member(span_of(given), "_meta").at != NULL)
		return true;
	char *const text = malloc(size);
	if (text != NULL)
		snprintf(text, size, "{\"_meta\":{%s}%s%s", MODERN, given[1] == '}' ? "" : ",", given + 1);
	o->params = text; /* the process's */
	return text != NULL;
}

/* --- The result of a tool for people: 2025-11-25 server/tools "Tool Result" */

static void note_member(quash_value object, const char *name)
{
	const quash_value value = quash_get(object, name);
	if (quash_kind_of(value) == QUASH_NONE)
		return;
	note_part(" ");
	note_value(value);
}

/* What a terminal cannot show is described. */
static void describe(quash_value block)
{
	const quash_value data = quash_get(block, "data"), resource = quash_get(block, "resource");
	note_open();
	note_value(quash_get(block, "type"));
	note_member(block, "mimeType");
	note_member(block, "name");
	note_member(block, "uri");
	note_member(resource, "uri");
	if (quash_kind_of(data) == QUASH_STRING)
		note_part(", %zu characters of base64 (--json shows them)", quash_length(data));
	note_close();
}

static void show_block(quash_value block)
{
	const quash_value text = quash_get(block, "text"), inner = quash_get(block, "resource.text");
	if (quash_is(quash_get(block, "type"), "text") || quash_kind_of(inner) == QUASH_STRING) {
		show_value(quash_kind_of(inner) == QUASH_STRING ? inner : text);
		show_line_end();
	} else {
		describe(block);
	}
}

/* Shows the result of a tool for people. Returns the exit code. */
static int mcp_show_result(struct link *link, quash_value result)
{
	const quash_value content = quash_get(result, "content"),
			  structured = quash_get(result, "structuredContent");
	quash_value cursor = { 0 }, block;
	bool any = false;
	(void)link;
	for (; quash_next(content, &cursor, NULL, &block); any = true)
		show_block(block);
	if (!any && quash_kind_of(structured) != QUASH_NONE)
		show_json(structured);
	else if (quash_kind_of(content) != QUASH_ARRAY)
		show_json(result); /* no result of a tool, or one that asks for more (2026-07-28 `input_required`) */
	if (quash_kind_of(quash_get(result, "isError")) != QUASH_TRUE)
		return EXIT_RESULT;
	note("the tool says that it has failed");
	return EXIT_ERROR;
}

/* --- Tools: pages */

/* A page's call; its cursor stands in the answer to the one before. */
struct page {
	quash_call call;
	const struct inspect_options *options;
	const quash_call *before;
};

static void put_tools_page(quash_writer *w, const quash_call *call)
{
	const struct page *const page = call->context;
	quash_put_object(w);
	if (page->before != NULL) {
		quash_put_key(w, "cursor");
		quash_put_value(w, quash_get(quash_call_answer(page->before), "nextCursor"));
	}
	mcp_put_meta(w, page->options, NULL);
	quash_put_end(w);
}

static bool ask_tools_page(struct link *link, struct page *page, const quash_call *before)
{
	(void)quash_call_release(&page->call);
	page->call.method = mcp_lists[LIST_TOOLS].method;
	page->call.put = put_tools_page;
	page->call.context = page;
	page->options = link->options;
	page->before = before;
	return link_ask(link, &page->call);
}

bool mcp_each_page(struct link *link, bool (*visit)(struct link *link, quash_value result))
{
	static struct page pages[2];
	static struct mcp_seen cursors;
	const quash_call *before = NULL;
	cursors.count = 0;
	for (int i = 0; i < MCP_PAGES; i++) {
		struct page *const page = &pages[i % 2];
		if (!ask_tools_page(link, page, before))
			return false;
		const quash_value result = quash_call_answer(&page->call);
		const quash_value next = quash_get(result, "nextCursor");
		if (!visit(link, result) || quash_kind_of(next) != QUASH_STRING)
			return true;
		const char *const why = mcp_cursor_leads_nowhere(&cursors, &heap_standard, next);
		if (why != NULL) {
			note("note: the list of tools does not end: %s", why);
			return true;
		}
		before = &page->call;
	}
	note("note: more than %d pages of tools", MCP_PAGES);
	return true;
}

/* --- Tools: the list */

static void show_string(const char *text)
{
	show_text(text, strlen(text));
}

static void show_with(const char *before, quash_value value)
{
	if (quash_kind_of(value) == QUASH_NONE)
		return;
	show_string(before);
	show_value(value);
}

static bool lists(quash_value array, quash_value text)
{
	quash_value cursor = { 0 }, item;
	while (quash_next(array, &cursor, NULL, &item)) {
		if (quash_is(item, quash_text(text)))
			return true;
	}
	return false;
}

static void show_property(quash_value name, quash_value property, bool required)
{
	show_string("    ");
	show_value(name);
	show_string(required ? " (required" : " (optional");
	show_with(", ", quash_get(property, "type"));
	show_with(", one of ", quash_get(property, "enum"));
	show_with(", at least ", quash_get(property, "minimum"));
	show_with(", at most ", quash_get(property, "maximum"));
	show_with(", by itself ", quash_get(property, "default"));
	show_string(")");
	show_with(": ", quash_get(property, "description"));
	show_line_end();
}

static void show_tool(quash_value tool)
{
	const quash_value schema = quash_get(tool, "inputSchema");
	const quash_value required = quash_get(schema, "required");
	quash_value cursor = { 0 }, name, property;
	show_value(quash_get(tool, "name"));
	show_with(": ", quash_get(tool, "description"));
	show_line_end();
	while (quash_next(quash_get(schema, "properties"), &cursor, &name, &property))
		show_property(name, property, lists(required, name));
}

static bool show_page(struct link *link, quash_value result)
{
	quash_value cursor = { 0 }, tool;
	if (link->options->json) {
		show_json(result);
		show_line_end();
		return true;
	}
	while (quash_next(quash_get(result, "tools"), &cursor, NULL, &tool))
		show_tool(tool);
	return true;
}

/* --- Tools: arguments */

static bool is_integer(const char *value)
{
	const char *const digits = value + (*value == '-');
	return json_kind(value) == QUASH_NUMBER && digits[strspn(digits, "0123456789")] == '\0';
}

/* Whether the text is JSON of this type; a string's text is not. */
static bool is_of_type(const char *value, quash_value type)
{
	const quash_kind kind = json_kind(value);
	if (quash_is(type, "integer"))
		return is_integer(value);
	return (kind == QUASH_NUMBER && quash_is(type, "number")) ||
		(kind == QUASH_NULL && quash_is(type, "null")) ||
		((kind == QUASH_TRUE || kind == QUASH_FALSE) && quash_is(type, "boolean")) ||
		(kind == QUASH_ARRAY && quash_is(type, "array")) ||
		(kind == QUASH_OBJECT && quash_is(type, "object"));
}

/* Decides how the argument is written. False when it cannot be what the schema wants. */
static bool type_argument(struct argument *argument, quash_value types)
{
	quash_value cursor = { 0 }, type;
	bool any = false, text = quash_is(types, "string");
	argument->raw = is_of_type(argument->value, types);
	while (quash_kind_of(types) == QUASH_ARRAY && quash_next(types, &cursor, NULL, &type)) {
		argument->raw = argument->raw || is_of_type(argument->value, type);
		text = text || quash_is(type, "string");
	}
	any = quash_kind_of(types) == QUASH_NONE;
	if (any)
		argument->raw = json_kind(argument->value) != QUASH_NONE;
	if (argument->raw)
		text_compact(argument->value);
	return argument->raw || text || any;
}

static bool type_arguments(struct link *link, quash_value tool)
{
	const quash_value properties = quash_get(tool, "inputSchema.properties");
	for (uint32_t i = 0; i < link->options->argument_count; i++) {
		struct argument *const argument = &link->options->arguments[i];
		const quash_value type = quash_get(quash_member(properties, argument->name), "type");
		if (type_argument(argument, type))
			continue;
		note_open();
		note_part("quash-inspect: %s=%s: must be of type ", argument->name, argument->value);
		note_value(type);
		note_close();
		return false;
	}
	return true;
}

/* Stops at the tool that is to be called. */
static bool look_for_tool(struct link *link, quash_value result)
{
	quash_value cursor = { 0 }, tool;
	while (quash_next(quash_get(result, "tools"), &cursor, NULL, &tool)) {
		if (!quash_is(quash_get(tool, "name"), link->options->tool))
			continue;
		link->exit = type_arguments(link, tool) ? EXIT_RESULT : EXIT_USAGE;
		return false;
	}
	return true;
}

bool mcp_prepare_arguments(struct link *link)
{
	static const quash_value any = { NULL, 0, 0 };
	const int unknown = -1;
	if (link->options->argument_count == 0)
		return true;
	link->exit = unknown;
	if (!mcp_each_page(link, look_for_tool))
		return false;
	for (uint32_t i = 0; link->exit == unknown && i < link->options->argument_count; i++)
		(void)type_argument(&link->options->arguments[i], any);
	return link->exit != EXIT_USAGE;
}

/* --- Tools: the call */

static void put_argument(quash_writer *w, const struct argument *argument)
{
	quash_put_key(w, argument->name);
	if (argument->raw)
		quash_put_raw(w, argument->value);
	else
		quash_put_text(w, argument->value);
}

void mcp_put_call(quash_writer *w, const struct inspect_options *o, const char *tool, const char *token)
{
	quash_put_object(w);
	quash_put_key(w, "name");
	quash_put_text(w, tool);
	quash_put_key(w, "arguments");
	quash_put_object(w);
	for (uint32_t i = 0; tool == o->tool && i < o->argument_count; i++)
		put_argument(w, &o->arguments[i]);
	quash_put_end(w);
	mcp_put_meta(w, o, token);
	quash_put_end(w);
}

static void put_call(quash_writer *w, const quash_call *call)
{
	const struct inspect_options *const o = call->context;
	mcp_put_call(w, o, o->tool, "1");
}

/* Calls the tool of the command line. Returns the exit code. */
static int mcp_call_tool(struct link *link)
{
	static quash_call call = { .method = "tools/call", .put = put_call };
	if (!mcp_prepare_arguments(link))
		return link->exit;
	call.context = link->options;
	return run_call(link, &call, mcp_conduct(link, mcp_show_result));
}

/* --- The greeting */

static void report_device(quash_value info, const char *version)
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

static bool refuse_version(struct link *link, const char *version)
{
	note_open();
	note_part("it speaks MCP ");
	note_text(version, strlen(version));
	note_part(", which quash-inspect does not");
	note_close();
	link->exit = EXIT_ERROR;
	return false;
}

static bool mcp_initialize(struct link *link)
{
	static quash_call call = { .method = "initialize", .put = mcp_put_initialize };
	if (!link_ask(link, &call))
		return false;
	const quash_value result = quash_call_answer(&call);
	const char *const version = quash_text(quash_get(result, "protocolVersion"));
	if (mcp_revision(version) == NULL)
		return refuse_version(link, version);
	report_device(mcp_info(result), version);
	quash_call_release(&call);
	link_notify(link, "notifications/initialized", NULL, NULL);
	return true;
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

static bool mcp_discover(struct link *link)
{
	static quash_call call = { .method = "server/discover", .put = mcp_put_only_meta };
	call.context = link->options;
	if (!link_ask(link, &call))
		return false;
	if (!speaks_modern(quash_call_answer(&call)))
		return refuse_version(link, "without " QUASH_MCP_MODERN_VERSION);
	report_device(mcp_info(quash_call_answer(&call)), QUASH_MCP_MODERN_VERSION);
	quash_call_release(&call);
	return true;
}

/* --- What the device reports by itself */

static int32_t mcp_on_progress(quash_request *request)
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
	{ .name = "notifications/progress", .handler = mcp_on_progress, .marks = QUASH_NOTIFICATION },
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

static bool mcp_greet_device(struct link *link)
{
	return link->options->modern ? mcp_discover(link) : mcp_initialize(link);
}

static int mcp_converse(struct link *link)
{
	if (!mcp_greet_device(link))
		return link->exit;
	if (link->options->method != NULL)
		return run_any(link);
	if (link->options->tool != NULL)
		return mcp_call_tool(link);
	return mcp_each_page(link, show_page) ? EXIT_RESULT : link->exit;
}

const struct inspect_protocol inspect_mcp = {
	.name = "mcp",
	.dialect = &quash_mcp,
	.methods = methods,
	.method_count = sizeof methods / sizeof methods[0],
	.converse = mcp_converse,
	.greet = mcp_greet_device,
};
