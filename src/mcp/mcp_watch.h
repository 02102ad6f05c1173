/* SPDX-License-Identifier: MIT
 * The table of subscriptions to resources. */
#ifndef QUASH_SRC_MCP_WATCH_H
#define QUASH_SRC_MCP_WATCH_H

#include "../../include/quash/mcp_listen.h"

/* A subscription belongs to a listen request, or to resources/subscribe: then `listen` is NULL. */

enum quash_mcp_watched { WATCHED, WATCH_TOO_LONG, WATCH_FULL };

/* Adds the URI to the table, once. */
enum quash_mcp_watched quash_mcp_watch_add(
	const quash_mcp_watches *watches, const quash_request *listen, quash_value uri);

void quash_mcp_watch_remove(const quash_mcp_watches *watches, const quash_request *listen, quash_value uri);

/* Removes all subscriptions of a listen request. */
void quash_mcp_watch_leave(const quash_mcp_watches *watches, const quash_request *listen);

/* The URI of entry `i`. NULL: the entry is free or belongs to another one. */
const char *quash_mcp_watch_uri(const quash_mcp_watches *watches, const quash_request *listen, uint8_t i);

/* True if a part of the server has that resource. */
bool quash_mcp_holds(const quash_mcp_server *server, quash_value uri);

/* Puts `_meta` with the id of the listen request that a notification is for. */
void quash_mcp_put_subscription(quash_writer *w, const quash_request *listen);

#endif
