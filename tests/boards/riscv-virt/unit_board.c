/* SPDX-License-Identifier: MIT
 * The NS16550 without interrupts; the test finisher ends QEMU. A hart that waits sleeps until one is pending: an emulator's would take a
 * whole processor of the host. */
#include "unit_board.h"

#include <stdint.h>

enum {
	UART_BASE = 0x10000000,
	INTERRUPTS = 1,
	LINE_STATUS = 5,
	CAME = 1 << 0,
	ROOM = 1 << 5,
	FINISHER = 0x100000,
	PASS = 0x5555
};

#define PLIC(offset) (*(volatile uint32_t *)(uintptr_t)(0x0C000000 + (offset)))
enum { UART_SOURCE = 10, PRIORITY = 4 * UART_SOURCE, ENABLED = 0x2000, CLAIM = 0x200004, EXTERNAL = 1 << 11 };

void unit_start(void)
{
	PLIC(PRIORITY) = 1;
	PLIC(ENABLED) = 1 << UART_SOURCE;
	__asm__ volatile("csrs mie, %0" : : "r"(EXTERNAL));
	((volatile uint8_t *)(uintptr_t)UART_BASE)[INTERRUPTS] = CAME;
}

void unit_put(char c)
{
	volatile uint8_t *const uart = (volatile uint8_t *)(uintptr_t)UART_BASE;
	while (!(uart[LINE_STATUS] & ROOM))
		continue;
	uart[0] = (uint8_t)c;
}

uint8_t unit_get(void)
{
	volatile uint8_t *const uart = (volatile uint8_t *)(uintptr_t)UART_BASE;
	for (;;) {
		PLIC(CLAIM) = PLIC(CLAIM);
		if (uart[LINE_STATUS] & CAME)
			break;
		__asm__ volatile("wfi");
	}
	return uart[0];
}

void unit_end(void)
{
	*(volatile uint32_t *)(uintptr_t)FINISHER = PASS;
}
