/* SPDX-License-Identifier: MIT */
#include "port_ring.h"

/* The compiler must not move the byte after the index that publishes it; on one core that is all it takes. */
static void fence(void)
{
#if defined __GNUC__
	__asm__ volatile("" ::: "memory");
#endif
}

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
	return r->gaps == r->passed && after(r, r->head) != r->tail;
}

void port_ring_lose(port_ring *r)
{
	if (r->gaps == r->passed)
		r->gaps = (uint8_t)(r->gaps + 1);
}

bool port_ring_put(port_ring *r, uint8_t byte)
{
	const port_ring_index at = r->head;
	if (!port_ring_has_room(r)) {
		port_ring_lose(r);
		return false;
	}
	r->bytes[at] = byte;
	fence();
	r->head = after(r, at);
	return true;
}

port_ring_index port_ring_fill(const port_ring *r)
{
	const port_ring_index head = r->head, tail = r->tail;
	return (port_ring_index)(head >= tail ? head - tail : r->size - tail + head);
}

size_t port_ring_show(const port_ring *r, const uint8_t **bytes)
{
	const port_ring_index from = r->tail, to = r->head;
	fence();
	*bytes = r->bytes + from;
	return (size_t)(to >= from ? to - from : r->size - from);
}

void port_ring_take(port_ring *r, size_t n)
{
	const size_t at = r->tail + n;
	fence();
	r->tail = (port_ring_index)(at < r->size ? at : at - r->size);
}

size_t port_ring_get(port_ring *r, uint8_t *data, size_t n)
{
	port_ring_index at = r->tail;
	const port_ring_index end = r->head;
	size_t count = 0;
	fence();
	for (; count < n && at != end; count++) {
		data[count] = r->bytes[at];
		at = after(r, at);
	}
	fence();
	r->tail = at;
	return count;
}

bool port_ring_has_news(const port_ring *r)
{
	return r->head != r->tail || r->gaps != r->passed;
}

/* The gap is looked at first: what comes after it is lost too, so no byte can come between the two questions. */
bool port_ring_pass_gap(port_ring *r)
{
	const uint8_t gaps = r->gaps;
	if (gaps == r->passed || r->head != r->tail)
		return false;
	r->passed = gaps;
	return true;
}
