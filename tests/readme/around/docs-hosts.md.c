/* SPDX-License-Identifier: MIT
 * The surroundings of the code of docs/hosts.md. */
#include "quash.h"

static int32_t serve(quash_request *request) { return quash_mcp_text(request, "served"); }
static quash_mcp_session session;
static const quash_mcp_tool tools[] = { { .name = "t", .description = "T", .call = serve } };

#include BLOCK
