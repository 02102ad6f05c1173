/* SPDX-License-Identifier: MIT
 * An MCP server with several resources, templates, prompts and completers beside each other, and handlers that have hooks. */
#include "programs.h"

#include "quash.h"

#include <stdio.h>
#include <string.h>

enum { TOKEN = 7, NAME = 8 };

/* --- Hooks */

static int32_t end(quash_request *request)
{
	program_note(request, "end");
	return QUASH_DONE;
}

static void released(quash_request *request)
{
	program_note(request, quash_mcp_server_of(request) != NULL ? "released" : "released by nobody");
}

/* --- Readings: who reads says what the variables are */

static void put_variables(quash_writer *w, const quash_request *request)
{
	char x[8], y[8], text[64];
	const bool has_x = quash_mcp_variable(request, "x", x, sizeof x), has_y = quash_mcp_variable(request, "y", y, sizeof y);
	snprintf(text, sizeof text, "%s%s%s%s%s", quash_mcp_resource_of(request)->name, has_x ? " x=" : " no x", x, has_y ? " y=" : " no y", y);
	quash_put_text(w, text);
}

static int32_t read_variables(quash_request *request)
{
	return quash_mcp_read_put(request, put_variables);
}

static void put_two(quash_writer *w, const quash_request *request)
{
	for (unsigned i = 0; i < 2; i++) {
		quash_put_object(w);
		quash_put_key(w, "uri");
		quash_put_text(w, i == 0 ? quash_mcp_uri(request) : "a:other");
		quash_put_key(w, "text");
		quash_put_text(w, i == 0 ? "first" : "second");
		quash_put_end(w);
	}
}

static int32_t read_two(quash_request *request)
{
	return quash_mcp_contents(request, put_two);
}

static void put_named(quash_writer *w, const quash_request *request)
{
	quash_put_text(w, (const char *)quash_mcp_const_state(request, NAME));
}

static int32_t read_named(quash_request *request)
{
	char *const name = quash_mcp_state(request, NAME);
	memset(name, '?', NAME);
	if (quash_mcp_variable(request, "name", name, NAME))
		return quash_mcp_read_put(request, put_named);
	if (name[0] != '\0')
		program_note(request, name);
	return quash_mcp_no_resource(request);
}

static void put_pieces(quash_writer *w, const quash_request *request)
{
	quash_mcp_base64 b;
	(void)request;
	quash_mcp_base64_open(&b, w);
	quash_mcp_base64_part(&b, "foo", 3);
	quash_mcp_base64_part(&b, "ba", 2);
	quash_mcp_base64_close(&b);
}

static int32_t read_pieces(quash_request *request)
{
	return quash_mcp_read_blob_put(request, put_pieces);
}

/* The first answer counts, and stays what it was. */
static int32_t read_twice(quash_request *request)
{
	(void)quash_mcp_read_blob(request, "foobar", 6);
	return quash_mcp_read_blob(request, "second", 3);
}

/* It is gone by the time that it is looked at: the params are, too. */
static int32_t read_gone(quash_request *request)
{
	uint8_t *const calls = QUASH_TOOL(uint8_t, request);
	return (*calls)++ == 0 ? QUASH_PENDING : quash_mcp_no_resource(request);
}

static const quash_mcp_resource list[] = {
	QUASH_MCP_RESOURCE("a:1", "one", NULL, read_variables, 0),
	QUASH_MCP_RESOURCE("a:2", "two", "text/plain", read_variables, 0),
	QUASH_MCP_RESOURCE("a:3", "three", NULL, read_two, 0),
	{ .uri = "r:gone", .name = "gone", .read = read_gone, .state_size = 1 },
	{ .uri = "r:twice", .name = "twice", .read = read_twice, .end = end, .released = released, .marks = QUASH_FINISHES },
	{ .uri = "r:pieces", .name = "pieces", .mime_type = "x/y", .read = read_pieces },
};
static const quash_mcp_resource templates[] = {
	QUASH_MCP_RESOURCE("a:{x}", "first", NULL, read_variables, 0),
	QUASH_MCP_RESOURCE("b:{x}/{y}", "second", "text/plain", read_variables, 0),
	QUASH_MCP_RESOURCE("b:{+y}", "third", NULL, read_variables, 0),
	{ .uri = "c:{x}", .name = "fourth", .read = read_two, .ttl = 70 },
	{ .uri = "n:{name}", .name = "named", .read = read_named, .state_size = NAME },
};
static const quash_mcp_resources resources = QUASH_MCP_RESOURCE_LISTS(list, templates);

/* --- Prompts */

static int32_t get(quash_request *request)
{
	return quash_mcp_prompt_text(request, "text");
}

static const quash_param held_list[] = { QUASH_ARG_STRING_OR("who", NULL) };
static const quash_params held_params = QUASH_PARAMS_ONLY(held_list);
static const quash_mcp_prompt prompt_list[] = { QUASH_MCP_PROMPT("a:1", NULL, NULL, get), QUASH_MCP_PROMPT("two", NULL, NULL, get),
	{ .name = "held", .args = &held_params, .get = get, .end = end, .released = released, .marks = QUASH_FINISHES } };
static const quash_mcp_prompts prompts = QUASH_MCP_PROMPT_LIST(prompt_list);

/* --- Completers */

/* As many as are typed, and then what the other arguments say. */
static const char *suggest(const quash_request *request, quash_value typed, quash_value arguments, uint16_t index)
{
	int32_t count = 0;
	(void)request;
	for (const char *c = quash_text(typed); *c != '\0'; c++)
		count = count * 10 + (*c - '0');
	if (index < count)
		return "s";
	return index == count && quash_kind_of(arguments) == QUASH_OBJECT ? quash_text(quash_member(arguments, "other")) : NULL;
}

static const char *const reds[] = { "red", "rose", "green", NULL }, *const rice[] = { "rice", NULL }, *const greens[] = { "red", "green", NULL };
static const quash_mcp_completer completers[] = {
	{ "a:1", NULL, "x", reds, NULL },
	{ "a:1", NULL, "y", rice, NULL },
	{ NULL, "a:1", "x", rice, NULL },
	{ NULL, "a:{x}", "x", NULL, suggest },
	{ NULL, "b:{x}/{y}", "y", greens, NULL },
	{ NULL, "c:{x}", "x", greens, NULL },
};
static const quash_mcp_completion completion = QUASH_MCP_COMPLETERS(completers);

/* --- As a program */

static const quash_mcp_part *const parts[] = { &resources.part, &prompts.part, &completion.part, NULL };
QUASH_MCP_WATCHES(watches, 8, 20);
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .parts = parts, .modern = &quash_mcp_modern,
	.watches = &watches, .page = 1, .token_size = TOKEN };
static const quash_method methods[] = { QUASH_MCP_LEGACY(&server), QUASH_MCP_MODERN(&server), QUASH_MCP_RESOURCES(&server),
	QUASH_MCP_SUBSCRIBE(&server), QUASH_MCP_PROMPTS(&server), QUASH_MCP_COMPLETION(&server) };

static const quash_config config = { PROGRAM_MCP(methods, QUASH_MCP_STATE(TOKEN, NAME)) };

static void forget(void)
{
	static const quash_mcp_session fresh;
	session = fresh;
	quash_mcp_forget_watches(&watches);
}

static bool act(quash_peer *peer, const char *what)
{
	if (strncmp(what, "touch ", 6) != 0)
		return false;
	(void)quash_mcp_updated(peer, &server, what + 6);
	return true;
}

const struct program shelf_programs[] = { { "shelf", &config, forget, act }, { NULL, NULL, NULL, NULL } };
