/* SPDX-License-Identifier: MIT
 * An MCP server whose motion a person confirms: asked through the client, or at a button. */
#include "programs.h"

#include "quash.h"

#include <stdio.h>
#include <string.h>

enum { TOKEN = 7 };

struct move {
	quash_mcp_confirming confirming;
	int32_t steps;
	bool back;
	bool goes_on; /* until it is cancelled */
};

struct fire {
	quash_mcp_confirming confirming;
	char who[8];
};

static quash_mcp_arming arming, other_arming;

static int32_t move(quash_request *request)
{
	struct move *const m = QUASH_TOOL(struct move, request);
	char what[24];
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	snprintf(what, sizeof what, "moved %ld", (long)m->steps);
	program_note(request, what);
	return m->goes_on ? quash_wait(request, 100) : quash_mcp_text(request, "moved");
}

/* Takes a while to stand. */
static int32_t coast(quash_request *request)
{
	struct move *const m = QUASH_TOOL(struct move, request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED && m->steps-- == 0)
		return QUASH_CANCELLED;
	return quash_wait(request, 10);
}

static int32_t fire(quash_request *request)
{
	program_note(request, "fired");
	return quash_mcp_text(request, "fired");
}

static int32_t stop(quash_request *request)
{
	program_note(request, "stop");
	return QUASH_DONE;
}

static bool goes_back(const quash_request *request)
{
	return QUASH_CONST_TOOL(struct move, request)->back;
}

static const quash_param move_list[] = { QUASH_ARG_INT(struct move, steps, -9999, 9999, "how far"),
	QUASH_ARG_BOOL_OR(struct move, back, false, "to where it was"), QUASH_ARG_BOOL_OR(struct move, goes_on, false, "and on") };
static const quash_params move_params = QUASH_PARAMS(struct move, move_list);
static const quash_param fire_list[] = { QUASH_ARG_TEXT_OR(struct fire, who, NULL, "a name"), QUASH_ARG_STRING_OR("why", "a reason") };
static const quash_params fire_params = QUASH_PARAMS(struct fire, fire_list);
static const quash_params bare_params = QUASH_NO_PARAMS(struct fire);

enum { PERSON = QUASH_MCP_BY_PERSON, BUTTON = QUASH_MCP_BY_BUTTON, EITHER = PERSON | BUTTON };
#define ABOVE(name, handler, ...) \
	{ .tool = name, .call = handler, .end = stop, .param = "steps", .above = 100, .by = EITHER, .wait = 1000, __VA_ARGS__ }

static const quash_mcp_rule rules[] = {
	ABOVE("move", move, .arming = &arming),
	ABOVE("reach", move, .below = -50, .arming = &arming),
	ABOVE("roam", move, .arming = &arming, .armed = 1),
	ABOVE("stray", move, .arming = &other_arming, .armed = 1000),
	ABOVE("coast", coast, .arming = &arming, .armed = 5000),
	ABOVE("hop", move, .arming = &arming),
	{ .tool = "turn", .call = move, .end = stop, .when = goes_back, .by = PERSON, .wait = 1000, .arming = &arming },
	{ .tool = "fire", .call = fire, .end = stop, .words = "Is \"all\" clear?", .by = PERSON, .wait = 500, .arming = &arming },
	{ .tool = "unlock", .call = fire, .by = PERSON, .wait = 500, .armed = 5000, .arming = &arming },
	{ .tool = "ring", .call = fire, .by = BUTTON, .wait = 1000, .arming = &arming },
};

#define TIMED(tool, params, ms) \
	{ .name = tool, .args = params, .call = quash_mcp_confirm_call, .motion = { .end = quash_mcp_confirm_end, .longest = (ms) }, \
	  .marks = QUASH_FINISHES }
#define TOOL(tool, params) TIMED(tool, params, 2000)
static const quash_mcp_tool tools[] = { TOOL("move", &move_params), TOOL("reach", &move_params), TOOL("roam", &move_params),
	TOOL("stray", &move_params), TOOL("coast", &move_params), TOOL("turn", &move_params), TOOL("fire", &fire_params),
	TOOL("unlock", &bare_params), TOOL("ring", &bare_params),
	TIMED("hop", &move_params, 1300) };

static const quash_mcp_confirm confirm = QUASH_MCP_CONFIRM(rules);
static const uint8_t key[QUASH_MCP_KEY] = { 9 };
static const quash_mcp_input input = QUASH_MCP_INPUT(key, 60000, 100);
static const quash_mcp_part *const parts[] = { &confirm.part, &input.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .tools = tools, .tool_count = COUNT(tools),
	.parts = parts, .modern = &quash_mcp_modern, .token_size = TOKEN };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };

static const quash_config config = {
	PROGRAM_MCP(methods, QUASH_MCP_STATE(TOKEN, sizeof(union { struct move move; struct fire fire; }))), .calls = &quash_mcp_calls };

static void forget(void)
{
	static const quash_mcp_session fresh;
	static const quash_mcp_arming nothing;
	session = fresh;
	arming = other_arming = nothing;
}

static bool act(quash_peer *peer, const char *what)
{
	if (strcmp(what, "press") == 0)
		quash_mcp_press(&arming);
	else if (strcmp(what, "disarm") == 0)
		quash_mcp_disarm(&arming);
	else if (strcmp(what, "disarm often") == 0)
		for (unsigned i = 0; i < 256; i++)
			quash_mcp_disarm(&arming);
	else if (strcmp(what, "look") == 0)
		program_note(NULL, quash_mcp_waits(&arming) ? "waits" : quash_mcp_is_armed(peer, &arming) ? "armed" : "safe");
	else if (strcmp(what, "look beside") == 0)
		program_note(NULL, quash_mcp_is_armed(peer, &other_arming) ? "armed" : "safe");
	else
		return false;
	return true;
}

const struct program confirm_programs[] = { { "confirms", &config, forget, act }, { NULL, NULL, NULL, NULL } };
