/* SPDX-License-Identifier: MIT
 * What a Model Context Protocol server sends by itself: that lists have changed, and resources.
 *
 * Legacy clients are notified of lists whenever `listChanged` is announced, and of the resources that they have named
 * with `resources/subscribe` (2025-11-25 server/resources). Modern ones are notified of what they have asked for with
 * `subscriptions/listen` (2026-07-28 basic/patterns/subscriptions). That request stays open. It takes a slot, and its
 * id stands in all that is sent for it.
 *
 *     QUASH_MCP_WATCHES(watches, 4, 40);
 *     static const quash_mcp_server server = {
 *         ..., .watches = &watches, .changes = QUASH_MCP_RESOURCES_CHANGE };
 *     static const quash_method methods[] = {
 *         ..., QUASH_MCP_SUBSCRIBE(&server), QUASH_MCP_LISTEN(&server) };
 *
 * All of this belongs to the peer's thread. */
#ifndef QUASH_MCP_LISTEN_H
#define QUASH_MCP_LISTEN_H

#include "mcp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Subscriptions to resources ---------------------------------------------------------------------- */

/** A subscription to one resource. Opaque. */
typedef struct quash_mcp_watch {
	const quash_request *listen; /* that asked for it; NULL: resources/subscribe did */
	bool taken;
} quash_mcp_watch;

/** Room for subscriptions, of one peer. Constant; what it points to is the caller's and begins as zeros. */
typedef struct quash_mcp_watches {
	quash_mcp_watch *list; /**< `count` of them */
	char *uris;            /**< `count * (uri_size + 1)` bytes */
	uint8_t count;
	uint8_t uri_size;      /**< longest URI in bytes */
} quash_mcp_watches;

/** Lays out static room for `count_n` subscriptions to URIs of up to `uri_n` bytes, and names it. */
#define QUASH_MCP_WATCHES(name, count_n, uri_n) \
	static quash_mcp_watch name##_list[count_n]; \
	static char name##_uris[(count_n) * ((uri_n) + 1)]; \
	static const quash_mcp_watches name = { name##_list, name##_uris, (count_n), (uri_n) }

/** Forgets every subscription. `quash_mcp_new_session` does this too. */
void quash_mcp_forget_watches(const quash_mcp_watches *watches);

/** The entries of a method table for `resources/subscribe`. `server` points to a quash_mcp_server with `watches`. */
#define QUASH_MCP_SUBSCRIBE(server) \
	QUASH_MCP_METHOD_("resources/subscribe", quash_mcp_resources_subscribe_, server, 0), \
	QUASH_MCP_METHOD_("resources/unsubscribe", quash_mcp_resources_unsubscribe_, server, 0)

/** Notifies those who have subscribed to it that a resource has changed (`notifications/resources/updated`).
 *
 * @return of several the first in the order of quash_mcp_sent: QUASH_MCP_NO_ROOM if one found none, and all may be
 *         tried again; QUASH_MCP_SENT if one was sent; QUASH_MCP_UNWANTED if nobody is to get it */
quash_mcp_sent quash_mcp_updated(quash_peer *peer, const quash_mcp_server *server, const char *uri);

/* --- Lists that change ------------------------------------------------------------------------------- */

/** Notifies each client that wants to know that lists have changed (`notifications/tools/list_changed` and its kin), of
 * those lists that the server's `changes` announces.
 *
 * @param which  QUASH_MCP_TOOLS_CHANGE ...
 * @return       as `quash_mcp_updated` */
quash_mcp_sent quash_mcp_changed(quash_peer *peer, const quash_mcp_server *server, uint8_t which);

/** Whether lists may be changed now: no request is live whose answer reads one (`…/list`, `initialize`,
 * `server/discover`, `completion/complete`). Answers are put more than once, so their list must stand meanwhile. For a
 * list to change, its part or the server is not constant. */
bool quash_mcp_may_change(const quash_peer *peer);

/* --- subscriptions/listen ---------------------------------------------------------------------------- */

/** An open `subscriptions/listen`, the state of its request. Opaque. */
typedef struct quash_mcp_listen {
	quash_request *request;
	struct quash_mcp_listen *next;
	uint8_t wants;     /* QUASH_MCP_TOOLS_CHANGE ... */
	bool acknowledged;
} quash_mcp_listen;

/** The entry of a method table for `subscriptions/listen`. `server` points to a quash_mcp_server. The state that it
 * needs is `QUASH_MCP_STATE(token_size, sizeof(quash_mcp_listen))`. */
#define QUASH_MCP_LISTEN(server) \
	QUASH_HOOKED_("subscriptions/listen", quash_mcp_subscriptions_listen_, quash_mcp_subscriptions_end_, NULL, \
		server, sizeof(quash_mcp_slot) + sizeof(quash_mcp_listen), QUASH_PARTIAL | QUASH_LISTED)

/** Ends every open `subscriptions/listen`, as `quash_cancel_all` does too. Each is answered with its result, and a
 * `notifications/cancelled` with its id follows. That is the only one that a server ever sends in 2026-07-28. */
void quash_mcp_end_listens(const quash_mcp_server *server);

/* --- Handlers, for the method table ------------------------------------------------------------------ */

/** legacy: unknown URI -32002; no room -32010 `Too many subscriptions` */
quash_handler quash_mcp_resources_subscribe_;
quash_handler quash_mcp_resources_unsubscribe_; /**< legacy; harmless when there is no such subscription */
quash_handler quash_mcp_subscriptions_listen_;  /**< modern: what finds no room is not acknowledged */
int32_t quash_mcp_subscriptions_end_(quash_request *request); /**< the `end` hook of `subscriptions/listen` */

#ifdef __cplusplus
}
#endif
#endif
