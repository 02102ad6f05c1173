/* SPDX-License-Identifier: MIT
 * What ends a value, or all of them. */
#include "lex_inner.h"

/* A line's end must stand nowhere inside of a text that is a line: so it is looked for only here. */
uint8_t quash_lex_broken(quash_lex *x, uint8_t c)
{
	if (c == '\n' && x->line)
		return QUASH_LEX_LINE | KEEP;
	x->state = BROKEN;
	return QUASH_LEX_ERROR | KEEP;
}

QUASH_NOINLINE uint8_t quash_lex_value_ended(quash_lex *x, uint8_t event)
{
	x->state = x->depth == 0 ? COMPLETE : A_COMMA | AN_END;
	return event;
}
