/* SPDX-License-Identifier: MIT
 * The tape: params transcoded while they arrive.
 *
 * A node begins with its kind. In keys, strings, numbers and containers a 24-bit length follows, and so many bytes. Of
 * a key, string or number these are its text and a NUL; of a container its members and TAPE_END. While a node is open,
 * its length is the parent's offset + 1. Multi-byte values have the low byte first. */
#ifndef QUASH_SRC_TAPE_H
#define QUASH_SRC_TAPE_H

#include "../../include/quash/frame.h"
#include "../../include/quash/json.h"

enum {
	TAPE_END = 0, /* closes what has a length; otherwise a node's kind is its quash_kind */
	TAPE_HEAD = 4 /* kind and length */
};

static inline bool quash_tape_has_length(unsigned kind)
{
	return kind >= QUASH_NUMBER;
}

void quash_tape_begin(quash_tape *t, quash_size start);

/* One event of the lexer, but not QUASH_LEX_MORE; `arena` has `size` bytes. Text comes with quash_tape_text or
 * quash_tape_took. From the first that does not fit on nothing is stored, only counted. */
void quash_tape_event(quash_tape *t, uint8_t *arena, quash_size size, quash_lex_event event);
void quash_tape_text(quash_tape *t, uint8_t *arena, quash_size size, const uint8_t *data, size_t n);

/* `n` bytes of text stand already where the tape ends, at `start + length`. */
void quash_tape_took(quash_tape *t, quash_size size, size_t n);

/* Hands over what was stored: its size, and where it stands. The next tape begins after it. */
quash_size quash_tape_take(quash_tape *t, quash_size *start);

/* The length of a node, which stands at `at` of an arena of `size` bytes; 0 outside of it. */
quash_size quash_tape_length(const uint8_t *arena, quash_size size, quash_size at);

/* True if all of it was stored. */
bool quash_tape_whole(const quash_tape *t);

/* True if all of it would fit into `size` bytes, which are not fewer than what is stored. */
bool quash_tape_fits(const quash_tape *t, quash_size size);

#endif
