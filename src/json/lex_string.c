/* SPDX-License-Identifier: MIT
 * Inside of strings: text, UTF-8, escapes. */
#include "lex_inner.h"

#include "escape.h"
#include "rom.h"
#include "utf8.h"

static const uint16_t replacement = 0xFFFD;

static uint8_t put_char(quash_lex *x, uint32_t c)
{
	const uint8_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	const uint8_t lead = (uint8_t)(n > 1 ? 0xF00u >> n : 0);
	x->state = STRING;
	x->count = n;
	for (uint8_t i = (uint8_t)(n - 1); i > 0; i--, c >>= 6)
		x->utf8[i & 3] = (uint8_t)(0x80 | (c & 0x3F));
	x->utf8[0] = (uint8_t)(lead | c);
	return QUASH_LEX_CHAR;
}

/* The high surrogate that waits has no partner: what stands behind it is read again. */
QUASH_NOINLINE static uint8_t put_lone(quash_lex *x, uint8_t state)
{
	x->high = 0;
	x->lone = true;
	(void)put_char(x, replacement);
	x->state = state;
	return QUASH_LEX_CHAR | KEEP;
}

/* What is meant by it behind a backslash; 0 if it must not stand there. */
static uint8_t escaped(uint8_t c)
{
	uint8_t i = 0;
	if (c == '"' || c == '\\' || c == '/')
		return c;
	while (i <= '\r' - '\b' && c != (uint8_t)quash_rom(&quash_escapes[i]))
		i++;
	return (uint8_t)(i <= '\r' - '\b' ? '\b' + i : 0);
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
	const uint8_t meant = escaped(c);
	return meant != 0 ? put_char(x, meant) : quash_lex_broken(x, c);
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
	uint32_t c = unit;
	if (high != 0 && !low)
		return put_lone(x, HEX);
	x->high = 0;
	if (unit >> 10 == 0xD800 >> 10) {
		x->high = unit;
		x->state = AFTER_HIGH;
		return QUASH_LEX_MORE;
	}
	if (low && high != 0) {
		c += ((uint32_t)high << 10) - 0x35FDC00u;
	} else if (low) {
		x->lone = true;
		c = replacement;
	}
	return put_char(x, c);
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
