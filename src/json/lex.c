/* SPDX-License-Identifier: MIT */
#include "lex_inner.h"

void quash_lex_init(quash_lex *x)
{
	static const quash_lex fresh = { .state = A_VALUE };
	*x = fresh;
}

static size_t plain_end(const uint8_t *data, size_t n, size_t i)
{
	while (i < n && quash_lex_plain((int8_t)data[i]))
		i++;
	return i;
}

static uint8_t any_byte(quash_lex *x, uint8_t c)
{
	return x->state >= STRING ? quash_lex_string(x, c) : quash_lex_outside(x, c);
}

QUASH_NOINLINE quash_lex_event quash_lex_run(quash_lex *x, const uint8_t *data, size_t n, size_t *at)
{
	size_t i = *at;
	uint8_t event = QUASH_LEX_MORE;
	while (i < n) {
		const size_t end = x->state == STRING ? plain_end(data, n, i) : i;
		event = end > i ? QUASH_LEX_TEXT : any_byte(x, data[i]);
		if (end > i)
			i = end;
		else if (event < KEEP)
			i++;
		if (event != QUASH_LEX_MORE)
			break;
	}
	*at = i;
	return (quash_lex_event)(event & (KEEP - 1));
}

quash_lex_event quash_lex_byte(quash_lex *x, uint8_t byte, bool *again)
{
	size_t at = 0;
	const quash_lex_event event = quash_lex_run(x, &byte, 1, &at);
	*again = at == 0;
	return event;
}

bool quash_lex_complete(const quash_lex *x)
{
	return x->state == COMPLETE || (x->depth == 0 && quash_lex_may_end(x->state));
}

bool quash_lex_blank(const quash_lex *x)
{
	return x->state == A_VALUE && x->depth == 0;
}
