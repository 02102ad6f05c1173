/* SPDX-License-Identifier: MIT
 * The programs that a scene may name, beside testee: those of boards/apps, and servers that stand here for their scenes. */
#ifndef TALK_PROGRAMS_H
#define TALK_PROGRAMS_H

#include "quash/peer.h"

struct program {
	const char *name;
	const quash_config *config; /* memory, and the sizes of slots, arena and TX, are the scene's */
	void (*reset)(void);
	/* What `does WHAT` stands for; false when it does not know it. May be NULL. */
	bool (*act)(quash_peer *peer, const char *what);
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The config of an MCP server with these methods and states; further members may follow. */
#define PROGRAM_MCP(list, size) PROGRAM_MCP_UNCHECKED(list, size), .check = quash_mcp_check
/* The same for firmware that leaves the check of its server out. */
#define PROGRAM_MCP_UNCHECKED(list, size) \
	.dialect = &quash_mcp, .methods = list, .method_count = COUNT(list), .id_size = 64, .state_size = ((size) + 7) / 8 * 8, \
	.word_size = QUASH_WORD, .new_session = quash_mcp_new_session, .keeps = &quash_mcp_keeps

/* NULL when there is none of that name. */
const struct program *program_named(const char *name);

/* Writes down what was done, for `did`: WHAT, or WHAT(ID) for a request. */
void program_note(const quash_request *request, const char *what);
/* What was done since the last time. */
const char *program_noted(void);

/* Servers for scenes; each list ends with one without a name. */
extern const struct program lsp_programs[], mcp_programs[], confirm_programs[], shelf_programs[], question_programs[],
	text_programs[], acp_programs[];

#endif
