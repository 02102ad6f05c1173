/* SPDX-License-Identifier: MIT
 * Tables of every kind as C++11, written with the positional macros and with named members. Returns 0 when quash_init finds
 * nothing wrong with the peers that they make. No part of the C++ library is used: avr-gcc has none. */
#include "quash.h"

namespace {

int32_t done(quash_request *request)
{
	return quash_mcp_text(request, "done");
}

int32_t at_rest(quash_request *)
{
	return QUASH_DONE;
}

void released(quash_request *) {}

/* --- An MCP server with an argument of every type */

struct all {
	int32_t whole, whole_or, some[3], some_or[2];
	bool flag, flag_or;
	uint8_t mood, mood_or, some_count, some_or_count;
	char text[12], text_or[12];
	double number, number_or;
};

const char *const moods[] = { "glad", "gloomy", NULL };
constexpr quash_range range = { 0, 1.5, 0.5 };
constexpr quash_param all_list[] = {
	QUASH_ARG_INT(all, whole, 1, 10, "a"),
	QUASH_ARG_INT_OR(all, whole_or, -1, 10, 5, "b"),
	QUASH_ARG_BOOL(all, flag, "c"),
	QUASH_ARG_BOOL_OR(all, flag_or, true, "d"),
	QUASH_ARG_ENUM(all, mood, moods, "e"),
	QUASH_ARG_ENUM_OR(all, mood_or, moods, 1, "f"),
	QUASH_ARG_TEXT(all, text, "g"),
	QUASH_ARG_TEXT_OR(all, text_or, "or", NULL),
	QUASH_ARG_STRING("long", "h"),
	QUASH_ARG_STRING_OR("long_or", "i"),
	QUASH_ARG_INTS(all, some, some_count, 0, 9, "j"),
	QUASH_ARG_INTS_OR(all, some_or, some_or_count, 0, 9, "k"),
	QUASH_ARG_NUMBER(all, number, &range, "l"),
	QUASH_ARG_NUMBER_OR(all, number_or, &range, "m"),
};
constexpr quash_params all_params = QUASH_PARAMS(all, all_list);

struct place { int32_t x; };
constexpr quash_param place_list[] = { QUASH_ARG_INT(place, x, 0, 100, "where") };
constexpr quash_params place_params = QUASH_PARAMS(place, place_list);
constexpr quash_params no_params = QUASH_NO_PARAMS(place);
constexpr quash_param word_list[] = { QUASH_ARG_STRING("word", "any") };
constexpr quash_params word_params = QUASH_PARAMS_ONLY(word_list);

quash_group arm;
const quash_mcp_tool tools[] = {
	quash::mcp_tool("all", "Takes everything", done).args(&all_params),
	quash::mcp_tool("none", "Takes nothing", done).args(&no_params).hints(QUASH_MCP_READ_ONLY),
	quash::mcp_tool("word", NULL, done).args(&word_params),
	quash::mcp_tool("place", "Where it is", done).args(&no_params).output(&place_params).hints(QUASH_MCP_IDEMPOTENT),
	quash::mcp_tool("move", "Moves", done).args(&place_params).moves(at_rest, 30000, 2000, &arm).busy("it moves"),
};
const quash_mcp_resource resource_list[] = { QUASH_MCP_RESOURCE("home://sign", "sign", "text/plain", done, 0) };
const quash_mcp_resource templates[] = { QUASH_MCP_RESOURCE("home://rooms/{name}", "room", "text/plain", done, 0) };
const quash_mcp_resources resources = QUASH_MCP_RESOURCE_LISTS(resource_list, templates);
constexpr quash_param name_list[] = { QUASH_ARG_STRING("name", "whom") };
constexpr quash_params name_params = QUASH_PARAMS_ONLY(name_list);
const quash_mcp_prompt prompt_list[] = { QUASH_MCP_PROMPT("greet", "Greets", &name_params, done) };
const quash_mcp_prompts prompts = QUASH_MCP_PROMPT_LIST(prompt_list);
const char *const names[] = { "Ada", NULL };
const quash_mcp_completer completers[] = { { "greet", NULL, "name", names, NULL } };
const quash_mcp_completion completion = QUASH_MCP_COMPLETERS(completers);
const quash_mcp_part *const parts[] = { &resources.part, &prompts.part, &completion.part, NULL };

quash_mcp_session session;
const quash_mcp_server server = quash::mcp_server("tables", "1.0").instructions("All of them.").session(&session).tools(tools)
	.parts(parts).token_size(40).modern(&quash_mcp_modern);
const quash_method methods[] = {
	QUASH_MCP_METHODS(&server), QUASH_MCP_RESOURCES(&server), QUASH_MCP_PROMPTS(&server), QUASH_MCP_COMPLETION(&server),
};
QUASH_STORAGE(store, 2, 24, QUASH_MCP_STATE(40, sizeof(all)), 256, 128);
const quash_config mcp = { QUASH_MCP_CONFIG(store, methods) };

/* --- Methods of the program's own */

const char data[] = "data";
const quash_method plain_methods[] = {
	quash::method("echo", done),
	quash::method("wait", done).moves(at_rest, QUASH_NO_LIMIT, 0, nullptr).state_size(sizeof(place)),
	quash::method("read", done).moves(at_rest, QUASH_NO_LIMIT, 0, nullptr).released(released).data(data)
		.state_size(sizeof(place)).marks(QUASH_FINISHES),
	quash::method("move", done).state_size(sizeof(place)).moves(at_rest, 30000, 2000, &arm),
};
QUASH_STORAGE(plain_store, 2, 17, sizeof(place), 64, 64);
const quash_config plain = { QUASH_CONFIG(plain_store, &quash_jsonrpc, plain_methods) };

/* --- Both with named members */

constexpr quash_params named_params = QUASH_PARAMS(place, place_list);
constexpr quash_mcp_tool named_tools[] = {
	quash::mcp_tool("none", "Takes nothing", done).hints(QUASH_MCP_READ_ONLY),
	quash::mcp_tool("move", "Moves", done).args(&named_params).moves(at_rest, 30000, 2000, &arm).busy("it moves"),
};
QUASH_MCP_DEVICE(device, named_tools, quash::mcp_server("tables", "1.0"));

constexpr quash_method named_methods[] = {
	quash::method("echo", done),
	quash::method("wait", done).state_size(sizeof(place)),
	quash::method("read", done).released(released).data(data).state_size(sizeof(place)),
	quash::method("move", done).state_size(sizeof(place)).moves(at_rest, 30000, 2000, &arm),
};
constexpr quash_config named = quash::config(QUASH_STORED(plain_store)).dialect(&quash_jsonrpc).methods(named_methods);

/* --- A language server */

quash_lsp_session lsp_session;
const quash_lsp_capability capabilities[] = { { "hoverProvider", "true" } };
const quash_lsp_server lsp_server = { "tables", "1.0", capabilities, NULL, &lsp_session, NULL, NULL, 1, 0, 16, NULL };
const quash_lsp_method hover = QUASH_LSP_HANDLER(&lsp_server, done, at_rest, sizeof(place));
const quash_method lsp_methods[] = {
	QUASH_LSP_METHODS(&lsp_server), QUASH_LSP_WORK(&lsp_server), QUASH_LSP_REQUEST("textDocument/hover", &hover),
	QUASH_LSP_PARTIAL("textDocument/references", &hover), QUASH_LSP_NOTIFICATION("textDocument/didOpen", &hover),
};
QUASH_STORAGE(lsp_store, 2, 24, QUASH_LSP_STATE(16, sizeof(place)), 256, 128);
const quash_config lsp = { QUASH_CONFIG(lsp_store, &quash_lsp, lsp_methods) };

}

int main()
{
	static quash_peer peer;
	static quash_fault fault;
	const quash_config *const configs[] = { &mcp, &plain, &device, &named, &lsp };
	for (const quash_config *config : configs)
		if (!quash_init(&peer, config, &fault))
			return 1;
	return 0;
}
