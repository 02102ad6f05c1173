/* SPDX-License-Identifier: MIT
 * What the files of the lexer share: its states, and who reads on in them. */
#ifndef QUASH_SRC_LEX_INNER_H
#define QUASH_SRC_LEX_INNER_H

#include "../../include/quash/lex.h"

enum lex_state {
	/* Between values: which of these may come next; none of them behind the outermost value. */
	COMPLETE = 0,
	A_VALUE = 1,
	A_KEY = 2,
	A_COLON = 4,
	A_COMMA = 8,
	AN_END = 16,
	/* Inside of a number. */
	NUMBER = 32,
	MINUS,
	ZERO,
	INTEGER,
	FRACTION,
	EXPONENT_DIGITS,
	POINT,
	EXPONENT,
	EXPONENT_SIGN,
	LITERAL,
	/* Deeper than QUASH_DEPTH. */
	DEEP,
	DEEP_STRING,
	DEEP_ESCAPE,
	BROKEN,
	/* Inside of a string: all from here on. */
	STRING,
	CONTINUED,  /* a UTF-8 sequence */
	AFTER_HIGH, /* a high surrogate waits for its low one */
	ESCAPE,
	HEX
};

/* Beside an event: the byte is not used, it must be read again. */
enum { KEEP = 0x40 };

/* True if `c` is a string's text and nothing else. Signed, so that two comparisons do for most letters. */
static inline bool quash_lex_plain(int8_t c)
{
	return c > '\\' || (c != '\\' && c >= 0x20 && c != '"');
}

/* --- One byte inside of a string, of a number, or outside of strings; the event */

uint8_t quash_lex_string(quash_lex *x, uint8_t c);
uint8_t quash_lex_number(quash_lex *x, uint8_t c);
uint8_t quash_lex_outside(quash_lex *x, uint8_t c);

/* True if a number may end in this state. */
static inline bool quash_lex_may_end(uint8_t state)
{
	return state >= ZERO && state <= EXPONENT_DIGITS;
}

/* --- The state and the event where `c` must not stand, and behind a value */

uint8_t quash_lex_broken(quash_lex *x, uint8_t c);
uint8_t quash_lex_value_ended(quash_lex *x, uint8_t event);

#endif
