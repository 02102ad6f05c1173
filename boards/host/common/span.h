/* SPDX-License-Identifier: MIT
 * Parts of a JSON text that is no peer's: where they stand in it. */
#ifndef HOST_SPAN_H
#define HOST_SPAN_H

#include "heap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A value as it stands in its text, which is whole and JSON; `at` NULL: there is none. Every function takes that. */
struct span {
	const char *at;
	size_t n;
};

/** A text up to its NUL. */
struct span span_of(const char *text);

/** The object or array that a text is, without the white space around it. None: it is neither, or no JSON. */
struct span span_container(const char *text, size_t n);

/** The members of an object that have these names, in one pass; of several with the same name the last one. Those that are not there, and
 * all of a value that is no object, become none. */
void span_members(struct span object, const char *const *names, struct span *values, size_t count);

/** One of them. */
struct span span_member(struct span object, const char *name);

/** The next element of an array, or member of an object: begin with a place of 0. False: there is none.
 *
 * @param key  where a member's name is stored, with its quotes; or NULL */
bool span_next(struct span container, size_t *place, struct span *key, struct span *value);

/** Whether the value is an object, an array, a string: `{`, `[`, `"`. */
bool span_begins(struct span value, char c);

/** Whether it is a string, and equals the text. */
bool span_is(struct span value, const char *text);

/** Whether two texts, which need not be values, are the same bytes. */
bool span_same(struct span a, struct span b);

/** Whether two values are strings of the same text, or stand there in the same bytes. */
bool span_equals(struct span a, struct span b);

/** The length of a string, decoded. SIZE_MAX: it is none, or has a lone surrogate. */
size_t span_length(struct span value);

/** The text of a string, NUL-terminated and decoded, or of any other value as it stands. The caller frees it; NULL: there is none, or
 * no memory. */
char *span_text(const struct heap *heap, struct span value);

/** The text without a part of it, which may be none, and with a text in its place, which may be NULL. The caller frees it. */
char *span_replaced(const struct heap *heap, struct span text, struct span part, const char *with);

/** The part of an object that is a member of that name: with the comma that belongs to it. */
struct span span_whole_member(struct span object, const char *name);

#endif
