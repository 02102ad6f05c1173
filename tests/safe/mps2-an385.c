/* SPDX-License-Identifier: MIT
 * UART 1 of AN385. */
#include "second.h"

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define UART_DATA         REGISTER(0x40005000)
#define UART_STATE        REGISTER(0x40005004)
#define UART_CONTROL      REGISTER(0x40005008)
#define UART_DIVIDER      REGISTER(0x40005010)

enum { FULL = 1 << 0, TRANSMITS = 1 << 0, DIVIDER = 16 };

void second_start(void)
{
	UART_DIVIDER = DIVIDER;
	UART_CONTROL = TRANSMITS;
}

void second_put(char byte)
{
	while ((UART_STATE & FULL) != 0)
		continue;
	UART_DATA = (uint8_t)byte;
}
