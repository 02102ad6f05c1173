/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/mcp_resources.h. */
#include "quash.h"

static inline int32_t serve(quash_request *request) { return quash_mcp_text(request, "served"); }
static quash_mcp_session session;
#define DOTS_1 .name = "house", .version = "1.0", .session = &session
#define DOTS_2 QUASH_MCP_METHODS(&server)

static int32_t read_log(quash_request *request) { return serve(request); }

#include BLOCK
