/* SPDX-License-Identifier: MIT
 * The port for Zephyr, over a driver as that of the CMSDK's UART, whose transmit interrupt comes when a byte has left, so that
 * `uart_irq_tx_enable` calls it; and over one whose transmit interrupt comes while there is room. */
#include "early_uarts.h"
#include "rtos/rtos_zephyr.h"

struct device {
	uart_irq_callback_user_data_t callback;
	void *data;
};

static struct device device;
static rtos_zephyr uart_link;
static quash_port port;
static volatile bool given;
static bool is_level;

/* --- The kernel */

unsigned int irq_lock(void)
{
	return early_lock();
}

void irq_unlock(unsigned int key)
{
	early_unlock(key != 0);
}

int k_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit)
{
	(void)sem, (void)initial, (void)limit;
	early_point();
	return 0;
}

int k_sem_take(struct k_sem *sem, k_timeout_t timeout)
{
	(void)sem;
	return early_sleep(&given, timeout.ticks < 0 ? UINT32_MAX : (uint32_t)timeout.ticks) ? 0 : -11;
}

void k_sem_give(struct k_sem *sem)
{
	(void)sem;
	given = true;
}

uint32_t k_uptime_get_32(void)
{
	return early_ms();
}

/* --- The driver */

int uart_irq_callback_user_data_set(const struct device *dev, uart_irq_callback_user_data_t cb, void *data)
{
	(void)dev;
	device.data = data;
	device.callback = cb;
	early_point();
	return 0;
}

int uart_irq_update(const struct device *dev)
{
	(void)dev;
	early_point();
	return 1;
}

int uart_irq_rx_ready(const struct device *dev)
{
	(void)dev;
	early_point();
	return uart_model.count > 0;
}

int uart_irq_tx_ready(const struct device *dev)
{
	(void)dev;
	early_point();
	return !uart_model.transmits;
}

void uart_irq_rx_enable(const struct device *dev)
{
	(void)dev;
	uart_model.wants_received = true;
	early_point();
}

void uart_irq_rx_disable(const struct device *dev)
{
	(void)dev;
	uart_model.wants_received = false;
	early_point();
}

void uart_irq_tx_enable(const struct device *dev)
{
	uart_model.wants_sent = true;
	early_point();
	if (!is_level) {
		const bool was_open = early_lock();
		device.callback(dev, device.data);
		early_unlock(was_open);
	}
}

void uart_irq_tx_disable(const struct device *dev)
{
	(void)dev;
	uart_model.wants_sent = false;
	early_point();
}

int uart_err_check(const struct device *dev)
{
	(void)dev;
	const bool overrun = uart_model.overrun;
	uart_model.overrun = false;
	return overrun;
}

int uart_fifo_read(const struct device *dev, uint8_t *data, const int size)
{
	(void)dev;
	int n = 0;
	early_point();
	for (; n < size && early_read(data + n); n++)
		continue;
	return n;
}

int uart_fifo_fill(const struct device *dev, const uint8_t *data, int size)
{
	(void)dev, (void)size;
	early_point();
	if (uart_model.transmits)
		return 0;
	early_write(*data);
	return 1;
}

/* --- The port */

static bool is_due(void)
{
	const early_uart *const u = &uart_model;
	return u->has_received || u->has_sent || (is_level && u->wants_sent && !u->transmits);
}

static void interrupt(void)
{
	uart_model.has_received = uart_model.has_sent = false;
	if (device.callback != NULL)
		device.callback(&device, device.data);
}

static void reset(void)
{
	static const rtos_zephyr fresh = { .device = NULL };
	uart_link = fresh;
	device.callback = NULL;
	given = is_level = false;
}

static void reset_level(void)
{
	reset();
	is_level = true;
}

static void start(quash_peer *peer)
{
	const rtos_zephyr_choice choice = { .device = &device, .buffers = *early_buffers() };
	early_let_in();
	(void)rtos_zephyr_start(&uart_link, peer, &choice);
	port = rtos_zephyr_port(&uart_link);
}

static const quash_port *the_port(void)
{
	return &port;
}

static void sleep_until_given(void)
{
	rtos_zephyr_sleep(&uart_link);
}

const early_front early_zephyr = { .name = "rtos_zephyr", .depth = 1, .vague = true, .reset = reset, .is_due = is_due,
	.interrupt = interrupt, .start = start, .port = the_port, .sleep = sleep_until_given };

const early_front early_zephyr_level = { .name = "rtos_zephyr, room by level", .depth = 1, .vague = true, .reset = reset_level, .is_due = is_due,
	.interrupt = interrupt, .start = start, .port = the_port, .sleep = sleep_until_given };
