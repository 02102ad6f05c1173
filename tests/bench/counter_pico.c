/* SPDX-License-Identifier: MIT
 * A device that is not on the chip but in pico.mjs: it shows how many instructions there were, and takes what is written. */
#include "bench.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define DEVICE_COUNT      REGISTER(0x400FC000)
#define DEVICE_PUT        REGISTER(0x400FC004)
#define DEVICE_END        REGISTER(0x400FC008)

void counter_start(void)
{
}

uint32_t counter_now(void)
{
	return DEVICE_COUNT;
}

uint32_t counter_between(uint32_t from, uint32_t to)
{
	return to - from;
}

void counter_put(char c)
{
	DEVICE_PUT = (uint8_t)c;
}

void counter_end(void)
{
	DEVICE_END = 1;
}
