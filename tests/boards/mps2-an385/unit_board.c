/* SPDX-License-Identifier: MIT
 * The first CMSDK UART by polling. */
#include "unit_board.h"

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define UART_DATA    REGISTER(0x40004000)
#define UART_STATE   REGISTER(0x40004004)
#define UART_CONTROL REGISTER(0x40004008)
#define UART_DIVIDER REGISTER(0x40004010)

enum { FULL = 1 << 0, SENDS = 1 << 0, DIVIDER = 217 };

void unit_start(void)
{
	UART_DIVIDER = DIVIDER;
	UART_CONTROL = SENDS;
}

void unit_put(char c)
{
	while (UART_STATE & FULL)
		continue;
	UART_DATA = (uint8_t)c;
}

void unit_end(void)
{
}
