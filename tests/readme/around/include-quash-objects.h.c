/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/objects.h. */
#if NUMBER == 1
#define DOTS_1 \
	static int32_t echo(quash_request *request) { return quash_reply_null(request); } \
	static const quash_method methods[] = { { .name = "echo", .handler = echo } }; \
	QUASH_STORAGE(store, 1, 24, 0, 64, 64);
#else
#include "quash.h"

struct motor { int32_t position; };
static int32_t echo(quash_request *request) { return quash_reply_null(request); }
static const quash_method methods[] = { { .name = "echo", .handler = echo } };
#endif

#include BLOCK
