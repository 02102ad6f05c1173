/* SPDX-License-Identifier: MIT
 * A message has its length in front of it: one that does not fit whole is measured first. */
#include "content_length.h"

/* "Content-Length: " and two line ends */
enum { HEADER = 20 };

static uint32_t header_length(uint32_t length)
{
	uint8_t digits = 1;
	for (uint32_t limit = 10; length >= limit && digits < 10; digits++)
		limit = digits < 9 ? limit * 10 : UINT32_MAX;
	return (uint32_t)HEADER + digits;
}

/* Room for the header of any message that fits. */
static quash_size header_room(const quash_writer *w)
{
	return (quash_size)header_length(w->size);
}

static void put_line_ends(quash_writer *w)
{
	for (uint_fast8_t i = 0; i < 2; i++) {
		quash_put_byte(w, '\r');
		quash_put_byte(w, '\n');
	}
}

static void put_header(quash_writer *w)
{
	quash_put_plain(w, "Content-Length: ");
	quash_put_digits(w, w->total);
	put_line_ends(w);
}

/* Puts it where the writer has left room in front of a whole message, and closes the gap. */
static void insert_header(quash_writer *w)
{
	const quash_size end = w->at;
	quash_size from = (quash_size)(w->tail + header_room(w));
	w->at = w->tail;
	w->total = w->count - w->skip;
	put_header(w);
	quash_size to = w->at;
	for (; from < end && from < w->size && to < w->size; from++, to++)
		w->buffer[to] = w->buffer[from];
	w->at = to;
}

static uint32_t framed_length(const quash_writer *w)
{
	return w->total + header_length(w->total);
}

void quash_content_open(quash_writer *w)
{
	const uint32_t body = (uint32_t)w->tail + header_room(w);
	if (w->total == 0) {
		quash_tx_start_pass(w, body < w->size ? (quash_size)body : w->size);
		return;
	}
	quash_tx_start_pass(w, w->tail);
	if (w->from == 0)
		put_header(w);
}

static enum tx_result commit_framed(quash_writer *w)
{
	if (w->total == 0)
		insert_header(w);
	w->tail = w->at;
	return TX_DONE;
}

static enum tx_result measure(quash_writer *w)
{
	w->total = w->count;
	return quash_tx_give_back(w);
}

enum tx_result quash_content_close(quash_writer *w, bool whole)
{
	if (w->why != 0)
		return TX_VOID;
	if (w->total == 0)
		return w->full ? measure(w) : commit_framed(w);
	if (!quash_tx_is_same(w) || (whole && w->count != framed_length(w)))
		return TX_CHANGED;
	if (!w->full)
		return commit_framed(w);
	return w->tail == 0 ? quash_tx_commit_window(w) : quash_tx_give_back(w);
}

enum tx_result quash_content_close_whole(quash_writer *w)
{
	if (w->why != 0)
		return TX_VOID;
	return w->full ? TX_FULL : commit_framed(w);
}

uint32_t quash_content_rest(const quash_writer *w)
{
	const uint32_t length = framed_length(w);
	return length > w->skip ? length - w->skip : 0;
}

quash_size quash_content_most(const quash_writer *w)
{
	return (quash_size)(w->size - header_room(w));
}
