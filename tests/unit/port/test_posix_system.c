/* SPDX-License-Identifier: MIT
 * What differs between systems: the contract is that of both, so this also runs with -DPOSIX_STAND_INS. */
#include "posix/posix_system.h"

#include "unit.h"

#include <errno.h>

enum { NS_PER_MS = 1000000, MS_PER_S = 1000 };

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * MS_PER_S + (double)t.tv_nsec / NS_PER_MS;
}

static bool is_inherited(int fd)
{
	return (fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0;
}

static bool blocks(int fd)
{
	return (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0;
}

/* --- Descriptors */

static void test_pipes_are_not_inherited_and_block_when_they_shall(void **state)
{
	(void)state;
	for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
		int ends[2];
		assert_int_equal(posix_system_pipe(ends, nonblocking != 0), 0);
		for (size_t i = 0; i < 2; i++) {
			assert_false(is_inherited(ends[i]));
			assert_int_equal(blocks(ends[i]), nonblocking == 0);
			close(ends[i]);
		}
	}
}

static void test_only_serial_devices_have_a_rate(void **state)
{
	int ends[2];
	uint32_t baud = 1;
	(void)state;
	assert_int_equal(posix_system_pipe(ends, false), 0);
	errno = 0;
	assert_false(posix_system_set_rate(ends[0], 250000));
	assert_int_not_equal(errno, 0);
	assert_false(posix_system_rate(ends[0], &baud));
	close(ends[0]);
	close(ends[1]);
}

/* On the loopback address, at any port that is free. */
static int listener_at(struct sockaddr_in *address)
{
	socklen_t length = sizeof *address;
	const int listener = posix_system_socket(AF_INET);
	memset(address, 0, sizeof *address);
	address->sin_family = AF_INET;
	address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(listener, (const struct sockaddr *)address, length), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)address, &length), 0);
	return listener;
}

static void wait_to_read(int fd)
{
	struct pollfd there = { .fd = fd, .events = POLLIN };
	assert_int_equal(posix_system_poll(&there, 1, NULL), 1);
}

static void test_sockets_are_not_inherited_and_do_not_block(void **state)
{
	struct sockaddr_in address;
	const int listener = listener_at(&address), client = posix_system_socket(AF_INET);
	int waiting = 1;
	(void)state;
	assert_int_equal(posix_system_accept(listener), -1);
	assert_int_equal(errno, EAGAIN);
	(void)connect(client, (const struct sockaddr *)&address, sizeof address);
	wait_to_read(listener);
	const int server = posix_system_accept(listener);
	const int sockets[] = { listener, client, server };
	for (size_t i = 0; i < COUNT_OF(sockets); i++) {
		assert_true(sockets[i] >= 0);
		assert_false(is_inherited(sockets[i]));
		assert_false(blocks(sockets[i]));
	}
	(void)posix_system_unsent(server, &waiting);
	assert_int_equal(waiting, 0);
	for (size_t i = 0; i < COUNT_OF(sockets); i++)
		close(sockets[i]);
}

/* --- Waiting */

static void test_poll_waits_no_shorter(void **state)
{
	const struct timespec limit = { 0, NS_PER_MS * 9 / 10 }, none = { 0, 0 };
	int ends[2];
	(void)state;
	assert_int_equal(posix_system_pipe(ends, true), 0);
	struct pollfd there = { .fd = ends[0], .events = POLLIN };
	const double start = now_ms();
	assert_int_equal(posix_system_poll(&there, 1, &limit), 0);
	assert_true(now_ms() - start >= 0.9);
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_int_equal(posix_system_poll(&there, 1, &none), 1);
	assert_int_equal(there.revents, POLLIN);
	close(ends[0]);
	close(ends[1]);
}

static void test_poll_takes_the_longest_time(void **state)
{
	const struct timespec longest = { UINT32_MAX / MS_PER_S, 0 };
	int ends[2];
	(void)state;
	assert_int_equal(posix_system_pipe(ends, true), 0);
	struct pollfd there = { .fd = ends[1], .events = POLLOUT };
	assert_int_equal(posix_system_poll(&there, 1, &longest), 1);
	close(ends[0]);
	close(ends[1]);
}

/* Until so long from now: whether the time was up, and not before. */
static bool waits(pthread_cond_t *condition, pthread_mutex_t *lock, long ms)
{
	struct timespec limit;
	const double start = now_ms();
	clock_gettime(CLOCK_MONOTONIC, &limit);
	limit.tv_nsec += ms * NS_PER_MS;
	limit.tv_sec += limit.tv_nsec / (MS_PER_S * NS_PER_MS);
	limit.tv_nsec %= MS_PER_S * NS_PER_MS;
	pthread_mutex_lock(lock);
	const int error = posix_system_wait(condition, lock, &limit);
	pthread_mutex_unlock(lock);
	return error == ETIMEDOUT && now_ms() - start >= (double)ms - 1;
}

static void test_a_condition_has_a_limit(void **state)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition;
	(void)state;
	assert_int_equal(posix_system_condition(&condition), 0);
	assert_true(waits(&condition, &lock, 0));
	assert_true(waits(&condition, &lock, 15));
	pthread_cond_destroy(&condition);
}

/* --- The rest */

static void test_random_bytes_differ(void **state)
{
	uint8_t one[16] = { 0 }, other[16] = { 0 };
	(void)state;
	assert_true(posix_system_random(one, sizeof one));
	assert_true(posix_system_random(other, sizeof other));
	assert_memory_not_equal(one, other, sizeof one);
}

static ssize_t write_some(void *descriptor, const char *text, size_t length)
{
	return write(*(const int *)descriptor, text, length);
}

static void test_a_stream_writes_when_it_is_flushed(void **state)
{
	int ends[2];
	char text[8] = "";
	(void)state;
	assert_int_equal(posix_system_pipe(ends, true), 0);
	FILE *const stream = posix_system_stream(&ends[1], write_some);
	assert_non_null(stream);
	assert_true(fputs("word", stream) >= 0);
	assert_int_equal(read(ends[0], text, sizeof text), -1);
	assert_int_equal(fflush(stream), 0);
	assert_int_equal(read(ends[0], text, sizeof text), 4);
	assert_string_equal(text, "word");
	fclose(stream);
	close(ends[0]);
	close(ends[1]);
}

static void test_what_is_not_known_is_said(void **state)
{
	uint32_t ms = 7;
	int ends[2];
	(void)state;
	assert_int_equal(posix_system_pipe(ends, true), 0);
	assert_false(posix_system_unheard(ends[0], &ms));
	assert_int_equal(ms, 7);
	assert_false(posix_system_is_transmitting(ends[0]));
	assert_int_equal(access(POSIX_SYSTEM_PROCESSES "/self/comm", R_OK) == 0, POSIX_LINUX);
	assert_int_equal(posix_system_is_device(0x0103, 1, 3), POSIX_LINUX);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_serial_devices_have_a_rate),
		cmocka_unit_test(test_pipes_are_not_inherited_and_block_when_they_shall),
		cmocka_unit_test(test_sockets_are_not_inherited_and_do_not_block),
		cmocka_unit_test(test_poll_waits_no_shorter),
		cmocka_unit_test(test_poll_takes_the_longest_time),
		cmocka_unit_test(test_a_condition_has_a_limit),
		cmocka_unit_test(test_random_bytes_differ),
		cmocka_unit_test(test_a_stream_writes_when_it_is_flushed),
		cmocka_unit_test(test_what_is_not_known_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
