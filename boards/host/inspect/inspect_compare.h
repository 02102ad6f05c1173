/* SPDX-License-Identifier: MIT
 * What came back, compared with what was recorded. All of a message counts, but for the ids of requests that the device
 * makes. Notifications of progress are counted only, for how many come depends on time. */
#ifndef INSPECT_COMPARE_H
#define INSPECT_COMPARE_H

#include "inspect_record.h"

/* Zero before `compare_begin`. */
struct compare {
	struct record *record;
	size_t open; /* the first entry that is not settled */
	size_t same, differences;
	struct renamed *renamed; /* the ids of the device's requests */
	size_t renamed_count;
};

/* Settles what is only counted. Returns how many that are. */
size_t compare_begin(struct compare *compare, struct record *record);

/* Whether a message is one that is only counted. */
bool compare_is_progress(struct text message);

/* A message has come. The line of the record that it stands for is settled. A difference is shown. */
void compare_received(struct compare *compare, struct text message);

/* Nothing comes any more for what is not settled before entry `end`: that is shown as differences. */
void compare_missing(struct compare *compare, size_t end);

/* The first entry before `end` that is not settled; `end` when all are. */
size_t compare_open(const struct compare *compare, size_t end);

/* The id that the device's request has now, for the id that an answer was recorded with. */
struct text compare_id(const struct compare *compare, struct text recorded);

void compare_free(struct compare *compare);

#endif
