/* SPDX-License-Identifier: MIT */
#include "counters.h"

#define COUNTER(member) [offsetof(quash_counters, member) / sizeof(quash_count)] = #member
#define CANCELLED_BY(name, cause) \
	[offsetof(quash_counters, cancelled) / sizeof(quash_count) + (cause)] = "cancelled_by_" name

/* Processors that read flash by instructions of their own would copy the table to RAM. */
#ifdef __FLASH
#define TABLE_OF const __flash
#else
#define TABLE_OF const
#endif

/* Their names, each at its place in the struct. The first cancel has none. */
static const char *TABLE_OF names[] = {
	COUNTER(requests),
	COUNTER(notifications),
	COUNTER(ignored),
	COUNTER(results),
	COUNTER(errors),
	COUNTER(silenced),
	COUNTER(parse_errors),
	COUNTER(invalid),
	COUNTER(duplicate_ids),
	COUNTER(unknown_methods),
	COUNTER(too_large),
	COUNTER(busy),
	COUNTER(kept),
	COUNTER(held),
	COUNTER(stray_responses),
	COUNTER(lost),
	CANCELLED_BY("other_side", QUASH_BY_OTHER_SIDE),
	CANCELLED_BY("deadline", QUASH_BY_DEADLINE),
	CANCELLED_BY("handler", QUASH_BY_HANDLER),
	CANCELLED_BY("shutdown", QUASH_BY_SHUTDOWN),
	CANCELLED_BY("lease", QUASH_BY_LEASE),
	CANCELLED_BY("session", QUASH_BY_SESSION),
	CANCELLED_BY("link", QUASH_BY_LINK),
	COUNTER(late_cancels),
	COUNTER(bad_cancels),
	COUNTER(dropped),
	COUNTER(changed),
	COUNTER(misuses),
	COUNTER(discarded),
	COUNTER(sessions),
	COUNTER(life_signs),
#ifndef TOOLBOX_SMALL /* these count nothing where no calls are made, on lines */
	COUNTER(calls),
	COUNTER(call_cancels),
	COUNTER(late_responses),
	COUNTER(bad_headers),
	CANCELLED_BY("parent", QUASH_BY_PARENT),
	CANCELLED_BY("local_code", QUASH_BY_LOCAL_CODE),
#endif
};

static void put_ms(quash_writer *w, const char *name, uint32_t ms)
{
	quash_put_key(w, name);
	quash_put_uint(w, ms);
}

static void put_count(quash_writer *w, const char *name, quash_count count)
{
	put_ms(w, name, count);
}

void put_counters(quash_writer *w, const quash_counters *counters)
{
	const quash_count *const counts = (const quash_count *)(const void *)counters;
	for (uint8_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (names[i] != NULL)
			put_count(w, names[i], counts[i]);
	}
	put_ms(w, "last_cancel_ms", counters->last_cancel_ms);
	put_ms(w, "slowest_cancel_ms", counters->slowest_cancel_ms);
}

void put_sizes(quash_writer *w, const quash_config *config, const quash_counters *counters)
{
	put_count(w, "most_live", counters->most_live);
	put_count(w, "most_arena", counters->most_arena);
	put_count(w, "longest_notification", counters->longest_notification);
	put_count(w, "slot_count", config->slot_count);
	put_count(w, "id_size", config->id_size);
	put_count(w, "arena_size", (quash_count)config->arena_size);
	put_count(w, "tx_size", (quash_count)config->tx_size);
	put_count(w, "tag_size", config->tag_size);
	put_count(w, "reason_size", config->reason_size);
}

void put_slot_bytes(quash_writer *w, const quash_config *config)
{
	put_count(w, "slot_bytes",
		(quash_count)(sizeof(quash_request) + config->state_size + config->id_size + config->tag_size));
}
