/* SPDX-License-Identifier: MIT
 * ring [PART]: the byte ring and the port over two of them, between two cores; with so small a part of the bytes. To be run with
 * -fsanitize=thread, and at full speed too.
 *
 * Every byte is made of its number. What was lost has numbers too, so a gap that is told at another place than its own shows.
 * The UART's interrupt is a thread that sleeps for ever unless the peer's thread raises it, so a loss of that shows. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "uart/uart.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 24, RUNS = 256, SPINS = 200, SMALL = 6 };

static uint32_t most = 2000000, most_echoed = 400000;

static uint8_t byte_of(uint32_t number)
{
	return (uint8_t)(number * 2654435761u >> 24);
}

static uint32_t chance(uint32_t *random)
{
	*random = *random * 1103515245u + 12345u;
	return *random >> 16;
}

/* Who waits for the other lets it have the core at last, if there is but one. */
static void spin(unsigned *spins)
{
	if (++*spins % SPINS == 0)
		sched_yield();
}

/* --- The ring */

static port_ring ring;
static uint8_t bytes[RING];
static uint32_t lost_in[RUNS]; /* how many numbers each run of losses has; the ring holds fewer runs than that */
static atomic_bool over;

/* The producer's, and what the consumer has found. */
static uint32_t lost, runs;
static uint32_t taken, gaps, seen_runs, strange;

static void lose(bool *is_run)
{
	if (!*is_run)
		lost_in[runs % RUNS] = 0;
	*is_run = true;
	lost_in[runs % RUNS]++;
	lost++;
}

/* Of the bytes that find no room one in eight is lost; the others wait. Some are lost before they come to the ring. */
static void *produce(void *nothing)
{
	uint32_t random = 1, number = 0;
	unsigned spins = 0;
	bool is_run = false;
	while (number < most) {
		const uint32_t dice = chance(&random);
		if (dice % 64 == 0) {
			lose(&is_run);
			port_ring_lose(&ring);
			number++;
		} else if (!port_ring_has_room(&ring) && dice % 8 != 0) {
			spin(&spins);
		} else if (port_ring_put(&ring, byte_of(number++))) {
			runs += is_run;
			is_run = false;
		} else {
			lose(&is_run);
		}
	}
	atomic_store(&over, true);
	return nothing;
}

/* A byte, and whether a gap was told since the one before. */
static void judge(uint8_t byte, bool *gap)
{
	static uint32_t next;
	if (*gap) {
		next += lost_in[seen_runs++ % RUNS];
	}
	*gap = false;
	if (byte != byte_of(next++))
		strange++;
	taken++;
}

static size_t consume_some(uint32_t dice, bool *gap)
{
	uint8_t copy[5];
	const uint8_t *shown = copy;
	const bool copies = dice % 2 == 0;
	size_t n = copies ? port_ring_get(&ring, copy, 1 + dice % sizeof copy) : port_ring_show(&ring, &shown);
	if (!copies && n > 1 && dice % 3 == 0)
		n /= 2;
	for (size_t i = 0; i < n; i++)
		judge(shown[i], gap);
	if (!copies && n > 0)
		port_ring_take(&ring, n);
	return n;
}

static void consume(void)
{
	uint32_t random = 77;
	unsigned spins = 0;
	bool gap = false;
	for (;;) {
		const bool last = atomic_load(&over);
		if (port_ring_fill(&ring) >= RING)
			strange++;
		if (consume_some(chance(&random), &gap) > 0)
			continue;
		if (port_ring_pass_gap(&ring)) {
			gaps++;
			gap = true;
		} else if (!port_ring_has_news(&ring)) {
			if (last)
				return;
			spin(&spins);
		}
	}
}

static void try_ring(void)
{
	pthread_t thread;
	port_ring_init(&ring, bytes, sizeof bytes);
	if (pthread_create(&thread, NULL, produce, NULL) != 0)
		exit(2);
	consume();
	pthread_join(thread, NULL);
	printf("%u bytes taken, %u lost in %u runs, %u gaps told\n", taken, lost, runs, gaps);
	check(strange == 0, "port_ring keeps order, and each gap its place, between two cores");
	check(taken + lost == most && seen_runs == runs && gaps >= runs, "port_ring loses nothing that it has taken");
}

/* --- The port, whose interrupt runs on another core */

static port_uart uart;
enum { TO_SEND = 1, TO_RECEIVE = 2 };
static atomic_uint raised;
static atomic_bool done;
static uint32_t held; /* the receive interrupt switched itself off */
static _Atomic uint32_t echoed;
static uint32_t wrong;

static void kick(void *device)
{
	(void)device;
	atomic_fetch_or(&raised, TO_SEND);
}

static void resume(void *device)
{
	(void)device;
	atomic_fetch_or(&raised, TO_RECEIVE);
}

/* Bytes are always there. They raise no interrupt while it is off. */
static void receive(void)
{
	static uint32_t sent;
	for (; sent < most_echoed; sent++) {
		if (!port_uart_wants(&uart)) {
			held++;
			return;
		}
		port_uart_received(&uart, byte_of(sent));
	}
}

static void on_interrupt(unsigned reasons)
{
	static uint32_t came;
	uint8_t byte;
	if ((reasons & TO_RECEIVE) != 0)
		receive();
	while (port_uart_next(&uart, &byte))
		wrong += byte != byte_of(came++);
	atomic_store(&echoed, came);
}

static void *other_core(void *nothing)
{
	unsigned spins = 0;
	while (!atomic_load(&done)) {
		if (atomic_load(&raised) != 0)
			on_interrupt(atomic_exchange(&raised, 0));
		else
			spin(&spins);
	}
	return nothing;
}

static uint32_t now(void)
{
	return 0;
}

/* One turn of a loop that sleeps while there is no news. */
static bool echo(const quash_port *port)
{
	static uint8_t data[64];
	static size_t length;
	const uint8_t *shown;
	bool any = false;
	if (length == 0 && port_uart_has_news(&uart)) {
		const int n = port->peek(port->device, &shown);
		length = n > 0 ? (size_t)n : 0;
		if (n > 0) {
			memcpy(data, shown, length);
			port->take(port->device, length);
		} else {
			wrong++;
		}
	}
	if (length > 0) {
		const int n = port->write(port->device, data, length);
		any = n > 0;
		length -= (size_t)n;
		memmove(data, data + n, length);
	}
	return any;
}

static void try_uart(void)
{
	static uint8_t in[SMALL], out[SMALL];
	static const port_uart_buffers buffers = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out };
	const quash_port port = port_uart_port(&uart);
	const uint8_t *nothing;
	pthread_t thread;
	unsigned spins = 0;
	port_uart_init(&uart, &buffers, now);
	uart.kick = kick;
	uart.resume = resume;
	if (pthread_create(&thread, NULL, other_core, NULL) != 0)
		exit(2);
	(void)port.peek(port.device, &nothing);
	while (atomic_load(&echoed) < most_echoed) {
		if (!echo(&port))
			spin(&spins);
	}
	atomic_store(&done, true);
	pthread_join(thread, NULL);
	printf("%u of %u bytes echoed, %u times held\n", atomic_load(&echoed), most_echoed, held);
	check(atomic_load(&echoed) == most_echoed, "port_uart is not deaf, with its interrupt on another core");
	check(wrong == 0 && held > 0, "port_uart keeps order, with its interrupt on another core");
}

int main(int count, char **words)
{
	const uint32_t part = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : 1;
	most /= part;
	most_echoed /= part;
	try_ring();
	try_uart();
	return check_end();
}
