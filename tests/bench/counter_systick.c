/* SPDX-License-Identifier: MIT
 * SysTick on the processor's clock, which counts down 24 bits and wraps. Writes by semihosting. */
#include "bench.h"
#include "semihosting.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define SYSTICK_CONTROL   REGISTER(0xE000E010)
#define SYSTICK_RELOAD    REGISTER(0xE000E014)
#define SYSTICK_VALUE     REGISTER(0xE000E018)

enum { ON = 1 << 0, PROCESSOR_CLOCK = 1 << 2, BITS_24 = 0xFFFFFF };

void counter_start(void)
{
	SYSTICK_RELOAD = BITS_24;
	SYSTICK_VALUE = 0;
	SYSTICK_CONTROL = ON | PROCESSOR_CLOCK;
}

uint32_t counter_now(void)
{
	return SYSTICK_VALUE;
}

uint32_t counter_between(uint32_t from, uint32_t to)
{
	return (from - to) & BITS_24;
}

void counter_put(char c)
{
	semihosting_put(c);
}

void counter_end(void)
{
	semihosting_end();
}
