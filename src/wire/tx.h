/* SPDX-License-Identifier: MIT
 * Messages in the TX buffer: whole, or window by window. */
#ifndef QUASH_SRC_TX_H
#define QUASH_SRC_TX_H

#include "../../include/quash/dialect.h"
#include "../../include/quash/frame.h"
#include "../json/writer.h"

/* A framing other than lines. Without `header` a message stands as it is. */
struct quash_framing_code {
	/* As quash_frame_length. */
	uint8_t (*take)(quash_frame *f, const uint8_t *data, size_t n, size_t at, size_t *to, size_t *next);
	/* The length of a header. */
	uint32_t (*header)(uint32_t length);
	/* Puts the header in front of a message whose length is known. */
	void (*put)(quash_writer *w, uint32_t length);
	/* Puts it where the writer has left `room` in front of a whole message, and closes the gap. */
	void (*insert)(quash_writer *w, quash_size room);
};

enum tx_result {
	TX_DONE,   /* the whole message is committed */
	TX_WINDOW, /* a window of it is, more is to come */
	TX_FULL,   /* nothing is: no room */
	TX_CHANGED /* nothing is: it was not the same message again */
};

void quash_tx_init(quash_writer *w, uint8_t *buffer, quash_size size);

/* Begins a message. `total` is 0 to write it whole, or the length that an earlier try has found
 * (quash_tx_length): then it is written in windows, which needs an empty buffer to begin with. */
void quash_tx_open(quash_writer *w, quash_framing framing, uint32_t total);

/* Begins a message that can only be told to wait. */
void quash_tx_open_full(quash_writer *w);

/* Ends the message. */
enum tx_result quash_tx_close(quash_writer *w, quash_framing framing, uint32_t total);

/* Forgets the open message. */
void quash_tx_rewind(quash_writer *w);

/* The length of the message that was closed last, for quash_tx_open. */
uint32_t quash_tx_length(const quash_writer *w);

/* Says whether a message of that length can ever be written whole. */
bool quash_tx_holds(const quash_writer *w, quash_framing framing, uint32_t length);

/* Says whether a window of a message has been committed, and not all of it. */
bool quash_tx_begun(const quash_writer *w);

bool quash_tx_empty(const quash_writer *w);
void quash_tx_sent(quash_writer *w, size_t n);

/* Moves what waits to the front of the buffer. */
void quash_tx_pack(quash_writer *w);

/* Forgets everything. */
void quash_tx_clear(quash_writer *w);

#endif
