/* SPDX-License-Identifier: MIT */
#include "lease.h"

uint32_t quash_shorter_lease(uint32_t a, uint32_t b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

uint32_t quash_shortest_lease(const quash_config *config)
{
	uint32_t least = 0;
	for (uint8_t i = 0; i < config->method_count; i++)
		least = quash_shorter_lease(least, config->methods[i].motion.lease);
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
	quash_put_key(w, "quash/longest");
	quash_put_object(w);
}

void quash_put_longest(quash_writer *w, const char *name, uint32_t lease, uint32_t ms)
{
	if (lease == 0 || !quash_is_limit(ms))
		return;
	quash_put_key(w, name);
	quash_put_uint(w, ms);
}

void quash_put_leases(quash_writer *w, const quash_config *config)
{
	const uint32_t least = quash_shortest_lease(config);
	quash_put_life_sign(w, least);
	if (least == 0)
		return;
	for (uint8_t i = 0; i < config->method_count; i++)
		quash_put_longest(
			w, config->methods[i].name, config->methods[i].motion.lease, config->methods[i].motion.longest);
	quash_put_end(w);
}
