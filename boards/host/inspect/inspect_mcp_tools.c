/* SPDX-License-Identifier: MIT
 * Tools: their list and their arguments. */
#include "inspect_mcp.h"

#include "inspect_json.h"
#include "inspect_show.h"

#include <string.h>

/* --- Pages */

enum { MOST_PAGES = 1000 }; /* a server may give the same cursor for ever */

/* A page's call; its cursor stands in the answer to the one before. */
struct page {
	quash_call call;
	const struct options *options;
	const quash_call *before;
};

static void put_page(quash_writer *w, const quash_call *call)
{
	const struct page *const page = call->context;
	quash_put_object(w);
	if (page->before != NULL) {
		quash_put_key(w, "cursor");
		quash_put_value(w, quash_get(quash_call_answer(page->before), "nextCursor"));
	}
	mcp_put_meta(w, page->options, false);
	quash_put_end(w);
}

static bool ask_page(struct link *link, struct page *page, const quash_call *before)
{
	(void)quash_call_release(&page->call);
	page->call.method = "tools/list";
	page->call.put = put_page;
	page->call.context = page;
	page->options = link->options;
	page->before = before;
	return link_ask(link, &page->call);
}

/* Visits one page after the other until `visit` has enough. False: a page did not come. */
static bool each_page(struct link *link, bool (*visit)(struct link *link, quash_value result))
{
	static struct page pages[2];
	const quash_call *before = NULL;
	for (int i = 0; i < MOST_PAGES; i++) {
		struct page *const page = &pages[i % 2];
		if (!ask_page(link, page, before))
			return false;
		const quash_value result = quash_call_answer(&page->call);
		if (!visit(link, result) || quash_kind_of(quash_get(result, "nextCursor")) != QUASH_STRING)
			return true;
		before = &page->call;
	}
	note("note: more than %d pages of tools", MOST_PAGES);
	return true;
}

/* --- The list */

static void show(const char *text)
{
	show_text(text, strlen(text));
}

static void show_with(const char *before, quash_value value)
{
	if (quash_kind_of(value) == QUASH_NONE)
		return;
	show(before);
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
	show("    ");
	show_value(name);
	show(required ? " (required" : " (optional");
	show_with(", ", quash_get(property, "type"));
	show_with(", one of ", quash_get(property, "enum"));
	show_with(", at least ", quash_get(property, "minimum"));
	show_with(", at most ", quash_get(property, "maximum"));
	show_with(", by itself ", quash_get(property, "default"));
	show(")");
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

int mcp_list_tools(struct link *link)
{
	return each_page(link, show_page) ? EXIT_RESULT : link->exit;
}

/* --- Arguments */

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
		json_compact(argument->value);
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

/* A tool that is not listed may still be there: then every argument is JSON if it can be. */
static bool prepare_arguments(struct link *link)
{
	static const quash_value any = { NULL, 0, 0 };
	const int unknown = -1;
	if (link->options->argument_count == 0)
		return true;
	link->exit = unknown;
	if (!each_page(link, look_for_tool))
		return false;
	for (uint32_t i = 0; link->exit == unknown && i < link->options->argument_count; i++)
		(void)type_argument(&link->options->arguments[i], any);
	return link->exit != EXIT_USAGE;
}

/* --- The call */

static void put_argument(quash_writer *w, const struct argument *argument)
{
	quash_put_key(w, argument->name);
	if (argument->raw)
		quash_put_raw(w, argument->value);
	else
		quash_put_text(w, argument->value);
}

static void put_call(quash_writer *w, const quash_call *call)
{
	const struct options *const o = call->context;
	quash_put_object(w);
	quash_put_key(w, "name");
	quash_put_text(w, o->tool);
	quash_put_key(w, "arguments");
	quash_put_object(w);
	for (uint32_t i = 0; i < o->argument_count; i++)
		put_argument(w, &o->arguments[i]);
	quash_put_end(w);
	mcp_put_meta(w, o, true);
	quash_put_end(w);
}

int mcp_call_tool(struct link *link)
{
	static quash_call call = { .method = "tools/call", .put = put_call };
	if (!prepare_arguments(link))
		return link->exit;
	call.context = link->options;
	return run_call(link, &call, mcp_conduct(link, mcp_show_result));
}
