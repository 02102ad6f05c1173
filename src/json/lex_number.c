/* SPDX-License-Identifier: MIT
 * Inside of numbers. */
#include "lex_inner.h"

static uint8_t behind_digit(uint8_t state)
{
	if (state == FRACTION || state == POINT)
		return FRACTION;
	return state > INTEGER ? EXPONENT_DIGITS : state == ZERO ? COMPLETE : INTEGER;
}

/* The state behind `c`, or COMPLETE if `c` is not of the number. */
QUASH_NOINLINE static uint8_t next(uint8_t state, uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c == '0' && state <= MINUS ? ZERO : behind_digit(state);
	if (c == '.')
		return state == ZERO || state == INTEGER ? POINT : COMPLETE;
	if ((c | 0x20) == 'e')
		return state >= ZERO && state <= FRACTION ? EXPONENT : COMPLETE;
	if (c == '-' && state == NUMBER)
		return MINUS;
	return (c == '-' || c == '+') && state == EXPONENT ? EXPONENT_SIGN : COMPLETE;
}

uint8_t quash_lex_number(quash_lex *x, uint8_t c)
{
	const uint8_t state = next(x->state, c);
	if (state != COMPLETE) {
		x->state = state;
		return QUASH_LEX_TEXT;
	}
	return quash_lex_may_end(x->state) ? quash_lex_value_ended(x, QUASH_LEX_END | KEEP)
					   : quash_lex_broken(x, c);
}
