/* SPDX-License-Identifier: MIT
 * TCP on loopback: clients that talk, dawdle, never read, half close, vanish; a thousand at once. */
#define _GNU_SOURCE 1
#include "link_crowd.h"

#include "posix/posix_tcp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

static struct posix_listener listener = { -1 };

static int connect_there(struct posix_socket *socket)
{
	return posix_tcp_connect(socket, NULL, posix_tcp_number(&listener));
}

static int set_up(void **state)
{
	(void)state;
	family = (struct family){ .listener = &listener, .accept = posix_tcp_accept, .connect = connect_there, .may_stall = true };
	return posix_tcp_listen(&listener, NULL, 0);
}

static int tear_down(void **state)
{
	(void)state;
	posix_listener_close(&listener);
	posix_listener_close(&listener);
	return 0;
}

/* --- Links that are lost */

static void test_reset_every_request_is_cancelled(void **state)
{
	(void)state;
	link_up();
	talk_of_three(&server.end, client.stdio.in);
	link_reset(&client);
	end_until(&server.end, end_is_gone);
	assert_int_equal(server.end.counters.cancelled[QUASH_BY_LINK], 3);
	assert_int_equal(server.end.ended, 3);
	link_down();
}

static quash_request *oldest(const quash_peer *peer)
{
	quash_live one = { 0 };
	assert_true(quash_next_live(peer, &one));
	return (quash_request *)(uintptr_t)one.request;
}

/* Closed looks like half closed until an answer is refused. */
static void test_closed_is_noticed_when_something_is_written(void **state)
{
	(void)state;
	link_up();
	talk_of_three(&server.end, client.stdio.in);
	posix_socket_close(&client);
	end_until(&server.end, end_has_ended);
	assert_int_equal(quash_live_count(&server.end.peer), 3);
	quash_cancel(oldest(&server.end.peer));
	end_until(&server.end, end_is_gone);
	assert_int_equal(server.end.ended, 3);
	assert_int_equal(server.end.counters.cancelled[QUASH_BY_LINK], 2);
	link_down();
}

/* --- Connecting */

/* Connects to a port that was free a moment ago. */
static void connect_to_nobody(void)
{
	const uint16_t number = posix_tcp_number(&listener);
	posix_listener_close(&listener);
	assert_int_equal(posix_tcp_number(&listener), 0);
	const int error = posix_tcp_connect(&server.socket, NULL, number);
	if (error == ECONNREFUSED) /* some systems know it at once */
		skip();
	assert_int_equal(error, 0);
	end_start(&server.end, posix_socket_port(&server.socket), &server.socket.stdio);
}

static void test_nobody_listens_says_the_port(void **state)
{
	uint8_t byte;
	int n = 0;
	(void)state;
	connect_to_nobody();
	while (n == 0)
		n = port_read(&server.end.port, &byte, 1);
	assert_int_equal(n, QUASH_GONE);
	assert_int_equal(server.end.port.write(server.end.port.device, &byte, 1), QUASH_GONE);
	assert_true(server.socket.stdio.gone);
	assert_int_equal(posix_socket_error(&server.socket), ECONNREFUSED);
	posix_socket_close(&server.socket);
}

static void test_nobody_listens_says_the_wait(void **state)
{
	(void)state;
	connect_to_nobody();
	posix_stdio_wait(&server.socket.stdio, &server.end.peer, UINT32_MAX);
	assert_true(server.socket.stdio.gone);
	end_until(&server.end, end_is_gone);
	assert_int_equal(posix_socket_error(&server.socket), ECONNREFUSED);
	assert_int_equal(posix_socket_error(&server.socket), ECONNREFUSED);
	posix_socket_close(&server.socket);
}

/* A call that is asked at once is sent as soon as there is a connection. */
static void test_a_call_waits_for_the_connection(void **state)
{
	static struct served caller;
	(void)state;
	link_both(&server, &caller);
	caller.end.calls[0].method = "later";
	quash_call_start(&caller.end.peer, &caller.end.calls[0]);
	while (!quash_call_has_ended(&caller.end.calls[0])) {
		end_turn(&caller.end);
		end_turn(&server.end);
	}
	assert_int_equal(quash_call_outcome(&caller.end.calls[0]), QUASH_CALL_RESULT);
	assert_int_equal(posix_socket_error(&caller.socket), 0);
	posix_socket_close(&caller.socket);
	link_down();
}

static void test_what_is_no_address_is_refused(void **state)
{
	static struct posix_listener other;
	(void)state;
	const int before = count_descriptors();
	assert_int_equal(posix_tcp_listen(&other, "no.such.host", 0), EINVAL);
	assert_int_equal(posix_tcp_listen(&other, "", 0), EINVAL);
	assert_int_equal(posix_tcp_connect(&client, "localhost", 7), EINVAL);
	assert_int_equal(posix_tcp_listen(&other, "192.0.2.1", 0), EADDRNOTAVAIL);
	assert_int_equal(other.fd, -1);
	assert_int_equal(client.stdio.in, -1);
	assert_int_equal(count_descriptors(), before);
}

/* --- Listening */

static void test_it_listens_on_loopback_alone(void **state)
{
	struct sockaddr_in address;
	socklen_t length = sizeof address;
	(void)state;
	assert_int_equal(getsockname(listener.fd, (struct sockaddr *)&address, &length), 0);
	assert_int_equal(address.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
}

static void test_two_cannot_listen_on_one_port(void **state)
{
	static struct posix_listener other;
	(void)state;
	assert_int_equal(posix_tcp_listen(&other, NULL, posix_tcp_number(&listener)), EADDRINUSE);
	assert_int_equal(other.fd, -1);
}

/* Although connections of the last run are not forgotten yet. */
static void test_it_may_listen_again_at_once(void **state)
{
	(void)state;
	const uint16_t number = posix_tcp_number(&listener);
	link_up();
	talk(&server.end, client.stdio.in);
	posix_socket_close(&server.socket); /* first, so that this side remembers */
	raw_receives_end(client.stdio.in);
	posix_socket_close(&client);
	posix_listener_close(&listener);
	assert_int_equal(posix_tcp_listen(&listener, NULL, number), 0);
	link_up();
	talk(&server.end, client.stdio.in);
	link_down();
}

static int connect_by_ipv6(struct posix_socket *socket)
{
	return posix_tcp_connect(socket, "::1", posix_tcp_number(&listener));
}

static void test_it_talks_over_ipv6(void **state)
{
	(void)state;
	posix_listener_close(&listener);
	if (posix_tcp_listen(&listener, "::1", 0) != 0)
		skip();
	assert_int_not_equal(posix_tcp_number(&listener), 0);
	family.connect = connect_by_ipv6;
	link_up();
	talk(&server.end, client.stdio.in);
	link_down();
}

static int option(int fd, int level, int name)
{
	int value = 0;
	socklen_t length = sizeof value;
	assert_int_equal(getsockopt(fd, level, name, &value, &length), 0);
	return value;
}

/* Seconds until the system has asked often enough. */
static int silence(int fd)
{
	return option(fd, IPPROTO_TCP, TCP_KEEPIDLE) + option(fd, IPPROTO_TCP, TCP_KEEPINTVL) * option(fd, IPPROTO_TCP, TCP_KEEPCNT);
}

static void test_cancels_do_not_queue_and_silence_is_noticed(void **state)
{
	(void)state;
	link_up();
	const int sides[] = { client.stdio.in, server.socket.stdio.in };
	for (size_t i = 0; i < COUNT_OF(sides); i++) {
		assert_int_not_equal(option(sides[i], IPPROTO_TCP, TCP_NODELAY), 0);
		assert_int_not_equal(option(sides[i], SOL_SOCKET, SO_KEEPALIVE), 0);
		assert_int_equal(silence(sides[i]), POSIX_TCP_SILENCE);
	}
	link_down();
}

static void test_silence_may_be_shorter(void **state)
{
	static const unsigned times[] = { 4, 5, 15, 60, 600 };
	(void)state;
	link_up();
	const int fd = server.socket.stdio.in;
	for (size_t i = 0; i < COUNT_OF(times); i++) {
		posix_tcp_set_silence(&server.socket, times[i]);
		assert_int_not_equal(option(fd, SOL_SOCKET, SO_KEEPALIVE), 0);
		assert_in_range(option(fd, IPPROTO_TCP, TCP_KEEPIDLE), 1, (int)times[i] - 1);
		assert_in_range(option(fd, IPPROTO_TCP, TCP_KEEPINTVL), 1, (int)times[i] - 1);
		assert_int_equal(silence(fd), times[i]);
		assert_int_equal(option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT), 0); /* it would end one that is there but reads nothing */
	}
	talk(&server.end, client.stdio.in);
	link_down();
}

/* A client that reads nothing is heard of all the same. */
static void test_what_is_not_acknowledged_is_seen(void **state)
{
	static const uint8_t bytes[65536];
	uint32_t unheard = 1;
	const uint32_t start = clock_ms();
	(void)state;
	link_up();
	assert_false(posix_tcp_unacknowledged(&server.socket, &unheard));
	assert_int_equal(unheard, 0);
	while (send(server.socket.stdio.in, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
		;
	assert_true(posix_tcp_unacknowledged(&server.socket, &unheard));
	assert_in_range(unheard, 0, clock_ms() - start + 1000); /* the system counts in ticks */
	link_down();
}

static uint16_t number_of(int (*name)(int, struct sockaddr *, socklen_t *), const struct posix_socket *socket)
{
	struct sockaddr_in address;
	socklen_t length = sizeof address;
	return name(socket->stdio.in, (struct sockaddr *)&address, &length) == 0 ? ntohs(address.sin_port) : 0;
}

/* The next one, whoever waits in front of it. */
static void link_up_behind_others(void)
{
	assert_int_equal(connect_there(&client), 0);
	const uint16_t number = number_of(getsockname, &client);
	link_accept(&server.socket);
	while (number_of(getpeername, &server.socket) != number) {
		posix_socket_close(&server.socket);
		link_accept(&server.socket);
	}
	end_start(&server.end, posix_socket_port(&server.socket), &server.socket.stdio);
}

/* One that waited and went. It may also be there only after it was looked for. */
static void test_one_that_went_before_it_was_accepted(void **state)
{
	(void)state;
	assert_int_equal(connect_there(&client), 0);
	link_reset(&client);
	const int error = posix_tcp_accept(&listener, &server.socket);
	assert_true(error == 0 || error == EAGAIN); /* systems differ */
	if (error == 0) {
		end_start(&server.end, posix_socket_port(&server.socket), &server.socket.stdio);
		end_until(&server.end, end_is_gone);
	}
	posix_socket_close(&server.socket);
	link_up_behind_others();
	talk(&server.end, client.stdio.in);
	link_down();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_it_talks),
		TEST(test_it_talks_slowly),
		TEST(test_one_that_never_reads_is_waited_for),
		TEST(test_half_closed_it_is_still_answered),
		TEST(test_hung_up_it_still_receives),
		TEST(test_last_bytes_are_received),
		TEST(test_nobody_waits),
		TEST(test_descriptors_of_a_connection),
		TEST(test_writing_to_nobody_raises_no_signal),
		TEST(test_without_descriptors_it_goes_on_waiting),
		TEST(test_reset_every_request_is_cancelled),
		TEST(test_closed_is_noticed_when_something_is_written),
		TEST(test_nobody_listens_says_the_port),
		TEST(test_nobody_listens_says_the_wait),
		TEST(test_a_call_waits_for_the_connection),
		TEST(test_what_is_no_address_is_refused),
		TEST(test_it_listens_on_loopback_alone),
		TEST(test_two_cannot_listen_on_one_port),
		TEST(test_it_may_listen_again_at_once),
		TEST(test_it_talks_over_ipv6),
		TEST(test_cancels_do_not_queue_and_silence_is_noticed),
		TEST(test_silence_may_be_shorter),
		TEST(test_what_is_not_acknowledged_is_seen),
		TEST(test_one_that_went_before_it_was_accepted),
		TEST(test_a_crowd),
		TEST(test_a_crowd_that_cancels_again_and_again),
		TEST(test_a_bad_crowd),
		TEST(test_a_crowd_beyond_the_descriptors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
