/* SPDX-License-Identifier: MIT
 * The nRF51's UART without interrupts. A processor that waits sleeps until one is pending: an emulator's would take a whole one of the
 * host. */
#include "unit_board.h"

#include <stdint.h>

#define REGISTER(address)  (*(volatile uint32_t *)(uintptr_t)(address))
#define UART_START_HEARING REGISTER(0x40002000)
#define UART_START_SENDING REGISTER(0x40002008)
#define UART_CAME          REGISTER(0x40002108)
#define UART_SENT          REGISTER(0x4000211C)
#define UART_INTERRUPTS    REGISTER(0x40002304)
#define UART_ENABLE        REGISTER(0x40002500)
#define UART_TX_PIN        REGISTER(0x4000250C)
#define UART_HEARD         REGISTER(0x40002518)
#define UART_DATA          REGISTER(0x4000251C)
#define UART_RATE          REGISTER(0x40002524)
#define NVIC_ENABLE        REGISTER(0xE000E100)
#define NVIC_FORGET        REGISTER(0xE000E280)

enum { ENABLED = 4, TX_PIN = 24, RATE_115200 = 0x01D7E000, CAME = 1 << 2, UART_INTERRUPT = 1 << 2 };

void unit_start(void)
{
	UART_TX_PIN = TX_PIN;
	UART_RATE = RATE_115200;
	UART_ENABLE = ENABLED;
	UART_START_SENDING = 1;
	UART_START_HEARING = 1;
	UART_INTERRUPTS = CAME;
	__asm__ volatile("cpsid i");
	NVIC_ENABLE = UART_INTERRUPT;
}

void unit_put(char c)
{
	UART_SENT = 0;
	UART_DATA = (uint8_t)c;
	while (UART_SENT == 0)
		continue;
}

uint8_t unit_get(void)
{
	for (;;) {
		NVIC_FORGET = UART_INTERRUPT;
		if (UART_CAME != 0)
			break;
		__asm__ volatile("wfi");
	}
	UART_CAME = 0;
	return (uint8_t)UART_HEARD;
}

void unit_end(void)
{
}
