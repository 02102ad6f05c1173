/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/mcp_schema.h. */
#include "quash.h"

struct turn { uint8_t side; };

#include BLOCK
