/* SPDX-License-Identifier: MIT
 * What a Model Context Protocol server asks of its client, in the legacy revisions (2025-11-25 client/sampling,
 * client/elicitation, client/roots). With the part of mcp_input.h in place of the one here, modern clients are asked
 * too.
 *
 * A question is a quash_call in the struct of the tool, resource or prompt that asks. It is the child of that request:
 * a cancel of the request cancels the question on the client's side too.
 *
 *     struct name { quash_call call; char first[24]; };
 *     static void put_question(quash_writer *w, const quash_call *call)
 *     {
 *         quash_mcp_put_question(w, call, "Who are you?", &name_params);
 *     }
 *     static void put_first(quash_writer *w, const quash_request *request)
 *     {
 *         quash_put_text(w, QUASH_CONST_TOOL(struct name, request)->first);
 *     }
 *     static int32_t greet(quash_request *request)
 *     {
 *         struct name *s = QUASH_TOOL(struct name, request);
 *         s->call.put = put_question;
 *         if (quash_mcp_ask(request, &s->call, QUASH_MCP_ELICITATION) != QUASH_DONE)
 *             return quash_mcp_failure(request, "the client cannot be asked");
 *         if (!quash_call_has_ended(&s->call))
 *             return QUASH_PENDING;
 *         if (!quash_mcp_accepted(&s->call, &name_params, s))
 *             return quash_mcp_failure(request, "no answer");
 *         return quash_mcp_reply(request, put_first);
 *     }
 *
 * The server names `&quash_mcp_ask_part` in its `parts`, the config `.calls = &quash_calls`. All of this belongs to the
 * peer's thread. */
#ifndef QUASH_MCP_ASK_H
#define QUASH_MCP_ASK_H

#include "call.h"
#include "mcp.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a client may be asked for, as it has announced in `initialize`. */
enum {
	QUASH_MCP_SAMPLING = 1 << 0,       /**< `sampling/createMessage` */
	QUASH_MCP_SAMPLING_TOOLS = 1 << 1, /**< the same with `tools` */
	QUASH_MCP_ELICITATION = 1 << 2,    /**< `elicitation/create` with a form */
	QUASH_MCP_ELICITATION_URL = 1 << 3,/**< the same in the mode `url` */
	QUASH_MCP_ROOTS = 1 << 4           /**< `roots/list` */
};

/** The part of a server that takes note of what its client can be asked. */
extern const quash_mcp_part quash_mcp_ask_part;

/** The client has not announced what it would need to (2026-07-28 basic "Error Codes"), or is a modern one, and the
 * server has no part for that. */
#define QUASH_MCP_NOT_CAPABLE ((int32_t)-32021)

/** True if the client of the request can be asked for all of `what`: it has announced it. For a modern one the server
 * needs the part of mcp_input.h. */
bool quash_mcp_can_ask(quash_request *request, uint8_t what);

/** Asks the client, once: a call that is in use is left alone, so a handler that waits may begin with it at each of its
 * calls. `put` of the call, and whatever else it needs, is filled in; its method is set here. `roots/list` needs no
 * `put`. For a further question the call is released first (`quash_call_release`), or another one is used.
 *
 * @param call  zero before its first use, in the request's struct, see `quash_call`
 * @param what  QUASH_MCP_SAMPLING ..., all that the client must have announced; of those the lowest is asked for
 * @return      QUASH_DONE: it is asked, or was already; QUASH_MCP_NOT_CAPABLE: the client cannot be, or the config
 * names
 *              no calls, and nothing was sent; QUASH_TOO_LARGE: it would be the 100th question of a modern request */
int32_t quash_mcp_ask(quash_request *request, quash_call *call, uint8_t what);

/* --- Params (`put` of a call) ------------------------------------------------------------------------
 *
 * Texts are UTF-8, end with NUL, and are borrowed for the call of the function. The put function puts the same for each
 * window.
 *
 * A client such as quash-bridge may want to know which request a question belongs to: with `quash/related` in
 * `experimental` of its capabilities. Then `_meta` of the params names it: `"quash/request":<id>`. */

/** Puts that `_meta`, or nothing: for params that the program puts itself, at any place between the members of their
 * object. */
void quash_mcp_put_related(quash_writer *w, const quash_call *call);

/** Puts the params of a `sampling/createMessage` with one message of the user's (2025-11-25 client/sampling).
 *
 * @param call        the question, as the put function is given it
 * @param system      the system prompt, or NULL
 * @param text        the message
 * @param max_tokens  what the model may write at most */
void quash_mcp_put_sampling(
	quash_writer *w, const quash_call *call, const char *system, const char *text, uint32_t max_tokens);

/** Puts the params of an `elicitation/create` (2025-11-25 client/elicitation).
 *
 * @param call     the question, as the put function is given it
 * @param message  what is asked
 * @param table    what is to be filled in. A form has no lists: no QUASH_ARG_INTS */
void quash_mcp_put_question(
	quash_writer *w, const quash_call *call, const char *message, const quash_params *table);

/* --- Answers (once `quash_call_has_ended`) ----------------------------------------------------------------- */

/** The first text of what was sampled, NUL-terminated; "" when there is none, or the client has refused. Lives as
 * `quash_call_answer`. */
const char *quash_mcp_sampled(const quash_call *call);

/** Whether a question was accepted; fills the struct as `quash_read_params` does.
 *
 * @param target  the struct of the table
 * @return        false when it was declined or cancelled, when the client has refused, when the call is open, and when
 *                what came does not fit the table */
bool quash_mcp_accepted(const quash_call *call, const quash_params *table, void *target);

#ifdef __cplusplus
}
#endif
#endif
