/* SPDX-License-Identifier: MIT
 * No Zephyr: one emulated processor that runs the thread of a program, ztest's runner, and the other end of an emulated UART. The
 * thread begins after the delay that the program gives it. */
#define _GNU_SOURCE 1
#include <zephyr/ztest.h>

#include "line.h"
#include "serial.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <zephyr/drivers/serial/uart_emul.h>
#include <zephyr/sys/printk.h>

enum { MOST_TESTS = 16, FIFO = 256 };

static struct {
	const char *name;
	void (*run)(void);
} tests[MOST_TESTS];
static size_t test_count;
static jmp_buf failed;

static struct {
	char bytes[FIFO];
	size_t count;
	bool overrun; /* behind these bytes some found no room */
} to_device; /* has left the test, and waits for room in the UART */
static int32_t passed_ms;
static bool opened;

bool device_is_ready(const struct device *dev)
{
	return dev == &stated_uart;
}

void printk(const char *fmt, ...)
{
	va_list values;
	va_start(values, fmt);
	vfprintf(stderr, fmt, values);
	va_end(values);
}

/* --- ztest */

void stated_test(const char *name, void (*test)(void))
{
	size_t at = test_count++;
	if (test_count > MOST_TESTS)
		abort();
	for (; at > 0 && strcmp(tests[at - 1].name, name) > 0; at--)
		tests[at] = tests[at - 1];
	tests[at].name = name;
	tests[at].run = test;
}

void stated_verdict(bool holds, const char *where, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	printf("    %s: ", where);
	vprintf(format, values);
	printf("\n");
	va_end(values);
	if (!holds)
		longjmp(failed, 1);
}

/* --- The processor, and the other end of its line */

static void *run(void *unused)
{
	line_pause((unsigned)stated_thread.delay);
	uart_attach(serial_interrupt);
	stated_thread.entry(stated_thread.p1, stated_thread.p2, stated_thread.p3);
	fprintf(stderr, "the thread has returned\n");
	exit(1);
	return unused;
}

static void move_on(void)
{
	char text[FIFO + 1];
	if (passed_ms < stated_thread.delay)
		return;
	if (!opened)
		line_open();
	opened = true;
	memcpy(text, to_device.bytes, to_device.count);
	text[to_device.count] = '\0';
	to_device.count = 0;
	line_send(text);
	if (to_device.overrun)
		line_lose();
	to_device.overrun = false;
}

int32_t k_msleep(int32_t ms)
{
	line_pause((unsigned)ms);
	passed_ms += ms;
	move_on();
	return 0;
}

uint32_t uart_emul_put_rx_data(const struct device *dev, uint8_t *data, size_t size)
{
	const size_t room = FIFO - to_device.count, n = dev != &stated_uart ? 0 : size < room ? size : room;
	memcpy(to_device.bytes + to_device.count, data, n);
	to_device.count += n;
	to_device.overrun = to_device.overrun || n < size;
	return (uint32_t)n;
}

uint32_t uart_emul_get_tx_data(const struct device *dev, uint8_t *data, size_t size)
{
	(void)dev;
	return (uint32_t)line_take((char *)data, size);
}

int main(void)
{
	pthread_t processor;
	int failures = 0;
	printf("STAND-IN for ztest: %s\n", stated_suite.name);
	pthread_create(&processor, NULL, run, NULL);
	(void)stated_suite.set_up();
	for (size_t i = 0; i < test_count; i++) {
		const bool fails = setjmp(failed) != 0;
		if (!fails)
			tests[i].run();
		printf("%s - %s\n", fails ? "FAIL" : "PASS", tests[i].name);
		failures += fails;
	}
	return failures > 0;
}
