/* SPDX-License-Identifier: MIT
 * A program that serves the clients of a listener, in a process of its own: one after the other, and the motor of the last
 * one is at rest before the next is served. */
#define _GNU_SOURCE 1
#include "unit.h"

#include "descriptors.h"
#include "posix/posix_serve.h"
#include "posix/posix_tcp.h"
#include "quash.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RAMP_MS = 20, FOR_EVER = 1000000 };

/* --- The device. It logs what it does. */

static int diary[2] = { -1, -1 };

static void note(const char *words)
{
	if (write(diary[1], words, strlen(words)) < 0)
		_exit(99);
}

static int32_t turn(quash_request *request)
{
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	note("on ");
	return quash_wait(request, FOR_EVER);
}

static int32_t ramp(quash_request *request)
{
	bool *const slowing = QUASH_STATE(bool, request);
	const bool stands = *slowing;
	*slowing = true;
	if (!stands)
		return quash_wait(request, RAMP_MS);
	note("off ");
	return QUASH_DONE;
}

static int32_t look(quash_request *request)
{
	note("look ");
	return quash_reply_null(request);
}

static bool is_on(int fd, int level, int option)
{
	int value = 0;
	socklen_t length = sizeof value;
	return getsockopt(fd, level, option, &value, &length) == 0 && value != 0;
}

/* The one client of this process. */
static int32_t options(quash_request *request)
{
	struct sockaddr_in address;
	for (int fd = 0; fd < 1024; fd++) {
		socklen_t length = sizeof address;
		if (getpeername(fd, (struct sockaddr *)&address, &length) != 0)
			continue;
		note(is_on(fd, IPPROTO_TCP, TCP_NODELAY) ? "soon " : "late ");
		note(is_on(fd, SOL_SOCKET, SO_KEEPALIVE) ? "missed " : "forgotten ");
	}
	return quash_reply_null(request);
}

static void forget(quash_peer *peer)
{
	(void)peer;
	note("session ");
}

static const quash_method methods[] = {
	{ .name = "turn", .handler = turn, .state_size = sizeof(bool), .motion = { .end = ramp, .longest = QUASH_NO_LIMIT, .lease = 2000 } },
	{ .name = "look", .handler = look },
	{ .name = "options", .handler = options },
};
QUASH_STORAGE(store, 4, 24, sizeof(bool), 256, 256);
static const quash_config config = {
	QUASH_STORED(store), .dialect = &quash_jsonrpc, .methods = methods, .method_count = COUNT_OF(methods), .new_session = forget,
};

/* --- Its process, and its clients */

static pid_t device;
static struct posix_listener listener = { -1 };
static int first = -1, second = -1;
static char logged[256];

static void wait_for_log(const char *words)
{
	read_until(words, diary[0], logged, sizeof logged);
}

static int connected(void)
{
	const struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(posix_tcp_number(&listener)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
	return fd;
}

static void ask(int client, const char *id, const char *method)
{
	char line[128];
	const int n = snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\"}\n", id, method);
	assert_int_equal(write(client, line, (size_t)n), n);
}

static void live(void)
{
	struct sigaction now;
	const int code = posix_listener_serve(&config, &listener);
	if (sigaction(SIGTERM, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
		note("left");
	_exit(code);
}

static int begin(void **state)
{
	(void)state;
	logged[0] = '\0';
	signal(SIGINT, SIG_DFL); /* a shell without job control ignores it in the background */
	if (posix_tcp_listen(&listener, NULL, 0) != 0 || pipe2(diary, O_CLOEXEC) != 0)
		return -1;
	device = fork();
	if (device == 0)
		live();
	close(diary[1]);
	diary[1] = -1;
	return device > 0 ? 0 : -1;
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int end(void **state)
{
	(void)state;
	if (device > 0) {
		kill(device, SIGKILL);
		waitpid(device, NULL, 0);
	}
	device = -1;
	close_one(&first);
	close_one(&second);
	close_one(&diary[0]);
	posix_listener_close(&listener);
	return 0;
}

static int ended_by(int number)
{
	int status = 0;
	kill(device, number);
	assert_int_equal(waitpid(device, &status, 0), device);
	device = -1;
	read_on(diary[0], logged, sizeof logged);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* --- Tests */

static void test_one_after_the_other(void **state)
{
	char said[256] = "";
	(void)state;
	first = connected();
	ask(first, "1", "turn");
	wait_for_log("on ");
	second = connected();
	ask(second, "1", "look");
	close_one(&first);
	read_until("\"id\":1,\"result\":null", second, said, sizeof said);
	wait_for_log("look ");
	assert_string_equal(logged, "on off session look ");
	assert_int_equal(ended_by(SIGTERM), 128 + SIGTERM);
}

/* Whoever only ends its half is answered, and then closed. */
static void test_end_of_input(void **state)
{
	char said[256] = "", byte;
	(void)state;
	first = connected();
	ask(first, "1", "turn");
	wait_for_log("on ");
	shutdown(first, SHUT_WR);
	read_until("\"id\":1,\"error\":{\"code\":-32800", first, said, sizeof said);
	wait_for_log("session ");
	assert_string_equal(logged, "on off session ");
	assert_int_equal(read(first, &byte, 1), 0);
}

static void test_signals(void **state)
{
	char said[256] = "";
	(void)state;
	first = connected();
	ask(first, "1", "turn");
	wait_for_log("on ");
	assert_int_equal(ended_by(SIGINT), 128 + SIGINT);
	read_until("\"id\":1,\"error\":{\"code\":-32800", first, said, sizeof said);
	assert_string_equal(logged, "on off session left");
}

static void test_a_client_that_vanishes_is_missed(void **state)
{
	char said[256] = "";
	(void)state;
	first = connected();
	ask(first, "1", "options");
	read_until("\"id\":1,\"result\":null", first, said, sizeof said);
	wait_for_log("soon missed ");
}

static void test_signal_while_nobody_is_there(void **state)
{
	(void)state;
	first = connected();
	ask(first, "1", "look");
	wait_for_log("look ");
	close_one(&first);
	wait_for_log("session ");
	assert_int_equal(ended_by(SIGHUP), 128 + SIGHUP);
	assert_string_equal(logged, "look session left");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_one_after_the_other, begin, end),
		cmocka_unit_test_setup_teardown(test_end_of_input, begin, end),
		cmocka_unit_test_setup_teardown(test_a_client_that_vanishes_is_missed, begin, end),
		cmocka_unit_test_setup_teardown(test_signals, begin, end),
		cmocka_unit_test_setup_teardown(test_signal_while_nobody_is_there, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
