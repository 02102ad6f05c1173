/* SPDX-License-Identifier: MIT */
#include "uart_avr.h"

#include <avr/io.h>

enum {
	ALWAYS = 1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0, /* receive with interrupt, transmit */
	ON_RECEIVED = 1 << RXCIE0,
	ON_EMPTY = 1 << UDRIE0
};

/* Both interrupts come as soon as they are switched on, if there is reason to; each switches itself off. */
static void switch_on(void *device)
{
	(void)device;
	UCSR0B = ALWAYS | ON_EMPTY;
}

void port_uart_avr_start(port_uart *u, uint16_t divider, const port_uart_buffers *buffers, uint32_t (*now)(void))
{
	port_uart_init(u, buffers, now);
	u->kick = switch_on;
	u->resume = switch_on;
	UBRR0 = divider;
	UCSR0A = 1 << U2X0;
	UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
	UCSR0B = ALWAYS;
}

void port_uart_avr_receive(port_uart *u)
{
	if (!port_uart_wants(u)) {
		UCSR0B &= (uint8_t)~ON_RECEIVED;
		return;
	}
	const bool overrun = (UCSR0A & 1 << DOR0) != 0;
	const uint8_t byte = UDR0;
	if (overrun)
		port_uart_overrun(u);
	port_uart_received(u, byte);
}

void port_uart_avr_transmit(port_uart *u)
{
	uint8_t byte;
	if (port_uart_next(u, &byte))
		UDR0 = byte;
	else
		UCSR0B &= (uint8_t)~ON_EMPTY;
}
