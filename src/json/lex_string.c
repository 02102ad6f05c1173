/* SPDX-License-Identifier: MIT
 * Inside of strings: text, UTF-8, escapes. */
#include "lex_inner.h"

#include "utf8.h"

static uint8_t put_char(quash_lex *x, uint32_t c)
{
	x->state = STRING;
	if (c < 0x80) {
		x->utf8[0] = (uint8_t)c;
		x->count = 1;
		return QUASH_LEX_CHAR;
	}
	const uint8_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	x->count = n;
	for (uint8_t i = (uint8_t)(n - 1); i > 0; i--, c >>= 6)
		x->utf8[i & 3] = (uint8_t)(0x80 | (c & 0x3F));
	x->utf8[0] = (uint8_t)((uint32_t)0xF00 >> n | c);
	return QUASH_LEX_CHAR;
}

static uint8_t put_replacement(quash_lex *x)
{
	x->lone = true;
	return put_char(x, 0xFFFD);
}

/* The high surrogate that waits has no partner: what stands behind it is read again. */
static uint8_t put_lone(quash_lex *x, uint8_t state)
{
	x->high = 0;
	(void)put_replacement(x);
	x->state = state;
	return QUASH_LEX_CHAR | KEEP;
}

static uint8_t in_escape(quash_lex *x, uint8_t c)
{
	if (c == 'u') {
		x->state = HEX;
		x->unit = 0;
		x->left = 4;
		return QUASH_LEX_MORE;
	}
	if (x->high != 0)
		return put_lone(x, ESCAPE);
	switch (c) {
	case 'b': return put_char(x, '\b');
	case 'f': return put_char(x, '\f');
	case 'n': return put_char(x, '\n');
	case 'r': return put_char(x, '\r');
	case 't': return put_char(x, '\t');
	case '"':
	case '\\':
	case '/': return put_char(x, c);
	default: return quash_lex_broken(x, c);
	}
}

/* The value of a hex digit; 16 and more for anything else. */
static unsigned hex_digit(unsigned c)
{
	const unsigned digit = c - '0';
	const unsigned letter = (c | 0x20) - 'a';
	return digit < 10 ? digit : letter < 6 ? letter + 10 : 16;
}

static uint8_t unit_ended(quash_lex *x, uint16_t unit)
{
	const uint16_t high = x->high;
	const bool low = unit >> 10 == 0xDC00 >> 10;
	if (high != 0 && !low)
		return put_lone(x, HEX);
	x->high = 0;
	if (low)
		return high == 0 ? put_replacement(x) : put_char(x, ((uint32_t)high << 10) + unit - 0x35FDC00u);
	if (unit >> 10 != 0xD800 >> 10)
		return put_char(x, unit);
	x->high = unit;
	x->state = AFTER_HIGH;
	return QUASH_LEX_MORE;
}

static uint8_t in_hex(quash_lex *x, uint8_t c)
{
	const unsigned digit = hex_digit(c);
	const uint16_t unit = (uint16_t)((unsigned)x->unit << 4 | digit);
	if (digit > 15)
		return quash_lex_broken(x, c);
	if (x->left == 1)
		return unit_ended(x, unit);
	x->unit = unit;
	x->left--;
	return QUASH_LEX_MORE;
}

static uint8_t open_utf8(quash_lex *x, uint8_t c)
{
	if (!quash_utf8_begins(c))
		return quash_lex_broken(x, c);
	x->state = CONTINUED;
	x->left = (uint8_t)(quash_utf8_length(c) - 1);
	x->unit = quash_utf8_next(c);
	return QUASH_LEX_TEXT;
}

static uint8_t in_utf8(quash_lex *x, uint8_t c)
{
	if (c < (uint8_t)x->unit || c > x->unit >> 8)
		return quash_lex_broken(x, c);
	x->unit = quash_utf8_next(0);
	if (--x->left == 0)
		x->state = STRING;
	return QUASH_LEX_TEXT;
}

static uint8_t string_ended(quash_lex *x)
{
	if (!x->key)
		return quash_lex_value_ended(x, QUASH_LEX_END);
	x->state = A_COLON;
	return QUASH_LEX_END;
}

static uint8_t in_string(quash_lex *x, uint8_t c)
{
	if (c == '"')
		return string_ended(x);
	if (c != '\\')
		return open_utf8(x, c);
	x->state = ESCAPE;
	return QUASH_LEX_MORE;
}

uint8_t quash_lex_string(quash_lex *x, uint8_t c)
{
	const uint8_t state = x->state;
	if (state == HEX)
		return in_hex(x, c);
	if (state == STRING)
		return in_string(x, c);
	if (state == ESCAPE)
		return in_escape(x, c);
	if (state == CONTINUED)
		return in_utf8(x, c);
	return c == '\\' ? in_string(x, c) : put_lone(x, STRING);
}
