/* SPDX-License-Identifier: MIT
 * The device as an ACP agent, whose turns are a test's own. */
#ifndef QUASH_TESTS_ACP_AGENT_H
#define QUASH_TESTS_ACP_AGENT_H

#include "device.h"

#include <stdio.h>

#include "quash/acp_client.h"

enum { AGENT_TURN = 48 * sizeof(void *) + 96 };

extern const quash_acp_agent unit_agent;

/* What a turn does. */
extern quash_handler *script;

/* An agent: device_begin() starts it. */
void agent_prepare(void);

/* An agent, and a client that has the first session. */
void agent_start(quash_handler *turn);

#define PROMPT(id, session, text) \
	REQUEST_WITH(id, "session/prompt", "{'sessionId':'" session "','prompt':[{'type':'text','text':'" text "'}]}")

#define UPDATE(session, kind, members) \
	"{'jsonrpc':'2.0','method':'session/update','params':{'sessionId':'" session "','update':{'sessionUpdate':'" kind \
	"'," members "}}}\n"

#endif
