/* SPDX-License-Identifier: MIT
 * What the parts of the MCP client share. */
#ifndef INSPECT_MCP_H
#define INSPECT_MCP_H

#include "inspect_call.h"
#include "quash/mcp.h"

/* Puts `_meta` into the open params: what the era wants, and a token for progress. */
void mcp_put_meta(quash_writer *w, const struct options *options, bool progress);

/* Puts params with `_meta` alone; the call's context are the options. */
void mcp_put_only_meta(quash_writer *w, const quash_call *call);

/* Puts the params of `initialize`. */
void mcp_put_initialize(quash_writer *w, const quash_call *call);

/* Gives the params what the modern era wants; one's own `_meta` stays as it is. False: out of memory. */
bool mcp_modernise(struct options *options);

/* Whether it is a version of the era of `initialize`. */
bool mcp_knows(const char *version);

/* How a request is conducted whose result is shown by `show` (NULL: as JSON). */
const struct conduct *mcp_conduct(const struct link *link, int (*show)(struct link *link, quash_value result));

/* Prints the tools with their arguments. Returns the exit code. */
int mcp_list_tools(struct link *link);

/* Shows the result of a tool for people. Returns the exit code. */
int mcp_show_result(struct link *link, quash_value result);

/* Calls the tool of the command line. Returns the exit code. */
int mcp_call_tool(struct link *link);

#endif
