/* SPDX-License-Identifier: MIT
 * A peer in a thread of POSIX, whose bytes other threads bring and fetch: drivers that block, a simulation, a test. It
 * sleeps on a condition variable, which all of them signal.
 *
 * Calling context: *owner* is the peer's thread; *anywhere* is every thread, but no signal handler. What `posix_threads_put`
 * is given by two threads at once is not mixed byte by byte, but may be in pieces. */
#ifndef POSIX_THREADS_H
#define POSIX_THREADS_H

#include "../../include/quash/port.h"
#include "../port_ring.h"

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The link. The caller owns it; opaque. */
typedef struct posix_threads {
	quash_peer *peer;
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t news;  /* the owner waits for it */
	pthread_cond_t moved; /* the others do */
	port_ring in, out;
	port_ring_index shown; /* of `in` to the peer, which has not taken it */
	bool called; /* the owner has not seen it yet */
	bool ended, gone;
} posix_threads;

/** What the program lends, standing as long as the link: the rings, each used but for one byte. */
typedef struct posix_threads_buffers {
	uint8_t *in, *out;
	port_ring_index in_size, out_size;
} posix_threads_buffers;

/** Makes it ready, before any thread uses it. False when the system has no more of what it takes. */
bool posix_threads_open(posix_threads *t, quash_peer *peer, const posix_threads_buffers *buffers);

/** When no thread uses it any more. */
void posix_threads_close(posix_threads *t);

/** The port, for `quash_pump`; valid as long as `t`. Its functions: owner, from the pump. */
quash_port posix_threads_port(posix_threads *t);

/** Sleeps until there is something to pump or to step. Owner, after `quash_step`; not from handlers. */
void posix_threads_sleep(posix_threads *t);

/** Pumps, steps and sleeps until the link is gone and no request lives. Owner. */
void posix_threads_run(posix_threads *t);

/** Brings bytes for the peer; waits up to `ms` milliseconds (UINT32_MAX: no limit) for room. Anywhere.
 *
 * @return how many found room; the caller keeps the rest, or calls `posix_threads_lose` */
size_t posix_threads_put(posix_threads *t, const uint8_t *data, size_t n, uint32_t ms);

/** Bytes were lost after those that were put. What is put from now on waits until the owner knows. Anywhere. */
void posix_threads_lose(posix_threads *t);

/** Fetches up to `n` bytes that the peer wrote; waits up to `ms` milliseconds for the first. Returns how many. Anywhere. */
size_t posix_threads_get(posix_threads *t, uint8_t *data, size_t n, uint32_t ms);

void posix_threads_end(posix_threads *t);  /**< The other side has finished transmitting. Anywhere. */
void posix_threads_gone(posix_threads *t); /**< Nothing works any more. Anywhere. */

/** `quash_cancel_async`, and has the owner notice. Anywhere. */
void posix_threads_cancel(posix_threads *t, quash_handle handle);

/** `quash_wake`, and has the owner notice. Anywhere. */
void posix_threads_wake(posix_threads *t, quash_request *request);

#ifdef __cplusplus
}
#endif
#endif
