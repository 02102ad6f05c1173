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
