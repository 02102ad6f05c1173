/* SPDX-License-Identifier: MIT
 * The first CMSDK UART by polling. */
#include "unit_board.h"

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define UART_DATA         REGISTER(0x40004000)
#define UART_STATE        REGISTER(0x40004004)
#define UART_CONTROL      REGISTER(0x40004008)
#define UART_DIVIDER      REGISTER(0x40004010)

enum { FULL = 1 << 0, CAME = 1 << 1, SENDS = 1 << 0, HEARS = 1 << 1, DIVIDER = 217 };

void unit_start(void)
{
	UART_DIVIDER = DIVIDER;
	UART_CONTROL = SENDS | HEARS;
}

void unit_put(char c)
{
	while (UART_STATE & FULL)
		continue;
	UART_DATA = (uint8_t)c;
}

uint8_t unit_get(void)
{
	while (!(UART_STATE & CAME)) {
		for (int i = 0; i < 200; i++)
			__asm__ volatile("nop");
	}
	return (uint8_t)UART_DATA;
}

void unit_end(void)
{
}
