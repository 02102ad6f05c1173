/* SPDX-License-Identifier: MIT
 * What the files of the ACP profile share. */
#ifndef QUASH_SRC_ACP_INNER_H
#define QUASH_SRC_ACP_INNER_H

#include "../../include/quash/acp_client.h"
#include "../profile/profile.h"

/* What the request's state ends with. A config that has passed quash_acp_check gives it room. */
quash_acp_slot *quash_acp_slot_of(quash_request *request);
const quash_acp_slot *quash_acp_const_slot_of(const quash_request *request);

/* True once the client has sent `initialize`. The other two answer a request that came earlier, or names no session. */
bool quash_acp_is_initialized(const quash_request *request);
int32_t quash_acp_refuse_early(quash_request *request);
int32_t quash_acp_refuse_unknown(quash_request *request);

/* The session that params name, or NULL. */
quash_acp_session *quash_acp_find(const quash_acp_agent *agent, quash_value params);

/* Ties the request to a session. */
void quash_acp_tie(quash_acp_slot *slot, quash_acp_session *session);

/* Ends the session: its place is free for another one. */
void quash_acp_free_session(const quash_acp_agent *agent, quash_acp_session *session);

/* Puts the id of the session with that number. */
void quash_acp_put_number(quash_writer *w, uint32_t number);

void quash_acp_put_nonzero(quash_writer *w, const char *key, uint32_t value); /* nothing for 0 */

/* The members of a tool call, into the open object. */
void quash_acp_put_tool_call(quash_writer *w, const quash_acp_tool_call *call);

/* Begins an update of a prompt, which quash_send_report sends. False: nothing may be reported. */
bool quash_acp_begin_update(quash_request *request, const char *kind, quash_writer **w);

/* Asks the client, if it can do what is needed. Returns what the caller returns. */
int32_t quash_acp_ask(
	quash_request *request, quash_acp_question *question, uint8_t need, const char *method, quash_call_put *put);

/* Begins the params of a question: an object with `sessionId` is open. */
const void *quash_acp_put_question(quash_writer *w, const quash_call *call);

/* Reads the result of a question: the string at that path of the answer. */
int32_t quash_acp_string_result(const quash_acp_question *question, const char *path, quash_value *text);

#endif
