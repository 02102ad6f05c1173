/* SPDX-License-Identifier: MIT
 * Prompts of a Model Context Protocol server: messages that a person picks by name (2025-11-25 and 2026-07-28
 * server/prompts).
 *
 *     static const quash_mcp_prompt list[] = { { .name = "report", .args = &report_params, .get = report } };
 *     static const quash_mcp_prompts prompts = { .part = { &quash_mcp_prompts_kind }, .list = list, .count = 1 };
 *     static const quash_mcp_part *const parts[] = { &prompts.part, NULL };
 *     static const quash_mcp_server server = { ..., .parts = parts };
 *     static const quash_method methods[] = { QUASH_MCP_METHODS(&server), QUASH_MCP_PROMPTS(&server) };
 *
 * All of this belongs to the peer's thread. */
#ifndef QUASH_MCP_PROMPTS_H
#define QUASH_MCP_PROMPTS_H

#include "mcp.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A prompt. Constant, may live in flash. */
typedef struct quash_mcp_prompt {
	const char *name;
	const char *title;        /**< for people, or NULL */
	const char *description;  /**< for people, or NULL */
	/** Its arguments and the size of its struct, or NULL for neither. Clients send strings only: QUASH_ARG_TEXT,
	 * QUASH_ARG_STRING, QUASH_ARG_ENUM and their `_OR`. */
	const quash_params *args;
	/** As a tool's handler: it gets the struct, may return QUASH_PENDING, is cancelled, and writes the same for every
	 * window. It ends with `return quash_mcp_prompt_text(...)`, or with `quash_mcp_messages` and `quash_send`. */
	quash_mcp_handler *get;
	/** Runs once on every way out of a request whose handler was called; or NULL. May not send. */
	void (*end)(quash_request *request, void *state);
	uint32_t deadline;        /**< milliseconds from its first call until it is cancelled; 0: none */
	uint8_t marks;            /**< QUASH_DROPS, or 0: once cancelled only `end` is called */
} quash_mcp_prompt;

/** The part of a server that offers prompts. Constant, may live in flash. */
typedef struct quash_mcp_prompts {
	quash_mcp_part part;          /**< `{ &quash_mcp_prompts_kind }` */
	const quash_mcp_prompt *list;
	uint8_t count;
} quash_mcp_prompts;

/** The kind of the part above. */
extern const struct quash_mcp_kind quash_mcp_prompts_kind;

/** The entries of a method table for prompts. `server` points to a quash_mcp_server. The state they need is
 * QUASH_MCP_STATE with the largest prompt's struct. */
#define QUASH_MCP_PROMPTS(server) \
	{ "prompts/list", quash_mcp_list_prompts, NULL, NULL, (server), 0, QUASH_LONG }, \
	{ "prompts/get", quash_mcp_get_prompt, quash_mcp_prompt_end, NULL, (server), 0, QUASH_LONG }

/** The prompt that is got; NULL outside of `prompts/get`. */
const quash_mcp_prompt *quash_mcp_prompt_of(quash_request *request);

/* --- Results (its handler) --------------------------------------------------------------------------- */

/** A prompt of one message, the user's. Returns as `quash_send`. */
int32_t quash_mcp_prompt_text(quash_request *request, const char *text);

/** Begins a prompt's messages, which are put next with `quash_mcp_put_message` or `quash_mcp_message`. Finish it with
 * `quash_send`. */
quash_writer *quash_mcp_messages(quash_request *request);

/** Puts a message of one text.
 *
 * @param role  `user` or `assistant` */
void quash_mcp_put_message(quash_writer *w, const char *role, const char *text);

/** Begins a message: a content block (an object with `type`) is put next, then `quash_put_end`. */
void quash_mcp_message(quash_writer *w, const char *role);

/* --- Handlers, for the method table ------------------------------------------------------------------ */

quash_handler quash_mcp_list_prompts; /**< `prompts/list`, with pagination; bad cursor -32602 */
quash_handler quash_mcp_get_prompt;   /**< `prompts/get`; unknown name, or arguments that do not fit: -32602 */
void quash_mcp_prompt_end(quash_request *request); /**< the `end` hook of `prompts/get` */

#ifdef __cplusplus
}
#endif
#endif
