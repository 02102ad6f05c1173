/* SPDX-License-Identifier: MIT
 * Put before sources of the core in which each change of a request's state is a QUASH_WATCH (life.mjs): prints each kind of
 * change once for each place. */
#ifndef QUASH_READ_LIFE_H
#define QUASH_READ_LIFE_H

#include <stdbool.h>
#include <stdio.h>

#define QUASH_WATCH(path, what, state, ...) do { \
	static bool seen_[256][256]; \
	const unsigned was_ = (unsigned)(state); \
	__VA_ARGS__; \
	const unsigned is_ = (unsigned)(state); \
	if (!seen_[was_ & 255][is_ & 255]) \
		fprintf(stderr, "changed %s %d %s %s %u %u\n", path, __LINE__, __func__, what, was_, is_); \
	seen_[was_ & 255][is_ & 255] = true; \
} while (0)

#endif
