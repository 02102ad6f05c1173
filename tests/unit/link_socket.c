/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "link_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

struct family family;
struct served server;
struct posix_socket client;

/* --- Connections */

void link_accept(struct posix_socket *socket)
{
	struct pollfd fd = { .fd = family.listener->fd, .events = POLLIN };
	assert_int_equal(poll(&fd, 1, -1), 1);
	assert_int_equal(family.accept(family.listener, socket), 0);
}

void link_up(void)
{
	assert_int_equal(family.connect(&client), 0);
	link_accept(&server.socket);
	end_start(&server.end, posix_socket_port(&server.socket), &server.socket.stdio);
}

void link_down(void)
{
	posix_socket_close(&client);
	posix_socket_close(&server.socket);
}

void link_reset(struct posix_socket *socket)
{
	const struct linger at_once = { .l_onoff = 1, .l_linger = 0 };
	setsockopt(socket->stdio.in, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
	posix_socket_close(socket);
}

void link_both(struct served *server_side, struct served *client_side)
{
	assert_int_equal(family.connect(&client_side->socket), 0);
	link_accept(&server_side->socket);
	end_start(&server_side->end, posix_socket_port(&server_side->socket), &server_side->socket.stdio);
	end_start(&client_side->end, posix_socket_port(&client_side->socket), &client_side->socket.stdio);
}

/* With a packet for each small message TCP would rather lose and send again, ever more slowly, than be full. */
void link_narrow(int fd)
{
	const int size = 4096, receiving = 1 << 17, off = 0;
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receiving, sizeof receiving);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &off, sizeof off);
}

/* --- One connection */

void test_it_talks(void **state)
{
	(void)state;
	link_up();
	talk(&server.end, client.stdio.in);
	link_down();
}

void test_it_talks_slowly(void **state)
{
	(void)state;
	link_up();
	talk_slowly(&server.end, client.stdio.in);
	link_down();
}

void test_one_that_never_reads_is_waited_for(void **state)
{
	(void)state;
	link_up();
	link_narrow(client.stdio.in);
	link_narrow(server.socket.stdio.in);
	talk_without_reading(&server.end, client.stdio.in);
	link_down();
}

void test_half_closed_it_is_still_answered(void **state)
{
	(void)state;
	link_up();
	raw_send(&server.end, client.stdio.in, REQUEST("1", "later") "\n" REQUEST_WITH("2", "echo", "[2]"));
	posix_socket_hang_up(&client);
	end_until(&server.end, end_has_ended);
	assert_false(server.socket.stdio.gone);
	end_until(&server.end, end_is_idle);
	raw_receives(&server.end, client.stdio.in, RESULT("2", "[2]") RESULT("1", "'at last'"));
	posix_socket_close(&server.socket);
	raw_receives_end(client.stdio.in);
	link_down();
}

void test_hung_up_it_still_receives(void **state)
{
	(void)state;
	link_up();
	posix_socket_hang_up(&server.socket);
	raw_receives_end(client.stdio.in);
	raw_send(&server.end, client.stdio.in, NOTE("note") "\n");
	posix_socket_hang_up(&client);
	end_until(&server.end, end_has_ended);
	end_turn(&server.end);
	assert_int_equal(server.end.notes, 1);
	link_down();
}

/* Told by the poll that the other side is closed, before anything was read. */
void test_last_bytes_are_received(void **state)
{
	(void)state;
	link_up();
	raw_send(&server.end, client.stdio.in, NOTE("note") "\n" NOTE("note") "\n");
	posix_socket_close(&client);
	posix_stdio_wait(&server.socket.stdio, &server.end.peer, UINT32_MAX);
	end_until(&server.end, end_has_ended);
	end_turn(&server.end);
	assert_int_equal(server.end.notes, 2);
	link_down();
}

void test_nobody_waits(void **state)
{
	(void)state;
	assert_int_equal(family.accept(family.listener, &server.socket), EAGAIN);
	posix_socket_close(&server.socket);
	posix_socket_close(&server.socket);
}

static void assert_private(int fd)
{
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_not_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
}

void test_descriptors_of_a_connection(void **state)
{
	(void)state;
	const int before = count_descriptors();
	link_up();
	assert_private(family.listener->fd);
	assert_private(client.stdio.in);
	assert_private(server.socket.stdio.in);
	link_down();
	assert_int_equal(count_descriptors(), before);
}

void test_writing_to_nobody_raises_no_signal(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_DFL);
	link_up();
	talk_of_three(&server.end, client.stdio.in);
	posix_socket_close(&client);
	quash_cancel_all(&server.end.peer);
	end_until(&server.end, end_is_idle);
	while (!server.socket.stdio.gone) { /* TCP tells at the second try */
		quash_put_null(quash_notify(&server.end.peer, "news"));
		quash_notify_send(&server.end.peer);
		end_turn(&server.end);
	}
	link_down();
}

void test_without_descriptors_it_goes_on_waiting(void **state)
{
	struct rlimit full, none;
	(void)state;
	assert_int_equal(family.connect(&client), 0);
	getrlimit(RLIMIT_NOFILE, &full);
	none = full;
	none.rlim_cur = (rlim_t)client.stdio.in; /* the lowest that was free */
	setrlimit(RLIMIT_NOFILE, &none);
	const int error = family.accept(family.listener, &server.socket);
	setrlimit(RLIMIT_NOFILE, &full);
	assert_int_equal(error, EMFILE);
	assert_int_equal(server.socket.stdio.in, -1);
	link_accept(&server.socket);
	end_start(&server.end, posix_socket_port(&server.socket), &server.socket.stdio);
	talk(&server.end, client.stdio.in);
	link_down();
}
