/* SPDX-License-Identifier: MIT */
#include "tx.h"

void quash_tx_init(quash_writer *w, uint8_t *buffer, quash_size size)
{
	static const quash_writer fresh = { 0 };
	*w = fresh;
	w->buffer = buffer;
	w->size = size;
}

void quash_tx_clear(quash_writer *w)
{
	quash_tx_init(w, w->buffer, w->size);
}

static bool has_header(quash_framing framing)
{
	return framing != QUASH_LINES && framing->header != NULL;
}

/* Room for the header of any message that fits. */
static quash_size header_room(const quash_writer *w, quash_framing framing)
{
	return has_header(framing) ? (quash_size)framing->header(w->size) : 0;
}

static void start_message(quash_writer *w, quash_size at)
{
	w->at = at;
	w->count = 0;
	w->sum = 0;
	w->kinds = 0;
	w->depth = 0;
	w->comma = false;
	w->full = false;
	w->deep = false;
	w->due = false;
	w->quoted = false;
}

void quash_tx_open(quash_writer *w, quash_framing framing, uint32_t total)
{
	if (quash_tx_empty(w))
		w->sent = w->tail = 0;
	if (total == 0) {
		const quash_size room = header_room(w, framing);
		const uint32_t at = (uint32_t)w->tail + room;
		start_message(w, at < w->size ? (quash_size)at : w->size);
		w->skip = 0;
		return;
	}
	start_message(w, w->tail);
	if (has_header(framing))
		framing->put(w, total);
}

void quash_tx_open_full(quash_writer *w)
{
	start_message(w, w->size);
}

void quash_tx_rewind(quash_writer *w)
{
	w->at = w->tail;
}

uint32_t quash_tx_length(const quash_writer *w)
{
	return w->count;
}

bool quash_tx_holds(const quash_writer *w, quash_framing framing, uint32_t length)
{
	return length <= (uint32_t)(w->size - header_room(w, framing));
}

static enum tx_result close_window(quash_writer *w, quash_framing framing, uint32_t total)
{
	const uint32_t length = has_header(framing) ? total + framing->header(total) : total;
	if (w->count != length || w->sum != w->sum_sent) {
		quash_tx_rewind(w);
		return TX_CHANGED;
	}
	for (quash_size i = w->tail; i < w->at && i < w->size; i++)
		w->sum_sent = quash_sum(w->sum_sent, w->buffer[i]);
	w->skip += (uint32_t)(w->at - w->tail);
	w->tail = w->at;
	if (w->skip < length)
		return TX_WINDOW;
	w->skip = 0;
	w->sum_sent = 0;
	return TX_DONE;
}

enum tx_result quash_tx_close(quash_writer *w, quash_framing framing, uint32_t total)
{
	if (framing == QUASH_LINES)
		quash_put_byte(w, '\n');
	if (total != 0)
		return close_window(w, framing, total);
	if (w->full) {
		quash_tx_rewind(w);
		return TX_FULL;
	}
	if (has_header(framing))
		framing->insert(w, header_room(w, framing));
	w->tail = w->at;
	return TX_DONE;
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
