/* SPDX-License-Identifier: MIT */
#include "uart.h"

/* Once there is room again, and no gap that waits to be passed. */
QUASH_NOINLINE static void let_in(port_uart *u)
{
	if (!u->held)
		return;
	u->held = false;
	u->resume(u->device);
}

static int peek(void *device, const uint8_t **bytes)
{
	port_uart *u = device;
	u->shown = (port_ring_index)port_ring_show(&u->in, bytes);
	if (u->shown > 0)
		return u->shown;
	const bool gap = port_ring_pass_gap(&u->in);
	let_in(u);
	return gap ? QUASH_LOST : 0;
}

static void take(void *device, size_t n)
{
	port_uart *u = device;
	port_ring_take(&u->in, n);
	u->shown = (port_ring_index)(u->shown - n);
	let_in(u);
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	port_uart *u = device;
	size_t count = 0;
	while (count < n && port_ring_has_room(&u->out))
		port_ring_put(&u->out, data[count++]);
	if (count > 0)
		u->kick(u->device);
	return (int)count;
}

static uint32_t now(void *device)
{
	const port_uart *u = device;
	return u->now();
}

void port_uart_init(port_uart *u, const port_uart_buffers *buffers, uint32_t (*clock)(void))
{
	port_ring_init(&u->in, buffers->in, buffers->in_size);
	port_ring_init(&u->out, buffers->out, buffers->out_size);
	u->now = clock;
	u->shown = 0;
	u->held = true; /* what has come already may raise no interrupt: the first pump calls `resume` */
	u->line_ended = false;
}

quash_port port_uart_port(port_uart *u)
{
	const quash_port port = { .peek = peek, .take = take, .write = write_bytes, .now = now, .device = u };
	return port;
}

bool port_uart_has_news(const port_uart *u)
{
	return u->shown == 0 && port_ring_has_news(&u->in);
}

bool port_uart_wants(port_uart *u)
{
	const bool room = port_ring_has_room(&u->in);
	if (!room)
		u->held = true;
	return room;
}

void port_uart_received(port_uart *u, uint8_t byte)
{
	(void)port_ring_put(&u->in, byte);
	if (byte == '\n')
		u->line_ended = true;
}

void port_uart_overrun(port_uart *u)
{
	port_ring_lose(&u->in);
}

bool port_uart_next(port_uart *u, uint8_t *byte)
{
	return port_ring_get(&u->out, byte, 1) == 1;
}

bool port_uart_has_output(const port_uart *u)
{
	return port_ring_fill(&u->out) > 0;
}
