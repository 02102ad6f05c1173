/* SPDX-License-Identifier: MIT
 * What is known of a device's buffers: what it has counted, and what the messages of a record need of each. */
#ifndef INSPECT_NEEDS_H
#define INSPECT_NEEDS_H

#include "inspect_record.h"
#include "span.h"
#include "quash/call.h"
#include "quash/dialect.h"
#include "quash/json.h"

#include <stdint.h>

/* --- What a device has counted and which sizes it has, as its `stats` name them */

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
void facts_of_text(struct facts *facts, const char *text, size_t n);

/* True if there is a counter among them. */
bool facts_have_counters(const struct facts *facts);

/* --- What a record needs */

/* All in bytes but the counts. */
struct needs {
	const struct inspect_protocol *protocol; /* of the record; NULL: none was read */
	uint32_t busy;         /* answers -32010 */
	uint32_t too_large;    /* answers -32011 */
	uint32_t slots;        /* requests that were open together, refused ones until all others are answered */
	uint32_t arena;        /* their params */
	uint32_t answered;     /* the same, and an answer to one of the device's calls */
	uint32_t id, token, tag, reason; /* the longest, decoded; a reason with its NUL */
	uint32_t notification; /* of the device, the longest */
	uint32_t progress;     /* a notification of progress with the longest token */
	uint32_t reported;     /* notifications of progress that came */
	uint32_t unreported;   /* requests that wanted progress and had a result or a cancel before any came */
	uint32_t waited;       /* the longest of these, in milliseconds */
};

/* Reads the record of one device.
 *
 * @param name  as for record_read
 * @return      NULL, or what is wrong, in words */
const char *needs_read(struct needs *needs, const char *path, const char *name);

/* --- What a device lacks that has no room for the requests of quash-inspect itself */

/* The bytes that the params of a call take in the arena of the device, as needs_arena. Counts those in the first 64 KiB of its
 * message. */
uint32_t arena_of_call(const quash_call *call, const quash_dialect *dialect);

#endif
