/* SPDX-License-Identifier: MIT
 * testee for one dialect, chosen when it is built. */
#include "firmware.h"
#include "testee.h"

#ifndef TESTEE_DIALECT
#define TESTEE_DIALECT quash_acp
#endif
#ifndef TESTEE_SLOTS
#define TESTEE_SLOTS 8
#endif
#ifndef TESTEE_ARENA
#define TESTEE_ARENA 4096
#endif
#ifndef TESTEE_TX
#define TESTEE_TX 1024
#endif
#ifndef TESTEE_FAN
#define TESTEE_FAN 8
#endif

/* A board's input never ends. */
static bool ended(void *device)
{
	(void)device;
	return false;
}

static void pump(quash_peer *peer, void *device)
{
	(void)peer;
	(void)device;
	firmware_pump();
}

static quash_call calls[TESTEE_FAN];
static struct testee testee = { .pump = pump, .ended = ended, .calls = calls, .call_count = TESTEE_FAN };
static char reason[32];

QUASH_STORAGE(store, TESTEE_SLOTS, TESTEE_ID_SIZE, TESTEE_STATE_SIZE, TESTEE_ARENA, TESTEE_TX);

static const quash_config config = {
	QUASH_STORED(store),
	.dialect = &TESTEE_DIALECT,
	.methods = testee_methods,
	.method_count = TESTEE_METHODS,
	.reason = reason,
	.reason_size = sizeof reason,
	.context = &testee,
	.calls = &quash_calls,
	.faults = &quash_faults,
};

const quash_config *const firmware_config = &config;
