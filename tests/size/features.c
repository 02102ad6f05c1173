/* SPDX-License-Identifier: MIT
 * A server whose config names everything, or all but what is defined as WITHOUT_...: what that costs. */
#include "quash.h"
#include "store.h"

static void put_same(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_params_of(request));
}

static int32_t handler(quash_request *request)
{
	return quash_reply(request, put_same);
}

#ifndef WITHOUT_TRACE
static volatile uint32_t noted;

static void note(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	(void)peer;
	(void)request;
	noted = (uint32_t)event + (uint32_t)detail + (uint32_t)why;
}
#endif

#ifndef WITHOUT_KEEPS
static const quash_keep kept[] = { { "_meta>progressToken", 0, false } };

static const quash_keep *list(const quash_config *config, uint8_t number, uint8_t *count)
{
	(void)config;
	*count = 1;
	return number == 0 ? kept : NULL;
}

static const quash_keeps keeps = { &quash_keeping, list };
#endif

static const quash_cancel_method cancels[] = { { "$/cancelRequest", NULL } };

static const quash_dialect dialect = {
	.cancels = cancels,
	.cancel_count = 1,
	.cancel_id = "id",
	.other_code = QUASH_CANCELLED,
	.own_code = QUASH_CANCELLED,
#ifndef WITHOUT_TAGS
	.tag_member = "tag",
#endif
#ifdef CONTENT_LENGTH
	.framing = QUASH_CONTENT_LENGTH,
#elif !defined WITHOUT_BATCHES
	.batch = &quash_batch,
#endif
};

#if !defined WITHOUT_LEASES || !defined WITHOUT_GROUPS
static int32_t off(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}
#endif
#ifndef WITHOUT_GROUPS
static quash_group group;
#endif
static const quash_method methods[] = { {
	.name = "method",
	.handler = handler,
	.motion = {
#ifndef WITHOUT_LEASES
		.lease = 2000,
#endif
#ifndef WITHOUT_GROUPS
		.group = &group,
#endif
#if !defined WITHOUT_LEASES || !defined WITHOUT_GROUPS
		.end = off,
		.longest = 60000,
#endif
	},
	.marks = 0
#ifndef WITHOUT_SESSIONS
		| QUASH_SESSION
#endif
#ifndef WITHOUT_KEEPS
		| QUASH_LISTED
#endif
	,
} };

QUASH_STORAGE(store, 4, 40, 0, 512, 128);
#ifndef WITHOUT_TAGS
enum { TAG_SIZE = 24 };
static uint8_t tags[5 * TAG_SIZE];
#endif

const quash_config device = {
	STORED_WITHOUT_STATES(store),
	.dialect = &dialect,
	.methods = methods,
	.method_count = 1,
#ifndef WITHOUT_TAGS
	.tags = tags,
	.tag_size = TAG_SIZE,
#endif
#ifndef WITHOUT_COUNTERS
	.counters = &store.counters,
#endif
#ifndef WITHOUT_TRACE
	.trace = note,
#endif
#ifndef WITHOUT_CALLS
	.calls = &quash_calls,
#endif
#ifndef WITHOUT_KEEPS
	.keeps = &keeps,
#endif
#ifndef WITHOUT_FAULTS
	.faults = &quash_faults,
#endif
#ifndef WITHOUT_REASONS
	.reasons = &quash_reasons,
#endif
};

#include "endless.h"
