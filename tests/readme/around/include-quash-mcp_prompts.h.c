/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/mcp_prompts.h. */
#include "quash.h"

static inline int32_t serve(quash_request *request) { return quash_mcp_text(request, "served"); }
static quash_mcp_session session;
#define DOTS_1 .name = "house", .version = "1.0", .session = &session
#define DOTS_2 QUASH_MCP_METHODS(&server)

struct report { char day[12]; };
static const quash_param report_list[] = { QUASH_ARG_TEXT(struct report, day, NULL) };
static const quash_params report_params = QUASH_PARAMS(struct report, report_list);
static int32_t report(quash_request *request) { return serve(request); }

#include BLOCK
