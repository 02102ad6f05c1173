/* SPDX-License-Identifier: MIT
 * Armv6-M and Armv7-M: SysTick, NVIC. */
#include "cortex_m.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define SYSTICK_CONTROL REGISTER(0xE000E010)
#define SYSTICK_RELOAD  REGISTER(0xE000E014)
#define SYSTICK_VALUE   REGISTER(0xE000E018)
#define NVIC_ENABLE     REGISTER(0xE000E100)

static volatile uint32_t milliseconds;

void cortex_m_tick(void)
{
	milliseconds = milliseconds + 1;
}

void cortex_m_start_clock(uint32_t hertz)
{
	SYSTICK_RELOAD = hertz / 1000 - 1;
	SYSTICK_VALUE = 0;
	SYSTICK_CONTROL = 7; /* on, with interrupt, the processor's clock */
}

uint32_t cortex_m_now(void)
{
	return milliseconds;
}

void cortex_m_enable(unsigned interrupt)
{
	NVIC_ENABLE = (uint32_t)1 << interrupt;
}

void cortex_m_sleep(uint32_t ms, const port_uart *console)
{
	if (ms == 0)
		return;
	__asm__ volatile("cpsid i" ::: "memory");
	if (!port_uart_has_news(console))
		__asm__ volatile("wfi" ::: "memory"); /* a pending interrupt ends it although it is held back */
	__asm__ volatile("cpsie i" ::: "memory");
}
