/* SPDX-License-Identifier: MIT
 * The surroundings of the code of docs/json.md. */
#include "quash.h"

#if NUMBER == 1
static void show(const char *name, quash_kind kind) { (void)name, (void)kind; }

static int32_t handler(quash_request *request)
{
#include BLOCK
	return QUASH_PENDING;
}
#else
struct motor { int32_t position; };
#include BLOCK
#endif
