/* SPDX-License-Identifier: MIT
 * What ends a value, or all of them. */
#include "lex_inner.h"

uint8_t quash_lex_broken(quash_lex *x)
{
	x->state = BROKEN;
	return QUASH_LEX_ERROR | KEEP;
}

uint8_t quash_lex_value_ended(quash_lex *x, uint8_t event)
{
	x->state = x->depth == 0 ? COMPLETE : A_COMMA | AN_END;
	return event;
}
