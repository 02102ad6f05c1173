/* SPDX-License-Identifier: MIT
 * Shapes of input: a beginning, a part that is repeated, its mirror image, an end. */
#ifndef SHAPES_H
#define SHAPES_H

#include "drive.h"

/* In all of these ' stands for ", # for a number that grows, ~ for any byte, and a line feed ends a message. */
struct cost_shape {
	const char *name, *head, *unit, *back, *tail;
	bool raw; /* bytes of the wire, in whatever framing */
};

extern const struct cost_shape cost_shapes[];
extern const unsigned cost_shape_count;

/* Those for methods of one setup only. */
extern const struct cost_shape cost_mcp_shapes[], cost_raw_shapes[];
extern const unsigned cost_mcp_shape_count, cost_raw_shape_count;

/* Makes a text of that shape with about `n` bytes, in the framing of the dialect. Returns its length, at most `size`. */
size_t cost_shape_text(const struct cost_shape *shape, const quash_dialect *dialect, size_t n, uint8_t *to, size_t size);

#endif
