/* SPDX-License-Identifier: MIT
 * The state that a client carries from one round of questions to the next. */
#ifndef QUASH_SRC_MCP_TICKET_H
#define QUASH_SRC_MCP_TICKET_H

#include "../../include/quash/mcp_input.h"

/* Members of params: the state, and what has been answered since. */
extern const char quash_mcp_ticket_member[13];
extern const char quash_mcp_answers_member[15];

/* Reads the param `requestState`, a string, and puts an object of the answers of earlier rounds in its place. False: it
 * is none of ours, or of another request, or has expired. */
bool quash_mcp_ticket_read(const quash_request *request, const quash_mcp_input *input);

/* When the state was made, by the clock of the peer. False: the request has none. */
bool quash_mcp_ticket_time(const quash_request *request, uint32_t *made);

/* The answer to the question of that name, of this round or of an earlier one; no object if there is none. */
quash_value quash_mcp_ticket_answer(const quash_request *request, const char *name);

/* How many bytes a state of all answers so far holds. */
uint32_t quash_mcp_ticket_size(const quash_request *request);

/* Puts that state, a string. */
void quash_mcp_ticket_put(quash_writer *w, const quash_request *request, const quash_mcp_input *input);

#endif
