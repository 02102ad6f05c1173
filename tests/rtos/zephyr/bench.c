/* SPDX-License-Identifier: MIT
 * The port for Zephyr over a fake of the functions that it calls. */
#include "bench.h"
#include "fake.h"
#include "line.h"
#include "rtos/rtos_zephyr.h"

#include <stdatomic.h>
#include <stddef.h>

/* --- The fake */

struct device {
	atomic_bool receives, sends; /* its interrupts are on */
};

static struct device serial;
static uart_irq_callback_user_data_t callback;
static void *callback_data;

int k_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit)
{
	CHECK(initial == 0 && limit == 1);
	sem->fake = sem;
	return 0;
}

int k_sem_take(struct k_sem *sem, k_timeout_t timeout)
{
	CHECK(sem->fake == sem);
	return fake_wait(timeout.ticks < 0 ? UINT32_MAX : (uint32_t)timeout.ticks) ? 0 : -11;
}

void k_sem_give(struct k_sem *sem)
{
	CHECK(sem->fake == sem);
	fake_call();
}

uint32_t k_uptime_get_32(void)
{
	return fake_ms();
}

int uart_irq_callback_user_data_set(const struct device *dev, uart_irq_callback_user_data_t cb, void *data)
{
	CHECK(dev == &serial);
	callback = cb;
	callback_data = data;
	return 0;
}

int uart_irq_rx_ready(const struct device *dev)
{
	return atomic_load(&dev->receives) && uart_has_byte();
}

int uart_irq_tx_ready(const struct device *dev)
{
	return atomic_load(&dev->sends) && uart_can_send();
}

int uart_irq_is_pending(const struct device *dev)
{
	return uart_irq_rx_ready(dev) || uart_irq_tx_ready(dev);
}

int uart_irq_update(const struct device *dev)
{
	return dev == &serial;
}

void uart_irq_rx_enable(const struct device *dev)
{
	CHECK(dev == &serial);
	atomic_store(&serial.receives, true);
	uart_raise();
}

void uart_irq_rx_disable(const struct device *dev)
{
	CHECK(dev == &serial);
	atomic_store(&serial.receives, false);
}

void uart_irq_tx_enable(const struct device *dev)
{
	CHECK(dev == &serial);
	atomic_store(&serial.sends, true);
	uart_raise();
}

void uart_irq_tx_disable(const struct device *dev)
{
	CHECK(dev == &serial);
	atomic_store(&serial.sends, false);
}

int uart_err_check(const struct device *dev)
{
	CHECK(dev == &serial);
	return uart_was_overrun(); /* UART_ERROR_OVERRUN is bit 0 */
}

int uart_fifo_read(const struct device *dev, uint8_t *data, const int size)
{
	CHECK(dev == &serial && size == 1);
	if (!uart_has_byte())
		return 0;
	*data = uart_byte();
	return 1;
}

int uart_fifo_fill(const struct device *dev, const uint8_t *data, int size)
{
	CHECK(dev == &serial && size == 1);
	if (!uart_can_send())
		return 0;
	uart_send(*data);
	return 1;
}

/* --- The port */

static rtos_zephyr link;
static uint8_t in[BENCH_RING], out[BENCH_RING];

static void interrupt(void)
{
	if (callback != NULL && uart_irq_is_pending(&serial))
		callback(&serial, callback_data);
}

static void run(quash_peer *peer)
{
	static const rtos_zephyr_choice choice = {
		.device = &serial,
		.buffers = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out },
		.rest = BENCH_REST,
	};
	CHECK(rtos_zephyr_start(&link, peer, &choice));
	uart_attach(interrupt);
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

const bench the_bench = { "zephyr", run, cancel, wake, cancel, wake, NULL };
