/* SPDX-License-Identifier: MIT */
#include "programs.h"

#include "agent.h"
#include "gallery.h"
#include "langserver.h"
#include "toolbox.h"

#include "quash.h"

#include <stdio.h>
#include <string.h>

/* --- A gallery whose parts are missing and that nobody has checked, and one that listens without room for subscriptions */

static quash_mcp_session lean_session;
static const quash_mcp_server lean = { .name = "gallery", .version = "1", .modern = &quash_mcp_modern, .session = &lean_session };
static const quash_method lean_methods[] = { QUASH_MCP_MODERN(&lean), QUASH_MCP_RESOURCES(&lean), QUASH_MCP_PROMPTS(&lean) };

static int32_t nod(quash_request *request)
{
	return quash_mcp_text(request, "yes");
}

static const quash_mcp_tool deaf_tools[] = { { .name = "nod", .call = nod } };
static const quash_mcp_server deaf = { .name = "gallery", .version = "1", .modern = &quash_mcp_modern, .session = &lean_session,
	.tools = deaf_tools, .tool_count = COUNT(deaf_tools), .changes = QUASH_MCP_TOOLS_CHANGE };
static const quash_method deaf_methods[] = { QUASH_MCP_MODERN(&deaf), QUASH_MCP_TOOLS(&deaf), QUASH_MCP_LISTEN(&deaf) };

static const quash_config lean_config = { PROGRAM_MCP_UNCHECKED(lean_methods, GALLERY_STATE) }, deaf_config = { PROGRAM_MCP(deaf_methods, GALLERY_STATE) };

static void forget(void)
{
	static const quash_mcp_session fresh;
	lean_session = fresh;
}

/* As in a new process, where sessions are counted from the first. */
static void forget_agent(void)
{
	const quash_acp_agent *const agent = agent_config.methods[0].data;
	agent_reset();
	agent->connection->minted = 0;
}

/* --- What they do by themselves */

static bool tell(quash_peer *peer, const quash_mcp_server *server, const char *what)
{
	if (strncmp(what, "touch ", 6) == 0)
		(void)quash_mcp_updated(peer, server, what + 6);
	else if (strcmp(what, "change") == 0)
		(void)quash_mcp_changed(peer, server, QUASH_MCP_TOOLS_CHANGE);
	else
		return false;
	return true;
}

static bool gallery_act(quash_peer *peer, const char *what)
{
	if (strcmp(what, "look") == 0) {
		program_note(NULL, quash_mcp_may_change(peer) ? "may" : "still");
		return true;
	}
	if (strcmp(what, "fire") != 0)
		return tell(peer, gallery_methods[0].data, what);
	(void)gallery_fire(peer);
	return true;
}

static bool deaf_act(quash_peer *peer, const char *what)
{
	return tell(peer, &deaf, what);
}

/* --- Programs */

static const struct program apps[] = { { "toolbox", &toolbox_config, toolbox_reset, NULL },
	{ "gallery", &gallery_config, gallery_reset, gallery_act }, { "agent", &agent_config, forget_agent, NULL },
	{ "langserver", &langserver_config, langserver_reset, NULL }, { "lean", &lean_config, forget, NULL },
	{ "deaf", &deaf_config, forget, deaf_act }, { NULL, NULL, NULL, NULL } };

const struct program *program_named(const char *name)
{
	static const struct program *const lists[] = { apps, lsp_programs, mcp_programs, confirm_programs, shelf_programs, question_programs, text_programs, acp_programs };
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		for (const struct program *p = lists[i]; p->name != NULL; p++) {
			if (strcmp(p->name, name) == 0)
				return p;
		}
	}
	return NULL;
}

/* --- What was done */

static char notes[4096];
static size_t noted;

void program_note(const quash_request *request, const char *what)
{
	const char *const blank = noted > 0 ? " " : "";
	const quash_config *const c = request != NULL ? quash_config_of(quash_peer_of(request)) : NULL;
	const int length = request != NULL && request->id_kind != 0 ? request->id_length : 0;
	const char *const id = length > 0 ? (const char *)&c->ids[request->row * c->id_size] : "";
	const size_t left = sizeof notes - noted;
	const int n = snprintf(notes + noted, left, length > 0 ? "%s%s(%.*s)" : "%s%s", blank, what, length, id);
	noted += (size_t)n < left ? (size_t)n : left - 1;
}

const char *program_noted(void)
{
	notes[noted] = '\0';
	noted = 0;
	return notes;
}
