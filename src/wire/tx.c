/* SPDX-License-Identifier: MIT */
#include "tx.h"

void quash_tx_init(quash_writer *w, uint8_t *buffer, quash_size size)
{
	static const quash_writer fresh = { .why = 0 };
	*w = fresh;
	w->buffer = buffer;
	w->size = size;
}

void quash_tx_begin(quash_writer *w)
{
	quash_place_begin(&w->again);
	w->from = 0;
	w->skip = 0;
	w->total = 0;
	w->sum_sent = 0;
}

/* --- Passes */

void quash_tx_start_pass(quash_writer *w, quash_size at)
{
	w->place = w->again;
	w->count = w->from;
	w->at = at;
	w->sum = 0;
	w->why = 0;
	w->full = false;
}

static void rewind_empty(quash_writer *w)
{
	if (quash_tx_empty(w))
		w->sent = w->tail = 0;
}

void quash_tx_open(quash_writer *w, quash_framing framing)
{
	rewind_empty(w);
	if (framing != QUASH_LINES)
		framing->open(w);
	else
		quash_tx_start_pass(w, w->tail);
}

bool quash_tx_piece(quash_writer *w)
{
	if (w->full || w->count < w->skip)
		return false;
	w->again = w->place;
	w->from = w->count;
	return true;
}

bool quash_tx_is_same(const quash_writer *w)
{
	return w->count >= w->skip && w->sum == w->sum_sent;
}

/* The sum over what has left goes from the beginning of the piece on. */
enum tx_result quash_tx_commit_window(quash_writer *w)
{
	size_t i = w->tail;
	if (w->from >= w->skip) {
		w->sum_sent = 0;
		i += (size_t)(w->from - w->skip);
	}
	for (; i < w->at && i < w->size; i++)
		w->sum_sent = quash_sum(w->sum_sent, w->buffer[i]);
	w->skip += (quash_size)(w->at - w->tail);
	w->tail = w->at;
	return TX_WINDOW;
}

enum tx_result quash_tx_give_back(quash_writer *w)
{
	if (w->from >= w->skip)
		w->sum_sent = 0;
	if (w->skip == 0) {
		quash_place_begin(&w->again);
		w->from = 0;
	}
	return TX_FULL;
}

static enum tx_result close_line(quash_writer *w, bool whole)
{
	if (whole)
		quash_put_byte(w, '\n');
	if (w->why != 0)
		return TX_VOID;
	if (!quash_tx_is_same(w))
		return TX_CHANGED;
	if (w->full || !whole)
		return w->tail == 0 ? quash_tx_commit_window(w) : quash_tx_give_back(w);
	w->tail = w->at;
	return TX_DONE;
}

enum tx_result quash_tx_close(quash_writer *w, quash_framing framing, bool whole)
{
	return framing != QUASH_LINES ? framing->close(w, whole) : close_line(w, whole);
}

enum tx_result quash_tx_close_whole(quash_writer *w, quash_framing framing)
{
	if (framing != QUASH_LINES)
		return framing->close_whole(w);
	quash_put_byte(w, '\n');
	if (w->why != 0)
		return TX_VOID;
	if (w->full)
		return TX_FULL;
	w->tail = w->at;
	return TX_DONE;
}

void quash_tx_open_nowhere(quash_writer *w)
{
	quash_place_begin(&w->place);
	w->at = w->size;
	w->count = w->skip;
	w->why = 0;
}

bool quash_tx_holds(const quash_writer *w, quash_framing framing)
{
	const quash_size most = framing != QUASH_LINES ? framing->most(w) : (quash_size)(w->size - 1);
	return w->count - w->skip <= most;
}

uint32_t quash_tx_fill(quash_writer *w, quash_framing framing, uint32_t rest)
{
	uint32_t left = rest;
	rewind_empty(w);
	size_t at = w->tail;
	for (; left > 0 && at < w->size; at++, left--)
		w->buffer[at] = framing != QUASH_LINES ? ' ' : '\n';
	w->tail = (quash_size)at;
	return left;
}

void quash_tx_sent(quash_writer *w, size_t n)
{
	const size_t left = w->sent < w->tail ? (size_t)w->tail - w->sent : 0;
	w->sent = n < left ? (quash_size)(w->sent + n) : w->tail;
}

void quash_tx_pack(quash_writer *w)
{
	size_t to = 0;
	for (size_t from = w->sent; from < w->tail && from < w->size && to < w->size; from++, to++)
		w->buffer[to] = w->buffer[from];
	w->tail = (quash_size)to;
	w->at = (quash_size)to;
	w->sent = 0;
}

/* --- A message that has its length in front of it: one that does not fit whole is measured first */

enum { HEADER = sizeof CONTENT_LENGTH ": \r\n\r\n" - 1 };

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
	quash_put_plain(w, CONTENT_LENGTH ": ");
	quash_put_digits(w, w->total);
	put_line_ends(w);
}

/* Puts it where the writer has left room in front of a whole message, and closes the gap. */
static void insert_header(quash_writer *w)
{
	const quash_size end = w->at;
	quash_size from = (quash_size)(w->tail + header_room(w));
	w->at = w->tail;
	w->total = w->count;
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

enum tx_result quash_content_close(quash_writer *w, bool whole)
{
	if (w->why != 0)
		return TX_VOID;
	if (w->total == 0 && w->full) { /* measured: the next pass knows its length */
		w->total = w->count;
		return quash_tx_give_back(w);
	}
	if (w->total == 0)
		return commit_framed(w);
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
