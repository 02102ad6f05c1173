/* SPDX-License-Identifier: MIT */
#include "tx.h"

void quash_tx_init(quash_writer *w, uint8_t *buffer, quash_size size)
{
	static const quash_writer fresh = { .why = 0 };
	*w = fresh;
	w->buffer = buffer;
	w->size = size;
	quash_tx_begin(w);
}

void quash_tx_clear(quash_writer *w)
{
	quash_tx_init(w, w->buffer, w->size);
}

void quash_tx_begin(quash_writer *w)
{
	quash_place_begin(&w->again);
	w->from = 0;
	w->skip = 0;
	w->total = 0;
	w->sum_sent = 0;
}

static bool has_header(quash_framing framing)
{
	return framing != QUASH_LINES;
}

/* Room for the header of any message that fits. */
static quash_size header_room(const quash_writer *w, quash_framing framing)
{
	return has_header(framing) ? (quash_size)framing->header(w->size) : 0;
}

/* With its header, once it is measured. */
static uint32_t whole_length(const quash_writer *w, quash_framing framing)
{
	return has_header(framing) ? w->total + framing->header(w->total) : w->total;
}

static void start_pass(quash_writer *w, quash_size at)
{
	w->place = w->again;
	w->count = w->from;
	w->at = at;
	w->sum = 0;
	w->why = 0;
	w->full = false;
}

void quash_tx_open(quash_writer *w, quash_framing framing)
{
	if (quash_tx_empty(w))
		w->sent = w->tail = 0;
	const uint32_t body = (uint32_t)w->tail + header_room(w, framing);
	if (has_header(framing) && w->total == 0) {
		start_pass(w, body < w->size ? (quash_size)body : w->size);
		return;
	}
	start_pass(w, w->tail);
	if (has_header(framing) && w->from == 0)
		framing->put(w, w->total);
}

bool quash_tx_piece(quash_writer *w)
{
	if (w->full || w->count < w->skip)
		return false;
	w->again = w->place;
	w->from = w->count;
	return true;
}

bool quash_tx_holds(const quash_writer *w, quash_framing framing, uint32_t length)
{
	return length <= (uint32_t)(w->size - header_room(w, framing));
}

/* A window of it goes out now, or may. */
static bool is_windowed(const quash_writer *w, quash_framing framing)
{
	return w->skip > 0 || (has_header(framing) ? w->total != 0 : w->tail == 0);
}

static bool is_same(const quash_writer *w, quash_framing framing, bool whole)
{
	if (w->count < w->skip || w->sum != w->sum_sent)
		return false;
	return !whole || w->total == 0 || w->count == whole_length(w, framing);
}

/* The sum over what has left, from the beginning of the piece on. */
static void add_sum(quash_writer *w)
{
	const uint32_t before = w->skip; /* the first byte of this window */
	quash_size i = w->tail;
	if (w->from >= before) {
		w->sum_sent = 0;
		i = (quash_size)(w->tail + (w->from - before));
	}
	for (; i < w->at && i < w->size; i++)
		w->sum_sent = quash_sum(w->sum_sent, w->buffer[i]);
}

static enum tx_result commit_window(quash_writer *w)
{
	add_sum(w);
	w->skip += (uint32_t)(w->at - w->tail);
	w->tail = w->at;
	return TX_WINDOW;
}

/* It has not found room to its end. */
static enum tx_result close_full(quash_writer *w, quash_framing framing, bool whole)
{
	const bool windowed = is_windowed(w, framing);
	if (whole && w->total == 0)
		w->total = w->count;
	if (windowed && w->at > w->tail)
		return commit_window(w);
	if (w->skip == 0) { /* the next pass begins at the beginning */
		quash_place_begin(&w->again);
		w->from = 0;
	}
	if (w->from >= w->skip)
		w->sum_sent = 0;
	return TX_FULL;
}

static enum tx_result commit_whole(quash_writer *w, quash_framing framing)
{
	if (has_header(framing) && w->total == 0)
		framing->insert(w, header_room(w, framing));
	w->tail = w->at;
	return TX_DONE;
}

enum tx_result quash_tx_close(quash_writer *w, quash_framing framing, bool whole)
{
	if (!has_header(framing) && whole)
		quash_put_byte(w, '\n');
	if (w->why != 0)
		return TX_VOID;
	if ((w->skip > 0 || w->total != 0) && !is_same(w, framing, whole))
		return TX_CHANGED;
	return w->full || !whole ? close_full(w, framing, whole) : commit_whole(w, framing);
}

enum tx_result quash_tx_close_whole(quash_writer *w, quash_framing framing)
{
	if (!has_header(framing))
		quash_put_byte(w, '\n');
	if (w->why != 0)
		return TX_VOID;
	return w->full ? TX_FULL : commit_whole(w, framing);
}

uint32_t quash_tx_length(const quash_writer *w)
{
	return w->count - w->skip;
}

quash_size quash_tx_room(const quash_writer *w)
{
	return quash_tx_empty(w) ? w->size : (quash_size)(w->size - w->tail);
}

quash_size quash_tx_need(const quash_writer *w, quash_framing framing)
{
	const uint32_t length = whole_length(w, framing);
	if (w->total == 0 || length < w->skip)
		return w->size;
	const uint32_t rest = length - w->skip;
	return rest < w->size ? (quash_size)rest : w->size;
}

uint32_t quash_tx_rest(const quash_writer *w, quash_framing framing)
{
	const uint32_t length = whole_length(w, framing);
	return has_header(framing) && length > w->skip ? length - w->skip : 0;
}

quash_size quash_tx_fill(quash_writer *w, uint32_t n)
{
	if (quash_tx_empty(w))
		w->sent = w->tail = 0;
	const quash_size room = (quash_size)(w->size - w->tail);
	const quash_size most = n < room ? (quash_size)n : room;
	for (quash_size i = 0; i < most && w->tail < w->size; i++) {
		w->buffer[w->tail] = ' ';
		w->tail++;
	}
	return most;
}

void quash_tx_open_nowhere(quash_writer *w)
{
	quash_place_begin(&w->place);
	w->at = w->size;
	w->count = w->skip;
	w->why = 0;
}

bool quash_tx_begun(const quash_writer *w)
{
	return w->skip > 0;
}

bool quash_tx_empty(const quash_writer *w)
{
	return w->sent >= w->tail;
}

void quash_tx_sent(quash_writer *w, size_t n)
{
	const uint32_t sent = w->sent + (n < w->size ? (uint32_t)n : w->size);
	w->sent = sent < w->tail ? (quash_size)sent : w->tail;
}

void quash_tx_pack(quash_writer *w)
{
	quash_size to = 0;
	for (quash_size from = w->sent; from < w->tail && from < w->size && to < w->size; from++, to++)
		w->buffer[to] = w->buffer[from];
	w->tail = to;
	w->at = to;
	w->sent = 0;
}
