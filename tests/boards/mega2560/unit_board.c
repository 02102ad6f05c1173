/* SPDX-License-Identifier: MIT
 * USART 0 by polling. */
#include "unit_board.h"

#include <avr/io.h>

enum {
	DIVIDER = 16,
	DOUBLE_RATE = 1 << U2X0,
	SENDS = 1 << TXEN0,
	HEARS = 1 << RXEN0,
	CAME = 1 << RXC0,
	ROOM = 1 << UDRE0
};

void unit_start(void)
{
	UBRR0 = DIVIDER;
	UCSR0A = DOUBLE_RATE;
	UCSR0B = SENDS | HEARS;
}

void unit_put(char c)
{
	while ((UCSR0A & ROOM) == 0)
		continue;
	UDR0 = (uint8_t)c;
}

uint8_t unit_get(void)
{
	while ((UCSR0A & CAME) == 0)
		continue;
	return UDR0;
}

void unit_end(void)
{
}
