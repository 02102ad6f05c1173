/* SPDX-License-Identifier: MIT
 * Talking MCP to a peer in memory. In JSON texts ' stands for ". */
#ifndef QUASH_TESTS_MCP_TALK_H
#define QUASH_TESTS_MCP_TALK_H

#include "loop.h"

/* The peer. */
extern loop mcp;

/* Starts it, with states of that size, at most MCP_STATE; or leaves that to the test, which may change its config. */
enum { MCP_STATE = 32 * sizeof(void *) + 296 };
void mcp_prepare(const quash_method *methods, uint8_t count, quash_size state_size, quash_size tx_size);
void mcp_start(const quash_method *methods, uint8_t count, quash_size state_size, quash_size tx_size);

/* Other methods, for what begins anew. */
#define MCP_USE(list) mcp_use(list, COUNT_OF(list))
void mcp_use(const quash_method *methods, uint8_t count);

/* It cannot begin: by which entry, "" for none, of which table, and why. */
void mcp_refuses(const char *table, const char *name, const char *what);

/* Sends a line, and no more. */
void mcp_send(const char *message);

/* Sends a line and steps until nothing is live: what was answered meanwhile must be that. */
void mcp_check(const char *message, const char *expected);

/* The same after a number of steps, for requests that stay open. */
void mcp_check_steps(unsigned steps, const char *message, const char *expected);

/* The text with " in place of '. Good until the next call. */
const char *mcp_quoted(const char *text);

#define META "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'," \
	     "'io.modelcontextprotocol/clientCapabilities':{}}"
#define REQUEST(id, method, params) "{'jsonrpc':'2.0','id':" id ",'method':'" method "'," \
				    "'params':{" params "}}"
#define CALL(id, tool, arguments) REQUEST(id, "tools/call", "'name':'" tool "','arguments':{" arguments "}")
#define CALL_WITH(id, tool, arguments, meta) \
	REQUEST(id, "tools/call", "'name':'" tool "','arguments':{" arguments "}," meta)
#define RESULT(id, members) "{'jsonrpc':'2.0','id':" id ",'result':{" members "}}\n"
#define TEXT(id, text) RESULT(id, "'content':[{'type':'text','text':'" text "'}]")
#define FAILURE(id, text) RESULT(id, "'isError':true,'content':[{'type':'text','text':'" text "'}]")
#define ERROR(id, code, message) "{'jsonrpc':'2.0','id':" id ",'error':{'code':" code "," \
				 "'message':'" message "'}}\n"
#define PROGRESS(token, rest) \
	"{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':" token "," rest "}}\n"
#define INITIALIZE(id, version) REQUEST(id, "initialize", "'protocolVersion':'" version "','capabilities':{}")
#define CANCEL(id) "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':" id "}}"

#endif
