/* SPDX-License-Identifier: MIT
 * Messages in the TX buffer: whole, or window by window. */
#ifndef QUASH_SRC_TX_H
#define QUASH_SRC_TX_H

#include "../../include/quash/dialect.h"
#include "../../include/quash/frame.h"
#include "../json/writer.h"
#include "frame_inner.h"

/* A framing other than lines. */
struct quash_framing_code {
	/* As quash_frame_length. */
	enum frame_found (*take)(quash_frame *f, const uint8_t *data, size_t n, size_t *at, size_t *to);
	/* The length of a header. */
	uint32_t (*header)(uint32_t length);
	/* Puts the header in front of a message whose length is known. */
	void (*put)(quash_writer *w, uint32_t length);
	/* Puts it where the writer has left `room` in front of a whole message, and closes the gap. */
	void (*insert)(quash_writer *w, quash_size room);
};

enum tx_result {
	TX_DONE,   /* the whole message is committed */
	TX_WINDOW, /* a part of it is, more is to come */
	TX_FULL,   /* nothing is: no room */
	TX_CHANGED, /* nothing is: it was not the same message again */
	TX_VOID    /* nothing is: it is no JSON */
};

void quash_tx_init(quash_writer *w, uint8_t *buffer, quash_size size);

/* A new message: nothing of it is known. */
void quash_tx_begin(quash_writer *w);

/* Begins a pass over the message, from the piece in which the next window begins. */
void quash_tx_open(quash_writer *w, quash_framing framing);

/* A piece begins. True when the next window might begin with it: up to here the pass has found room. */
bool quash_tx_piece(quash_writer *w);

/* Ends the pass. `whole`: it has put the message to its end. */
enum tx_result quash_tx_close(quash_writer *w, quash_framing framing, bool whole);

/* The free bytes that the next pass needs, after TX_WINDOW or TX_FULL. */
quash_size quash_tx_need(const quash_writer *w, quash_framing framing);

/* The bytes that are free without moving anything. */
quash_size quash_tx_room(const quash_writer *w);

/* The bytes that would fill up a message that was begun and is given up. */
uint32_t quash_tx_rest(const quash_writer *w, quash_framing framing);

/* Commits up to `n` blanks; returns how many. */
quash_size quash_tx_fill(quash_writer *w, uint32_t n);

/* Opens a message that goes nowhere, beside the one that is under way. */
void quash_tx_open_nowhere(quash_writer *w);

/* Ends a message that is written whole or not at all. */
enum tx_result quash_tx_close_whole(quash_writer *w, quash_framing framing);

/* The length of what was put since, a header left out. */
uint32_t quash_tx_length(const quash_writer *w);

/* Says whether a message of that length can ever be written whole. */
bool quash_tx_holds(const quash_writer *w, quash_framing framing, uint32_t length);

/* Says whether a byte of the message under way is committed. */
bool quash_tx_begun(const quash_writer *w);

bool quash_tx_empty(const quash_writer *w);
void quash_tx_sent(quash_writer *w, size_t n);

/* Moves what waits to the front of the buffer. */
void quash_tx_pack(quash_writer *w);

/* Forgets everything. */
void quash_tx_clear(quash_writer *w);

#endif
