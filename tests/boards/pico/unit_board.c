/* SPDX-License-Identifier: MIT
 * UART 0 by polling, as fast as the peripheral clock lets it. */
#include "unit_board.h"

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define RESETS_CLEAR      REGISTER(0x4000F000)
#define RESETS_DONE       REGISTER(0x4000C008)
#define UART_DATA         REGISTER(0x40034000)
#define UART_FLAGS        REGISTER(0x40034018)
#define UART_WHOLE        REGISTER(0x40034024)
#define UART_FRACTION     REGISTER(0x40034028)
#define UART_LINE         REGISTER(0x4003402C)
#define UART_CONTROL      REGISTER(0x40034030)

enum {
	UART_0 = 1 << 22,
	EMPTY = 1 << 4,
	FULL = 1 << 5,
	EIGHT_BITS = 3 << 5,
	FIFOS = 1 << 4,
	ON = 1 << 0,
	SENDS = 1 << 8,
	HEARS = 1 << 9
};

void unit_start(void)
{
	RESETS_CLEAR = UART_0;
	while ((RESETS_DONE & UART_0) == 0) {}
	UART_WHOLE = 1;
	UART_FRACTION = 0;
	UART_LINE = EIGHT_BITS | FIFOS;
	UART_CONTROL = ON | SENDS | HEARS;
}

void unit_put(char c)
{
	while (UART_FLAGS & FULL)
		continue;
	UART_DATA = (uint8_t)c;
}

uint8_t unit_get(void)
{
	while (UART_FLAGS & EMPTY)
		continue;
	return (uint8_t)UART_DATA;
}

void unit_end(void)
{
}
