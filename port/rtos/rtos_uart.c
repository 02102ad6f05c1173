/* SPDX-License-Identifier: MIT */
#include "rtos_uart.h"

void rtos_uart_init(rtos_uart *r, port_uart *u, quash_peer *peer, uint32_t rest)
{
	r->uart = u;
	r->peer = peer;
	r->rest = rest;
	r->starved = false;
	rtos_watch_wake(&r->watch);
}

/* Not for each byte that leaves. */
static bool can_write(const rtos_uart *r)
{
	const port_ring *const out = &r->uart->out;
	return r->starved && port_ring_fill(out) <= out->size / 2;
}

static bool has_enough(port_uart *u)
{
	const bool line_ended = u->line_ended;
	u->line_ended = false;
	return line_ended || !port_ring_has_room(&u->in) || port_ring_fill(&u->in) >= u->in.size / 2;
}

bool rtos_uart_calls(rtos_uart *r)
{
	const bool enough = has_enough(r->uart);
	const bool room = can_write(r);
	if (room)
		r->starved = false;
	return rtos_watch_calls(&r->watch, room || port_uart_has_news(r->uart), room || enough);
}

/* What is asked for last an interrupt reports, if it comes about from now on. */
uint32_t rtos_uart_nap(rtos_uart *r)
{
	rtos_watch_sleep(&r->watch);
	r->starved = rtos_has_output(r->peer);
	if (can_write(r))
		return 0;
	return rtos_nap(r->peer, port_uart_has_news(r->uart), r->rest);
}

uint32_t rtos_uart_doze(const rtos_uart *r)
{
	const uint32_t ms = rtos_watch_dozes(&r->watch) ? rtos_nap(r->peer, false, r->rest) : 0;
	return ms < RTOS_BURST_MS ? ms : RTOS_BURST_MS;
}

void rtos_uart_wake(rtos_uart *r)
{
	r->starved = false;
	rtos_watch_wake(&r->watch);
}
