/* SPDX-License-Identifier: MIT */
#include "uart.h"

static void tell_losses(uart *u)
{
	const ring_index lost = ring_losses(&u->in);
	if (lost > 0)
		quash_lost(u->peer, lost);
}

/* The interrupt is let in last: it finds room, and no loss that waits to be told. */
static int read_bytes(void *device, uint8_t *data, size_t n)
{
	uart *u = device;
	const size_t count = ring_get(&u->in, data, n);
	if (count == 0)
		tell_losses(u);
	if (u->held) {
		u->held = false;
		u->hear(u->device);
	}
	return (int)count;
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

void uart_init(uart *u, quash_peer *peer, const uart_buffers *buffers, uint32_t (*clock)(void))
{
	ring_init(&u->in, buffers->in, buffers->in_size);
	ring_init(&u->out, buffers->out, buffers->out_size);
	u->peer = peer;
	u->now = clock;
	u->held = false;
}

quash_port uart_port(uart *u)
{
	const quash_port port = { .read = read_bytes, .write = write_bytes, .now = now, .device = u };
	return port;
}

bool uart_has_news(const uart *u)
{
	return ring_has_news(&u->in);
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
}

void uart_overrun(uart *u)
{
	ring_lose(&u->in);
}

bool uart_next(uart *u, uint8_t *byte)
{
	return ring_get(&u->out, byte, 1) == 1;
}
