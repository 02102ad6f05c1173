/* SPDX-License-Identifier: MIT
 * Where messages begin and end. */
#ifndef QUASH_SRC_FRAME_INNER_H
#define QUASH_SRC_FRAME_INNER_H

#include "../../include/quash/frame.h"

/* The name of the header that counts, as it is written. It is read in either case. */
#define CONTENT_LENGTH "Content-Length"

/* What was found; reading goes on at `*at`. */
enum frame_found {
	FRAME_NOTHING, /* bytes of a header, or of noise */
	FRAME_BODY,    /* bytes of a message begin at `*at` and end before `*to` at the latest */
	FRAME_END,     /* a message of length 0 ends here */
	FRAME_EMPTY,   /* an empty line between messages: a sign of life */
	FRAME_BAD      /* a bad header */
};

/* `longest` is the largest Content-Length that is believed. */
static inline void quash_frame_init(quash_frame *f, uint32_t longest)
{
	const quash_frame fresh = { .longest = longest };
	*f = fresh;
}

/* Reads on from data[*at], *at < n. After FRAME_BODY, which goes to data[*to], the caller calls quash_frame_took with
 * what it took. */
enum frame_found quash_frame_length(quash_frame *f, const uint8_t *data, size_t n, size_t *at, size_t *to);

/* `n` bytes of the body are taken. True if that was the last of it: the message ends here. */
bool quash_frame_took(quash_frame *f, size_t n);

/* The rest of the message is lost: skips to what looks like the next one. */
void quash_frame_lost(quash_frame *f);

#endif
