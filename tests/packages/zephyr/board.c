/* SPDX-License-Identifier: MIT
 * No Zephyr: one emulated processor that runs the thread of a program. Its UART is stdin and stdout; what becomes of a pin
 * and of what the program prints stands on stderr. It ends when stdin does. */
#define _GNU_SOURCE 1
#include "line.h"
#include "serial.h"

#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/sys/printk.h>

/* --- What the program asks of its board */

bool device_is_ready(const struct device *dev)
{
	return dev == &stated_uart;
}

bool gpio_is_ready_dt(const struct gpio_dt_spec *spec)
{
	return spec->pin != 0;
}

int gpio_pin_configure_dt(const struct gpio_dt_spec *spec, gpio_flags_t extra_flags)
{
	fprintf(stderr, "pin %d is %s\n", spec->pin, extra_flags == GPIO_OUTPUT_INACTIVE ? "an output" : "not what it should be");
	return 0;
}

int gpio_pin_set_dt(const struct gpio_dt_spec *spec, int value)
{
	fprintf(stderr, "pin %d %s\n", spec->pin, value ? "on" : "off");
	return 0;
}

void printk(const char *fmt, ...)
{
	va_list values;
	va_start(values, fmt);
	vfprintf(stderr, fmt, values);
	va_end(values);
}

/* --- The processor, and the other end of its line */

static void *run(void *unused)
{
	uart_attach(serial_interrupt);
	stated_thread.entry(stated_thread.p1, stated_thread.p2, stated_thread.p3);
	fprintf(stderr, "the thread has returned\n");
	exit(1);
	return unused;
}

static void show(void)
{
	char bytes[1024];
	for (size_t n = line_take(bytes, sizeof bytes); n > 0; n = line_take(bytes, sizeof bytes))
		if (write(1, bytes, n) != (ssize_t)n)
			exit(1);
}

/* False at the end of stdin. */
static bool feed(void)
{
	char text[LINE_FIFO + 1];
	struct pollfd input = { .fd = 0, .events = POLLIN };
	if (poll(&input, 1, 1) <= 0)
		return true;
	const ssize_t n = read(0, text, LINE_FIFO);
	if (n <= 0)
		return false;
	text[n] = '\0';
	line_send(text);
	return true;
}

int main(void)
{
	pthread_t processor;
	pthread_create(&processor, NULL, run, NULL);
	line_open();
	do
		show();
	while (feed());
	show();
	return 0;
}
