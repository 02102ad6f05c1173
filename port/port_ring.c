/* SPDX-License-Identifier: MIT */
#include "port_ring.h"

#if PORT_SEVERAL_CORES && !defined __GNUC__
#error "a ring between several cores needs a compiler with __atomic_thread_fence"
#endif

/* With several cores, who loads an index sees all that the other side did before it stored that. So a barrier stands between an
 * index and the bytes, and a fence between two indices. One core keeps its own order, and the compiler keeps that of what is
 * volatile. There only the bytes need something, which takes no instruction. */
#if PORT_SEVERAL_CORES && defined __GCC_ATOMIC_SHORT_LOCK_FREE && __GCC_ATOMIC_SHORT_LOCK_FREE == 2
#define RING_LOAD(place) __atomic_load_n(&(place), __ATOMIC_ACQUIRE)
#define RING_STORE(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELEASE)
#define RING_FENCE() ((void)0)
#define RING_BARRIER() ((void)0)
#else
#define RING_LOAD(place) (place)
#define RING_STORE(place, value) ((place) = (value))
#if PORT_SEVERAL_CORES
#define RING_FENCE() __atomic_thread_fence(__ATOMIC_ACQ_REL)
#define RING_BARRIER() RING_FENCE()
#else
#define RING_FENCE() ((void)0)
#if defined __GNUC__
#define RING_BARRIER() __asm__ volatile("" ::: "memory")
#else
#define RING_BARRIER() ((void)0)
#endif
#endif
#endif

static port_ring_index after(const port_ring *r, port_ring_index i)
{
	return (port_ring_index)(i + 1 < r->size ? i + 1 : 0);
}

void port_ring_init(port_ring *r, uint8_t *bytes, port_ring_index size)
{
	r->bytes = bytes;
	r->size = size;
	r->head = r->tail = 0;
	r->gaps = r->passed = 0;
}

bool port_ring_has_room(const port_ring *r)
{
	return r->gaps == RING_LOAD(r->passed) && (RING_FENCE(), after(r, r->head) != RING_LOAD(r->tail));
}

void port_ring_lose(port_ring *r)
{
	if (r->gaps == RING_LOAD(r->passed)) {
		RING_FENCE();
		RING_STORE(r->gaps, (uint8_t)(r->gaps + 1));
	}
}

bool port_ring_put(port_ring *r, uint8_t byte)
{
	const port_ring_index at = r->head;
	if (!port_ring_has_room(r)) {
		port_ring_lose(r);
		return false;
	}
	RING_FENCE();
	r->bytes[at] = byte;
	RING_BARRIER();
	RING_STORE(r->head, after(r, at));
	return true;
}

port_ring_index port_ring_fill(const port_ring *r)
{
	const port_ring_index head = RING_LOAD(r->head), tail = RING_LOAD(r->tail);
	return (port_ring_index)(head >= tail ? head - tail : r->size - tail + head);
}

size_t port_ring_show(const port_ring *r, const uint8_t **bytes)
{
	const port_ring_index from = r->tail, to = RING_LOAD(r->head);
	RING_BARRIER();
	*bytes = r->bytes + from;
	return (size_t)(to >= from ? to - from : r->size - from);
}

void port_ring_take(port_ring *r, size_t n)
{
	const size_t at = r->tail + n;
	RING_BARRIER();
	RING_STORE(r->tail, (port_ring_index)(at < r->size ? at : at - r->size));
}

size_t port_ring_get(port_ring *r, uint8_t *data, size_t n)
{
	port_ring_index at = r->tail;
	const port_ring_index end = RING_LOAD(r->head);
	size_t count = 0;
	RING_BARRIER();
	for (; count < n && at != end; count++) {
		data[count] = r->bytes[at];
		at = after(r, at);
	}
	RING_BARRIER();
	RING_STORE(r->tail, at);
	return count;
}

bool port_ring_has_news(const port_ring *r)
{
	return RING_LOAD(r->head) != r->tail || RING_LOAD(r->gaps) != r->passed;
}

/* The gap is looked at first: what comes after it is lost too, so no byte can come between the two questions. */
bool port_ring_pass_gap(port_ring *r)
{
	const uint8_t gaps = RING_LOAD(r->gaps);
	RING_FENCE();
	if (gaps == r->passed || RING_LOAD(r->head) != r->tail)
		return false;
	RING_FENCE();
	RING_STORE(r->passed, gaps);
	return true;
}
