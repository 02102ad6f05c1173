/* SPDX-License-Identifier: MIT
 * JSON that stays text. */
#ifndef INSPECT_TEXT_H
#define INSPECT_TEXT_H

#include "quash/json.h"

#include <stdbool.h>
#include <stddef.h>

/* --- Members of messages: where they stand */

/* A piece of text, with no NUL after it. `at` is NULL when there is none. */
struct text {
	const char *at;
	size_t length;
};

struct text text_from(const char *string);
bool text_equals(struct text a, struct text b);

/* The value of a member of the message, an object of valid JSON, as it stands there. None in anything else.
 *
 * @param name  with its quotes */
struct text member_of(struct text message, const char *name);

/* --- JSON that the command line brings */

/* What `text` is when it is one whole JSON value, nested no deeper than QUASH_DEPTH; else QUASH_NONE. */
quash_kind json_kind(const char *text);

/* Takes the white space between the tokens of a valid value away: what remains is one line. */
void json_compact(char *text);

/* Whether a valid object has a member with this name, which has no character that JSON may escape. */
bool json_has(const char *object, const char *name);

#endif
