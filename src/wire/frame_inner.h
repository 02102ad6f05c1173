/* SPDX-License-Identifier: MIT
 * Where messages begin and end. */
#ifndef QUASH_SRC_FRAME_INNER_H
#define QUASH_SRC_FRAME_INNER_H

#include "../../include/quash/frame.h"

/* What was found; reading goes on at `*at`. */
enum frame_found {
	FRAME_NOTHING, /* bytes of a header, or of noise */
	FRAME_BODY,    /* bytes of a message begin at `*at` and end before `*to` at the latest */
	FRAME_END,     /* the message ends here */
	FRAME_EMPTY,   /* an empty line between messages: a sign of life */
	FRAME_BAD      /* a bad header */
};

/* `longest` is the largest Content-Length that is believed. */
void quash_frame_init(quash_frame *f, uint32_t longest);

/* Reads on from data[*at], *at < n. After FRAME_BODY the caller calls quash_frame_took with what it took. */
enum frame_found quash_frame_line(quash_frame *f, const uint8_t *data, size_t n, size_t *at, size_t *to);
enum frame_found quash_frame_length(quash_frame *f, const uint8_t *data, size_t n, size_t *at, size_t *to);

/* `n` bytes of the body are taken. */
void quash_frame_took(quash_frame *f, size_t n);

/* True if a body of known length has come to its end, which quash_frame_length has still to return. */
bool quash_frame_is_whole(const quash_frame *f);

/* The rest of the message is lost: skips to what looks like the next one. */
void quash_frame_lost(quash_frame *f);

#endif
