/* SPDX-License-Identifier: MIT
 * The least of several times. */
#ifndef HOST_LEAST_H
#define HOST_LEAST_H

#include <stdint.h>

/** The lesser of two. */
static inline uint32_t less(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

#endif
