/* SPDX-License-Identifier: MIT */
#include "rtos_zephyr.h"

/* --- Several cores. The interrupt may run on another one than the thread, and beside it: both hold the lock of all cores then,
 * which orders what they store too. On one core the interrupt stands between two instructions of the thread. */

#ifdef CONFIG_SMP
enum { SEVERAL_CORES = 1 };
#else
enum { SEVERAL_CORES = 0 };
#endif

static unsigned int hold(void)
{
	return SEVERAL_CORES ? irq_lock() : 0;
}

static void let_go(unsigned int key)
{
	if (SEVERAL_CORES)
		irq_unlock(key);
}

static int peek(void *device, const uint8_t **bytes)
{
	rtos_zephyr *r = device;
	const unsigned int key = hold();
	const int n = r->under.peek(r->under.device, bytes);
	let_go(key);
	return n;
}

static void take(void *device, size_t n)
{
	rtos_zephyr *r = device;
	const unsigned int key = hold();
	r->under.take(r->under.device, n);
	let_go(key);
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	rtos_zephyr *r = device;
	const unsigned int key = hold();
	const int count = r->under.write(r->under.device, data, n);
	let_go(key);
	return count;
}

static uint32_t now(void *device)
{
	(void)device;
	return k_uptime_get_32();
}

/* --- The UART's interrupt */

enum { BURST = 16 }; /* bytes at a time */

/* How many of a burst find room. A driver that knows of no overrun would lose in silence what has to wait: of it all are taken, and
 * the ring counts the loss. */
static int wanted(rtos_zephyr *r, bool all)
{
	const port_ring *const in = &r->uart.in;
	if (all)
		return BURST;
	if (!port_uart_wants(&r->uart))
		return 0;
	const int room = in->size - 1 - port_ring_fill(in);
	return room < BURST ? room : BURST;
}

/* What the driver lost it lost before the next burst, or within it: nearer it does not know. Then how many to take. */
static int next_burst(rtos_zephyr *r)
{
	const int errors = uart_err_check(r->device);
	if (errors > 0)
		port_uart_overrun(&r->uart);
	return wanted(r, errors < 0 && !r->holds);
}

/* A driver may report a byte only once: all are taken, or its interrupt is switched off until there is room. True if something
 * has changed. */
static bool receive(rtos_zephyr *r)
{
	const bool was_off = r->uart.held;
	bool any = false;
	uint8_t bytes[BURST];
	for (int want = next_burst(r); want > 0; want = next_burst(r)) {
		const int n = uart_fifo_read(r->device, bytes, want);
		if (n <= 0)
			return any;
		for (int i = 0; i < n && i < BURST; i++)
			port_uart_received(&r->uart, bytes[i]);
		any = true;
	}
	uart_irq_rx_disable(r->device);
	return any || !was_off;
}

/* Without a reader, the driver would keep it for the next one. */
static size_t to_leave(rtos_zephyr *r, const uint8_t **bytes)
{
	const size_t n = port_ring_show(&r->uart.out, bytes);
	return n == 0 || r->reads == NULL || r->reads(r->reader) ? n : 0;
}

/* True if a byte has left. */
static bool transmit(rtos_zephyr *r)
{
	const uint8_t *bytes;
	bool any = false;
	for (size_t n = to_leave(r, &bytes); n > 0; n = to_leave(r, &bytes)) {
		const int taken = uart_fifo_fill(r->device, bytes, (int)n);
		if (taken <= 0)
			return any;
		const size_t left = (size_t)taken < n ? (size_t)taken : n;
		r->torn = bytes[left - 1] != '\n';
		port_ring_take(&r->uart.out, left);
		any = true;
	}
	uart_irq_tx_disable(r->device);
	return any;
}

/* What drivers call pending they do not agree on: that of the CMSDK nothing while it begins to transmit, Espressif's a
 * byte whose interrupt is off. So they are not asked, and a byte that has to wait for room is no reason to stay
 * here. A driver that has nothing to update may answer -ENOSYS. */
static void serve(rtos_zephyr *r)
{
	bool changes = true;
	while (changes && uart_irq_update(r->device) != 0) {
		changes = uart_irq_rx_ready(r->device) > 0 && receive(r);
		if (uart_irq_tx_ready(r->device) > 0 && transmit(r))
			changes = true;
	}
}

/* The driver of the PL011 also calls it from `uart_irq_tx_enable`, in the thread: no interrupt comes in between. */
static void on_interrupt(const struct device *device, void *data)
{
	rtos_zephyr *r = data;
	const unsigned int key = irq_lock();
	(void)device;
	serve(r);
	const bool calls = rtos_uart_calls(&r->link);
	irq_unlock(key);
	if (calls)
		k_sem_give(&r->news);
}

static void kick(void *device)
{
	const rtos_zephyr *r = device;
	uart_irq_tx_enable(r->device);
}

/* Not every driver's interrupt comes again for a byte that was left. The one to transmit comes, and looks at both. */
static void resume(void *device)
{
	const rtos_zephyr *r = device;
	uart_irq_rx_enable(r->device);
	uart_irq_tx_enable(r->device);
}

/* --- Starting */

bool rtos_zephyr_start(rtos_zephyr *r, quash_peer *peer, const rtos_zephyr_choice *choice)
{
	const unsigned int key = hold();
	port_uart_init(&r->uart, &choice->buffers, k_uptime_get_32);
	r->under = port_uart_port(&r->uart);
	r->uart.kick = kick;
	r->uart.resume = resume;
	r->uart.device = r;
	rtos_uart_init(&r->link, &r->uart, peer, choice->rest);
	r->device = choice->device;
	r->holds = choice->holds;
	(void)k_sem_init(&r->news, 0, 1);
	let_go(key);
	if (uart_irq_callback_user_data_set(r->device, on_interrupt, r) != 0)
		return false;
	uart_irq_rx_enable(r->device);
	return true;
}

quash_port rtos_zephyr_port(rtos_zephyr *r)
{
	const quash_port locked = { peek, take, write_bytes, now, r };
	return SEVERAL_CORES ? locked : r->under;
}

/* --- The thread */

/* A semaphore that was given before is remembered: nothing is missed between the question and the sleep. */
static void sleep_for(rtos_zephyr *r, uint32_t ms)
{
	if (ms > 0)
		(void)k_sem_take(&r->news, ms == UINT32_MAX ? K_FOREVER : K_MSEC(ms));
}

static uint32_t nap(rtos_zephyr *r)
{
	const unsigned int key = hold();
	const uint32_t ms = rtos_uart_nap(&r->link);
	let_go(key);
	return ms;
}

static uint32_t doze(rtos_zephyr *r)
{
	const unsigned int key = hold();
	const uint32_t ms = rtos_uart_doze(&r->link);
	let_go(key);
	return ms;
}

static void wake(rtos_zephyr *r)
{
	const unsigned int key = hold();
	rtos_uart_wake(&r->link);
	let_go(key);
}

void rtos_zephyr_sleep_for_(rtos_zephyr *r, uint32_t most)
{
	quash_tick(r->link.peer, k_uptime_get_32()); /* the step took its time */
	const uint32_t ms = nap(r);
	sleep_for(r, ms < most ? ms : most);
	quash_tick(r->link.peer, k_uptime_get_32());
	sleep_for(r, doze(r));
	wake(r);
}

void rtos_zephyr_sleep(rtos_zephyr *r)
{
	rtos_zephyr_sleep_for_(r, UINT32_MAX);
}

void rtos_zephyr_serve(rtos_zephyr *r)
{
	const quash_port port = rtos_zephyr_port(r);
	for (;;) {
		quash_pump(r->link.peer, &port);
		(void)quash_step(r->link.peer);
		rtos_zephyr_sleep(r);
	}
}

void rtos_zephyr_cancel(rtos_zephyr *r, quash_handle handle)
{
	quash_cancel_async(handle);
	k_sem_give(&r->news);
}

void rtos_zephyr_wake(rtos_zephyr *r, quash_request *request)
{
	quash_wake(request);
	k_sem_give(&r->news);
}
