/* SPDX-License-Identifier: MIT
 * The header in front of a message that has its length there: what a PC writes and how it reads it. */
#ifndef HOST_CONTENT_LENGTH_H
#define HOST_CONTENT_LENGTH_H

#include <stdbool.h>
#include <stddef.h>

/** Bytes of the longest header with its empty line and a NUL. */
enum { CONTENT_LENGTH_ROOM = 40 };

/** Writes the header of a message of `n` bytes, with the empty line behind it, and a NUL. Returns its bytes without that. */
size_t content_length_put(char header[CONTENT_LENGTH_ROOM], size_t n);

/** True if a text begins with the header's name and its colon. */
bool content_length_begins(const char *text, const char *end);

/** The number of a header that begins at `text` and ends at `end`, its line's end left out. A larger one than `most`, which is
 * at most a tenth of SIZE_MAX, counts as `most`. False, and *number is anything: no such header begins there, or its value is no number. */
bool content_length_read(const char *text, const char *end, size_t most, size_t *number);

#endif
