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

enum { SOON = 30000 };

struct family family;
struct served server;
struct posix_socket client;

/* --- Connections */

static void accept_soon(struct posix_socket *socket)
{
	struct pollfd fd = { .fd = family.listener->fd, .events = POLLIN };
	assert_int_equal(poll(&fd, 1, SOON), 1);
	assert_int_equal(family.accept(family.listener, socket), 0);
}

void link_up(void)
{
	assert_int_equal(family.connect(&client), 0);
	accept_soon(&server.socket);
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
	accept_soon(&server_side->socket);
	end_start(&server_side->end, posix_socket_port(&server_side->socket), &server_side->socket.stdio);
	end_start(&client_side->end, posix_socket_port(&client_side->socket), &client_side->socket.stdio);
}

/* So that a way is full soon. With a packet for each small message TCP would rather lose and send again, ever more
 * slowly, than be full. */
static void narrow(int fd)
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
	narrow(client.stdio.in);
	narrow(server.socket.stdio.in);
	talk_without_reading(&server.end, client.stdio.in);
	link_down();
}

void test_half_closed_it_is_still_answered(void **state)
{
	(void)state;
	link_up();
	raw_say(&server.end, client.stdio.in, REQUEST("1", "later") "\n" REQUEST_WITH("2", "echo", "[2]"));
	posix_socket_hang_up(&client);
	end_until(&server.end, end_has_ended);
	assert_false(server.socket.stdio.gone);
	end_until(&server.end, end_is_idle);
	raw_hears(&server.end, client.stdio.in, RESULT("2", "[2]") RESULT("1", "'at last'"));
	posix_socket_close(&server.socket);
	raw_hears_end(client.stdio.in);
	link_down();
}

void test_hung_up_it_is_still_heard(void **state)
{
	(void)state;
	link_up();
	posix_socket_hang_up(&server.socket);
	raw_hears_end(client.stdio.in);
	raw_say(&server.end, client.stdio.in, NOTE("note") "\n");
	posix_socket_hang_up(&client);
	end_until(&server.end, end_has_ended);
	end_turn(&server.end);
	assert_int_equal(server.end.notes, 1);
	link_down();
}

/* Told by the poll that the other side is closed, before anything was read. */
void test_last_words_are_heard(void **state)
{
	(void)state;
	link_up();
	raw_say(&server.end, client.stdio.in, NOTE("note") "\n" NOTE("note") "\n");
	posix_socket_close(&client);
	posix_stdio_wait(&server.socket.stdio, &server.end.peer, SOON);
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
	const uint32_t start = clock_ms();
	while (!server.socket.stdio.gone) { /* TCP tells at the second try */
		quash_put_null(quash_notify(&server.end.peer, "news"));
		quash_notify_send(&server.end.peer);
		end_turn(&server.end);
		assert_in_range(clock_ms() - start, 0, SOON);
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
	accept_soon(&server.socket);
	end_start(&server.end, posix_socket_port(&server.socket), &server.socket.stdio);
	talk(&server.end, client.stdio.in);
	link_down();
}

/* --- A crowd */

enum { CROWD = 1000, SPARE = 64 };

static struct served servers[CROWD], clients[CROWD];

/* False when the system does not allow as many descriptors. */
static bool make_room(rlim_t descriptors)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return false;
	if (limit.rlim_cur >= descriptors)
		return true;
	if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < descriptors)
		return false;
	limit.rlim_cur = descriptors;
	return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* One turn of everybody, behind a sleep until there is something to do. */
static void turn_all(void)
{
	static struct pollfd fds[CROWD][2][2];
	uint32_t ms = 20;
	for (size_t i = 0; i < CROWD; i++) {
		if (!posix_stdio_watch(&servers[i].socket.stdio, &servers[i].end.peer, fds[i][0]) ||
			!posix_stdio_watch(&clients[i].socket.stdio, &clients[i].end.peer, fds[i][1]))
			ms = 0;
	}
	posix_stdio_poll(fds[0][0], COUNT_OF(fds) * 4, ms);
	for (size_t i = 0; i < CROWD; i++) {
		posix_stdio_seen(&servers[i].socket.stdio, fds[i][0]);
		posix_stdio_seen(&clients[i].socket.stdio, fds[i][1]);
		end_turn(&servers[i].end);
		end_turn(&clients[i].end);
	}
}

static void all_until(bool (*done)(size_t i))
{
	const uint32_t start = clock_ms();
	for (size_t i = 0; i < CROWD;) {
		if (done(i)) {
			i++;
			continue;
		}
		assert_in_range(clock_ms() - start, 0, SOON);
		turn_all();
	}
}

static void ask_four(link_end *end)
{
	memset(end->calls, 0, sizeof end->calls);
	for (size_t i = 0; i < END_CALLS; i++) {
		end->calls[i].method = "wait";
		assert_true(quash_ask(&end->peer, &end->calls[i]));
	}
}

static bool four_are_live(size_t i)
{
	return quash_live_count(&servers[i].end.peer) == END_CALLS;
}

static bool all_is_answered(size_t i)
{
	bool all = true;
	for (size_t c = 0; c < END_CALLS; c++)
		all = quash_answered(&clients[i].end.calls[c]) && all;
	return all && end_is_idle(&servers[i].end);
}

static void assert_stormed(size_t i)
{
	for (size_t c = 0; c < END_CALLS; c++) {
		assert_int_equal(quash_call_code(&clients[i].end.calls[c]), QUASH_CANCELLED);
		assert_true(quash_call_release(&clients[i].end.calls[c]));
	}
	assert_int_equal(servers[i].end.ended, END_CALLS);
	assert_int_equal(servers[i].end.peer.counters.cancelled[QUASH_BY_OTHER_SIDE], END_CALLS);
	assert_int_equal(servers[i].end.peer.counters.late_cancels, 0);
	assert_int_equal(clients[i].end.peer.counters.call_cancels, END_CALLS);
	assert_int_equal(clients[i].end.peer.counters.stray_responses, 0);
}

static void storm(void)
{
	for (size_t i = 0; i < CROWD; i++)
		ask_four(&clients[i].end);
	all_until(four_are_live);
	for (size_t i = 0; i < CROWD; i++) {
		for (size_t c = 0; c < END_CALLS; c++)
			quash_call_cancel(&clients[i].end.calls[(c + i) % END_CALLS]);
	}
	all_until(all_is_answered);
	for (size_t i = 0; i < CROWD; i++)
		assert_stormed(i);
}

static bool leaves(size_t i)
{
	return i % 2 == 0;
}

static bool leavers_are_missed(size_t i)
{
	return !leaves(i) || end_is_gone(&servers[i].end);
}

static bool leavers_are_gone(size_t i)
{
	return !leaves(i) || quash_call_outcome(&clients[i].end.calls[0]) == QUASH_CALL_LINK;
}

static void desert(void)
{
	for (size_t i = 0; i < CROWD; i++)
		ask_four(&clients[i].end);
	all_until(four_are_live);
	for (size_t i = 0; i < CROWD; i++) {
		if (leaves(i))
			link_reset(&clients[i].socket);
	}
	all_until(leavers_are_missed);
	all_until(leavers_are_gone);
	for (size_t i = 0; i < CROWD; i++) {
		assert_int_equal(servers[i].end.peer.counters.cancelled[QUASH_BY_LINK], leaves(i) ? END_CALLS : 0);
		assert_int_equal(servers[i].end.ended, leaves(i) ? 2 * END_CALLS : END_CALLS);
		assert_int_equal(quash_live_count(&servers[i].end.peer), leaves(i) ? 0 : END_CALLS);
	}
}

void test_a_crowd(void **state)
{
	(void)state;
	if (!make_room(2 * CROWD + SPARE))
		skip();
	for (size_t i = 0; i < CROWD; i++)
		link_both(&servers[i], &clients[i]);
	storm();
	desert();
	for (size_t i = 0; i < CROWD; i++) {
		posix_socket_close(&servers[i].socket);
		posix_socket_close(&clients[i].socket);
	}
}
