/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include <cmocka.h>

#include "room.h"

static unsigned char pool[UNIT_POOL] __attribute__((aligned(8)));
static size_t used;
static unsigned live;
static unsigned left;

void *malloc(size_t size)
{
	if (left != unit_left) {
		left = unit_left;
		used = live = 0;
	}
	const size_t at = used;
	assert_room(size <= sizeof pool - at);
	used += (size + 7) / 8 * 8;
	live++;
	return pool + at;
}

void free(void *memory)
{
	if (memory != NULL && --live == 0)
		used = 0;
}

unsigned long strtoul(const char *text, char **end, int base)
{
	unsigned long number = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		number = number * (unsigned long)base + (unsigned long)(*text - '0');
	if (end != NULL)
		*end = (char *)(uintptr_t)text;
	return number;
}
