/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/mcp_input.h. */
#include "quash.h"

static int32_t serve(quash_request *request) { return quash_mcp_text(request, "served"); }
static const quash_mcp_tool tools[] = { { .name = "serve", .description = "Serves", .call = serve } };
static quash_mcp_session session;
extern const quash_mcp_server server;
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
QUASH_STORAGE(store, 4, 24, QUASH_MCP_STATE(40, 0), 256, 160);
#define DOTS_1 QUASH_STORED(store), .dialect = &quash_mcp, .methods = methods, .method_count = sizeof methods / sizeof methods[0]

#include BLOCK

const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .tools = tools, .tool_count = 1, .parts = parts };
