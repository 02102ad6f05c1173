/* SPDX-License-Identifier: MIT */
#include "programs.h"

#include "agent.h"
#include "gallery.h"
#include "langserver.h"
#include "toolbox.h"

#include <stdio.h>
#include <string.h>

static bool gallery_act(quash_peer *peer, const char *what)
{
	return strcmp(what, "fire") == 0 && (gallery_fire(peer) || true);
}

static const struct program apps[] = { { "toolbox", &toolbox_config, toolbox_reset, NULL },
	{ "gallery", &gallery_config, gallery_reset, gallery_act }, { "agent", &agent_config, agent_reset, NULL },
	{ "langserver", &langserver_config, langserver_reset, NULL }, { NULL, NULL, NULL, NULL } };

const struct program *program_named(const char *name)
{
	static const struct program *const lists[] = { apps, lsp_programs };
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
