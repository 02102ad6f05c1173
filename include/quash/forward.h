/* SPDX-License-Identifier: MIT
 * Handing requests on to another peer: what a tool bridge is made of.
 *
 * A forwarded request is a call of this hop (call.h), with an id of its own: neither ids nor cancels are tunnelled. Its params are
 * written again for the other peer; result, error and progress come back under the id and the token that the
 * request came with. When the request is cancelled, for whatever cause, so is the call, with that hop's id and in
 * that hop's dialect; when that hop's link is lost, the request is answered with QUASH_LINK_LOST.
 *
 *     static const quash_route to_motor = { .to = &motor_peer, .progress = &quash_mcp_progress_form, .token_size = 40 };
 *     static const quash_method methods[] = {
 *         { .name = "tools/call", .handler = quash_forward, .data = &to_motor, .marks = QUASH_LONG } };
 *
 * and on the peer that is asked, what it tells in between:
 *
 *     static const quash_route back = { .to = &host_peer, .progress = &quash_mcp_progress_form };
 *     static const quash_method told[] = {
 *         { .name = "notifications/progress", .handler = quash_forward_progress, .data = &back, .marks = QUASH_NOTIFICATION },
 *         { .name = "notifications/message", .handler = quash_relay, .data = &back, .marks = QUASH_NOTIFICATION } };
 *
 * All peers of a bridge run on one thread, and each of them is pumped and stepped. A bridge may go both ways, and
 * over any number of hops. */
#ifndef QUASH_FORWARD_H
#define QUASH_FORWARD_H

#include "call.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a protocol spells progress: a request carries tokens in its params, notifications carry them back. */
typedef struct quash_progress_form {
	const char *method;    /**< of the notifications */
	const char *token;     /**< the member of their params with the token */
	const char *asked[2];  /**< where in a request's params tokens stand: `name`, or `name.name`; or NULL */
} quash_progress_form;

/** MCP: `notifications/progress`, asked for with `_meta.progressToken`. */
extern const quash_progress_form quash_mcp_progress_form;
/** LSP 3.17: `$/progress`, asked for with `workDoneToken` and `partialResultToken`. */
extern const quash_progress_form quash_lsp_progress_form;

/** Where requests are handed on to. Constant, may live in flash. */
typedef struct quash_route {
	quash_peer *to;        /**< whose other side is asked, or told */
	const char *method;    /**< the request's name there; NULL: the same */
	const quash_progress_form *progress; /**< whose tokens are exchanged for ones of this hop; NULL: params go as they are */
	uint8_t token_size;    /**< longest token in bytes; with a longer one no progress is asked for */
} quash_route;

/** What a forwarded request's state begins with; its tokens follow. Opaque. */
typedef struct quash_forwarded {
	quash_call call;
	const quash_route *route;
	uint8_t kind[2];       /* of the tokens: a quash_kind */
	uint8_t length[2];
	bool told;
} quash_forwarded;

/** The `state_size` that forwarding needs, for a route's `token_size`. With less, requests are answered with -32603. */
#define QUASH_FORWARD_STATE(token_size) (sizeof(quash_forwarded) + 2u * ((token_size) + 1u))

/** A handler that hands its requests on; the method's `data` is a quash_route. Mark the method QUASH_LONG, so that
 * answers may be longer than TX; and QUASH_PARTIAL if a cancelled request is to be answered with what comes from behind
 * (ACP's `session/prompt`), else a cancelled request is answered as the law says, without waiting. The request ends
 * with what the other side answers; with QUASH_TOO_LARGE if that found no room in that peer's arena. */
quash_handler quash_forward;

/** The same for a handler that chooses the route itself: it returns what this returns, each time that it is called,
 * with the same route, which must stand as long as the request. The request's state is not its own. */
int32_t quash_forward_to(quash_request *request, const quash_route *route);

/** A handler of notifications (QUASH_NOTIFICATION) that says them again on the route's `to`, params as they came (`{}` for
 * none), in the order that they came, and before the answer to a forwarded request that came behind them. Waits for
 * room in TX there; one that is longer than TX is dropped and counted there. */
quash_handler quash_relay;

/** A handler of progress notifications for forwarded requests, on the peer that was asked: says them again where the
 * request came from, with its token. The route's `progress` tells the form; `to` is not used. What
 * belongs to no open request, or finds no room, is dropped (and counted by the TX that has no room). */
quash_handler quash_forward_progress;

#ifdef __cplusplus
}
#endif
#endif
