/* SPDX-License-Identifier: MIT
 * UTF-8 as RFC 3629 section 4 has it, for lexer and writer. */
#ifndef QUASH_SRC_UTF8_H
#define QUASH_SRC_UTF8_H

#include "../../include/quash/size.h"

/* True if a character of several bytes may begin with `c`. */
static inline bool quash_utf8_begins(uint8_t c)
{
	return c >= 0xC2 && c <= 0xF4;
}

/* How many bytes such a character has. */
static inline uint8_t quash_utf8_length(uint8_t first)
{
	return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* The bytes that may follow a character's first one, or with 0 those that may follow later ones: the last one << 8 |
 * the first one. */
uint16_t quash_utf8_next(uint8_t first);

#endif
