/* SPDX-License-Identifier: MIT */
#include "uart_16550.h"

enum { DATA = 0, INTERRUPTS = 1, LINE_CONTROL = 3, LINE_STATUS = 5, DIVIDER_LOW = 0, DIVIDER_HIGH = 1 };
enum { ON_RECEIVED = 1, ON_EMPTY = 2 };
enum { EIGHT_BITS = 3, SET_DIVIDER = 0x80 };
enum { IS_RECEIVED = 1, IS_OVERRUN = 2, IS_EMPTY = 0x20 };

/* Both interrupts come as soon as they are switched on, if there is reason to; each switches itself off. */
static void switch_on(void *device)
{
	const port_uart_16550 *u = device;
	u->registers[INTERRUPTS] = ON_RECEIVED | ON_EMPTY;
}

static void switch_off(const port_uart_16550 *u, uint8_t interrupt)
{
	u->registers[INTERRUPTS] = (uint8_t)(u->registers[INTERRUPTS] & ~interrupt);
}

/* Whoever reads it forgets an overrun. */
static uint8_t line_status(port_uart_16550 *u)
{
	const uint8_t status = u->registers[LINE_STATUS];
	if ((status & IS_OVERRUN) != 0)
		port_uart_overrun(&u->uart);
	return status;
}

static void receive(port_uart_16550 *u)
{
	uint8_t status = line_status(u);
	for (; (status & IS_RECEIVED) != 0; status = line_status(u)) {
		if ((status & IS_OVERRUN) == 0 && !port_uart_wants(&u->uart)) {
			switch_off(u, ON_RECEIVED);
			return;
		}
		port_uart_received(&u->uart, u->registers[DATA]);
	}
}

void port_uart_16550_start(port_uart_16550 *u, uintptr_t base, uint16_t divider, const port_uart_buffers *buffers,
	uint32_t (*now)(void))
{
	port_uart_init(&u->uart, buffers, now);
	u->uart.kick = switch_on;
	u->uart.resume = switch_on;
	u->uart.device = u;
	u->registers = (volatile uint8_t *)base;
	u->registers[INTERRUPTS] = 0;
	u->registers[LINE_CONTROL] = SET_DIVIDER;
	u->registers[DIVIDER_LOW] = (uint8_t)divider;
	u->registers[DIVIDER_HIGH] = (uint8_t)(divider >> 8);
	u->registers[LINE_CONTROL] = EIGHT_BITS;
	u->registers[INTERRUPTS] = ON_RECEIVED;
}

static void transmit(port_uart_16550 *u)
{
	uint8_t byte;
	if ((line_status(u) & IS_EMPTY) == 0)
		return;
	if (port_uart_next(&u->uart, &byte))
		u->registers[DATA] = byte;
	else
		switch_off(u, ON_EMPTY);
}

void port_uart_16550_interrupt(port_uart_16550 *u)
{
	receive(u);
	transmit(u);
}
