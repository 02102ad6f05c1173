/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/mcp.h. */
#include "quash.h"

#if NUMBER == 1
struct move { int32_t steps; };
static const quash_param move_list[] = { QUASH_ARG_INT(struct move, steps, 1, 1000, NULL) };
static const quash_params move_params = QUASH_PARAMS(struct move, move_list);
static int32_t move(quash_request *request) { return quash_mcp_text(request, "moved"); }
static int32_t stop(quash_request *request) { (void)request; return QUASH_DONE; }
static quash_group arm;
#elif NUMBER == 2
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "arm", .version = "1.0", .session = &session };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
QUASH_STORAGE(store, 4, 24, QUASH_MCP_STATE(0, 0), 256, 160);
#else
struct motor { int32_t position; };
#endif

#include BLOCK
