/* SPDX-License-Identifier: MIT */
#include "posix_system.h"

#include "posix_threads.h"

#include <errno.h>
#include <time.h>

static uint32_t now(void *device)
{
	struct timespec t;
	(void)device;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint32_t)t.tv_sec * 1000u + (uint32_t)(t.tv_nsec / 1000000);
}

static struct timespec after(uint32_t ms)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += (time_t)(ms / 1000);
	t.tv_nsec += (long)(ms % 1000) * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

/* With the lock. False when the time is over. */
static bool wait_for(posix_threads *t, pthread_cond_t *what, const struct timespec *limit)
{
	if (limit == NULL)
		return pthread_cond_wait(what, &t->lock) == 0;
	return posix_system_wait(what, &t->lock, limit) != ETIMEDOUT;
}

static void call(posix_threads *t)
{
	t->called = true;
	pthread_cond_signal(&t->news);
}

/* --- The contract */

/* With the lock. */
static int show(posix_threads *t, const uint8_t **bytes)
{
	if (t->gone)
		return QUASH_GONE;
	t->shown = (port_ring_index)port_ring_show(&t->in, bytes);
	if (t->shown > 0)
		return t->shown;
	if (port_ring_pass_gap(&t->in)) {
		pthread_cond_broadcast(&t->moved); /* what comes after the gap finds room */
		return QUASH_LOST;
	}
	return t->ended ? QUASH_END : 0;
}

static int peek(void *device, const uint8_t **bytes)
{
	posix_threads *t = device;
	pthread_mutex_lock(&t->lock);
	const int n = show(t, bytes);
	pthread_mutex_unlock(&t->lock);
	return n;
}

static void take(void *device, size_t n)
{
	posix_threads *t = device;
	pthread_mutex_lock(&t->lock);
	port_ring_take(&t->in, n);
	t->shown = (port_ring_index)(t->shown - n);
	pthread_cond_broadcast(&t->moved);
	pthread_mutex_unlock(&t->lock);
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	posix_threads *t = device;
	size_t count = 0;
	pthread_mutex_lock(&t->lock);
	const bool gone = t->gone;
	while (count < n && port_ring_has_room(&t->out))
		port_ring_put(&t->out, data[count++]);
	pthread_cond_broadcast(&t->moved);
	pthread_mutex_unlock(&t->lock);
	return gone ? QUASH_GONE : (int)count;
}

bool posix_threads_open(posix_threads *t, quash_peer *peer, const posix_threads_buffers *buffers)
{
	t->peer = peer;
	t->called = t->ended = t->gone = false;
	t->shown = 0;
	port_ring_init(&t->in, buffers->in, buffers->in_size);
	port_ring_init(&t->out, buffers->out, buffers->out_size);
	return pthread_mutex_init(&t->lock, NULL) == 0 && posix_system_condition(&t->news) == 0 &&
		posix_system_condition(&t->moved) == 0;
}

void posix_threads_close(posix_threads *t)
{
	pthread_cond_destroy(&t->moved);
	pthread_cond_destroy(&t->news);
	pthread_mutex_destroy(&t->lock);
}

quash_port posix_threads_port(posix_threads *t)
{
	const quash_port port = { .peek = peek, .take = take, .write = write_bytes, .now = now, .device = t };
	return port;
}

/* --- The owner */

/* With the lock: true if there is something to pump. Bytes that the peer has not taken wait for a step, or for
 * its output. */
static bool must_pump(const posix_threads *t, size_t waiting)
{
	return (waiting > 0 && port_ring_has_room(&t->out)) || (t->shown == 0 && port_ring_has_news(&t->in));
}

void posix_threads_sleep(posix_threads *t)
{
	size_t waiting;
	quash_tick(t->peer, now(NULL)); /* the step took its time */
	(void)quash_out(t->peer, &waiting);
	const uint32_t ms = quash_idle_ms(t->peer);
	const struct timespec limit = after(ms);
	pthread_mutex_lock(&t->lock);
	bool more = ms > 0;
	while (more && !t->called && !must_pump(t, waiting))
		more = wait_for(t, &t->news, ms == UINT32_MAX ? NULL : &limit);
	t->called = false;
	pthread_mutex_unlock(&t->lock);
}

static bool is_over(posix_threads *t)
{
	pthread_mutex_lock(&t->lock);
	const bool gone = t->gone;
	pthread_mutex_unlock(&t->lock);
	return gone && quash_live_count(t->peer) == 0;
}

void posix_threads_run(posix_threads *t)
{
	const quash_port port = posix_threads_port(t);
	while (!is_over(t)) {
		quash_pump(t->peer, &port);
		(void)quash_step(t->peer);
		posix_threads_sleep(t);
	}
}

/* --- The others */

size_t posix_threads_put(posix_threads *t, const uint8_t *data, size_t n, uint32_t ms)
{
	const struct timespec limit = after(ms);
	size_t count = 0;
	bool more = true;
	pthread_mutex_lock(&t->lock);
	while (more && count < n && !t->gone) {
		while (count < n && port_ring_has_room(&t->in))
			port_ring_put(&t->in, data[count++]);
		call(t);
		if (count < n)
			more = wait_for(t, &t->moved, ms == UINT32_MAX ? NULL : &limit);
	}
	pthread_mutex_unlock(&t->lock);
	return count;
}

void posix_threads_lose(posix_threads *t)
{
	pthread_mutex_lock(&t->lock);
	port_ring_lose(&t->in);
	call(t);
	pthread_mutex_unlock(&t->lock);
}

size_t posix_threads_get(posix_threads *t, uint8_t *data, size_t n, uint32_t ms)
{
	const struct timespec limit = after(ms);
	bool more = true;
	pthread_mutex_lock(&t->lock);
	while (more && !t->gone && !port_ring_has_news(&t->out))
		more = wait_for(t, &t->moved, ms == UINT32_MAX ? NULL : &limit);
	const size_t count = port_ring_get(&t->out, data, n);
	call(t);
	pthread_mutex_unlock(&t->lock);
	return count;
}

static void close_down(posix_threads *t, bool gone)
{
	pthread_mutex_lock(&t->lock);
	t->ended = true;
	t->gone = t->gone || gone;
	call(t);
	pthread_cond_broadcast(&t->moved);
	pthread_mutex_unlock(&t->lock);
}

void posix_threads_end(posix_threads *t)
{
	close_down(t, false);
}

void posix_threads_gone(posix_threads *t)
{
	close_down(t, true);
}

static void call_locked(posix_threads *t)
{
	pthread_mutex_lock(&t->lock);
	call(t);
	pthread_mutex_unlock(&t->lock);
}

void posix_threads_cancel(posix_threads *t, quash_handle handle)
{
	quash_cancel_async(handle);
	call_locked(t);
}

void posix_threads_wake(posix_threads *t, quash_request *request)
{
	quash_wake(request);
	call_locked(t);
}
