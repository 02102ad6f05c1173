/* SPDX-License-Identifier: MIT
 * UART 0 without interrupts. A processor that waits sleeps until one is pending: an emulator's would take a whole one of the host. */
#include "unit_board.h"

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define CLOCKED_UARTS     REGISTER(0x400FE104)
#define UART_DATA         REGISTER(0x4000C000)
#define UART_FLAGS        REGISTER(0x4000C018)
#define UART_LINE         REGISTER(0x4000C02C)
#define UART_CONTROL      REGISTER(0x4000C030)
#define UART_INTERRUPTS   REGISTER(0x4000C038)
#define NVIC_ENABLE       REGISTER(0xE000E100)
#define NVIC_FORGET       REGISTER(0xE000E280)

enum { FIFOS = 1 << 4, EIGHT_BITS = 3 << 5 };
enum { UART_0 = 1 << 0, EMPTY = 1 << 4, FULL = 1 << 5, ON = 1 << 0, SENDS = 1 << 8, HEARS = 1 << 9 };
enum { CAME = 1 << 4 | 1 << 6, UART_0_INTERRUPT = 1 << 5 };

void unit_start(void)
{
	CLOCKED_UARTS = UART_0;
	(void)CLOCKED_UARTS; /* it listens three clocks later */
	UART_LINE = FIFOS | EIGHT_BITS;
	UART_CONTROL = ON | SENDS | HEARS;
	UART_INTERRUPTS = CAME;
	__asm__ volatile("cpsid i");
	NVIC_ENABLE = UART_0_INTERRUPT;
}

void unit_put(char c)
{
	while (UART_FLAGS & FULL)
		continue;
	UART_DATA = (uint8_t)c;
}

uint8_t unit_get(void)
{
	for (;;) {
		NVIC_FORGET = UART_0_INTERRUPT;
		if ((UART_FLAGS & EMPTY) == 0)
			break;
		__asm__ volatile("wfi");
	}
	return (uint8_t)UART_DATA;
}

void unit_end(void)
{
}
