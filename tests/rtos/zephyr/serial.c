/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "serial.h"

#include "fake.h"
#include "line.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

struct device {
	atomic_bool receives, sends; /* its interrupts are on */
};

struct device stated_uart;
static uart_irq_callback_user_data_t callback;
static void *callback_data;
static atomic_bool deaf, dtr;

void serial_dtr(bool high)
{
	atomic_store(&dtr, high);
}

int uart_line_ctrl_get(const struct device *dev, uint32_t ctrl, uint32_t *value)
{
	CHECK(dev == &stated_uart && ctrl == UART_LINE_CTRL_DTR);
	*value = atomic_load(&dtr);
	return 0;
}

void serial_deafen(bool on)
{
	atomic_store(&deaf, on);
}

static bool sends_now(const struct device *dev)
{
	return atomic_load(&dev->sends) && uart_can_send();
}

static bool is_due(const struct device *dev)
{
	return (atomic_load(&dev->receives) && uart_has_byte()) || sends_now(dev);
}

void serial_interrupt(void)
{
	if (callback != NULL && is_due(&stated_uart))
		callback(&stated_uart, callback_data);
}

/* --- The processor's interrupt is a signal. With several cores it comes on another one than the thread's, see bench.c, and
 * the lock is one of all cores, which may be nested. */

#ifdef CONFIG_SMP
static pthread_mutex_t cores = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local unsigned depth;

static bool is_locked(void)
{
	return depth > 0;
}

unsigned int irq_lock(void)
{
	if (depth == 0)
		pthread_mutex_lock(&cores);
	return depth++;
}

void irq_unlock(unsigned int key)
{
	CHECK(key == depth - 1);
	if (--depth == 0)
		pthread_mutex_unlock(&cores);
}
#else
static bool block(int how)
{
	sigset_t interrupt, before;
	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGUSR1);
	pthread_sigmask(how, how == SIG_SETMASK ? NULL : &interrupt, &before);
	return sigismember(&before, SIGUSR1) == 1;
}

static bool is_locked(void)
{
	return block(SIG_SETMASK);
}

unsigned int irq_lock(void)
{
	return block(SIG_BLOCK);
}

void irq_unlock(unsigned int key)
{
	if (key == 0)
		(void)block(SIG_UNBLOCK);
}
#endif

/* --- The kernel */

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

/* --- The UART */

int uart_irq_callback_user_data_set(const struct device *dev, uart_irq_callback_user_data_t cb, void *data)
{
	CHECK(dev == &stated_uart);
	callback_data = data;
	callback = cb; /* last: an interrupt may come at once */
	return 0;
}

/* Both also while the interrupt is off: so some drivers call the one, and some the other. */
int uart_irq_rx_ready(const struct device *dev)
{
	CHECK(dev == &stated_uart);
	return uart_has_byte();
}

int uart_irq_tx_ready(const struct device *dev)
{
	CHECK(dev == &stated_uart);
	return uart_can_send();
}

int uart_irq_update(const struct device *dev)
{
	CHECK(dev == &stated_uart);
	return atomic_load(&deaf) ? -ENOSYS : 1;
}

void uart_irq_rx_enable(const struct device *dev)
{
	CHECK(dev == &stated_uart);
	atomic_store(&stated_uart.receives, true); /* no interrupt comes for a byte that was left, as with the CMSDK's UART */
}

void uart_irq_rx_disable(const struct device *dev)
{
	CHECK(dev == &stated_uart);
	atomic_store(&stated_uart.receives, false);
}

void uart_irq_tx_enable(const struct device *dev)
{
	CHECK(dev == &stated_uart);
	atomic_store(&stated_uart.sends, true);
	callback(dev, callback_data); /* there the interrupt comes when a byte has left; so its driver and the PL011's begin */
}

void uart_irq_tx_disable(const struct device *dev)
{
	CHECK(dev == &stated_uart);
	atomic_store(&stated_uart.sends, false);
}

int uart_err_check(const struct device *dev)
{
	CHECK(dev == &stated_uart);
	return atomic_load(&deaf) ? -ENOSYS : uart_was_overrun(); /* UART_ERROR_OVERRUN is bit 0 */
}

int uart_fifo_read(const struct device *dev, uint8_t *data, const int size)
{
	int n = 0;
	CHECK(dev == &stated_uart && size > 0 && is_locked());
	for (; n < size && uart_has_byte(); n++)
		data[n] = uart_byte();
	return n;
}

int uart_fifo_fill(const struct device *dev, const uint8_t *data, int size)
{
	int n = 0;
	CHECK(dev == &stated_uart && size > 0 && is_locked());
	for (; n < size && uart_can_send(); n++)
		uart_send(data[n]);
	return n;
}
