/* SPDX-License-Identifier: MIT
 * Outside of strings: containers, literals, and what is nested too deep. */
#include "lex_inner.h"

#include "rom.h"

static bool in_object(const quash_lex *x)
{
	return (x->kinds & 1u) != 0;
}

static uint8_t open_container(quash_lex *x, bool object)
{
	x->depth++;
	if (x->depth > QUASH_DEPTH) {
		x->state = DEEP;
		return QUASH_LEX_DEEP;
	}
	x->kinds = x->kinds << 1 | (object ? 1u : 0u);
	x->state = object ? A_KEY | AN_END : A_VALUE | AN_END;
	return object ? QUASH_LEX_OBJECT : QUASH_LEX_ARRAY;
}

static uint8_t close_container(quash_lex *x, uint8_t c)
{
	const bool object = c == '}';
	if (in_object(x) != object)
		return quash_lex_broken(x, c);
	x->kinds >>= 1;
	x->depth--;
	return quash_lex_value_ended(x, object ? QUASH_LEX_OBJECT_END : QUASH_LEX_ARRAY_END);
}

static uint8_t open_string(quash_lex *x)
{
	x->key = (x->state & A_KEY) != 0;
	x->state = STRING;
	x->lone = false;
	return x->key ? QUASH_LEX_KEY : QUASH_LEX_STRING;
}

/* Their ends are blanks. */
static const char *const literals = "true false null ";
enum { LITERALS = 16 };

/* Behind the first letter of a literal, or 0. */
static uint8_t literal_place(uint8_t c)
{
	return c == 't' ? 1 : c == 'f' ? 6 : c == 'n' ? 12 : 0;
}

static uint8_t in_literal(quash_lex *x, uint8_t c)
{
	const uint8_t place = x->left;
	if (place >= LITERALS - 1 || c != (uint8_t)quash_rom(&literals[place]))
		return quash_lex_broken(x, c);
	x->left = (uint8_t)(place + 1);
	if (quash_rom(&literals[place + 1]) != ' ')
		return QUASH_LEX_MORE;
	return quash_lex_value_ended(x,
		place < 5            ? QUASH_LEX_TRUE
			: place < 11 ? QUASH_LEX_FALSE
				     : QUASH_LEX_NULL);
}

static uint8_t open_value(quash_lex *x, uint8_t c)
{
	x->left = literal_place(c);
	x->state = x->left != 0 ? LITERAL : NUMBER;
	return x->left != 0 ? QUASH_LEX_MORE : QUASH_LEX_NUMBER | KEEP;
}

static uint8_t in_structure(quash_lex *x, uint8_t c)
{
	const uint8_t allowed = x->state;
	switch (c) {
	case '\n':
		if (x->line)
			break;
		return QUASH_LEX_MORE;
	case ' ':
	case '\r':
	case '\t': return QUASH_LEX_MORE;
	case '"':
		if ((allowed & (A_VALUE | A_KEY)) == 0)
			break;
		return open_string(x);
	case ':':
		if ((allowed & A_COLON) == 0)
			break;
		x->state = A_VALUE;
		return QUASH_LEX_MORE;
	case ',':
		if ((allowed & A_COMMA) == 0)
			break;
		x->state = in_object(x) ? A_KEY : A_VALUE;
		return QUASH_LEX_MORE;
	case '}':
	case ']':
		if ((allowed & AN_END) == 0)
			break;
		return close_container(x, c);
	default:
		if ((allowed & A_VALUE) == 0)
			break;
		return c == '{' || c == '[' ? open_container(x, c == '{') : open_value(x, c);
	}
	return quash_lex_broken(x, c);
}

/* Too deep to know what is open: only strings and the depth are kept track of. */
static uint8_t in_deep(quash_lex *x, uint8_t c)
{
	if (c == '\n' && x->line)
		return quash_lex_broken(x, c);
	if (x->state == DEEP_ESCAPE) {
		x->state = DEEP_STRING;
	} else if (x->state == DEEP_STRING) {
		x->state = c == '\\' ? DEEP_ESCAPE : c == '"' ? DEEP : DEEP_STRING;
	} else if (c == '"') {
		x->state = DEEP_STRING;
	} else if (c == '[' || c == '{') {
		if (++x->depth == 0)
			return quash_lex_broken(x, c);
	} else if (c == ']' || c == '}') {
		if (--x->depth == QUASH_DEPTH)
			return quash_lex_value_ended(x, QUASH_LEX_MORE);
	}
	return QUASH_LEX_MORE;
}

uint8_t quash_lex_outside(quash_lex *x, uint8_t c)
{
	const uint8_t state = x->state;
	if (state < NUMBER)
		return in_structure(x, c);
	if (state < LITERAL)
		return quash_lex_number(x, c);
	if (state == LITERAL)
		return in_literal(x, c);
	return state == BROKEN ? quash_lex_broken(x, c) : in_deep(x, c);
}
