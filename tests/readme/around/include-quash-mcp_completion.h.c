/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/mcp_completion.h. */
#include "quash.h"

static int32_t serve(quash_request *request) { return quash_mcp_text(request, "served"); }
static const quash_mcp_prompt prompt_list[] = { QUASH_MCP_PROMPT("report", "Reports", NULL, serve) };
static const quash_mcp_prompts prompts = QUASH_MCP_PROMPT_LIST(prompt_list);
static quash_mcp_session session;
#define DOTS_1 .name = "house", .version = "1.0", .session = &session
#define DOTS_2 QUASH_MCP_METHODS(&server), QUASH_MCP_PROMPTS(&server)

#include BLOCK
