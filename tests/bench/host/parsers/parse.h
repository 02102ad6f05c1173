/* SPDX-License-Identifier: MIT
 * What each parser is made to do: read one message, and say whether it has an `id` and how long its `method` is. */
#ifndef PARSE_H
#define PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct found {
	bool has_id;
	size_t method; /* bytes of it, decoded; 0: there is none */
};

/** Reads a message of `n` bytes. False when the parser takes it for no JSON. `found` was cleared. */
bool parse(const char *text, size_t n, struct found *found);

#endif
