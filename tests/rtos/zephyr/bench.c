/* SPDX-License-Identifier: MIT
 * The port for Zephyr over a fake of the functions that it calls. */
#include "bench.h"
#include "line.h"
#include "rtos/rtos_zephyr.h"
#include "serial.h"

#include <stddef.h>

static rtos_zephyr link;
static uint8_t in[BENCH_RING], out[BENCH_RING];

static void run(quash_peer *peer)
{
	const rtos_zephyr_choice choice = {
		.device = &stated_uart,
		.buffers = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out },
		.rest = BENCH_REST,
	};
	CHECK(rtos_zephyr_start(&link, peer, &choice));
	uart_attach(serial_interrupt);
	rtos_zephyr_run(&link);
}

static void cancel(quash_handle handle)
{
	rtos_zephyr_cancel(&link, handle);
}

static void wake(quash_request *request)
{
	rtos_zephyr_wake(&link, request);
}

const bench the_bench = { "zephyr", run, cancel, wake, cancel, wake, serial_deafen };
