/* SPDX-License-Identifier: MIT
 * Handing requests on to another peer: what a tool bridge is made of.
 *
 * A forwarded request is a call of this hop (call.h), with an id of its own. Neither ids nor cancels are tunnelled. Its
 * params are written again for the other peer. Result, error and progress come back under the id and the token that the
 * request came with. When the request is cancelled, for whatever cause, so is the call. A new session is such a cause.
 * The cancel has that hop's id and dialect. When that hop's link is lost, the request is answered with QUASH_LINK_LOST.
 *
 *     static const quash_route to_motor = { &motor_peer, NULL, &quash_mcp_progress_form, 40, NULL };
 *     static const quash_method methods[] = {
 *         { .name = "tools/call", .handler = quash_forward, .data = &to_motor, .state_size = QUASH_FORWARD_STATE(40) }
 *         };
 *
 * and on the peer that is asked, for what it notifies in between:
 *
 *     static const quash_route back = { &host_peer, NULL, &quash_mcp_progress_form, 0, NULL };
 *     static const quash_method notes[] = {
 *         { .name = "notifications/progress", .handler = quash_forward_progress, .data = &back, .marks =
 *         QUASH_NOTIFICATION },
 *         { .name = "notifications/message", .handler = quash_relay, .data = &back, .marks = QUASH_NOTIFICATION } };
 *
 * The configs of both name `.calls = &quash_calls`, and `.check = quash_forward_check`.
 *
 * All peers of a bridge run on one thread. Each of them is pumped and stepped. A bridge may go both ways, and over any
 * number of hops. */
#ifndef QUASH_FORWARD_H
#define QUASH_FORWARD_H

#include "call.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a protocol spells progress. A request carries tokens in its params. Notifications carry them back. */
typedef struct quash_progress_form {
	const char *method;    /**< of the notifications */
	const char *token;     /**< the member of their params with the token */
	const char *asked[2];  /**< where in a request's params tokens stand: `name`, or `name.name`; or NULL */
} quash_progress_form;

/** MCP: `notifications/progress`, asked for with `_meta.progressToken`. */
extern const quash_progress_form quash_mcp_progress_form;
/** LSP 3.18: `$/progress`, asked for with `workDoneToken` and `partialResultToken`. */
extern const quash_progress_form quash_lsp_progress_form;

/** Changes requests and results on their way. For example, a prefix is taken off a tool's name, and put before it
 * again. Constant, may live in flash. Both functions follow the rules of quash_put. They read what they are given,
 * constants, and the state and params of the request. */
typedef struct quash_rewrite {
	const char *member; /**< the member at the top of params that `param` puts the value of; none with a token in it */
	/** Puts that value, in place of the one that came; or NULL. */
	void (*param)(quash_writer *w, const quash_request *request, quash_value value);
	/** Puts the result, in place of the one that came; or NULL. */
	void (*result)(quash_writer *w, const quash_request *request, quash_value result);
	/** A member beside the token, in MCP's `_meta`, that is for one hop alone. What came of that name is left out. So
	 * is the object if nothing else is in it. NULL: there is none. */
	const char *hop;
	/** Puts this hop's own members in that object, keys and values, if the object came; or NULL. */
	void (*put_hop)(quash_writer *w, const quash_request *request);
} quash_rewrite;

/** Where messages are handed on to. Constant, may live in flash. */
typedef struct quash_route {
	quash_peer *to;        /**< whose other side is asked, or notified */
	/** The method's name there; NULL: the same. An entry for all other names (`""`) has none of its own. Without one
	 * here its requests are answered -32601. Its notifications are dropped and counted. */
	const char *method;
	/** whose tokens are exchanged for ones of this hop; NULL: params go as they are */
	const quash_progress_form *progress;
	uint8_t token_size;    /**< longest token in bytes, up to 255; with a longer one no progress is asked for */
	const quash_rewrite *rewrite; /**< what is changed on the way; NULL: nothing */
} quash_route;

/** For the config's `check`. Finds entries of quash_forward and quash_forward_progress without a route, marked
 * QUASH_LISTED, in a config that names no `calls`, or with states that are too small. A check of the program's own may
 * call it. */
quash_check quash_forward_check;

/** What a forwarded request's state begins with; its tokens follow. Opaque. */
typedef struct quash_forwarded {
	quash_call call;
	const quash_route *route;
	uint8_t kind[2];       /* of the tokens: a quash_kind */
	uint8_t length[2];
	bool answered;         /* the answer is to be passed on; nothing is reported any more */
} quash_forwarded;

/** The `state_size` that a method which forwards needs, for its route's `token_size`. If the config has less, and
 * not `quash_forward_check`, requests are answered with -32603. */
#define QUASH_FORWARD_STATE(token_size) (sizeof(quash_forwarded) + 2u * ((token_size) + 1u))

/** A handler that hands its requests on. The method's `data` is a quash_route, its `state_size` QUASH_FORWARD_STATE.
 * The request ends with what the other side answers, whatever its length. The answer is put from the arena of the peer
 * that was asked, and stands there until it has left. The request ends with QUASH_TOO_LARGE if the answer found no room
 * there. It ends with -32603 for an answer that is malformed, or an error without a code. A cancelled request is
 * answered at once, as in docs/cancellation.md. Mark the method QUASH_PARTIAL if a cancelled request is to be
 * answered with what the other side answers (ACP's `session/prompt`). */
quash_handler quash_forward;

/** The same for a handler that chooses the route itself. It returns what this returns, each time that it is called. The
 * route is always the same, and must stand as long as the request. The request's state is not the handler's own.
 *
 * @return QUASH_PENDING until the other side has answered; then as `quash_reply` and its kin, or the code of a call
 * that
 *         has ended otherwise (`quash_call_code`). QUASH_CANCELLED once the request is cancelled, unless its method is
 *         marked QUASH_PARTIAL. QUASH_METHOD_NOT_FOUND without a name for the other side. QUASH_INTERNAL_ERROR when the
 *         state is too small, or a config names no `calls` */
int32_t quash_forward_to(quash_request *request, const quash_route *route);

/** The result that came for a forwarded request. For its handler or a put function. QUASH_NONE before it came, for an
 * error, and where `quash_forward_to` was not called yet. Lives as every view. */
quash_value quash_forward_answer(const quash_request *request);

/** The forwarded request whose call has that id on `asked`. NULL if none is open under it. It lives until the handler
 * returns. Cost: linear in the calls in use. */
quash_request *quash_forward_find(const quash_peer *asked, uint32_t id);

/** A handler of notifications (QUASH_NOTIFICATION) that sends them on to the route's `to`. Params leave as they came
 * (`{}` for none). Notifications leave in the order that they came, and before the answer to a forwarded request that
 * came after them. A notification keeps slot and params until TX there takes it. Some are dropped, and counted there
 * (`dropped`): those that are longer than that TX, and those for a link that is gone. So are those that are cancelled
 * meanwhile, though not by the loss of the link that they came on. */
quash_handler quash_relay;

/** A handler of progress notifications for forwarded requests, on the peer that was asked. It sends them on to where
 * the request came from, with its token. The route's `progress` names the form. `to` is not used. What belongs to no
 * open request is dropped, and what finds no room as well (counted in `dropped` there). */
quash_handler quash_forward_progress;

/** The forwarded request that a notification of progress is about. For a handler that also looks at it before
 * `quash_forward_progress`, with the same `data`. NULL if nothing open has asked for it. */
quash_request *quash_forward_of_progress(const quash_request *progress);

#ifdef __cplusplus
}
#endif
#endif
