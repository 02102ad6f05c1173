/* SPDX-License-Identifier: MIT
 * What a device has counted and which sizes it has, as its `stats` name them. */
#ifndef INSPECT_FACTS_H
#define INSPECT_FACTS_H

#include "inspect_member.h"
#include "quash/json.h"

#include <stdint.h>

enum fact {
	FACT_PARSE_ERRORS,
	FACT_INVALID,
	FACT_DUPLICATE_IDS,
	FACT_TOO_LARGE,
	FACT_BUSY,
	FACT_HELD,
	FACT_BAD_HEADERS,
	FACT_LOST,
	FACT_BAD_CANCELS,
	FACT_DROPPED,
	FACT_CHANGED,
	FACT_MISUSES,
	FACT_SLOWEST_CANCEL,
	FACT_MOST_LIVE,
	FACT_MOST_ARENA,
	FACT_LONGEST_NOTIFICATION,
	FACT_SLOT_COUNT,
	FACT_SLOT_BYTES,
	FACT_ID_SIZE,
	FACT_ARENA_SIZE,
	FACT_TX_SIZE,
	FACT_TAG_SIZE,
	FACT_TOKEN_SIZE,
	FACT_REASON_SIZE,
	FACTS
};

struct facts {
	bool known[FACTS];
	uint32_t is[FACTS]; /* 0 where it is not known */
	bool too_large, busy; /* so it has answered a request of quash-inspect */
	uint32_t own;         /* bytes of the arena for the params of that */
};

/* Its name in `stats`. */
const char *fact_name(enum fact fact);

/* Takes every member that is a fact from an object, or from an object's text. What is no number is not known. */
void facts_of_value(struct facts *facts, quash_value object);
void facts_of_text(struct facts *facts, struct text object);

/* True if there is a counter among them. */
bool facts_have_counters(const struct facts *facts);

#endif
