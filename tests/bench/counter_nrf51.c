/* SPDX-License-Identifier: MIT
 * The nRF51's TIMER0 with 32 bits at 16 MHz. Writes by semihosting. */
#include "bench.h"
#include "semihosting.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define TIMER_START       REGISTER(0x40008000)
#define TIMER_CAPTURE     REGISTER(0x40008040)
#define TIMER_BITS        REGISTER(0x40008508)
#define TIMER_PRESCALE    REGISTER(0x40008510)
#define TIMER_CAPTURED    REGISTER(0x40008540)

enum { WIDE_32 = 3, TO_16_MEGAHERTZ = 0 };

void counter_start(void)
{
	TIMER_BITS = WIDE_32;
	TIMER_PRESCALE = TO_16_MEGAHERTZ;
	TIMER_START = 1;
}

uint32_t counter_now(void)
{
	TIMER_CAPTURE = 1;
	return TIMER_CAPTURED;
}

uint32_t counter_between(uint32_t from, uint32_t to)
{
	return to - from;
}

void counter_put(char c)
{
	semihosting_put(c);
}

void counter_end(void)
{
	semihosting_end();
}
