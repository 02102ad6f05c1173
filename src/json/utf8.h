/* SPDX-License-Identifier: MIT
 * UTF-8 as RFC 3629 section 4 has it, for who reads and for who writes. */
#ifndef QUASH_SRC_UTF8_H
#define QUASH_SRC_UTF8_H

#include "../../include/quash/size.h"

/* Says whether a character of several bytes may begin with `c`. */
static inline bool quash_utf8_begins(uint8_t c)
{
	return c >= 0xC2 && c <= 0xF4;
}

/* The bytes that may follow `begun`, the bytes of a character so far: the last one << 8 | the first one. */
uint32_t quash_utf8_next(uint32_t begun);

#endif
