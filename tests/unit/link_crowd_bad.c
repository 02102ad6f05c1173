/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "link_crowd.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* --- Clients of five kinds */

enum kind { TALKER, DAWDLER, DEAF, RESET, CLOSER };
enum { LAST_BYTES = 3, BYTE_ROUNDS = 20, STANDSTILL_MS = 300, LINE = 256, LINES = 40 };

#define SLOW_ONE REQUEST_WITH("1", "echo", "[1]") "\n"
#define LONG_ONE \
	REQUEST_WITH("7", "echo", "['0123456789012345678901234567890123456789012345678901234567890123']") "\n"
#define HALF_ONE "{'jsonrpc':'2.0','id':5,'meth"

static size_t taken_from[CROWD]; /* bytes that the server took from a deaf client */
static unsigned rounds[CROWD]; /* of a talker */

static enum kind kind_of(size_t i)
{
	if (i % 20 == 1)
		return DEAF;
	return i % 5 == 0 ? DAWDLER : i % 5 == 2 ? RESET : i % 5 == 3 ? CLOSER : TALKER;
}

static void send_some(size_t i, size_t from, size_t n)
{
	char part[LINE] = "";
	memcpy(part, &SLOW_ONE[from], n);
	raw_send(&servers[i].end, crowd_fd(i), part);
}

static void arrive(size_t i)
{
	rounds[i] = 0;
	taken_from[i] = 0;
	if (kind_of(i) == TALKER) {
		link_both(&servers[i], &clients[i]);
		return;
	}
	crowd_connect_raw(i);
	if (kind_of(i) == DAWDLER) {
		send_some(i, 0, sizeof SLOW_ONE - 1 - LAST_BYTES);
	} else if (kind_of(i) == DEAF) {
		link_narrow(crowd_fd(i));
		link_narrow(servers[i].socket.stdio.in);
	} else {
		raw_send(&servers[i].end, crowd_fd(i), CROWD_FOUR HALF_ONE);
	}
}

static bool vanishers_are_served(size_t i)
{
	return (kind_of(i) != RESET && kind_of(i) != CLOSER) || crowd_four_live(i);
}

/* Asks as much as somebody takes, for now. */
static void shout(size_t i)
{
	char line[LINE];
	ssize_t n = 1;
	snprintf(line, sizeof line, "%s", quoted(LONG_ONE));
	const size_t length = strlen(line);
	for (int times = 0; times < LINES && n > 0; times++) {
		const size_t at = taken_from[i] % length;
		n = write(crowd_fd(i), line + at, length - at);
		taken_from[i] += n > 0 ? (size_t)n : 0;
	}
}

static void talk_on(size_t i)
{
	if (rounds[i] > 0 && !crowd_all_answered(i))
		return;
	for (size_t c = 0; c < END_CALLS && rounds[i] > 0; c++) {
		assert_int_equal(quash_call_outcome(&clients[i].end.calls[c]), QUASH_CALL_RESULT);
		assert_true(quash_call_release(&clients[i].end.calls[c]));
	}
	rounds[i]++;
	crowd_ask_four(&clients[i].end, "later");
}

static void all_do(void)
{
	for (size_t i = 0; i < CROWD; i++) {
		if (kind_of(i) == TALKER)
			talk_on(i);
		else if (kind_of(i) == DEAF)
			shout(i);
	}
	crowd_turn();
}

static void do_for(uint32_t ms)
{
	for (const uint32_t start = clock_ms(); clock_ms() - start < ms;)
		all_do();
}

/* Until each talker has had so many rounds. */
static void do_rounds(unsigned n)
{
	for (size_t i = 0; i < CROWD;) {
		if (kind_of(i) != TALKER || rounds[i] >= n)
			i++;
		else
			all_do();
	}
}

static void vanish(size_t i)
{
	if (kind_of(i) == RESET)
		link_reset(&clients[i].socket);
	else if (kind_of(i) == CLOSER)
		posix_socket_close(&clients[i].socket);
}

/* A program that receives the end of its input ends what runs, as those in boards/host do. */
static bool vanishers_are_missed(size_t i)
{
	link_end *const end = &servers[i].end;
	if (kind_of(i) == CLOSER && end->stdio->ended)
		quash_cancel_all(&end->peer);
	return (kind_of(i) != RESET && kind_of(i) != CLOSER) || quash_live_count(&end->peer) == 0;
}

static bool deaf_are_full(size_t i)
{
	size_t waiting;
	quash_out(&servers[i].end.peer, &waiting);
	const bool full = waiting > 0 && quash_live_count(&servers[i].end.peer) > 0;
	return kind_of(i) != DEAF || full || family.may_stall;
}

/* What a peer and the system hold is all that there is: soon nobody takes anything any more. */
static void await_standstill(void)
{
	static size_t before[CROWD];
	do {
		memcpy(before, taken_from, sizeof before);
		do_for(STANDSTILL_MS);
	} while (memcmp(before, taken_from, sizeof before) != 0);
	for (size_t i = 0; i < CROWD;) {
		if (deaf_are_full(i))
			i++;
		else
			all_do();
	}
}

static void assert_fared_well(size_t i)
{
	const quash_counters *const s = &servers[i].end.counters;
	switch (kind_of(i)) {
	case TALKER:
		assert_in_range(s->results, (rounds[i] - 1) * END_CALLS, rounds[i] * END_CALLS);
		assert_in_range(s->requests, s->results, rounds[i] * END_CALLS);
		assert_int_equal(s->errors, 0);
		break;
	case DAWDLER:
		raw_receives(&servers[i].end, crowd_fd(i), RESULT("1", "[1]"));
		assert_int_equal(s->results, 1);
		break;
	case DEAF:
		assert_int_equal(s->parse_errors, 0);
		assert_int_equal(s->cancelled[QUASH_BY_LINK], 0);
		break;
	default:
		assert_int_equal(servers[i].end.ended, END_CALLS);
		assert_int_equal(s->results, 0);
		assert_int_equal(s->cancelled[QUASH_BY_LINK] + s->cancelled[QUASH_BY_SHUTDOWN], END_CALLS);
		assert_true(kind_of(i) == CLOSER || s->cancelled[QUASH_BY_LINK] == END_CALLS);
	}
}

void test_a_bad_crowd(void **state)
{
	(void)state;
	if (!crowd_make_room())
		skip();
	for (size_t i = 0; i < CROWD; i++)
		arrive(i);
	crowd_until(vanishers_are_served);
	for (size_t i = 0; i < CROWD; i++)
		vanish(i);
	crowd_until(vanishers_are_missed);
	for (size_t byte = LAST_BYTES; byte > 0; byte--) {
		do_rounds(BYTE_ROUNDS * (LAST_BYTES + 1 - (unsigned)byte));
		for (size_t i = 0; i < CROWD; i += 5)
			send_some(i, sizeof SLOW_ONE - 1 - byte, 1);
	}
	await_standstill();
	for (size_t i = 0; i < CROWD; i++)
		assert_fared_well(i);
	crowd_close();
}

/* --- Descriptors */

enum { MANY = 40, SERVED = 20, LEAVING = 5 };

static void allow(rlim_t descriptors)
{
	struct rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = descriptors;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* Who has connected waits a moment later, also on loopback. */
static int accept_next(size_t i)
{
	struct pollfd fd = { .fd = family.listener->fd, .events = POLLIN };
	assert_int_equal(poll(&fd, 1, -1), 1);
	return family.accept(family.listener, &servers[i].socket);
}

/* How many of those who wait can be accepted, and with how many there are then all of them talk. */
static size_t accept_all(size_t from)
{
	size_t i = from;
	while (i < MANY && accept_next(i) == 0) {
		end_start(&servers[i].end, posix_socket_port(&servers[i].socket), &servers[i].socket.stdio);
		talk(&servers[i].end, crowd_fd(i));
		i++;
	}
	return i;
}

void test_a_crowd_beyond_the_descriptors(void **state)
{
	struct rlimit full;
	(void)state;
	getrlimit(RLIMIT_NOFILE, &full);
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(family.connect(&clients[i].socket), 0);
	allow((rlim_t)crowd_fd(MANY - 1) + 1 + SERVED);
	assert_int_equal(accept_all(0), SERVED);
	assert_int_equal(accept_next(SERVED), EMFILE);
	for (size_t i = 0; i < LEAVING; i++) {
		posix_socket_close(&servers[i].socket);
		posix_socket_close(&clients[i].socket);
	}
	assert_int_equal(accept_all(SERVED), SERVED + 2 * LEAVING);
	allow(full.rlim_cur);
	assert_int_equal(accept_all(SERVED + 2 * LEAVING), MANY);
	crowd_close();
}
