/* SPDX-License-Identifier: MIT
 * UART 1 of the LM3S6965. */
#include "second.h"

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define CLOCKED_UARTS     REGISTER(0x400FE104)
#define UART_DATA         REGISTER(0x4000D000)
#define UART_FLAGS        REGISTER(0x4000D018)
#define UART_LINE         REGISTER(0x4000D02C)
#define UART_CONTROL      REGISTER(0x4000D030)

enum { UART_1 = 1 << 1, FIFOS = 1 << 4, EIGHT_BITS = 3 << 5, FULL = 1 << 5, ON = 1 << 0, TRANSMITS = 1 << 8 };

void second_start(void)
{
	CLOCKED_UARTS = CLOCKED_UARTS | UART_1;
	(void)CLOCKED_UARTS; /* it is ready three clocks later */
	(void)CLOCKED_UARTS;
	UART_LINE = FIFOS | EIGHT_BITS;
	UART_CONTROL = ON | TRANSMITS;
}

void second_put(char byte)
{
	while ((UART_FLAGS & FULL) != 0)
		continue;
	UART_DATA = (uint8_t)byte;
}
