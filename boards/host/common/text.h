/* SPDX-License-Identifier: MIT
 * Values that came in as texts that stay. Strings pass host_escape.h. */
#ifndef HOST_TEXT_H
#define HOST_TEXT_H

#include "builder.h"
#include "quash/json.h"

/** The value as compact JSON. The caller frees it; NULL without memory, and for QUASH_NONE. */
char *text_of(const struct heap *heap, quash_value value);

/** An error object in the same way. Of one without a code an internal error is made. */
char *text_of_error(const struct heap *heap, quash_value error);

/** Writes the value as compact JSON. */
void text_put(struct builder *to, quash_value value);

/** Writes the text as a JSON string. */
void text_put_string(struct builder *to, const char *text, size_t length);

/** Writes what stands before it, as it is, and the text as a JSON string. */
void text_put_named(struct builder *to, const char *before, const char *text);

/** Writes the name of a member, and what separates it from its value. */
void text_put_key(struct builder *to, quash_value key);

/** A fingerprint of the value, and of what was taken into it before; begin with 0. Never 0. */
uint64_t text_print(const struct heap *heap, uint64_t before, quash_value value);

/** Puts a text in place of another, which is freed; each may be NULL. */
void text_replace(const struct heap *heap, char **text, char *fresh);

/** A copy of as many whole characters as there is room for. */
void text_fit(char *to, size_t size, const char *text);

/** An error of JSON-RPC as a message. `id` and `data` are JSON; NULL: there is none. The caller frees it; NULL: no memory. */
char *text_of_failure(const struct heap *heap, const char *id, int code, const char *words, const char *data);

/** A copy; NULL for NULL. The caller frees it. */
char *text_copy(const struct heap *heap, const char *text);

/** The number in the digits that the text begins with: `*n` of them, perhaps none, which is 0. What is more than UINT32_MAX is that. */
uint32_t text_digits(const char *text, size_t *n);

/** True if both texts are decimal numbers, as JSON writes them or with a plus, and the same one: 1, 1.0 and 10e-1. Of an exponent not more
 * than UINT32_MAX counts. */
bool text_is_same_number(const char *a, const char *b);

/** Takes the white space between the tokens of a valid value away: what remains is one line. */
void text_compact(char *json);

/* --- Sets of texts */

enum { MOST_TEXTS = 256 };

/** Texts that are owned; a set, in the order that they were added in. `heap` is set first, all else is zero. */
struct texts {
	const struct heap *heap;
	char **at;
	size_t count;
};

/** True if it is there. */
bool texts_has(const struct texts *texts, const char *text);
/** False if it is there already, or there are MOST_TEXTS, or no memory. */
bool texts_add(struct texts *texts, const char *text);
/** Puts it after all others. The first one gives way if there are MOST_TEXTS. */
void texts_add_last(struct texts *texts, const char *text);
bool texts_remove(struct texts *texts, const char *text);
void texts_clear(struct texts *texts);

/** A message of an MCP device: true if it answers that there is no session. */
bool text_denies_session(const char *text, size_t n);

#endif
