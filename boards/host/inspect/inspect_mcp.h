/* SPDX-License-Identifier: MIT
 * What the parts of the MCP client share. */
#ifndef INSPECT_MCP_H
#define INSPECT_MCP_H

#include "inspect_call.h"
#include "quash/mcp.h"

/* Puts `_meta` into the open params: what the era wants, and a token for progress. */
void mcp_put_meta(quash_writer *w, const struct options *options, bool progress);

/* The member of `object` with this name, which may have dots. */
quash_value mcp_member(quash_value object, const char *name);

/* How a request is conducted whose result is shown by `show` (NULL: as JSON). */
const struct conduct *mcp_conduct(const struct link *link, int (*show)(struct link *link, quash_value result));

/* Prints the tools with their arguments. Returns the exit code. */
int mcp_list_tools(struct link *link);

/* Shows the result of a tool for people. Returns the exit code. */
int mcp_show_result(struct link *link, quash_value result);

/* Calls the tool of the command line. Returns the exit code. */
int mcp_call_tool(struct link *link);

#endif
