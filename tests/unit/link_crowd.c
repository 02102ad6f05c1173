/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "link_crowd.h"

#include <errno.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SPARE = 64 };

struct served servers[CROWD], clients[CROWD];

bool crowd_make_room(void)
{
	const rlim_t descriptors = 2 * CROWD + SPARE;
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

/* Whether there is something to do now. Some clients are no peers. */
static bool watch(struct served *who, struct pollfd fds[2])
{
	fds[0].fd = fds[1].fd = -1;
	return who->end.stdio != NULL && !posix_stdio_watch(&who->socket.stdio, &who->end.peer, fds);
}

static void turn(struct served *who, const struct pollfd fds[2])
{
	if (who->end.stdio == NULL)
		return;
	posix_stdio_seen(&who->socket.stdio, fds);
	end_turn(&who->end);
}

void crowd_turn(void)
{
	static struct pollfd fds[CROWD][2][2];
	uint32_t ms = 20;
	for (size_t i = 0; i < CROWD; i++) {
		if (watch(&servers[i], fds[i][0]))
			ms = 0;
		if (watch(&clients[i], fds[i][1]))
			ms = 0;
	}
	posix_stdio_poll(fds[0][0], COUNT_OF(fds) * 4, ms);
	for (size_t i = 0; i < CROWD; i++) {
		turn(&servers[i], fds[i][0]);
		turn(&clients[i], fds[i][1]);
	}
}

void crowd_until(bool (*done)(size_t i))
{
	for (size_t i = 0; i < CROWD;) {
		if (done(i)) {
			i++;
			continue;
		}
		crowd_turn();
	}
}

void crowd_ask_four(link_end *end, const char *method)
{
	memset(end->calls, 0, sizeof end->calls);
	for (size_t i = 0; i < END_CALLS; i++) {
		end->calls[i].method = method;
		assert_true(quash_call_start(&end->peer, &end->calls[i]));
	}
}

bool crowd_four_live(size_t i)
{
	return quash_live_count(&servers[i].end.peer) == END_CALLS;
}

bool crowd_all_answered(size_t i)
{
	bool all = true;
	for (size_t c = 0; c < END_CALLS; c++)
		all = quash_call_has_ended(&clients[i].end.calls[c]) && all;
	return all && end_is_idle(&servers[i].end);
}

static void assert_stormed(size_t i)
{
	for (size_t c = 0; c < END_CALLS; c++) {
		assert_int_equal(quash_call_code(&clients[i].end.calls[c]), QUASH_CANCELLED);
		assert_true(quash_call_release(&clients[i].end.calls[c]));
	}
	assert_int_equal(servers[i].end.ended, END_CALLS);
	assert_int_equal(servers[i].end.counters.cancelled[QUASH_BY_OTHER_SIDE], END_CALLS);
	assert_int_equal(servers[i].end.counters.late_cancels, 0);
	assert_int_equal(clients[i].end.counters.call_cancels, END_CALLS);
	assert_int_equal(clients[i].end.counters.stray_responses, 0);
}

void crowd_close(void)
{
	for (size_t i = 0; i < CROWD; i++) {
		posix_socket_close(&servers[i].socket);
		posix_socket_close(&clients[i].socket);
	}
}

void crowd_connect_raw(size_t i)
{
	memset(&clients[i].end, 0, sizeof clients[i].end);
	assert_int_equal(family.connect(&clients[i].socket), 0);
	link_accept(&servers[i].socket);
	end_start(&servers[i].end, posix_socket_port(&servers[i].socket), &servers[i].socket.stdio);
}

int crowd_fd(size_t i)
{
	return clients[i].socket.stdio.in;
}

/* --- A storm */

static void storm(void)
{
	for (size_t i = 0; i < CROWD; i++)
		crowd_ask_four(&clients[i].end, "wait");
	crowd_until(crowd_four_live);
	for (size_t i = 0; i < CROWD; i++) {
		for (size_t c = 0; c < END_CALLS; c++)
			quash_call_cancel(&clients[i].end.calls[(c + i) % END_CALLS]);
	}
	crowd_until(crowd_all_answered);
	for (size_t i = 0; i < CROWD; i++)
		assert_stormed(i);
}

/* --- Cancels and answers that cross */

static bool all_cancels_have_come(size_t i)
{
	const quash_counters *const s = &servers[i].end.counters;
	return crowd_all_answered(i) &&
		s->cancelled[QUASH_BY_OTHER_SIDE] + s->late_cancels ==
		clients[i].end.counters.call_cancels;
}

static void assert_crossed(size_t i)
{
	const quash_counters *const s = &servers[i].end.counters;
	size_t cancelled = END_CALLS; /* by the storm */
	for (size_t c = 0; c < END_CALLS; c++) {
		cancelled += quash_call_code(&clients[i].end.calls[c]) == QUASH_CANCELLED;
		assert_true(quash_call_release(&clients[i].end.calls[c]));
	}
	assert_int_equal(s->requests, 2 * END_CALLS);
	assert_int_equal(s->results + s->errors, 2 * END_CALLS);
	assert_in_range(cancelled, s->cancelled[QUASH_BY_OTHER_SIDE], 2 * END_CALLS);
	assert_int_equal(clients[i].end.counters.stray_responses, 0);
}

static void cross(void)
{
	for (size_t i = 0; i < CROWD; i++)
		crowd_ask_four(&clients[i].end, "later");
	crowd_turn(); /* a call that was not written yet would only leave the queue */
	for (size_t round = 0; round < 4; round++) {
		for (size_t i = round; i < CROWD; i += 4) {
			for (size_t c = 0; c < END_CALLS; c++)
				quash_call_cancel(&clients[i].end.calls[c]);
		}
		crowd_turn();
	}
	crowd_until(all_cancels_have_come);
	for (size_t i = 0; i < CROWD; i++)
		assert_crossed(i);
}

/* --- Some go */

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
		crowd_ask_four(&clients[i].end, "wait");
	crowd_until(crowd_four_live);
	for (size_t i = 0; i < CROWD; i++) {
		if (leaves(i))
			link_reset(&clients[i].socket);
	}
	crowd_until(leavers_are_missed);
	crowd_until(leavers_are_gone);
	for (size_t i = 0; i < CROWD; i++) {
		assert_int_equal(
			servers[i].end.counters.cancelled[QUASH_BY_LINK], leaves(i) ? END_CALLS : 0);
		assert_int_equal(servers[i].end.ended, leaves(i) ? 2 * END_CALLS : END_CALLS);
		assert_int_equal(quash_live_count(&servers[i].end.peer), leaves(i) ? 0 : END_CALLS);
	}
}

void test_a_crowd(void **state)
{
	(void)state;
	if (!crowd_make_room())
		skip();
	for (size_t i = 0; i < CROWD; i++)
		link_both(&servers[i], &clients[i]);
	storm();
	cross();
	desert();
	crowd_close();
}

/* --- Clients that are no peers */

enum { AGAIN = 10 };

#define CANCELS CANCEL("1") "\n" CANCEL("99") "\n" CANCEL("2") "\n" CANCEL("3") "\n" CANCEL("4") "\n"

static bool storm_is_over(size_t i)
{
	const quash_counters *const s = &servers[i].end.counters;
	return s->cancelled[QUASH_BY_OTHER_SIDE] + s->late_cancels == AGAIN * 5 && end_is_idle(&servers[i].end);
}

static void assert_nothing_more(size_t i)
{
	char byte;
	assert_int_equal(read(crowd_fd(i), &byte, 1), -1);
	assert_int_equal(errno, EAGAIN);
}

void test_a_crowd_that_cancels_again_and_again(void **state)
{
	(void)state;
	if (!crowd_make_room())
		skip();
	for (size_t i = 0; i < CROWD; i++) {
		crowd_connect_raw(i);
		raw_send(&servers[i].end, crowd_fd(i), CROWD_FOUR);
	}
	crowd_until(crowd_four_live);
	for (size_t i = 0; i < CROWD; i++) {
		for (int n = 0; n < AGAIN; n++)
			raw_send(&servers[i].end, crowd_fd(i), CANCELS);
	}
	crowd_until(storm_is_over);
	for (size_t i = 0; i < CROWD; i++) {
		assert_int_equal(servers[i].end.ended, END_CALLS);
		assert_int_equal(servers[i].end.counters.cancelled[QUASH_BY_OTHER_SIDE], END_CALLS);
		raw_receives(&servers[i].end, crowd_fd(i),
			CANCELLED("1") CANCELLED("2") CANCELLED("3") CANCELLED("4"));
		assert_nothing_more(i);
	}
	crowd_close();
}
