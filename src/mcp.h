/* SPDX-License-Identifier: MIT
 * What the parts of the MCP profile share. */
#ifndef QUASH_SRC_MCP_H
#define QUASH_SRC_MCP_H

#include "params.h"
#include "quash/mcp.h"

#define MCP_META "io.modelcontextprotocol/"

/* The beginning of the request's state; NULL when the config gives it no room. */
quash_mcp_slot *quash_mcp_slot_of(quash_request *request);

/* Finds out what the request speaks and keeps it in the slot. When it is refused: false, what to return. */
bool quash_mcp_open(quash_request *request, quash_value params, int32_t *code);

/* Begins a result: an object is open, the members that the era wants in each are in it. */
quash_writer *quash_mcp_begin(quash_request *request);

/* How long, and by whom, the result may be kept. */
void quash_mcp_put_cache(quash_writer *w, quash_request *request);

/* The server's name and version. */
void quash_mcp_put_info(quash_writer *w, const quash_mcp_server *server);

/* The members `capabilities` and `instructions`. */
void quash_mcp_put_offer(quash_writer *w, const quash_mcp_server *server);

void quash_mcp_put_member(quash_writer *w, const char *key, const char *text);
void quash_mcp_put_optional(quash_writer *w, const char *key, const char *text);

/* Keeps the progress token of a call that begins. */
void quash_mcp_keep_token(quash_request *request, quash_value params);

#endif
