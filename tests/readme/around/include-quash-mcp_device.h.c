/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/mcp_device.h. */
#include "quash.h"
#include "posix/posix_serve.h"

struct turn { int32_t ms; };
static const quash_param turn_list[] = { QUASH_ARG_INT(struct turn, ms, 1, 60000, NULL) };
static int32_t turn(quash_request *request) { return quash_mcp_text(request, "turned"); }
static int32_t off(quash_request *request) { (void)request; return QUASH_DONE; }
static quash_group motor;
#if NUMBER == 1
static const quash_params turn_params = QUASH_PARAMS(struct turn, turn_list);
#elif NUMBER == 2
static const quash_mcp_tool tools[] = { { .name = "turn", .description = "Turns the motor", .call = turn } };
#else
static constexpr quash_mcp_tool tools[] = { quash::mcp_tool("turn", "Turns the motor", turn) };
#endif

#include BLOCK
