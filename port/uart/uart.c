/* SPDX-License-Identifier: MIT */
#include "uart.h"

/* With several cores the interrupt that finds no room sets `held` and looks for room once more. The thread makes room and then
 * looks at `held`. With a fence between store and load on both cores, one of them sees what the other has stored. */
#if PORT_SEVERAL_CORES && defined __GCC_ATOMIC_SHORT_LOCK_FREE && __GCC_ATOMIC_SHORT_LOCK_FREE == 2
#define UART_LOAD(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define UART_STORE(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELAXED)
#else
#define UART_LOAD(place) (place)
#define UART_STORE(place, value) ((place) = (value))
#endif
#if PORT_SEVERAL_CORES
#define UART_FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define UART_FENCE() ((void)0)
#endif

/* Once there is room again, and no gap that waits to be passed. */
QUASH_NOINLINE static void let_in(port_uart *u)
{
	UART_FENCE();
	if (!UART_LOAD(u->held))
		return;
	UART_STORE(u->held, false);
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
	if (port_ring_has_room(&u->in))
		return true;
	UART_STORE(u->held, true);
	UART_FENCE();
	return PORT_SEVERAL_CORES && port_ring_has_room(&u->in);
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

bool port_uart_has_output_(const port_uart *u)
{
	return port_ring_fill(&u->out) > 0;
}
