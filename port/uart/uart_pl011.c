/* SPDX-License-Identifier: MIT */
#include "uart_pl011.h"

enum {
	DATA = 0x00,
	FLAGS = 0x18,
	DIVIDER = 0x24,
	FRACTION = 0x28,
	LINE = 0x2C,
	CONTROL = 0x30,
	MASK = 0x38,
	CLEAR = 0x44
};
enum { RX_EMPTY = 1 << 4, TX_FULL = 1 << 5 };
enum { OVERRUN = 1 << 11 };
enum { WITH_FIFOS = 1 << 4, EIGHT_BITS = 3 << 5 };
enum { ON = 1 << 0, TX_ON = 1 << 8, RX_ON = 1 << 9 };
enum { ON_RECEIVED = 1 << 4, ON_SENT = 1 << 5, ON_SILENCE = 1 << 6, EVERY = 0x7FF };

static volatile uint32_t *at(const port_uart_pl011 *u, unsigned offset)
{
	return (volatile uint32_t *)(u->base + offset);
}

static bool has_byte(const port_uart_pl011 *u)
{
	return (*at(u, FLAGS) & RX_EMPTY) == 0;
}

static bool has_room(const port_uart_pl011 *u)
{
	return (*at(u, FLAGS) & TX_FULL) == 0;
}

/* A loss is marked at the first byte after it. */
static bool receive(port_uart_pl011 *u)
{
	bool lost = false; /* what else the FIFO holds came before that, and would join what comes behind the gap: it goes too */
	while (has_byte(u)) {
		if (!lost && !port_uart_wants(&u->uart))
			return false;
		const uint32_t word = *at(u, DATA);
		if ((word & OVERRUN) != 0) {
			port_uart_overrun(&u->uart);
			lost = true;
		}
		port_uart_received(&u->uart, (uint8_t)word);
	}
	return true;
}

/* True if the hardware is full: then an interrupt comes when it is not. */
static bool transmit(port_uart_pl011 *u)
{
	uint8_t byte;
	*at(u, CLEAR) = ON_SENT;
	while (has_room(u)) {
		if (!port_uart_next(&u->uart, &byte))
			return false;
		*at(u, DATA) = byte;
	}
	return true;
}

/* No interrupt is wanted for what the thread does just now, none to receive what finds no room, and one to transmit when the
 * hardware was full. */
static void set_mask(const port_uart_pl011 *u)
{
	const uint32_t received = u->receives || u->full ? 0 : ON_RECEIVED | ON_SILENCE;
	const uint32_t sent = u->transmits || !u->waits ? 0 : ON_SENT;
	*at(u, MASK) = received | sent;
}

/* The transmit interrupt comes when its FIFO runs low, not while it is, and a byte that is there may raise none. So the
 * peer's thread does once what the interrupt does, which leaves it that part meanwhile. That needs no privilege. */
static void kick(void *device)
{
	port_uart_pl011 *u = device;
	u->transmits = true;
	u->waits = transmit(u);
	u->transmits = false;
	set_mask(u);
}

static void resume(void *device)
{
	port_uart_pl011 *u = device;
	do {
		u->receives = true;
		u->full = !receive(u);
		u->receives = false;
		set_mask(u);
	} while (has_byte(u) && port_uart_wants(&u->uart));
}

void port_uart_pl011_interrupt(port_uart_pl011 *u)
{
	if (!u->receives)
		u->full = !receive(u);
	if (!u->transmits)
		u->waits = transmit(u);
	set_mask(u);
}

void port_uart_pl011_start(port_uart_pl011 *u, const port_uart_pl011_place *place, uint32_t divider,
	const port_uart_buffers *buffers, uint32_t (*now)(void))
{
	port_uart_init(&u->uart, buffers, now);
	u->uart.kick = kick;
	u->uart.resume = resume;
	u->uart.device = u;
	u->base = place->base;
	u->receives = u->transmits = u->full = u->waits = false;
	*at(u, CONTROL) = 0;
	*at(u, MASK) = 0;
	*at(u, DIVIDER) = divider >> 6;
	*at(u, FRACTION) = divider & 63;
	*at(u, LINE) = EIGHT_BITS |
		(place->fifos ? WITH_FIFOS : 0u); /* after the divider, which it makes valid */
	*at(u, CLEAR) = EVERY;
	*at(u, MASK) = ON_RECEIVED | ON_SILENCE;
	*at(u, CONTROL) = ON | TX_ON | RX_ON;
}
