/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "link_end.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { QUIET = 300, TURN_MS = 5, CALLS_OF_LATER = 3 };

/* --- The peer */

static void put_params(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_params_of(request));
}

static int32_t echo(quash_request *request)
{
	return quash_reply(request, put_params);
}

static int32_t later(quash_request *request)
{
	uint64_t *const calls = QUASH_STATE(uint64_t, request);
	return ++*calls < CALLS_OF_LATER ? QUASH_PENDING : quash_reply_text(request, "at last");
}

static int32_t wait_for_cancel(quash_request *request)
{
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? QUASH_CANCELLED : QUASH_PENDING;
}

static int32_t note(quash_request *request)
{
	link_end *const end = quash_context(quash_peer_of(request));
	end->notes++;
	return QUASH_DONE;
}

static int32_t count_end(quash_request *request)
{
	link_end *const end = quash_context(quash_peer_of(request));
	end->ended++;
	return QUASH_DONE;
}

static const quash_method methods[] = {
	{ .name = "echo", .handler = echo },
	{ .name = "later", .handler = later, .state_size = sizeof(uint64_t) },
	{ .name = "wait", .handler = wait_for_cancel, .motion = { .end = count_end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES },
	{ .name = "note", .handler = note, .marks = QUASH_NOTIFICATION },
};

void end_start(link_end *end, quash_port port, struct posix_stdio *stdio)
{
	memset(end, 0, sizeof *end);
	end->port = port;
	end->stdio = stdio;
	end->config = (quash_config){
		.dialect = &quash_acp,
		.methods = methods,
		.method_count = COUNT_OF(methods),
		.slots = end->slots,
		.slot_count = END_SLOTS,
		.word = &end->word,
		.word_size = sizeof end->word.text,
		.ids = end->ids,
		.id_size = END_ID,
		.states = end->states,
		.state_size = sizeof end->states[0],
		.arena = end->arena,
		.arena_size = END_ARENA,
		.tx = end->tx,
		.tx_size = END_TX,
		.counters = &end->counters,
		.calls = &quash_calls,
		.context = end,
	};
	assert_true(quash_init(&end->peer, &end->config, NULL));
}

void end_turn(link_end *end)
{
	quash_pump(&end->peer, &end->port);
	quash_step(&end->peer);
	quash_pump(&end->peer, &end->port);
}

void end_until(link_end *end, bool (*done)(const link_end *))
{
	for (end_turn(end); !done(end); end_turn(end))
		posix_stdio_wait(end->stdio, &end->peer, TURN_MS);
}

bool end_has_ended(const link_end *end)
{
	return end->stdio->ended;
}

bool end_is_gone(const link_end *end)
{
	return end->stdio->gone && quash_live_count(&end->peer) == 0;
}

bool end_has_three(const link_end *end)
{
	return quash_live_count(&end->peer) == 3;
}

bool end_is_idle(const link_end *end)
{
	return quash_is_at_rest(&end->peer);
}

uint32_t clock_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint32_t)t.tv_sec * 1000u + (uint32_t)(t.tv_nsec / 1000000);
}

/* --- The other end */

/* How many bytes went; 0 when the way is full. */
static size_t raw_write(int fd, const char *bytes, size_t n)
{
	const ssize_t written = write(fd, bytes, n);
	if (written < 0 && errno != EAGAIN)
		fail_msg("write: %s", strerror(errno));
	return written < 0 ? 0 : (size_t)written;
}

/* 0 when there is nothing now. */
static size_t raw_read(int fd, char *bytes, size_t n)
{
	const ssize_t count = read(fd, bytes, n);
	if (count == 0)
		fail_msg("the other side has ended");
	if (count < 0 && errno != EAGAIN)
		fail_msg("read: %s", strerror(errno));
	return count < 0 ? 0 : (size_t)count;
}

static void await(int fd, short events)
{
	struct pollfd wish = { .fd = fd, .events = events };
	poll(&wish, 1, TURN_MS);
}

void raw_send(link_end *end, int fd, const char *text)
{
	const char *rest = quoted(text);
	while (*(rest += raw_write(fd, rest, strlen(rest))) != '\0') {
		end_turn(end);
		await(fd, POLLOUT);
	}
}

void raw_receives(link_end *end, int fd, const char *expected)
{
	const size_t length = strlen(expected);
	char received[4096];
	size_t n = 0;
	assert_in_range(length, 0, sizeof received - 1);
	for (end_turn(end); n < length; end_turn(end)) {
		const size_t more = raw_read(fd, received + n, length - n);
		n += more;
		if (more == 0)
			await(fd, POLLIN);
	}
	received[n] = '\0';
	assert_string_equal(received, quoted(expected));
}

void raw_receives_end(int fd)
{
	char byte;
	ssize_t n;
	while ((n = read(fd, &byte, 1)) < 0 && errno == EAGAIN)
		await(fd, POLLIN);
	assert_int_equal(n, 0);
}

/* --- Talks */

void talk(link_end *end, int fd)
{
	raw_send(end, fd, REQUEST_WITH("1", "echo", "['hello']") "\n");
	raw_receives(end, fd, RESULT("1", "['hello']"));
	raw_send(end, fd, REQUEST("2", "wait") "\n" REQUEST("3", "wait") "\n" CANCEL("2") "\n");
	raw_receives(end, fd, CANCELLED("2"));
	assert_int_equal(quash_live_count(&end->peer), 1);
	raw_send(end, fd, CANCEL("3") "\n");
	raw_receives(end, fd, CANCELLED("3"));
	assert_int_equal(end->counters.cancelled[QUASH_BY_OTHER_SIDE], 2);
}

void talk_slowly(link_end *end, int fd)
{
	static const char sent[] = REQUEST("1", "wait") "\n" REQUEST_WITH("2", "echo", "[2]") "\n" CANCEL("1") "\n";
	for (const char *c = sent; *c != '\0'; c++) {
		const char byte[] = { *c, '\0' };
		raw_send(end, fd, byte);
		posix_stdio_wait(end->stdio, &end->peer, 1000); /* woken by the byte */
		end_turn(end);
	}
	raw_receives(end, fd, RESULT("2", "[2]") CANCELLED("1"));
}

#define FILL  "0123456789012345678901234567890123456789012345678901234567890123456789"
#define LONG_ONE REQUEST_WITH("7", "echo", "['" FILL "']")

static bool is_stuck(link_end *end)
{
	size_t waiting;
	quash_out(&end->peer, &waiting);
	return waiting > 0 && end->stdio->from < end->stdio->to;
}

/* Until nobody takes anything any more: the peer, or before it TCP, which may stall. How much was written. */
static size_t send_until_stuck(link_end *end, int fd, const char *line)
{
	const size_t length = strlen(line);
	uint32_t moved = clock_ms();
	size_t sent = 0;
	for (unsigned refused = 0; refused < 3 || (!is_stuck(end) && clock_ms() - moved < QUIET); end_turn(end)) {
		const size_t n = raw_write(fd, line + sent % length, length - sent % length);
		sent += n;
		refused = n == 0 ? refused + 1 : 0;
		moved = n == 0 ? moved : clock_ms();
	}
	return sent;
}

/* Answers, refusals of what found no slot included. */
static size_t count_lines(link_end *end, int fd, size_t expected)
{
	size_t count = 0;
	while (count < expected) {
		char received[4096];
		const size_t n = raw_read(fd, received, sizeof received);
		for (size_t i = 0; i < n; i++)
			count += received[i] == '\n';
		end_turn(end);
	}
	return count;
}

void talk_without_reading(link_end *end, int fd)
{
	char line[256];
	snprintf(line, sizeof line, "%s\n", quoted(LONG_ONE));
	const size_t length = strlen(line);
	size_t sent = send_until_stuck(end, fd, line);
	const size_t lines = (sent + length - 1) / length;
	size_t received = 0;
	while (sent < lines * length) {
		received += count_lines(end, fd, 1);
		sent += raw_write(fd, line + sent % length, length - sent % length);
	}
	received += count_lines(end, fd, lines - received);
	assert_int_equal(received, lines);
	end_until(end, end_is_idle);
	assert_int_equal(end->counters.parse_errors, 0);
	raw_send(end, fd, REQUEST_WITH("8", "echo", "[8]") "\n");
	raw_receives(end, fd, RESULT("8", "[8]"));
}

void talk_of_three(link_end *end, int fd)
{
	raw_send(end, fd, REQUEST("1", "wait") "\n" REQUEST("2", "wait") "\n" REQUEST("3", "wait") "\n");
	end_until(end, end_has_three);
}
