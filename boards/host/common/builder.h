/* SPDX-License-Identifier: MIT
 * A text that grows while it is written. */
#ifndef HOST_BUILDER_H
#define HOST_BUILDER_H

#include "heap.h"

#include <stdbool.h>
#include <stdint.h>

/** A text in the making. The caller owns it; opaque. */
struct builder {
	const struct heap *heap;
	char *text;
	size_t length, room;
	bool failed; /* there was no memory for all of it */
};

/** An empty one; `heap` stands as long. Takes no memory yet. */
struct builder build_begin(const struct heap *heap);

/** Adds bytes, or a text up to its NUL, or one character, or a number. Without memory all of it is given up, which `build_end` tells. */
void build_bytes(struct builder *to, const char *bytes, size_t n);
void build_text(struct builder *to, const char *text);
void build_char(struct builder *to, char c);
void build_number(struct builder *to, int64_t number);

/** What was written, with a NUL behind it. The caller frees it with the same heap. NULL: there was no memory. */
char *build_end(struct builder *to);

#endif
