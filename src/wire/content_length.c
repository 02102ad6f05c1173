/* SPDX-License-Identifier: MIT */
#include "frame_inner.h"
#include "tx.h"

/* "Content-Length: " and two line ends */
enum { HEADER = 20 };

static uint32_t header(uint32_t length)
{
	uint8_t digits = 1;
	for (uint32_t limit = 10; length >= limit && digits < 10; digits++)
		limit = digits < 9 ? limit * 10 : UINT32_MAX;
	return (uint32_t)HEADER + digits;
}

static void put_header(quash_writer *w, uint32_t length)
{
	quash_put_plain(w, "Content-Length: ");
	w->comma = false;
	quash_put_uint(w, length);
	quash_put_plain(w, "\r\n\r\n");
	w->comma = false;
}

static void insert(quash_writer *w, quash_size room)
{
	const uint32_t length = w->count;
	const quash_size end = w->at;
	quash_size from = (quash_size)(w->tail + room);
	w->at = w->tail;
	put_header(w, length);
	w->count = length;
	quash_size to = w->at;
	for (; from < end && from < w->size && to < w->size; from++, to++)
		w->buffer[to] = w->buffer[from];
	w->at = to;
}

const struct quash_framing_code quash_content_length = { quash_frame_length, header, put_header, insert };
