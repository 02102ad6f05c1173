/* SPDX-License-Identifier: MIT
 * Members of messages that stay text: where they stand. */
#ifndef INSPECT_MEMBER_H
#define INSPECT_MEMBER_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of text, with no NUL behind it. `at` is NULL when there is none. */
struct text {
	const char *at;
	size_t length;
};

struct text text_of(const char *string);
bool text_equals(struct text a, struct text b);

/* The value of a member of the message, an object of valid JSON, as it stands there. None in anything else.
 *
 * @param name  with its quotes */
struct text member_of(struct text message, const char *name);

#endif
