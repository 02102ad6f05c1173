/* SPDX-License-Identifier: MIT
 * The nRF51's UART by polling. */
#include "unit_board.h"

#include <stdint.h>

#define REGISTER(address)  (*(volatile uint32_t *)(uintptr_t)(address))
#define UART_START_HEARING REGISTER(0x40002000)
#define UART_START_SENDING REGISTER(0x40002008)
#define UART_CAME          REGISTER(0x40002108)
#define UART_SENT          REGISTER(0x4000211C)
#define UART_ENABLE        REGISTER(0x40002500)
#define UART_TX_PIN        REGISTER(0x4000250C)
#define UART_HEARD         REGISTER(0x40002518)
#define UART_DATA          REGISTER(0x4000251C)
#define UART_RATE          REGISTER(0x40002524)

enum { ENABLED = 4, TX_PIN = 24, RATE_115200 = 0x01D7E000 };

void unit_start(void)
{
	UART_TX_PIN = TX_PIN;
	UART_RATE = RATE_115200;
	UART_ENABLE = ENABLED;
	UART_START_SENDING = 1;
	UART_START_HEARING = 1;
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
	while (UART_CAME == 0)
		continue;
	UART_CAME = 0;
	return (uint8_t)UART_HEARD;
}

void unit_end(void)
{
}
