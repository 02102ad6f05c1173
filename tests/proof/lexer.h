/* SPDX-License-Identifier: MIT
 * What the proof of the lexer (lex.c) says of it, in its place: any event may come, whatever the bytes are, and all of
 * the room that it was told of may be written, and nothing else. That this room is the word or lies in the arena is
 * proved where it is told (envelope.c, slots.c). For a harness of one or two peers, which has `write_rooms`. */
#ifndef QUASH_PROOF_LEXER_H
#define QUASH_PROOF_LEXER_H

/* Anything is written wherever text may go. */
static void write_rooms(void);

static void be_any_lexer(quash_lex *x)
{
	const size_t size = x->size, length = x->length;
	x->length = (quash_size)any_size(size > length ? size : length);
	x->state = any_byte();
	x->depth = any_uint();
	x->kinds = any_uint();
	x->key = any_bool();
	x->lone = any_bool();
}

/*@ requires \valid(text + (0 .. size - 1)); */
void quash_lex_init(quash_lex *x, uint8_t *text, quash_size size)
{
	x->text = text;
	x->size = size;
	x->length = 0;
	x->line = false;
	be_any_lexer(x);
}

quash_lex_event quash_lex_run(quash_lex *x, const uint8_t *data, size_t n, size_t *at)
{
	const size_t from = *at, to = any_size(n);
	const uint8_t first = from < n ? data[from] : 0, last = from < n ? data[n - 1] : 0;
	(void)first;
	(void)last;
	write_rooms();
	be_any_lexer(x);
	*at = from < n && to > from ? to : from;
	return (quash_lex_event)Frama_C_interval(QUASH_LEX_MORE, QUASH_LEX_LINE);
}

bool quash_lex_complete(const quash_lex *x)
{
	(void)x;
	return any_bool();
}

bool quash_lex_blank_(const quash_lex *x)
{
	(void)x;
	return any_bool();
}

#endif
