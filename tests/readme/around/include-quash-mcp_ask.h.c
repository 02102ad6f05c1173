/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/mcp_ask.h. */
#include "quash.h"

extern const quash_params name_params;

#include BLOCK

static const quash_param name_list[] = { QUASH_ARG_TEXT(struct name, first, "your first name") };
const quash_params name_params = QUASH_PARAMS(struct name, name_list);
