/* SPDX-License-Identifier: MIT */
#include "rtos_uart.h"

void rtos_uart_init(rtos_uart *r, uart *u, quash_peer *peer)
{
	r->uart = u;
	r->peer = peer;
	r->under = uart_port(u);
	r->starved = false;
}

int rtos_uart_read(rtos_uart *r, uint8_t *data, size_t n)
{
	return r->under.read(r->under.device, data, n);
}

int rtos_uart_write(rtos_uart *r, const uint8_t *data, size_t n)
{
	return r->under.write(r->under.device, data, n);
}

bool rtos_uart_calls(rtos_uart *r)
{
	const bool room = r->starved && ring_has_room(&r->uart->out);
	if (room)
		r->starved = false;
	return room || uart_has_news(r->uart);
}

/* Room is asked for last: what an interrupt makes from now on, it tells. A byte that was left in the hardware until a loss
 * was told is fetched by the next read. */
uint32_t rtos_uart_nap(rtos_uart *r, uint32_t rest)
{
	r->starved = rtos_has_words(r->peer);
	if (r->starved && ring_has_room(&r->uart->out))
		return 0;
	return rtos_nap(r->peer, uart_has_news(r->uart) || r->uart->held, rest);
}
