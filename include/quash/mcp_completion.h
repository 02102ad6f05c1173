/* SPDX-License-Identifier: MIT
 * Completion for the arguments of prompts and the variables of resource templates (2025-11-25 and 2026-07-28
 * server/utilities/completion).
 *
 *     static const char *const rooms[] = { "hall", "kitchen", NULL };
 *     static const quash_mcp_completer list[] = {
 *         { "report", NULL, "room", rooms, NULL } };
 *     static const quash_mcp_completion completion = QUASH_MCP_COMPLETERS(list);
 *     static const quash_mcp_part *const parts[] = { &prompts.part, &completion.part, NULL };
 *     static const quash_mcp_server server = { ..., .parts = parts };
 *     static const quash_method methods[] = { ..., QUASH_MCP_COMPLETION(&server) };
 *
 * All of this belongs to the peer's thread. */
#ifndef QUASH_MCP_COMPLETION_H
#define QUASH_MCP_COMPLETION_H

#include "mcp.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Suggests values, best first. Runs while the answer is put, so the rules of quash_put hold: it reads its arguments,
 * constants, and nothing else, and returns the same each time.
 *
 * @param typed      what stands there so far, a string
 * @param arguments  what the other arguments are, an object, or QUASH_NONE
 * @param index      0, 1, 2 ...
 * @return           the suggestion of that index, or NULL when there are no more. Lives until the next call */
typedef const char *quash_mcp_suggest(
	const quash_request *request, quash_value typed, quash_value arguments, uint16_t index);

/** Completes one argument. Constant, may live in flash. */
typedef struct quash_mcp_completer {
	const char *prompt;        /**< the name of the prompt; or NULL for */
	const char *resource;      /**< the URI template, as it is listed */
	const char *argument;      /**< of the prompt, or variable of the template */
	const char *const *values; /**< ends with NULL: of these, what begins with what is typed; or NULL for */
	quash_mcp_suggest *suggest;
} quash_mcp_completer;

/** The part of a server that completes. Constant, may live in flash. */
typedef struct quash_mcp_completion {
	quash_mcp_part part; /**< `{ &quash_mcp_completion_kind }` */
	const quash_mcp_completer *list;
	uint8_t count;
} quash_mcp_completion;

/** The kind of the part above. */
extern const struct quash_mcp_kind quash_mcp_completion_kind;

/** The part with the completers of an array, positional, for C and C++. */
#define QUASH_MCP_COMPLETERS(list) \
	{ { &quash_mcp_completion_kind }, (list), (uint8_t)(sizeof(list) / sizeof((list)[0])) }

/** The entry of a method table for completion. `server` points to a quash_mcp_server. */
#define QUASH_MCP_COMPLETION(server) QUASH_MCP_METHOD_("completion/complete", quash_mcp_completion_complete_, server, 0)

/** `completion/complete`: at most 100 values are sent, all are counted. What no prompt and no resource is named -32602;
 * an argument that nothing completes has no values. */
quash_handler quash_mcp_completion_complete_;

#ifdef __cplusplus
}
#endif
#endif
