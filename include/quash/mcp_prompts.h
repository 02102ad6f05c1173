/* SPDX-License-Identifier: MIT
 * Prompts of a Model Context Protocol server: messages that a person picks by name (2025-11-25 and 2026-07-28
 * server/prompts).
 *
 *     static const quash_mcp_prompt list[] = {
 *         QUASH_MCP_PROMPT("report", "Writes the day's report", &report_params, report) };
 *     static const quash_mcp_prompts prompts = QUASH_MCP_PROMPT_LIST(list);
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
	/** Its arguments and the size of its struct (QUASH_TOOL), or NULL for neither. Clients send strings only:
	 * QUASH_ARG_TEXT, QUASH_ARG_STRING, QUASH_ARG_ENUM and their `_OR`. */
	const quash_params *args;
	/** As a tool's handler. It ends with `return quash_mcp_prompt_text(...)` or one of its kin. */
	quash_handler *get;
	int32_t (*end)(quash_request *request);   /**< see `quash_motion.end`; or NULL. Runs if `get` was called */
	void (*released)(quash_request *request); /**< see `quash_method.released`; or NULL. Runs if `get` was called */
	uint32_t deadline;        /**< ms from getting a slot until it is cancelled; 0: none; at most 2^31 - 1 */
	uint8_t marks;            /**< QUASH_FINISHES: `get` is called again once cancelled, also with an `end`; or 0 */
} quash_mcp_prompt;

/** An entry of a prompt table, positional, for C and C++. */
#define QUASH_MCP_PROMPT(name, description, args, get) \
	{ (name), NULL, (description), (args), (get), NULL, NULL, 0, 0 }

/** The part of a server that offers prompts. Constant, may live in flash. */
typedef struct quash_mcp_prompts {
	quash_mcp_part part;          /**< `{ &quash_mcp_prompts_kind }` */
	const quash_mcp_prompt *list;
	uint8_t count;
} quash_mcp_prompts;

/** The kind of the part above. */
extern const struct quash_mcp_kind quash_mcp_prompts_kind;

/** The part with the prompts of an array, positional, for C and C++. */
#define QUASH_MCP_PROMPT_LIST(list) { { &quash_mcp_prompts_kind }, (list), (uint8_t)(sizeof(list) / sizeof((list)[0])) }

/** The entries of a method table for prompts. `server` points to a quash_mcp_server. The state they need is
 * QUASH_MCP_STATE with the largest prompt's struct. */
#define QUASH_MCP_PROMPTS(server) \
	QUASH_MCP_METHOD_("prompts/list", quash_mcp_prompts_list_, server, 0), \
	QUASH_HOOKED_("prompts/get", quash_mcp_prompts_get_, quash_mcp_prompts_end_, quash_mcp_prompts_released_, \
		server, sizeof(quash_mcp_slot), QUASH_LISTED)

/** The prompt that is got; NULL outside of `prompts/get`. */
const quash_mcp_prompt *quash_mcp_prompt_of_(const quash_request *request);

/* --- Results (its handler) ---------------------------------------------------------------------------
 *
 * Each records the answer and returns what `quash_reply` returns. */

/** A prompt of one message, the user's. A literal only. */
#define quash_mcp_prompt_text(request, literal) quash_mcp_prompt_text_((request), "" literal "")
/** What the macro above stands for. `text` must live until the answer has left: a constant. */
int32_t quash_mcp_prompt_text_(quash_request *request, const char *text);

/** What 0.3.0 had: docs/upgrading.md has each line, old and new. */
#define quash_mcp_prompt_literal(request, text) quash_mcp_prompt_literal_is_gone_write_quash_mcp_prompt_text

/** A prompt's messages, which `put` puts with `quash_mcp_put_message` or `quash_mcp_message`. */
int32_t quash_mcp_messages(quash_request *request, quash_put *put);

/** Puts a message of one text.
 *
 * @param role  `user` or `assistant` */
void quash_mcp_put_message(quash_writer *w, const char *role, const char *text);

/** Begins a message: a content block (an object with `type`) is put next, then `quash_put_end`. */
void quash_mcp_message(quash_writer *w, const char *role);

/* --- Handlers, for the method table ------------------------------------------------------------------ */

quash_handler quash_mcp_prompts_list_; /**< with pagination; bad cursor -32602 */
quash_handler quash_mcp_prompts_get_;  /**< unknown name, or arguments that do not fit: -32602 */
int32_t quash_mcp_prompts_end_(quash_request *request);   /**< the `end` hook of `prompts/get` */
void quash_mcp_prompts_released_(quash_request *request); /**< the `released` hook of `prompts/get` */

#ifdef __cplusplus
}
#endif
#endif
