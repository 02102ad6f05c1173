/* SPDX-License-Identifier: MIT
 * A fake of what the port and its examples use of ESP-IDF's drivers. The UART is stdin and stdout: a ring to receive, an
 * event queue, a FIFO that empties at the baud rate. A byte 0x18 is where the FIFO has overflowed: what came with it
 * is lost. Pins and the log go to stderr. The program ends with stdin. */
#define _GNU_SOURCE 1
#include "fake.h"

#include "stated/driver/gpio.h"
#include "stated/driver/uart.h"
#include "stated/esp_event.h"
#include "stated/esp_log.h"
#include "stated/esp_netif.h"
#include "stated/esp_timer.h"
#include "stated/esp_vfs_eventfd.h"
#include "stated/nvs_flash.h"
#include "stated/protocol_examples_common.h"

#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FIFO = 128, FULL_AT = 120, OVERFLOW = 0x18, BITS = 10 };

void app_main(void);

/* --- The UART's hardware and its interrupts */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	QueueHandle_t events;
	unsigned char *ring;
	size_t size, first, count; /* of the ring */
	unsigned char fifo[FIFO];
	size_t waiting; /* bytes in the FIFO */
	int baud;
	bool installed;
} port = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static void report(uart_event_type_t type, size_t size)
{
	const uart_event_t event = { .type = type, .size = size };
	(void)fake_send(port.events, &event, 0); /* a full queue loses it, as there */
}

/* Waits for room as a FIFO with flow control does. */
static void receive(const unsigned char *bytes, size_t n)
{
	pthread_mutex_lock(&port.lock);
	if (port.size - port.count < n)
		report(UART_BUFFER_FULL, 0);
	while (port.size - port.count < n)
		pthread_cond_wait(&port.changed, &port.lock);
	for (size_t i = 0; i < n; i++)
		port.ring[(port.first + port.count++) % port.size] = bytes[i];
	pthread_mutex_unlock(&port.lock);
	report(UART_DATA, n);
}

static void receive_around(const unsigned char *bytes, size_t n)
{
	const unsigned char *const gap = memchr(bytes, OVERFLOW, n);
	const size_t before = gap != NULL ? (size_t)(gap - bytes) : n;
	if (before > 0)
		receive(bytes, before);
	if (gap == NULL)
		return;
	report(UART_FIFO_OVF, 0);
	if (before + 1 < n)
		receive_around(gap + 1, n - before - 1);
}

static void *receiver(void *nothing)
{
	unsigned char bytes[FULL_AT];
	ssize_t n;
	while ((n = read(0, bytes, sizeof bytes)) > 0)
		receive_around(bytes, (size_t)n);
	exit(0);
	return nothing;
}

static void *transmitter(void *nothing)
{
	unsigned char bytes[FIFO];
	for (;;) {
		pthread_mutex_lock(&port.lock);
		while (port.waiting == 0)
			pthread_cond_wait(&port.changed, &port.lock);
		const size_t n = port.waiting;
		memcpy(bytes, port.fifo, n);
		const struct timespec pace = { 0, (long)((unsigned long long)n * BITS * 1000000000u / (unsigned)port.baud) };
		pthread_mutex_unlock(&port.lock);
		nanosleep(&pace, NULL);
		if (write(1, bytes, n) != (ssize_t)n)
			exit(0);
		pthread_mutex_lock(&port.lock);
		port.waiting -= n;
		memmove(port.fifo, port.fifo + n, port.waiting);
		pthread_mutex_unlock(&port.lock);
	}
	return nothing;
}

/* --- The UART's driver */

esp_err_t uart_driver_install(uart_port_t uart_num, int rx_buffer_size, int tx_buffer_size, int queue_size,
	QueueHandle_t *uart_queue, int intr_alloc_flags)
{
	if (uart_num >= UART_NUM_MAX || rx_buffer_size <= FIFO || tx_buffer_size != 0 || intr_alloc_flags != 0)
		return ESP_FAIL;
	port.ring = malloc((size_t)rx_buffer_size);
	port.size = (size_t)rx_buffer_size;
	port.events = *uart_queue = fake_queue((size_t)queue_size, sizeof(uart_event_t));
	port.installed = true;
	return ESP_OK;
}

esp_err_t uart_driver_delete(uart_port_t uart_num)
{
	port.installed = false;
	return uart_num < UART_NUM_MAX ? ESP_OK : ESP_FAIL;
}

esp_err_t uart_param_config(uart_port_t uart_num, const uart_config_t *c)
{
	if (!port.installed || uart_num >= UART_NUM_MAX || c->baud_rate <= 0)
		return ESP_FAIL;
	if (c->data_bits != UART_DATA_8_BITS || c->stop_bits != UART_STOP_BITS_1)
		return ESP_FAIL;
	port.baud = c->baud_rate;
	fake_thread(receiver, NULL);
	fake_thread(transmitter, NULL);
	return ESP_OK;
}

esp_err_t uart_set_pin(uart_port_t uart_num, int tx_io_num, int rx_io_num, int rts_io_num, int cts_io_num)
{
	fprintf(stderr, "uart %d pins %d %d %d %d\n", (int)uart_num, tx_io_num, rx_io_num, rts_io_num, cts_io_num);
	return ESP_OK;
}

int uart_tx_chars(uart_port_t uart_num, const char *buffer, uint32_t len)
{
	if (uart_num >= UART_NUM_MAX || buffer == NULL)
		return -1;
	pthread_mutex_lock(&port.lock);
	const size_t room = FIFO - port.waiting;
	const size_t n = len < room ? len : room;
	memcpy(port.fifo + port.waiting, buffer, n);
	port.waiting += n;
	pthread_cond_broadcast(&port.changed);
	pthread_mutex_unlock(&port.lock);
	return (int)n;
}

int uart_read_bytes(uart_port_t uart_num, void *buf, uint32_t length, TickType_t ticks_to_wait)
{
	unsigned char *const to = buf;
	size_t n = 0;
	if (uart_num >= UART_NUM_MAX || ticks_to_wait != 0)
		fake_fail("a read that waits");
	pthread_mutex_lock(&port.lock);
	for (; n < length && port.count > 0; n++, port.count--) {
		to[n] = port.ring[port.first];
		port.first = (port.first + 1) % port.size;
	}
	pthread_cond_broadcast(&port.changed);
	pthread_mutex_unlock(&port.lock);
	return (int)n;
}

esp_err_t uart_flush_input(uart_port_t uart_num)
{
	pthread_mutex_lock(&port.lock);
	port.count = 0;
	pthread_cond_broadcast(&port.changed);
	pthread_mutex_unlock(&port.lock);
	return uart_num < UART_NUM_MAX ? ESP_OK : ESP_FAIL;
}

esp_err_t uart_get_buffered_data_len(uart_port_t uart_num, size_t *size)
{
	pthread_mutex_lock(&port.lock);
	*size = port.count;
	pthread_mutex_unlock(&port.lock);
	return uart_num < UART_NUM_MAX ? ESP_OK : ESP_FAIL;
}

/* --- lwIP's select, in the place of the host's: an exception is a connection that has failed. */

static short wanted(int fd, const fd_set *reads, const fd_set *writes)
{
	return (short)((FD_ISSET(fd, reads) ? POLLIN : 0) | (FD_ISSET(fd, writes) ? POLLOUT : 0));
}

static int keep(int fd, bool holds, fd_set *set)
{
	if (!holds || !FD_ISSET(fd, set))
		FD_CLR(fd, set);
	return FD_ISSET(fd, set) ? 1 : 0;
}

int select(int count, fd_set *reads, fd_set *writes, fd_set *failures, struct timeval *limit)
{
	struct pollfd list[FD_SETSIZE];
	fd_set unasked;
	int seen = 0;
	FD_ZERO(&unasked);
	failures = failures != NULL ? failures : &unasked;
	for (int fd = 0; fd < count; fd++) {
		const bool any = FD_ISSET(fd, reads) || FD_ISSET(fd, writes) || FD_ISSET(fd, failures);
		list[fd] = (struct pollfd){ .fd = any ? fd : -1, .events = wanted(fd, reads, writes) };
	}
	if (poll(list, (nfds_t)count, limit == NULL ? -1 : (int)(limit->tv_sec * 1000 + limit->tv_usec / 1000)) < 0)
		return -1;
	for (int fd = 0; fd < count; fd++) {
		const short events = list[fd].revents;
		seen += keep(fd, (events & (POLLIN | POLLHUP | POLLERR)) != 0, reads);
		seen += keep(fd, (events & (POLLOUT | POLLERR)) != 0, writes);
		seen += keep(fd, (events & POLLERR) != 0, failures);
	}
	return seen;
}

/* --- The rest */

int64_t esp_timer_get_time(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void stated_abort(const char *expression, esp_err_t error)
{
	fprintf(stderr, "%s: error %d\n", expression, error);
	exit(2);
}

void stated_log(char level, const char *tag, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	fprintf(stderr, "%c (%s) ", level, tag);
	vfprintf(stderr, format, values);
	fputc('\n', stderr);
	va_end(values);
}

static uint64_t outputs;

esp_err_t gpio_config(const gpio_config_t *config)
{
	if (config->mode == GPIO_MODE_OUTPUT)
		outputs |= config->pin_bit_mask;
	return ESP_OK;
}

esp_err_t gpio_set_level(gpio_num_t number, uint32_t level)
{
	static uint32_t levels[GPIO_NUM_MAX];
	if (number < 0 || number >= GPIO_NUM_MAX || (outputs >> number & 1) == 0)
		return ESP_FAIL;
	if (levels[number] != level)
		fprintf(stderr, "gpio %d %u\n", (int)number, (unsigned)level);
	levels[number] = level;
	return ESP_OK;
}

static size_t descriptors;

esp_err_t esp_vfs_eventfd_register(const esp_vfs_eventfd_config_t *config)
{
	descriptors = config->max_fds;
	return ESP_OK;
}

int eventfd(unsigned int initval, int flags)
{
	if (descriptors-- == 0 || flags != EFD_SUPPORT_ISR)
		fake_fail("eventfd before esp_vfs_eventfd_register");
	return (int)syscall(SYS_eventfd2, initval, 0);
}

esp_err_t nvs_flash_init(void)
{
	return ESP_OK;
}

esp_err_t esp_netif_init(void)
{
	return ESP_OK;
}

esp_err_t esp_event_loop_create_default(void)
{
	return ESP_OK;
}

esp_err_t example_connect(void)
{
	return ESP_OK;
}

/* The receiver of the UART or of USB reads stdin; without one its end is waited for here. */
int main(void)
{
	char byte;
	app_main();
	usleep(100000);
	if (port.installed || fake_usb_reads())
		pause();
	while (read(0, &byte, 1) > 0)
		;
	return 0;
}
