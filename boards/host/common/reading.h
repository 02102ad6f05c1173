/* SPDX-License-Identifier: MIT
 * JSON that is whole in memory, read event by event. */
#ifndef HOST_READING_H
#define HOST_READING_H

#include "quash/json.h"
#include "quash/lex.h"

enum { READING_TEXT = 128 };

/** What is read. Not to be copied. */
struct reading {
	quash_lex lex;
	const char *json;
	size_t size, at;
	size_t length; /**< at QUASH_LEX_END: of the key, string or number, decoded */
	char text[READING_TEXT + QUASH_LEX_ROOM]; /**< and it, if `length` is at most READING_TEXT; then a NUL follows */
};

void reading_begin(struct reading *r, const char *json, size_t size);

/** The next event, which is not QUASH_LEX_TEXT. */
quash_lex_event reading_next(struct reading *r);

/** At QUASH_LEX_END: whether this key, string or number is the string. */
bool reading_is(const struct reading *r, const char *string);

/** What `text` is when it is one whole JSON value, nested no deeper than QUASH_DEPTH; else QUASH_NONE. */
quash_kind json_kind(const char *text);

#endif
