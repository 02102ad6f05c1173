/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/mcp_confirm.h. */
#include "quash.h"

static int32_t move(quash_request *request) { return quash_mcp_text(request, "moved"); }
static int32_t stop(quash_request *request) { (void)request; return QUASH_DONE; }
static quash_group arm;
extern const quash_params move_params;
extern const quash_mcp_server server;
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
QUASH_STORAGE(store, 4, 24, 256, 256, 160);
#define DOTS_1 QUASH_STORED(store), .dialect = &quash_mcp, .methods = methods, .method_count = sizeof methods / sizeof methods[0]
#define DOTS_2 .description = "Moves the arm"

#include BLOCK

static const quash_param move_list[] = { QUASH_ARG_INT(struct move, steps, 1, 10000, NULL) };
const quash_params move_params = QUASH_PARAMS(struct move, move_list);
static quash_mcp_session session;
const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .tools = tools, .tool_count = 1, .parts = parts };
