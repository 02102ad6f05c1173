/* SPDX-License-Identifier: MIT
 * The surroundings of the code of docs/trouble.md. */
#include "quash.h"

static void show(const char *event, int32_t detail, const char *reason) { (void)event, (void)detail, (void)reason; }

#include BLOCK
