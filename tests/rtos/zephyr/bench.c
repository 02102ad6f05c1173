/* SPDX-License-Identifier: MIT
 * The port for Zephyr over a fake of the functions that it calls; with CONFIG_SMP, as on two cores. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "line.h"
#include "rtos/rtos_zephyr.h"
#include "serial.h"

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static rtos_zephyr uart_link;
static uint8_t in[BENCH_RING], out[BENCH_RING];

#ifdef CONFIG_SMP
/* The core that the interrupts come on. */
static void *other_core(void *nothing)
{
	uart_attach(serial_interrupt);
	for (;;)
		pause();
	return nothing;
}

static void let_interrupts_in(void)
{
	pthread_t core;
	CHECK(pthread_create(&core, NULL, other_core, NULL) == 0);
}
#define NAME "zephyr, two cores:"
#else
static void let_interrupts_in(void)
{
	uart_attach(serial_interrupt);
}
#define NAME "zephyr"
#endif

static void run(quash_peer *peer)
{
	const rtos_zephyr_choice choice = {
		.device = &stated_uart,
		.buffers = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out },
		.rest = BENCH_REST,
	};
	CHECK(rtos_zephyr_start(&uart_link, peer, &choice));
	let_interrupts_in();
	rtos_zephyr_serve(&uart_link);
}

static void cancel(quash_handle handle)
{
	rtos_zephyr_cancel(&uart_link, handle);
}

static void wake(quash_request *request)
{
	rtos_zephyr_wake(&uart_link, request);
}

const bench the_bench = { NAME, run, cancel, wake, cancel, wake, serial_deafen };
