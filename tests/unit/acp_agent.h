/* SPDX-License-Identifier: MIT
 * The device as an ACP agent, whose turns are a test's own. */
#ifndef QUASH_TESTS_ACP_AGENT_H
#define QUASH_TESTS_ACP_AGENT_H

#include "device.h"

#include <stdio.h>

#include "quash/acp_client.h"

enum { AGENT_TURN = 48 * sizeof(void *) + 96 };

extern const quash_acp_agent unit_agent;
extern quash_acp_connection agent_connection;
extern quash_acp_session agent_sessions[2];

/* What a turn does. */
extern quash_handler *script;

/* A turn that ends with `stop_reason`. */
extern quash_acp_reason stop_reason;
quash_handler stops;

/* How long the end of a turn takes. */
extern int32_t rest_ms;

/* An agent: device_begin() starts it. */
void agent_prepare(void);

/* An agent, and a client that can do everything and has the first session. */
void agent_start(quash_handler *turn);

/* The client's part of that. */
void agent_open(quash_handler *turn);

#define NEW(id) REQUEST_WITH(id, "session/new", "{'cwd':'/','mcpServers':[]}")
#define CLOSE(id, session) REQUEST_WITH(id, "session/close", "{'sessionId':'" session "'}")
#define TEXT_BLOCK(text) "{'type':'text','text':'" text "'}"
#define PROMPT_OF(id, session, blocks) \
	REQUEST_WITH(id, "session/prompt", "{'sessionId':'" session "','prompt':[" blocks "]}")
#define PROMPT(id, session, text) PROMPT_OF(id, session, TEXT_BLOCK(text))

#define UPDATE(session, kind, members) \
	"{'jsonrpc':'2.0','method':'session/update','params':{'sessionId':'" session "','update':{'sessionUpdate':'" kind \
	"'," members "}}}\n"

#endif
