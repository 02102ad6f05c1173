/* SPDX-License-Identifier: MIT */
#include "uart_cmsdk.h"

enum { DATA = 0x0, STATE = 0x4, CTRL = 0x8, INTERRUPTS = 0xC, DIVIDER = 0x10 };
enum { TX_FULL = 1 << 0, RX_FULL = 1 << 1, RX_OVERRUN = 1 << 3 };
enum { TX_ON = 1 << 0, RX_ON = 1 << 1, TX_INTERRUPT = 1 << 2, RX_INTERRUPT = 1 << 3 };
enum { TX_DONE = 1 << 0, RX_DONE = 1 << 1 };

static volatile uint32_t *at(const port_uart_cmsdk *u, unsigned offset)
{
	return (volatile uint32_t *)(u->base + offset);
}

static bool has_byte(const port_uart_cmsdk *u)
{
	return (*at(u, STATE) & RX_FULL) != 0;
}

static bool has_room(const port_uart_cmsdk *u)
{
	return (*at(u, STATE) & TX_FULL) == 0;
}

static bool was_overrun(port_uart_cmsdk *u)
{
	const bool overrun = (*at(u, STATE) & RX_OVERRUN) != 0;
	if (overrun) {
		*at(u, STATE) = RX_OVERRUN;
		port_uart_overrun(&u->uart);
	}
	return overrun;
}

/* Asked before each byte, so that the gap has its place. The byte that is there then goes too. */
static void receive(port_uart_cmsdk *u)
{
	for (;;) {
		const bool lost = was_overrun(u);
		if (!lost && (!has_byte(u) || !port_uart_wants(&u->uart)))
			return;
		if (has_byte(u))
			port_uart_received(&u->uart, (uint8_t)*at(u, DATA));
	}
}

static void transmit(port_uart_cmsdk *u)
{
	uint8_t byte;
	while (has_room(u) && port_uart_next(&u->uart, &byte))
		*at(u, DATA) = byte;
}

/* The interrupts come when a byte comes and when one has left, not for what is there. So the peer's thread does once what one
 * of them does, which stays out meanwhile: what it left is found by looking again. That needs no privilege. */
static void kick(void *device)
{
	port_uart_cmsdk *u = device;
	do {
		u->transmits = true;
		transmit(u);
		u->transmits = false;
	} while (has_room(u) && port_uart_has_output_(&u->uart));
}

static void resume(void *device)
{
	port_uart_cmsdk *u = device;
	do {
		u->receives = true;
		receive(u);
		u->receives = false;
	} while (has_byte(u) && port_uart_wants(&u->uart));
}

void port_uart_cmsdk_start(port_uart_cmsdk *u, uintptr_t base, uint32_t divider, const port_uart_buffers *buffers,
	uint32_t (*now)(void))
{
	port_uart_init(&u->uart, buffers, now);
	u->uart.kick = kick;
	u->uart.resume = resume;
	u->uart.device = u;
	u->receives = u->transmits = false;
	u->base = base; /* the interrupts do something from here on */
	*at(u, DIVIDER) = divider;
	*at(u, CTRL) = TX_ON | RX_ON | TX_INTERRUPT | RX_INTERRUPT;
}

void port_uart_cmsdk_receive(port_uart_cmsdk *u)
{
	if (u->base == 0)
		return;
	*at(u, INTERRUPTS) = RX_DONE;
	if (!u->receives)
		receive(u);
}

void port_uart_cmsdk_transmit(port_uart_cmsdk *u)
{
	if (u->base == 0)
		return;
	*at(u, INTERRUPTS) = TX_DONE;
	if (!u->transmits)
		transmit(u);
}
