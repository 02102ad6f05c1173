/* SPDX-License-Identifier: MIT
 * The surroundings of the code of README.md. */
#include "quash.h"

#if NUMBER == 2
struct turn { int32_t ms; bool on; };
static int32_t turn(quash_request *request) { return quash_mcp_text(request, "turned"); }
static int32_t off(quash_request *request) { (void)request; return QUASH_DONE; }
static quash_group motor;
#endif

#include BLOCK
