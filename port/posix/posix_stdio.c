/* SPDX-License-Identifier: MIT */
#include "posix_system.h"

#include "posix_stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static bool try_again(int error)
{
	return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

static int gone(struct posix_stdio *s)
{
	s->gone = true;
	return QUASH_GONE;
}

/* QUASH_END or QUASH_GONE when there is no more, else 0. */
static int fill(struct posix_stdio *s)
{
	if (s->ended)
		return QUASH_END;
	uint8_t *const bytes = s->into != NULL ? s->into : s->buffer;
	const ssize_t n = read(s->in, bytes, s->into != NULL ? s->into_size : sizeof s->buffer);
	if (n < 0)
		return try_again(errno) ? 0 : gone(s);
	s->read = bytes;
	s->from = 0;
	s->to = (size_t)n;
	s->ended = n == 0;
	return s->ended ? QUASH_END : 0;
}

static int peek(void *device, const uint8_t **bytes)
{
	struct posix_stdio *s = device;
	if (s->gone)
		return QUASH_GONE;
	if (s->from == s->to) {
		const int end = fill(s);
		if (end != 0 || s->from == s->to)
			return end;
	}
	*bytes = s->read + s->from;
	return (int)(s->to - s->from);
}

static void take(void *device, size_t n)
{
	struct posix_stdio *s = device;
	s->from += n;
}

void posix_stdio_read_into(struct posix_stdio *stdio, uint8_t *bytes, size_t size)
{
	stdio->into = bytes;
	stdio->into_size = size;
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	struct posix_stdio *s = device;
	if (s->gone)
		return QUASH_GONE;
	const ssize_t written = write(s->out, data, n < INT_MAX ? n : INT_MAX);
	if (written < 0)
		return try_again(errno) ? 0 : gone(s);
	return (int)written;
}

static uint32_t now(void *device)
{
	struct timespec t;
	(void)device;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint32_t)t.tv_sec * 1000u + (uint32_t)(t.tv_nsec / 1000000);
}

quash_port posix_stdio_port(struct posix_stdio *stdio)
{
	const quash_port port = { .peek = peek, .take = take, .write = write_bytes, .now = now, .device = stdio };
	return port;
}

void posix_stdio_open(struct posix_stdio *stdio, int in, int out)
{
	static const struct posix_stdio fresh = { 0 };
	*stdio = fresh;
	stdio->in = in;
	stdio->out = out;
	stdio->in_flags = fcntl(in, F_GETFL);
	stdio->out_flags = fcntl(out, F_GETFL);
	fcntl(in, F_SETFL, stdio->in_flags | O_NONBLOCK);
	fcntl(out, F_SETFL, stdio->out_flags | O_NONBLOCK);
	signal(SIGPIPE, SIG_IGN);
}

void posix_stdio_close(struct posix_stdio *stdio)
{
	fcntl(stdio->in, F_SETFL, stdio->in_flags);
	fcntl(stdio->out, F_SETFL, stdio->out_flags);
}

/* A little less than `ms`: the kernel's own rounding makes it longer again. */
static struct timespec duration(uint32_t ms)
{
	const long slack = 100000;
	struct timespec t = { (time_t)(ms / 1000), (long)(ms % 1000) * 1000000 };
	if (t.tv_nsec >= slack)
		t.tv_nsec -= slack;
	return t;
}

bool posix_stdio_watch(struct posix_stdio *stdio, quash_peer *peer, struct pollfd fds[2])
{
	size_t waiting;
	quash_out(peer, &waiting);
	const bool left = stdio->from < stdio->to; /* the peer has not taken it: it waits for a step, or for its output */
	const bool reads = !stdio->ended && !left;
	fds[0] = (struct pollfd){ .fd = stdio->out,
		.events = waiting > 0 ? POLLOUT : 0 }; /* errors are reported in any case */
	fds[1] = (struct pollfd){ .fd = reads ? stdio->in : -1, .events = POLLIN };
	return !stdio->gone && !(left && quash_idle_ms(peer) == 0);
}

void posix_stdio_seen(struct posix_stdio *stdio, const struct pollfd fds[2])
{
	const int over = fds[0].revents & (POLLERR | POLLNVAL | POLLHUP);
	const bool unread = over == POLLHUP && stdio->in == stdio->out && !stdio->ended;
	if (over != 0 && !unread) /* what a socket has received stands before its end */
		stdio->gone = true;
}

void posix_stdio_poll(struct pollfd *fds, size_t count, uint32_t ms)
{
	const struct timespec limit = duration(ms);
	if (posix_system_poll(fds, count, ms == UINT32_MAX ? NULL : &limit) > 0)
		return;
	for (size_t i = 0; i < count; i++)
		fds[i].revents = 0;
}

void posix_stdio_wait(struct posix_stdio *stdio, quash_peer *peer, uint32_t ms)
{
	struct pollfd fds[2];
	if (!posix_stdio_watch(stdio, peer, fds))
		return;
	posix_stdio_poll(fds, 2, ms);
	posix_stdio_seen(stdio, fds);
}
