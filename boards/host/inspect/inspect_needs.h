/* SPDX-License-Identifier: MIT
 * What the messages of a record need of each buffer. */
#ifndef INSPECT_NEEDS_H
#define INSPECT_NEEDS_H

#include "inspect_record.h"

/* All in bytes but the counts. */
struct needs {
	const struct protocol *protocol; /* of the record; NULL: none was read */
	uint32_t busy;         /* answers -32010 */
	uint32_t too_large;    /* answers -32011 */
	uint32_t slots;        /* requests that were open together, refused ones until all others are answered */
	uint32_t arena;        /* their params */
	uint32_t answered;     /* the same, and an answer to one of the device's calls */
	uint32_t id, token, tag, reason; /* the longest, decoded; a reason with its NUL */
	uint32_t notification; /* of the device, the longest */
	uint32_t progress;     /* a notification of progress with the longest token */
};

/* Reads the record of one device.
 *
 * @param name  as for record_read
 * @return      NULL, or what is wrong, in words */
const char *needs_read(struct needs *needs, const char *path, const char *name);

/* The bytes that a value takes in the arena (docs/memory.md, Arena). */
uint32_t needs_arena(struct text value);

#endif
