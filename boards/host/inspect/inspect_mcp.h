/* SPDX-License-Identifier: MIT
 * What the doctor needs of MCP. */
#ifndef INSPECT_MCP_H
#define INSPECT_MCP_H

#include "inspect_call.h"

/* Visits one page of tools after the other until `visit` has enough. False: a page did not come. */
bool mcp_each_page(struct link *link, bool (*visit)(struct link *link, quash_value result));

/* Types the arguments of the command line. A tool that is not listed may still be there: then every argument is JSON if it can be. False:
 * why is noted, `exit` of the link holds the code. */
bool mcp_prepare_arguments(struct link *link);

/* How a request ends; a cancel is followed by a `ping`, which the modern era has not. NULL: a result is shown as JSON. */
const struct conduct *mcp_conduct(const struct link *link, int (*show)(struct link *link, quash_value result));

/* Puts the params of a call of a tool. The tool of the command line gets its arguments. `token`: for progress, JSON. */
void mcp_put_call(quash_writer *w, const struct inspect_options *options, const char *tool, const char *token);

#endif
