/* SPDX-License-Identifier: MIT
 * A record of quash-bridge (`--record`), as it stands in a file. */
#ifndef INSPECT_RECORD_H
#define INSPECT_RECORD_H

#include "record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message, and what tells it from others: none of a text that is no object. */
struct record_message {
	struct span text, id, method;
};

struct record_message record_message_of(const char *text, size_t n);

/* One line of it. */
struct entry {
	uint32_t ms; /* since the start */
	enum record_way way;
	struct span device;
	struct record_message message; /* or a note */
	bool settled; /* for the player: nothing is to come for it any more */
};

struct inspect_protocol;

struct record {
	char *bytes; /* of the file; all texts stand here */
	const struct inspect_protocol *protocol;
	struct entry *entries;
	size_t count;
};

/* Reads the lines of one device.
 *
 * @param name  the device; NULL: the only one that the record has
 * @return      NULL, or what is wrong, in words. `record_free` in any case; `record` is zero before */
const char *record_read(struct record *record, const char *path, const char *name);

void record_free(struct record *record);

/* --- The files that the command line names */

/* Reads all of a file, or of what a pipe still has.
 *
 * @param bytes   NULL before; free it in any case. A NUL follows them
 * @param length  0 before
 * @return        NULL, or what is wrong, in words */
const char *read_file(const char *path, char **bytes, size_t *length);

/* --- What came back, compared with what was recorded */

/* All of a message counts, but for the ids of requests that the device makes. Notifications of progress are counted only, for
 * how many come depends on time. */

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
bool compare_is_progress(struct record_message message);

/* A message has come. The line of the record that it stands for is settled. A difference is shown. */
void compare_received(struct compare *compare, struct record_message message);

/* Nothing comes any more for what is not settled before entry `end`: that is shown as differences. */
void compare_missing(struct compare *compare, size_t end);

/* The first entry before `end` that is not settled; `end` when all are. */
size_t compare_open(const struct compare *compare, size_t end);

/* The id that the device's request has now, for the id that an answer was recorded with. */
struct span compare_id(const struct compare *compare, struct span recorded);

void compare_free(struct compare *compare);

#endif
