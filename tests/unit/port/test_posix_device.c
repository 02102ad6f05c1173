/* SPDX-License-Identifier: MIT
 * Devices of every kind: a serial line played over a pty, sockets, commands. */
#define _GNU_SOURCE 1
#include "unit.h"

#include "descriptors.h"
#include "host_device.h"
#include "posix/posix_tcp.h"
#include "posix/posix_unix.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GRACE = 300 };

static struct host_device device;
static struct posix_listener tcp;
static struct posix_unix unix_server;
static struct posix_socket other; /* the other end of a connection */
static int board = -1;            /* the master of a pty */
static char path[64], socket_path[64];

static int begin(void **state)
{
	(void)state;
	memset(&device, 0, sizeof device);
	other.stdio.in = tcp.fd = unix_server.listener.fd = -1;
	snprintf(socket_path, sizeof socket_path, "build/quash-device-%d.sock", (int)getpid());
	return 0;
}

static int finish(void **state)
{
	(void)state;
	host_device_close(&device, 0);
	posix_socket_close(&other);
	posix_listener_close(&tcp);
	posix_unix_stop(&unix_server);
	if (board >= 0)
		close(board);
	board = -1;
	return 0;
}

/* --- Devices */

static void plug_in(void)
{
	board = open_board(path, sizeof path);
	assert_true(board >= 0);
	device.options.kind = DEVICE_TTY;
	device.options.path = path;
}

static void run(const char *script)
{
	static char shell[] = "sh", run_it[] = "-c", *argv[] = { shell, run_it, NULL, NULL };
	argv[2] = (char *)(uintptr_t)script;
	device.options.kind = DEVICE_COMMAND;
	device.options.command = argv;
	assert_int_equal(host_device_open(&device), 0);
}

static int send_text(const char *text)
{
	const quash_port port = host_device_port(&device);
	return port.write(port.device, (const uint8_t *)text, strlen(text));
}

/* Reads until `text` has come, or the port has something other than bytes. Gives what the port had last. */
static int receive(const char *text)
{
	const quash_port port = host_device_port(&device);
	char received[256] = "";
	size_t length = 0;
	int count = 0;
	while (count >= 0) {
		count = port_read(&port, received + length, sizeof received - 1 - length);
		length += count > 0 ? (size_t)count : 0;
		if (count == 0 && *text != '\0' && strcmp(received, text) == 0)
			break;
		usleep(1000);
	}
	assert_string_equal(received, text);
	return count;
}

/* The loss may come some time behind the last bytes. */
static void receive_to_the_end(const char *text)
{
	const int last = receive(text);
	assert_int_equal(last == 0 ? receive("") : last, QUASH_GONE);
}

static void assert_trouble(int error, const char *words)
{
	char text[64];
	host_device_trouble(&device, error, text, sizeof text);
	assert_string_equal(text, words);
}

static void test_a_serial_device(void **state)
{
	char text[8];
	(void)state;
	plug_in();
	assert_int_equal(host_device_open(&device), 0);
	assert_int_equal(host_device_open(&device), 0);
	assert_false(host_device_is_connecting(&device));
	assert_int_equal(send_text("to"), 2);
	assert_int_equal(read(board, text, sizeof text), 2);
	assert_int_equal(write(board, "from", 4), 4);
	assert_int_equal(receive("from"), 0);
	close(board);
	board = -1;
	assert_int_equal(receive(""), QUASH_GONE);
	assert_true(device.stdio->gone);
	assert_int_equal(send_text("x"), QUASH_GONE);
	assert_trouble(0, "unplugged, or the line hung up");
}

static void test_what_cannot_be_reset_is_not_open(void **state)
{
	(void)state;
	plug_in();
	device.options.reset = true;
	const int before = count_descriptors();
	assert_int_not_equal(host_device_open(&device), 0);
	assert_false(device.open);
	assert_int_equal(count_descriptors(), before);
}

static void test_closing_frees_a_serial_device(void **state)
{
	static struct host_device second;
	(void)state;
	plug_in();
	memset(&second, 0, sizeof second);
	second.options = device.options;
	assert_int_equal(host_device_open(&device), 0);
	assert_int_equal(host_device_open(&second), EBUSY);
	assert_trouble(EBUSY, "Device or resource busy");
	host_device_close(&device, 0);
	host_device_close(&device, 0);
	assert_int_equal(host_device_open(&second), 0);
	host_device_close(&second, 0);
}

static void connect_over(enum device_kind kind)
{
	device.options.kind = kind;
	device.options.path = kind == DEVICE_TCP ? "127.0.0.1" : socket_path;
	if (kind == DEVICE_TCP) {
		assert_int_equal(posix_tcp_listen(&tcp, NULL, 0), 0);
		device.options.number = posix_tcp_number(&tcp);
	} else {
		assert_int_equal(posix_unix_listen(&unix_server, socket_path), 0);
	}
	assert_int_equal(host_device_open(&device), 0);
	const struct posix_listener *const listener = kind == DEVICE_TCP ? &tcp : &unix_server.listener;
	while (posix_socket_accept(listener, &other) != 0)
		usleep(1000);
	while (host_device_is_connecting(&device))
		usleep(1000);
}

static void other_sends(const char *text)
{
	const quash_port port = posix_socket_port(&other);
	assert_int_equal(port.write(port.device, (const uint8_t *)text, strlen(text)), strlen(text));
}

/* All that is to be read at the other end. */
static void other_receives_to_the_end(const char *text)
{
	char received[64] = "";
	size_t length = 0;
	const quash_port port = posix_socket_port(&other);
	for (; !other.stdio.ended; usleep(1000)) {
		const int count = port_read(&port, received + length, sizeof received - 1 - length);
		length += count > 0 ? (size_t)count : 0;
	}
	assert_string_equal(received, text);
	assert_true(other.stdio.ended);
}

/* Something unread does not have the connection reset before the last bytes are there. */
static void use_socket(enum device_kind kind)
{
	connect_over(kind);
	other_sends("from");
	assert_int_equal(receive("from"), 0);
	assert_int_equal(send_text("to"), 2);
	other_sends("never read");
	host_device_close(&device, kind == DEVICE_TCP ? UINT32_MAX : GRACE); /* of a socket of Unix, what the other end has not read has not left */
	other_receives_to_the_end("to");
}

static void lose_socket(enum device_kind kind)
{
	connect_over(kind);
	other_sends("last");
	posix_socket_close(&other);
	assert_int_equal(receive("last"), QUASH_GONE);
	assert_true(device.stdio->gone);
	assert_trouble(0, "closed the connection");
}

static void test_tcp(void **state)
{
	(void)state;
	use_socket(DEVICE_TCP);
}

static void test_a_unix_socket(void **state)
{
	(void)state;
	use_socket(DEVICE_UNIX);
}

static void test_the_end_of_tcp_is_a_loss(void **state)
{
	(void)state;
	lose_socket(DEVICE_TCP);
}

static void test_the_end_of_a_unix_socket_is_a_loss(void **state)
{
	(void)state;
	lose_socket(DEVICE_UNIX);
}

static void test_last_bytes_are_read_although_writing_fails(void **state)
{
	(void)state;
	connect_over(DEVICE_UNIX);
	other_sends("last");
	posix_socket_close(&other);
	assert_int_equal(send_text("in vain"), 0);
	assert_int_equal(receive("last"), QUASH_GONE);
	assert_int_equal(send_text("in vain"), QUASH_GONE);
}

static void test_nobody_listens(void **state)
{
	(void)state;
	assert_int_equal(posix_tcp_listen(&tcp, NULL, 0), 0);
	device.options.kind = DEVICE_TCP;
	device.options.path = "127.0.0.1";
	device.options.number = posix_tcp_number(&tcp);
	posix_listener_close(&tcp);
	const int error = host_device_open(&device); /* the system may know at once */
	if (error == 0)
		assert_int_equal(receive(""), QUASH_GONE);
	assert_false(host_device_is_connecting(&device));
	assert_trouble(error, "Connection refused");
}

static void test_a_command(void **state)
{
	(void)state;
	run("echo up; cat; exit 3");
	assert_int_equal(receive("up\n"), 0);
	assert_int_equal(send_text("to\n"), 3);
	assert_int_equal(receive("to\n"), 0);
	host_device_close(&device, UINT32_MAX);
	assert_trouble(0, "exited with 3");
}

static void test_a_command_that_is_not_there(void **state)
{
	static char name[] = "no-such-command-anywhere", *argv[] = { name, NULL };
	(void)state;
	device.options.kind = DEVICE_COMMAND;
	device.options.command = argv;
	assert_int_equal(host_device_open(&device), ENOENT);
	assert_null(device.stdio);
	assert_trouble(ENOENT, "No such file or directory");
}

static void test_a_command_that_ends_is_a_loss_behind_its_last_bytes(void **state)
{
	siginfo_t end;
	(void)state;
	run("echo last; exit 4");
	receive_to_the_end("last\n");
	assert_int_equal(waitid(P_PID, (id_t)device.as.child.pid, &end, WEXITED | WNOWAIT), 0);
	assert_trouble(0, "exited with 4");
}

static void test_a_command_that_leaves_its_pipe_to_somebody_else(void **state)
{
	(void)state;
	run("sleep 60 & echo last $!; exit 4");
	const quash_port port = host_device_port(&device);
	char received[32] = "";
	while (port_read(&port, received, sizeof received - 1) == 0)
		usleep(1000);
	const pid_t sleeper = atoi(received + strlen("last "));
	assert_true(sleeper > 0);
	assert_int_equal(receive(""), QUASH_GONE);
	assert_trouble(0, "exited with 4");
	kill(sleeper, SIGKILL);
}

static void test_a_command_that_takes_no_more_is_read_to_its_end(void **state)
{
	(void)state;
	run("exec <&-; echo last; exec sleep 10000");
	while (send_text("in vain") > 0)
		usleep(1000);
	receive_to_the_end("last\n");
	assert_trouble(0, "closed its input or output");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_a_serial_device),
		TEST(test_what_cannot_be_reset_is_not_open),
		TEST(test_closing_frees_a_serial_device),
		TEST(test_tcp),
		TEST(test_a_unix_socket),
		TEST(test_the_end_of_tcp_is_a_loss),
		TEST(test_the_end_of_a_unix_socket_is_a_loss),
		TEST(test_last_bytes_are_read_although_writing_fails),
		TEST(test_nobody_listens),
		TEST(test_a_command),
		TEST(test_a_command_that_is_not_there),
		TEST(test_a_command_that_ends_is_a_loss_behind_its_last_bytes),
		TEST(test_a_command_that_leaves_its_pipe_to_somebody_else),
		TEST(test_a_command_that_takes_no_more_is_read_to_its_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
