/* SPDX-License-Identifier: MIT
 * The rest of a program whose config is named `device`: a port that carries nothing, and a main. IN_ONE_UNIT, and where
 * QUASH_THE_CONFIG names the config, the library is in the same unit. */
static int nothing_shown(void *device, const uint8_t **bytes)
{
	(void)device;
	(void)bytes;
	return 0;
}

static void nothing_taken(void *device, size_t n)
{
	(void)device;
	(void)n;
}

static int nothing_written(void *device, const uint8_t *bytes, size_t n)
{
	(void)device;
	(void)bytes;
	(void)n;
	return 0;
}

static uint32_t no_time(void *device)
{
	(void)device;
	return 0;
}

static const quash_port port = { nothing_shown, nothing_taken, nothing_written, no_time, NULL };

int main(void)
{
	static quash_peer peer;
	if (!quash_init(&peer, &device, NULL))
		return 1;
	for (;;) {
		quash_pump(&peer, &port);
		quash_step(&peer);
	}
}

#if defined QUASH_THE_CONFIG || defined IN_ONE_UNIT
#include "quash.c"
#endif
