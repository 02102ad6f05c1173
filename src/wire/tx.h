/* SPDX-License-Identifier: MIT
 * Messages in the TX buffer: whole, or window by window. */
#ifndef QUASH_SRC_TX_H
#define QUASH_SRC_TX_H

#include "../../include/quash/dialect.h"
#include "../../include/quash/frame.h"
#include "../json/writer.h"
#include "frame_inner.h"

enum tx_result {
	TX_DONE,    /* the whole message is committed */
	TX_WINDOW,  /* a part of it is, more is to come once TX is empty */
	TX_FULL,    /* nothing is: no room until TX is empty */
	TX_CHANGED, /* nothing is: it was not the same message again */
	TX_VOID     /* nothing is: it is no JSON */
};

struct quash_peer;

/* A framing other than lines. */
struct quash_framing_code {
	/* As quash_feed and quash_frame_lost. */
	size_t (*feed)(struct quash_peer *peer, const uint8_t *data, size_t n);
	void (*lost)(quash_frame *f);
	/* As quash_tx_open, quash_tx_close, quash_tx_close_whole. */
	void (*open)(quash_writer *w);
	enum tx_result (*close)(quash_writer *w, bool whole);
	enum tx_result (*close_whole)(quash_writer *w);
	/* The bytes that a message still lacks which was begun and is given up. */
	uint32_t (*rest)(const quash_writer *w);
	/* The longest message that can be written whole. */
	quash_size (*most)(const quash_writer *w);
};

/* Forgets everything. A message begins with quash_tx_begin. */
void quash_tx_init(quash_writer *w, uint8_t *buffer, quash_size size);

/* A new message: nothing of it is known. */
void quash_tx_begin(quash_writer *w);

/* Begins a pass over the message, from the piece in which the next window begins. */
void quash_tx_open(quash_writer *w, quash_framing framing);

/* A piece begins. True when the next window might begin with it: up to here the pass has found room. */
bool quash_tx_piece(quash_writer *w);

/* Ends the pass. `whole`: it has put the message to its end. */
enum tx_result quash_tx_close(quash_writer *w, quash_framing framing, bool whole);

/* Ends a message that is written whole or not at all. */
enum tx_result quash_tx_close_whole(quash_writer *w, quash_framing framing);

/* Opens a message that goes nowhere, beside the one that is under way. */
void quash_tx_open_nowhere(quash_writer *w);

/* True if a message of the length that was put since could be written whole. */
bool quash_tx_holds(const quash_writer *w, quash_framing framing);

/* Makes up for the rest of a message that is given up: `rest` blanks, or the line's end. Returns how many are to
 * come. */
uint32_t quash_tx_fill(quash_writer *w, quash_framing framing, uint32_t rest);

/* True if a byte of the message under way is committed. */
static inline bool quash_tx_begun(const quash_writer *w)
{
	return w->skip > 0;
}

static inline bool quash_tx_empty(const quash_writer *w)
{
	return w->sent >= w->tail;
}

void quash_tx_sent(quash_writer *w, size_t n);

/* Moves what waits to the front of the buffer. */
void quash_tx_pack(quash_writer *w);

/* --- For framings */

/* The pass begins, its first byte at `at`. */
void quash_tx_start_pass(quash_writer *w, quash_size at);

/* True if what was put again is what has left. */
bool quash_tx_is_same(const quash_writer *w);

/* Commits what the pass has stored; it has not found room to its end. */
enum tx_result quash_tx_commit_window(quash_writer *w);

/* Commits nothing: the next pass begins where this one did. */
enum tx_result quash_tx_give_back(quash_writer *w);

/* --- Messages that have their length in front of them: what quash_framing_code asks for */

void quash_content_open(quash_writer *w);
enum tx_result quash_content_close(quash_writer *w, bool whole);
enum tx_result quash_content_close_whole(quash_writer *w);
uint32_t quash_content_rest(const quash_writer *w);
quash_size quash_content_most(const quash_writer *w);

#endif
