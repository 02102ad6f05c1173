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
	r->lost = r->told = 0;
}

bool ring_has_room(const ring *r)
{
	return r->lost == r->told && after(r, r->head) != r->tail;
}

void ring_lose(ring *r)
{
	const ring_index next = (ring_index)(r->lost + 1);
	if (next != r->told)
		r->lost = next;
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
	return r->head != r->tail || r->lost != r->told;
}

ring_index ring_losses(ring *r)
{
	const ring_index lost = r->lost;
	if (r->head != r->tail)
		return 0;
	const ring_index n = (ring_index)(lost - r->told);
	r->told = lost;
	return n;
}
