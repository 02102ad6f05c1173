/* SPDX-License-Identifier: MIT
 * Scripts by chance: every third run is a new one, whose steps are those that bring most about. */
#include "world.h"

#include <string.h>

enum { SHORTEST = 60, MOST_STEPS = 300, OPERANDS = 4 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static uint32_t chance;

/* Xorshift. */
static uint8_t draw(void)
{
	chance ^= chance << 13;
	chance ^= chance >> 17;
	chance ^= chance << 5;
	return (uint8_t)(chance >> 8);
}

static uint8_t draw_step(void)
{
	const uint8_t step = draw() % 16 == 0 ? draw() % 32 : seeds.often[draw() % seeds.count];
	return step | (draw() % 5 < 2 ? 0x80 : 0);
}

static size_t compose(uint8_t *data, size_t most)
{
	size_t n = 0;
	const unsigned steps = SHORTEST + draw() % MOST_STEPS;
	while (n < seeds.head && n < most)
		data[n++] = draw();
	for (unsigned i = 0; i < steps && n < most; i++) {
		data[n++] = draw_step();
		for (unsigned k = draw() % OPERANDS + 1; k > 0 && n < most; k--)
			data[n++] = draw();
	}
	return n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	if (seed % 3 != 0)
		return LLVMFuzzerMutate(data, size, most);
	chance = seed | 1;
	return compose(data, most);
}
