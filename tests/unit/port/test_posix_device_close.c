/* SPDX-License-Identifier: MIT
 * How long the end of a serial device takes, when what was written leaves slowly or never. */
#define _GNU_SOURCE 1
#include "unit.h"

#include "descriptors.h"
#include "host_device.h"

#include <limits.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct host_device device;
static int board = -1; /* the master of a pty */
static char path[64];

/* What the system says of bytes that have not left; -1: what is true. A pty has no such bytes. */
static int unsent = -1;
static unsigned looks, looks_until_sent, flushes;

int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	va_start(arguments, request);
	void *const argument = va_arg(arguments, void *);
	va_end(arguments);
	if (request != TIOCOUTQ || unsent < 0)
		return (int)syscall(SYS_ioctl, fd, request, argument);
	*(int *)argument = ++looks > looks_until_sent ? 0 : unsent;
	return 0;
}

int tcflush(int fd, int queue)
{
	flushes += queue == TCOFLUSH;
	return (int)syscall(SYS_ioctl, fd, TCFLSH, queue);
}

static uint32_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint32_t)t.tv_sec * 1000u + (uint32_t)(t.tv_nsec / 1000000);
}

static int plug_in(void **state)
{
	(void)state;
	memset(&device, 0, sizeof device);
	unsent = -1;
	looks = flushes = 0;
	board = open_board(path, sizeof path);
	device.options.kind = DEVICE_TTY;
	device.options.path = path;
	return board < 0 ? -1 : 0;
}

static int unplug(void **state)
{
	(void)state;
	unsent = -1;
	host_device_close(&device, 0);
	close(board);
	return 0;
}

static uint32_t close_after_writing(uint32_t ms)
{
	const quash_port port = host_device_port(&device);
	assert_int_equal(host_device_open(&device), 0);
	assert_int_equal(port.write(port.device, (const uint8_t *)"x", 1), 1);
	const uint32_t start = now();
	host_device_close(&device, ms);
	return now() - start;
}

static void test_a_close_waits_for_what_was_written(void **state)
{
	(void)state;
	unsent = 100;
	looks_until_sent = 10;
	assert_true(close_after_writing(UINT32_MAX) >= 40);
	assert_int_equal(looks, 11);
	assert_int_equal(flushes, 0);
}

static void test_a_close_does_not_wait_for_ever(void **state)
{
	(void)state;
	unsent = 100;
	looks_until_sent = UINT_MAX;
	assert_true(close_after_writing(100) >= 99);
	assert_int_equal(flushes, 1); /* or close() would wait */
}

static void test_what_has_not_left_is_counted(void **state)
{
	(void)state;
	unsent = 17;
	looks_until_sent = UINT_MAX;
	assert_int_equal(host_device_unsent(&device), 0);
	assert_int_equal(host_device_open(&device), 0);
	assert_int_equal(host_device_unsent(&device), 17);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, plug_in, unplug)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_a_close_waits_for_what_was_written),
		TEST(test_a_close_does_not_wait_for_ever),
		TEST(test_what_has_not_left_is_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
