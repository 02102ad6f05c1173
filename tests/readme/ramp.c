/* SPDX-License-Identifier: MIT
 * What a page's main loop serves in loops.mjs: a motor that turns for longer than a client is there, and that its `end` hook
 * ramps down. */
#include "posix/posix_serve.h"
#include "quash.h"

#include <stdio.h>

enum { TURN_MS = 60000, LEASE_MS = 2000, RAMP_MS = 50, RAMP_STEPS = 4 };

struct turn { bool begun; int32_t steps; };

static int32_t turn(quash_request *request)
{
	struct turn *t = QUASH_STATE(struct turn, request);
	if (t->begun)
		return quash_reply_null(request);
	t->begun = true;
	fputs("motor on\n", stderr);
	return quash_wait(request, TURN_MS);
}

static int32_t ramp(quash_request *request)
{
	if (QUASH_STATE(struct turn, request)->steps++ < RAMP_STEPS)
		return quash_wait(request, RAMP_MS);
	fputs("motor off\n", stderr);
	return QUASH_DONE;
}

static const quash_method methods[] = { { .name = "turn", .handler = turn, .state_size = sizeof(struct turn),
	.motion = { .end = ramp, .longest = QUASH_NO_LIMIT, .lease = LEASE_MS } } };
QUASH_STORAGE(store, 4, 24, sizeof(struct turn), 256, 128);
static const quash_config config = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };

