/* SPDX-License-Identifier: MIT */
#include "choice.h"

static struct {
	const uint8_t *bytes;
	size_t length, at;
	uint32_t cuts;
} stream;

static uint32_t next_random(uint32_t *state)
{
	uint32_t x = *state;
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	*state = x;
	return x;
}

size_t choice_seed(uint32_t seed, uint8_t *bytes)
{
	uint32_t state = seed * 2654435761u + 0x9E3779B9u;
	if (state == 0)
		state = 1;
	for (unsigned i = 0; i < 4; i++)
		(void)next_random(&state);
	const size_t length = 60 + next_random(&state) % (seed % 8 == 0 ? CHOICES - 60 : 700);
	for (size_t i = 0; i < length; i++)
		bytes[i] = (uint8_t)(next_random(&state) >> 11);
	return length;
}

void choice_begin(const uint8_t *bytes, size_t length)
{
	stream.bytes = bytes;
	stream.length = length;
	stream.at = 0;
	stream.cuts = 0x2545F491u;
}

static unsigned next_byte(void)
{
	return stream.at < stream.length ? stream.bytes[stream.at++] : 0;
}

unsigned choose(unsigned below)
{
	unsigned value = below > 1 ? next_byte() : 0;
	if (below > 256)
		value = value * 256 + next_byte();
	return below > 1 ? value % below : 0;
}

bool chance(unsigned times)
{
	return !choice_ended() && choose(times) == times - 1;
}

bool choice_ended(void)
{
	return stream.at >= stream.length;
}

unsigned cut_below(unsigned below)
{
	return next_random(&stream.cuts) % below;
}
