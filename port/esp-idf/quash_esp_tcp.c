/* SPDX-License-Identifier: MIT */
#include "quash_esp_tcp.h"

#include "quash_esp_time.h"

#include <errno.h>
#include <esp_vfs_eventfd.h>
#include <fcntl.h>
#include <lwip/sockets.h>
#include <sys/select.h>
#include <unistd.h>

enum { NONE = -1, WAITING = 2, PROBES = 3, SILENCE_SECONDS = 60, PROBE_SECONDS = SILENCE_SECONDS / 6, CROWDED_MS = 1000 };

static bool try_again(int error)
{
	return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = NONE;
}

/* --- The contract */

static int lose_client(quash_esp_tcp *t)
{
	close_one(&t->client);
	return QUASH_GONE;
}

static int fetch(quash_esp_tcp *t)
{
	const ssize_t n = recv(t->client, t->buffer, sizeof t->buffer, MSG_DONTWAIT);
	if (n < 0)
		return try_again(errno) ? 0 : lose_client(t);
	t->from = 0;
	t->to = (size_t)n;
	t->ended = n == 0;
	return t->ended ? QUASH_END : (int)n;
}

static int peek(void *device, const uint8_t **bytes)
{
	quash_esp_tcp *const t = device;
	if (t->client < 0)
		return QUASH_GONE;
	if (t->from == t->to) {
		const int received = t->ended ? QUASH_END : fetch(t);
		if (received <= 0)
			return received;
	}
	*bytes = t->buffer + t->from;
	return (int)(t->to - t->from);
}

static void take(void *device, size_t n)
{
	quash_esp_tcp *const t = device;
	t->from += n;
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	quash_esp_tcp *const t = device;
	if (t->client < 0)
		return QUASH_GONE;
	const ssize_t sent = send(t->client, data, n, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (sent < 0 && !try_again(errno))
		return lose_client(t);
	const size_t count = sent > 0 ? (size_t)sent : 0;
	t->full = count < n;
	return (int)count;
}

static uint32_t now(void *device)
{
	(void)device;
	return quash_esp_ms();
}

quash_port quash_esp_tcp_port(quash_esp_tcp *t)
{
	const quash_port port = { .peek = peek, .take = take, .write = write_bytes, .now = now, .device = t };
	return port;
}

/* --- Starting */

static void set(int fd, int level, int option, int value)
{
	(void)setsockopt(fd, level, option, &value, sizeof value); /* each of them can be done without */
}

static void tune(int fd)
{
	set(fd, IPPROTO_TCP, TCP_NODELAY, 1); /* a cancel does not queue */
	set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set(fd, IPPROTO_TCP, TCP_KEEPIDLE, SILENCE_SECONDS - PROBES * PROBE_SECONDS);
	set(fd, IPPROTO_TCP, TCP_KEEPINTVL, PROBE_SECONDS);
	set(fd, IPPROTO_TCP, TCP_KEEPCNT, PROBES);
}

static int listen_at(quash_esp_tcp *t, const struct sockaddr_in *address)
{
	t->listener = socket(AF_INET, SOCK_STREAM, 0);
	if (t->listener < 0)
		return errno;
	set(t->listener, SOL_SOCKET, SO_REUSEADDR, 1); /* connections of the last run may be closing yet */
	const bool listens = bind(t->listener, (const struct sockaddr *)address, sizeof *address) == 0 &&
		listen(t->listener, WAITING) == 0 && fcntl(t->listener, F_SETFL, O_NONBLOCK) == 0;
	return listens ? 0 : errno;
}

static int open_all(quash_esp_tcp *t, const quash_esp_tcp_choice *choice)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	address.sin_port = htons(choice->number);
	if (inet_pton(AF_INET, choice->address != NULL ? choice->address : "127.0.0.1", &address.sin_addr) != 1)
		return EINVAL;
	t->event = eventfd(0, EFD_SUPPORT_ISR);
	return t->event < 0 ? errno : listen_at(t, &address);
}

static void close_all(quash_esp_tcp *t)
{
	close_one(&t->client);
	close_one(&t->listener);
	close_one(&t->event);
}

int quash_esp_tcp_start(quash_esp_tcp *t, quash_peer *peer, const quash_esp_tcp_choice *choice)
{
	static const quash_esp_tcp fresh = { .listener = NONE, .client = NONE, .event = NONE };
	*t = fresh;
	t->peer = peer;
	t->rest = choice->rest;
	const int error = open_all(t, choice);
	if (error != 0)
		close_all(t);
	return error;
}

uint16_t quash_esp_tcp_number(const quash_esp_tcp *t)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t length = sizeof address;
	return getsockname(t->listener, (struct sockaddr *)&address, &length) == 0 ? ntohs(address.sin_port) : 0;
}

/* --- Clients */

/* What the last one had asked for is cancelled; its motor stops. */
static void begin_session(quash_esp_tcp *t, int client)
{
	t->client = client;
	t->ended = t->full = false;
	t->from = t->to = 0;
	quash_reopen(t->peer);
	quash_new_session(t->peer);
}

static void take_client(quash_esp_tcp *t)
{
	const int client = accept(t->listener, NULL, NULL);
	if (client < 0) {
		t->crowded = !try_again(errno) && errno != ECONNABORTED;
		if (t->crowded) /* the last one's socket is free for the new one */
			(void)lose_client(t);
		return;
	}
	(void)lose_client(t);
	tune(client);
	begin_session(t, client);
}

/* --- The task */

static uint32_t nap(const quash_esp_tcp *t)
{
	const bool writes = t->client >= 0 && rtos_has_output(t->peer);
	if (writes && !t->full)
		return 0;
	const uint32_t ms = rtos_nap(t->peer, false, t->rest);
	return t->crowded && ms > CROWDED_MS ? CROWDED_MS : ms;
}

static void watch(int fd, bool wanted, fd_set *set, int *most)
{
	if (fd < 0 || !wanted)
		return;
	FD_SET(fd, set);
	*most = fd > *most ? fd : *most;
}

/* What is to be read when the sleep is over, and which client has failed. False: the time is over. */
static bool sleep_for(const quash_esp_tcp *t, uint32_t ms, fd_set *reads, fd_set *failures)
{
	fd_set writes;
	int most = NONE;
	struct timeval limit = { .tv_sec = 0 };
	FD_ZERO(reads);
	FD_ZERO(&writes);
	FD_ZERO(failures);
	limit.tv_sec = (int)(ms / 1000);
	limit.tv_usec = (int)(ms % 1000 * 1000);
	watch(t->event, true, reads, &most);
	watch(t->listener, !t->crowded, reads, &most);
	watch(t->client, !t->ended && t->from == t->to, reads, &most);
	watch(t->client, t->full, &writes, &most);
	watch(t->client, true, failures, &most); /* nothing is read from it once it has ended, or while the peer is full */
	return select(most + 1, reads, &writes, failures, ms == UINT32_MAX ? NULL : &limit) > 0;
}

static void look(quash_esp_tcp *t, const fd_set *reads, const fd_set *failures)
{
	uint64_t calls;
	if (FD_ISSET(t->event, reads))
		(void)!read(t->event, &calls, sizeof calls);
	if (t->client >= 0 && FD_ISSET(t->client, failures))
		(void)lose_client(t);
	if (FD_ISSET(t->listener, reads))
		take_client(t);
}

/* Until there is something to pump or to step. Takes new clients. */
static void sleep_until_due(quash_esp_tcp *t)
{
	fd_set reads, failures;
	quash_tick(t->peer, quash_esp_ms()); /* the step took its time */
	if (t->ended && quash_is_at_rest(t->peer))
		(void)lose_client(t);
	const bool seen = sleep_for(t, nap(t), &reads, &failures);
	t->full = t->crowded = false;
	if (seen)
		look(t, &reads, &failures);
}

void quash_esp_tcp_serve(quash_esp_tcp *t)
{
	const quash_port port = quash_esp_tcp_port(t);
	for (;;) {
		quash_pump(t->peer, &port);
		(void)quash_step(t->peer);
		sleep_until_due(t);
	}
}

/* --- Elsewhere */

static void call_owner(const quash_esp_tcp *t)
{
	static const uint64_t once = 1;
	(void)!write(t->event, &once, sizeof once);
}

void quash_esp_tcp_cancel(const quash_esp_tcp *t, quash_handle handle)
{
	quash_cancel_async(handle);
	call_owner(t);
}

void quash_esp_tcp_wake(const quash_esp_tcp *t, quash_request *request)
{
	quash_wake(request);
	call_owner(t);
}
