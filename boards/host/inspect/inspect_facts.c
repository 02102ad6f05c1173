/* SPDX-License-Identifier: MIT */
#include "inspect_facts.h"

#include <stdio.h>
#include <string.h>

/* As boards/apps/counters.c puts them. */
static const char *const names[FACTS] = {
	[FACT_PARSE_ERRORS] = "parse_errors",
	[FACT_INVALID] = "invalid",
	[FACT_DUPLICATE_IDS] = "duplicate_ids",
	[FACT_TOO_LARGE] = "too_large",
	[FACT_BUSY] = "busy",
	[FACT_HELD] = "held",
	[FACT_BAD_HEADERS] = "bad_headers",
	[FACT_LOST] = "lost",
	[FACT_BAD_CANCELS] = "bad_cancels",
	[FACT_DROPPED] = "dropped",
	[FACT_CHANGED] = "changed",
	[FACT_MISUSES] = "misuses",
	[FACT_SLOWEST_CANCEL] = "slowest_cancel_ms",
	[FACT_MOST_LIVE] = "most_live",
	[FACT_MOST_ARENA] = "most_arena",
	[FACT_LONGEST_NOTIFICATION] = "longest_notification",
	[FACT_SLOT_COUNT] = "slot_count",
	[FACT_SLOT_BYTES] = "slot_bytes",
	[FACT_ID_SIZE] = "id_size",
	[FACT_ARENA_SIZE] = "arena_size",
	[FACT_TX_SIZE] = "tx_size",
	[FACT_TAG_SIZE] = "tag_size",
	[FACT_TOKEN_SIZE] = "token_size",
	[FACT_REASON_SIZE] = "reason_size",
};

const char *fact_name(enum fact fact)
{
	return names[fact];
}

/* Counters stop at their largest value, and so does this. */
static void take(struct facts *facts, int fact, struct text digits)
{
	uint32_t value = 0;
	for (size_t i = 0; i < digits.length; i++) {
		const uint32_t digit = (uint32_t)(digits.at[i] - '0');
		if (digits.at[i] < '0' || digits.at[i] > '9')
			return;
		value = value > (UINT32_MAX - digit) / 10 ? UINT32_MAX : value * 10 + digit;
	}
	facts->known[fact] = digits.length > 0;
	facts->is[fact] = value;
}

void facts_of_value(struct facts *facts, quash_value object)
{
	for (int i = 0; i < FACTS; i++) {
		const quash_value value = quash_member(object, names[i]);
		if (quash_kind_of(value) == QUASH_NUMBER)
			take(facts, i, text_of(quash_text(value)));
	}
}

void facts_of_text(struct facts *facts, struct text object)
{
	for (int i = 0; i < FACTS; i++) {
		char quoted[64];
		snprintf(quoted, sizeof quoted, "\"%s\"", names[i]);
		take(facts, i, member_of(object, quoted));
	}
}

bool facts_have_counters(const struct facts *facts)
{
	for (int i = 0; i < FACT_MOST_LIVE; i++) {
		if (facts->known[i])
			return true;
	}
	return false;
}
