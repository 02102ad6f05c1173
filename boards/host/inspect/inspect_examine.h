/* SPDX-License-Identifier: MIT
 * What the doctor asks of a device that speaks MCP. */
#ifndef INSPECT_EXAMINE_H
#define INSPECT_EXAMINE_H

#include "inspect_finding.h"

/* Its tools, a call that no tool answers, the tool of the command line, its counters. */
void mcp_examine(struct link *link, struct examination *e);

#endif
