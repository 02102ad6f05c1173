/* SPDX-License-Identifier: MIT
 * The port for CMSIS-RTOS2 over a fake of the five functions that it calls. The ticks are 10 ms. */
#include "bench.h"
#include "fake.h"
#include "line.h"
#include "rtos/rtos_cmsis2.h"

#include <stdatomic.h>

enum { HERTZ = 100, FLAG = 0x40 };

/* --- The fake */

static atomic_uint flags;
static char owner;

uint32_t osKernelGetTickCount(void)
{
	return fake_ms() / (1000 / HERTZ);
}

uint32_t osKernelGetTickFreq(void)
{
	return HERTZ;
}

osThreadId_t osThreadGetId(void)
{
	return &owner;
}

uint32_t osThreadFlagsSet(osThreadId_t thread, uint32_t set)
{
	CHECK(thread == &owner);
	const uint32_t now = atomic_fetch_or(&flags, set) | set;
	fake_call();
	return now;
}

uint32_t osThreadFlagsWait(uint32_t wanted, uint32_t options, uint32_t timeout)
{
	CHECK(options == osFlagsWaitAny);
	const uint32_t ms = timeout == osWaitForever ? UINT32_MAX : timeout * (1000 / HERTZ);
	for (;;) {
		const uint32_t found = atomic_fetch_and(&flags, ~wanted) & wanted;
		if (found != 0)
			return found;
		if (!fake_wait(ms))
			return 0xFFFFFFFEu; /* osFlagsErrorTimeout */
	}
}

/* --- The port */

static rtos_cmsis2 link;
static port_uart console;
static uint8_t in[BENCH_RING], out[BENCH_RING];
static atomic_bool cannot_hold;

static void interrupt(void)
{
	uint8_t byte;
	if (uart_was_overrun())
		port_uart_overrun(&console);
	while (uart_has_byte() && (atomic_load(&cannot_hold) || port_uart_wants(&console)))
		port_uart_received(&console, uart_byte());
	while (uart_can_send() && port_uart_next(&console, &byte))
		uart_send(byte);
	rtos_cmsis2_interrupted(&link);
}

static void raise_interrupt(void *device)
{
	(void)device;
	uart_raise();
}

static void run(quash_peer *peer)
{
	static const port_uart_buffers buffers = {
		.in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out
	};
	static const rtos_cmsis2_choice choice = { .flag = FLAG, .rest = BENCH_REST };
	port_uart_init(&console, &buffers, osKernelGetTickCount);
	console.kick = raise_interrupt;
	console.resume = raise_interrupt;
	rtos_cmsis2_start(&link, &console, peer, &choice);
	uart_attach(interrupt);
	rtos_cmsis2_serve(&link);
}

static void cancel(quash_handle handle)
{
	rtos_cmsis2_cancel(&link, handle);
}

static void wake(quash_request *request)
{
	rtos_cmsis2_wake(&link, request);
}

static void deaf(bool on)
{
	atomic_store(&cannot_hold, on);
}

const bench the_bench = { "cmsis2", run, cancel, wake, cancel, wake, deaf };
