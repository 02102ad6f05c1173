/* SPDX-License-Identifier: MIT
 * Put before sources of the core in which each change of a request's state is a QUASH_WATCH (life.mjs). It prints each change that a
 * place makes, once for each caller of the function that the place is in. */
#ifndef QUASH_READ_LIFE_H
#define QUASH_READ_LIFE_H

#include <stdint.h>
#include <stdio.h>

struct watched {
	uintptr_t caller;
	unsigned was, is;
};

enum { MOST_WATCHED = 128 };

/* The same change by the same caller was seen already, or is one too many. */
static inline int was_watched(struct watched *seen, const struct watched *one)
{
	int i = 0;
	while (i < MOST_WATCHED && seen[i].caller != 0) {
		if (seen[i].caller == one->caller && seen[i].was == one->was && seen[i].is == one->is)
			return 1;
		i++;
	}
	if (i == MOST_WATCHED)
		return 1;
	seen[i] = *one;
	return 0;
}

#define QUASH_WATCH(path, what, state, ...) do { \
	static struct watched seen_[MOST_WATCHED]; \
	struct watched one_ = { (uintptr_t)__builtin_return_address(0), (unsigned)(state), 0 }; \
	__VA_ARGS__; \
	one_.is = (unsigned)(state); \
	if (!was_watched(seen_, &one_)) \
		fprintf(stderr, "changed %s %d %s %s %u %u %lx\n", path, __LINE__, __func__, what, one_.was, one_.is, \
			(unsigned long)one_.caller); \
} while (0)

#endif
