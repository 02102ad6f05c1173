/* SPDX-License-Identifier: MIT */
#include "chance.h"

uint32_t seed;

unsigned random_below(unsigned limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return (unsigned)(seed % limit);
}
