/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/cxx.h. */
#include "quash.h"

struct turn { int32_t ms; };
static constexpr quash_param turn_list[] = { QUASH_ARG_INT(struct turn, ms, 1, 60000, NULL) };
static constexpr quash_params turn_params = QUASH_PARAMS(struct turn, turn_list), blink_params = turn_params;
static int32_t turn(quash_request *request) { return quash_mcp_text(request, "turned"); }
static int32_t blink(quash_request *request) { return quash_mcp_text(request, "blinked"); }
static int32_t off(quash_request *) { return QUASH_DONE; }
static quash_group motor;

#include BLOCK
