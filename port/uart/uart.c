/* SPDX-License-Identifier: MIT */
#include "uart.h"

/* Once there is room again, and no gap that waits to be passed. */
QUASH_NOINLINE static void let_in(uart *u)
{
	if (!u->held)
		return;
	u->held = false;
	u->resume(u->device);
}

static int peek(void *device, const uint8_t **bytes)
{
	uart *u = device;
	u->shown = (ring_index)ring_show(&u->in, bytes);
	if (u->shown > 0)
		return u->shown;
	const bool gap = ring_pass_gap(&u->in);
	let_in(u);
	return gap ? QUASH_LOST : 0;
}

static void take(void *device, size_t n)
{
	uart *u = device;
	ring_take(&u->in, n);
	u->shown = (ring_index)(u->shown - n);
	let_in(u);
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	uart *u = device;
	size_t count = 0;
	while (count < n && ring_has_room(&u->out))
		ring_put(&u->out, data[count++]);
	if (count > 0)
		u->kick(u->device);
	return (int)count;
}

static uint32_t now(void *device)
{
	const uart *u = device;
	return u->now();
}

void uart_init(uart *u, const uart_buffers *buffers, uint32_t (*clock)(void))
{
	ring_init(&u->in, buffers->in, buffers->in_size);
	ring_init(&u->out, buffers->out, buffers->out_size);
	u->now = clock;
	u->shown = 0;
	u->held = u->line_ended = false;
}

quash_port uart_port(uart *u)
{
	const quash_port port = { peek, take, write_bytes, now, u };
	return port;
}

bool uart_has_news(const uart *u)
{
	return u->shown == 0 && ring_has_news(&u->in);
}

bool uart_wants(uart *u)
{
	const bool room = ring_has_room(&u->in);
	if (!room)
		u->held = true;
	return room;
}

void uart_received(uart *u, uint8_t byte)
{
	(void)ring_put(&u->in, byte);
	if (byte == '\n')
		u->line_ended = true;
}

void uart_overrun(uart *u)
{
	ring_lose(&u->in);
}

bool uart_next(uart *u, uint8_t *byte)
{
	return ring_get(&u->out, byte, 1) == 1;
}
