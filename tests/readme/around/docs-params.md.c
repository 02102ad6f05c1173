/* SPDX-License-Identifier: MIT
 * The surroundings of the code of docs/params.md. */
#include "quash.h"

#if NUMBER == 2
struct move { int32_t steps; };
static const quash_param move_list[] = { QUASH_ARG_INT(struct move, steps, 1, 1000, "how far") };
static const quash_params move_params = QUASH_PARAMS(struct move, move_list);
#define DOTS_1 return m->steps > 0 ? QUASH_DONE : QUASH_PENDING; }
#endif

#include BLOCK
