/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/params.h. */
#include "quash.h"

#if NUMBER == 2
struct move { int32_t steps; };
static const quash_param move_list[] = { QUASH_ARG_INT(struct move, steps, 1, 1000, NULL) };
static const quash_params move_params = QUASH_PARAMS(struct move, move_list);
#define DOTS_1 return quash_reply_int(request, move->steps);
#endif

#include BLOCK
