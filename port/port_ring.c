/* SPDX-License-Identifier: MIT */
#include "port_ring.h"

/* The compiler must not move the byte behind the index that publishes it; on one core that is all it takes. */
static void fence(void)
{
#if defined __GNUC__
	__asm__ volatile("" ::: "memory");
#endif
}

static ring_index after(const ring *r, ring_index i)
{
	return (ring_index)(i + 1 < r->size ? i + 1 : 0);
}

void ring_init(ring *r, uint8_t *bytes, ring_index size)
{
	r->bytes = bytes;
	r->size = size;
	r->head = r->tail = 0;
	r->gaps = r->passed = 0;
}

bool ring_has_room(const ring *r)
{
	return r->gaps == r->passed && after(r, r->head) != r->tail;
}

void ring_lose(ring *r)
{
	if (r->gaps == r->passed)
		r->gaps = (uint8_t)(r->gaps + 1);
}

bool ring_put(ring *r, uint8_t byte)
{
	const ring_index at = r->head;
	if (!ring_has_room(r)) {
		ring_lose(r);
		return false;
	}
	r->bytes[at] = byte;
	fence();
	r->head = after(r, at);
	return true;
}

ring_index ring_fill(const ring *r)
{
	const ring_index head = r->head, tail = r->tail;
	return (ring_index)(head >= tail ? head - tail : r->size - tail + head);
}

size_t ring_show(const ring *r, const uint8_t **bytes)
{
	const ring_index from = r->tail, to = r->head;
	fence();
	*bytes = r->bytes + from;
	return (size_t)(to >= from ? to - from : r->size - from);
}

void ring_take(ring *r, size_t n)
{
	const size_t at = r->tail + n;
	fence();
	r->tail = (ring_index)(at < r->size ? at : at - r->size);
}

size_t ring_get(ring *r, uint8_t *data, size_t n)
{
	ring_index at = r->tail;
	const ring_index end = r->head;
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

bool ring_has_news(const ring *r)
{
	return r->head != r->tail || r->gaps != r->passed;
}

/* The gap is looked at first: what comes behind it is lost too, so no byte can come between the two questions. */
bool ring_pass_gap(ring *r)
{
	const uint8_t gaps = r->gaps;
	if (gaps == r->passed || r->head != r->tail)
		return false;
	r->passed = gaps;
	return true;
}
