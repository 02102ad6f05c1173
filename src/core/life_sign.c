/* SPDX-License-Identifier: MIT */
#include "life_sign.h"

uint32_t quash_shorter_lease(uint32_t a, uint32_t b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

uint32_t quash_shortest_lease(const quash_config *config)
{
	uint32_t least = 0;
	for (uint8_t i = 0; i < config->method_count; i++)
		least = quash_shorter_lease(least, config->methods[i].lease);
	return least;
}

void quash_put_life_sign(quash_writer *w, uint32_t ms)
{
	if (ms == 0)
		return;
	quash_put_key(w, "quash/lifeSign");
	quash_put_object(w);
	quash_put_key(w, "ms");
	quash_put_uint(w, ms);
	quash_put_end(w);
}
