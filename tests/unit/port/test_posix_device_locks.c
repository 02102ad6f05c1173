/* SPDX-License-Identifier: MIT
 * A serial device, played over a pty, that another process has locked. */
#define _GNU_SOURCE 1
#include "unit.h"

#include "descriptors.h"
#include "host_device.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct host_device device;
static int board = -1; /* the master of the pty */
static pid_t locker;   /* the other process */
static char path[64], link_path[64], lock_path[64];

static int plug_in(void **state)
{
	(void)state;
	memset(&device, 0, sizeof device);
	board = open_board(path, sizeof path);
	device.options.kind = DEVICE_TTY;
	device.options.path = path;
	return board < 0 ? -1 : 0;
}

static void end_locker(void)
{
	if (locker == 0)
		return;
	kill(locker, SIGKILL);
	waitpid(locker, NULL, 0);
	locker = 0;
}

static int unplug(void **state)
{
	(void)state;
	host_device_close(&device, 0);
	end_locker();
	close(board);
	unlink(lock_path);
	unlink(link_path);
	lock_path[0] = link_path[0] = '\0';
	return 0;
}

/* Another process opens the device, does `lock` to it and waits for its end. */
static void lock_elsewhere(void (*lock)(int fd))
{
	int ready[2];
	char byte;
	assert_int_equal(pipe(ready), 0);
	locker = fork();
	if (locker == 0) {
		lock(open(path, O_RDWR | O_NOCTTY));
		_exit(write(ready[1], "x", 1) == 1 && pause());
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
}

static void by_flock(int fd)
{
	flock(fd, LOCK_EX);
}

static void by_mark(int fd)
{
	ioctl(fd, TIOCEXCL);
}

static void by_lock_file(int fd)
{
	FILE *const file = fopen(lock_path, "w");
	close(fd);
	if (file != NULL)
		fprintf(file, "%10d program user\n", (int)getpid());
	if (file != NULL)
		fclose(file);
}

static void assert_held_by(pid_t pid)
{
	char text[64], expected[64];
	snprintf(expected, sizeof expected, "test_posix_devi (%d)", (int)pid);
	host_device_holder(&device, text, sizeof text);
	assert_string_equal(text, expected);
}

static void test_a_lock_of_another_process(void **state)
{
	(void)state;
	lock_elsewhere(by_flock);
	assert_int_equal(host_device_open(&device), EBUSY);
	assert_held_by(locker);
	end_locker();
	assert_int_equal(host_device_open(&device), 0);
}

/* root may open it all the same. */
static void test_a_mark_of_another_process(void **state)
{
	(void)state;
	lock_elsewhere(by_mark);
	if (geteuid() != 0)
		assert_int_equal(host_device_open(&device), EBUSY);
	assert_held_by(locker);
}

/* The device gets a name that nobody else has, so that a lock file for it is in nobody's way. */
static void name_it(void)
{
	snprintf(link_path, sizeof link_path, "build/quash-tty-%d", (int)getpid());
	snprintf(lock_path, sizeof lock_path, "/var/lock/LCK..quash-tty-%d", (int)getpid());
	assert_int_equal(symlink(path, link_path), 0);
	device.options.path = link_path;
}

static void test_a_lock_file_of_our_own_is_an_old_one(void **state)
{
	(void)state;
	name_it();
	by_lock_file(-1);
	if (access(lock_path, R_OK) != 0)
		skip(); /* the system does not let us make one */
	assert_int_equal(host_device_open(&device), 0);
}

static void test_a_lock_file_of_another_process(void **state)
{
	(void)state;
	name_it();
	lock_elsewhere(by_lock_file);
	if (access(lock_path, R_OK) != 0)
		skip(); /* the system does not let us make one */
	assert_int_equal(host_device_open(&device), EBUSY);
	assert_held_by(locker);
	end_locker();
	assert_int_equal(host_device_open(&device), 0);
}

static void test_a_mark_keeps_others_out(void **state)
{
	(void)state;
	assert_int_equal(host_device_open(&device), 0);
	int marked = 0;
	assert_int_equal(ioctl(device.stdio->in, TIOCGEXCL, &marked), 0);
	assert_int_equal(marked, 1);
	host_device_close(&device, 0);
	const int fd = open(path, O_RDWR | O_NOCTTY);
	assert_int_equal(ioctl(fd, TIOCGEXCL, &marked), 0);
	assert_int_equal(marked, 0);
	close(fd);
}

static void test_nobody_is_to_be_found(void **state)
{
	char text[64];
	(void)state;
	device.options.kind = DEVICE_TTY;
	device.options.path = "/no/such/device";
	host_device_holder(&device, text, sizeof text);
	assert_string_equal(text, "another program");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, plug_in, unplug)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_a_lock_of_another_process),
		TEST(test_a_mark_of_another_process),
		TEST(test_a_lock_file_of_our_own_is_an_old_one),
		TEST(test_a_lock_file_of_another_process),
		TEST(test_a_mark_keeps_others_out),
		TEST(test_nobody_is_to_be_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
