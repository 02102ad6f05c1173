/* SPDX-License-Identifier: MIT
 * Where messages begin and end. */
#ifndef QUASH_SRC_FRAME_INNER_H
#define QUASH_SRC_FRAME_INNER_H

#include "../../include/quash/frame.h"

/* What quash_frame_take found; several may hold at once. */
enum {
	FRAME_BODY = 1, /* bytes of a message */
	FRAME_END = 2,  /* the message ends behind them */
	FRAME_BAD = 4   /* a bad header */
};

void quash_frame_init(quash_frame *f);

/* Reads on from data[at], at < n. The body found is data[at..to); reading goes on at `next`. */
uint8_t quash_frame_line(quash_frame *f, const uint8_t *data, size_t n, size_t at, size_t *to, size_t *next);
uint8_t quash_frame_length(quash_frame *f, const uint8_t *data, size_t n, size_t at, size_t *to, size_t *next);

/* The rest of the message is lost: skips to what looks like the next one. */
void quash_frame_lost(quash_frame *f);

#endif
