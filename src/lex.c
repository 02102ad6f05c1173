/* SPDX-License-Identifier: MIT */
#include "quash/lex.h"

enum state {
	VALUE,       /* a value must follow */
	FIRST_ITEM,  /* a value or ] */
	FIRST_KEY,   /* a key or } */
	KEY,         /* a key must follow */
	COLON,
	AFTER,       /* , or the container's end */
	COMPLETE,    /* the outermost value has ended */
	STRING,
	CONTINUED,   /* inside a UTF-8 sequence */
	ESCAPE,
	HEX,
	LITERAL,
	/* Numbers; those that may end here are odd. */
	MINUS = 16,
	ZERO = 17,
	POINT = 18,
	INTEGER = 19,
	EXPONENT = 20,
	FRACTION = 21,
	EXPONENT_SIGN = 22,
	EXPONENT_DIGITS = 23,
	NUMBER = 24, /* its first byte must follow */
	/* Deeper than QUASH_DEPTH. */
	DEEP = 32,
	DEEP_STRING,
	DEEP_ESCAPE,
	BROKEN
};

static const char literals[3][5] = { { 'r', 'u', 'e' }, { 'a', 'l', 's', 'e' }, { 'u', 'l', 'l' } };

void quash_lex_init(quash_lex *x)
{
	static const quash_lex fresh = { 0 };
	*x = fresh;
}

static quash_lex_event broken(quash_lex *x)
{
	x->state = BROKEN;
	return QUASH_LEX_ERROR;
}

static void value_ended(quash_lex *x)
{
	x->state = x->depth == 0 ? COMPLETE : AFTER;
}

static bool in_object(const quash_lex *x)
{
	return (x->kinds & 1u) != 0;
}

static quash_lex_event open_container(quash_lex *x, bool object)
{
	x->depth++;
	if (x->depth > QUASH_DEPTH) {
		x->state = DEEP;
		return QUASH_LEX_DEEP;
	}
	x->kinds = x->kinds << 1 | (object ? 1u : 0u);
	x->state = object ? FIRST_KEY : FIRST_ITEM;
	return object ? QUASH_LEX_OBJECT : QUASH_LEX_ARRAY;
}

static quash_lex_event close_container(quash_lex *x, bool object)
{
	if (x->depth == 0 || in_object(x) != object)
		return broken(x);
	x->kinds >>= 1;
	x->depth--;
	value_ended(x);
	return object ? QUASH_LEX_OBJECT_END : QUASH_LEX_ARRAY_END;
}

static quash_lex_event open_string(quash_lex *x, bool key)
{
	x->state = STRING;
	x->key = key;
	x->lone = false;
	x->high = 0;
	return key ? QUASH_LEX_KEY : QUASH_LEX_STRING;
}

static quash_lex_event close_string(quash_lex *x)
{
	if (x->key)
		x->state = COLON;
	else
		value_ended(x);
	return QUASH_LEX_END;
}

static quash_lex_event open_literal(quash_lex *x, uint8_t which)
{
	x->state = LITERAL;
	x->unit = which;
	x->left = 0;
	return QUASH_LEX_MORE;
}

static quash_lex_event in_literal(quash_lex *x, uint8_t c)
{
	const uint8_t which = (uint8_t)(x->unit < 3 ? x->unit : 0);
	const uint8_t place = (uint8_t)(x->left < 4 ? x->left : 0);
	if (c != (uint8_t)literals[which][place])
		return broken(x);
	x->left = (uint8_t)(place + 1);
	if (x->left < (which == 1 ? 4 : 3))
		return QUASH_LEX_MORE;
	value_ended(x);
	return (quash_lex_event)(QUASH_LEX_TRUE + which);
}

/* The state behind `c`, or VALUE if `c` is not of the number. */
static uint8_t in_number(uint8_t state, uint8_t c)
{
	if (c >= '0' && c <= '9') {
		switch (state) {
		case NUMBER:
		case MINUS: return c == '0' ? ZERO : INTEGER;
		case ZERO: return VALUE;
		case POINT: return FRACTION;
		case EXPONENT:
		case EXPONENT_SIGN: return EXPONENT_DIGITS;
		default: return state;
		}
	}
	if (c == '.')
		return state == ZERO || state == INTEGER ? POINT : VALUE;
	if ((c | 0x20) == 'e')
		return state == ZERO || state == INTEGER || state == FRACTION ? EXPONENT : VALUE;
	if (c == '-' && state == NUMBER)
		return MINUS;
	return (c == '-' || c == '+') && state == EXPONENT ? EXPONENT_SIGN : VALUE;
}

static bool may_end(uint8_t state)
{
	return state >= MINUS && state < NUMBER && (state & 1) != 0;
}

static quash_lex_event number_text(quash_lex *x, const uint8_t *data, size_t n, size_t *at)
{
	const size_t from = *at;
	size_t i = from;
	for (; i < n; i++) {
		const uint8_t next = in_number(x->state, data[i]);
		if (next == VALUE)
			break;
		x->state = next;
	}
	*at = i;
	if (i > from)
		return QUASH_LEX_TEXT;
	if (!may_end(x->state))
		return broken(x);
	value_ended(x);
	return QUASH_LEX_END;
}

/* --- Strings */

static quash_lex_event put_char(quash_lex *x, uint32_t c)
{
	uint8_t n = 0;
	if (c < 0x80) {
		x->utf8[n++] = (uint8_t)c;
	} else {
		if (c < 0x800) {
			x->utf8[n++] = (uint8_t)(0xC0 | c >> 6);
		} else {
			if (c < 0x10000) {
				x->utf8[n++] = (uint8_t)(0xE0 | c >> 12);
			} else {
				x->utf8[n++] = (uint8_t)(0xF0 | c >> 18);
				x->utf8[n++] = (uint8_t)(0x80 | (c >> 12 & 0x3F));
			}
			x->utf8[n++] = (uint8_t)(0x80 | (c >> 6 & 0x3F));
		}
		x->utf8[n++] = (uint8_t)(0x80 | (c & 0x3F));
	}
	x->count = n;
	return QUASH_LEX_CHAR;
}

/* The high surrogate that waits has no partner: what stands behind it is read again. */
static quash_lex_event put_lone(quash_lex *x)
{
	x->high = 0;
	x->lone = true;
	return put_char(x, 0xFFFD);
}

static quash_lex_event in_escape(quash_lex *x, uint8_t c)
{
	static const char from[8] = { 'b', 'f', 'n', 'r', 't', '"', '\\', '/' };
	static const char to[8] = { '\b', '\f', '\n', '\r', '\t', '"', '\\', '/' };
	if (c == 'u') {
		x->state = HEX;
		x->left = 4;
		x->unit = 0;
		return QUASH_LEX_MORE;
	}
	for (uint8_t i = 0; i < 8; i++) {
		if (c == (uint8_t)from[i]) {
			x->state = STRING;
			return put_char(x, (uint8_t)to[i]);
		}
	}
	return broken(x);
}

static int hex_digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static quash_lex_event in_hex(quash_lex *x, uint8_t c, bool *again)
{
	const int digit = hex_digit(c);
	if (digit < 0)
		return broken(x);
	const uint16_t unit = (uint16_t)((uint32_t)x->unit << 4 | (uint32_t)digit);
	if (x->left > 1) {
		x->left--;
		x->unit = unit;
		return QUASH_LEX_MORE;
	}
	const bool low = (unit & 0xFC00) == 0xDC00;
	if (x->high != 0 && !low) {
		*again = true;
		return put_lone(x);
	}
	x->state = STRING;
	if ((unit & 0xFC00) == 0xD800) {
		x->high = unit;
		return QUASH_LEX_MORE;
	}
	if (!low)
		return put_char(x, unit);
	if (x->high == 0)
		return put_lone(x);
	const uint32_t high = (uint32_t)(x->high & 0x3FF);
	x->high = 0;
	return put_char(x, 0x10000 + (high << 10 | (uint32_t)(unit & 0x3FF)));
}

/* RFC 3629 section 4: the first byte says how many follow and narrows the second. */
static bool open_utf8(quash_lex *x, uint8_t c)
{
	if (c < 0xC2 || c > 0xF4)
		return false;
	x->state = CONTINUED;
	x->left = c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
	x->low_bound = 0x80;
	x->high_bound = 0xBF;
	if (c == 0xE0)
		x->low_bound = 0xA0;
	else if (c == 0xED)
		x->high_bound = 0x9F;
	else if (c == 0xF0)
		x->low_bound = 0x90;
	else if (c == 0xF4)
		x->high_bound = 0x8F;
	return true;
}

static bool in_utf8(quash_lex *x, uint8_t c)
{
	if (c < x->low_bound || c > x->high_bound)
		return false;
	x->low_bound = 0x80;
	x->high_bound = 0xBF;
	if (--x->left == 0)
		x->state = STRING;
	return true;
}

static bool plain(uint8_t c)
{
	return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* The text of a string up to what is not plain text. */
static quash_lex_event string_text(quash_lex *x, const uint8_t *data, size_t n, size_t *at)
{
	const size_t from = *at;
	size_t i = from;
	if (x->high != 0 && data[i] != '\\')
		return put_lone(x);
	for (; i < n; i++) {
		const uint8_t c = data[i];
		if (!(x->state == STRING ? plain(c) || open_utf8(x, c) : in_utf8(x, c)))
			break;
	}
	*at = i;
	if (i > from)
		return QUASH_LEX_TEXT;
	if (x->state != STRING)
		return broken(x);
	*at = i + 1;
	if (data[i] == '"')
		return close_string(x);
	if (data[i] != '\\')
		return broken(x);
	x->state = ESCAPE;
	return QUASH_LEX_MORE;
}

/* --- Structure */

static quash_lex_event open_value(quash_lex *x, uint8_t c, bool *again)
{
	switch (c) {
	case '{': return open_container(x, true);
	case '[': return open_container(x, false);
	case '"': return open_string(x, false);
	case 't': return open_literal(x, 0);
	case 'f': return open_literal(x, 1);
	case 'n': return open_literal(x, 2);
	default: break;
	}
	if (c != '-' && (c < '0' || c > '9'))
		return broken(x);
	x->state = NUMBER;
	*again = true;
	return QUASH_LEX_NUMBER;
}

static quash_lex_event after_value(quash_lex *x, uint8_t c)
{
	if (c == '}' || c == ']')
		return close_container(x, c == '}');
	if (c != ',')
		return broken(x);
	x->state = in_object(x) ? KEY : VALUE;
	return QUASH_LEX_MORE;
}

static quash_lex_event in_structure(quash_lex *x, uint8_t c, bool *again)
{
	if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
		return QUASH_LEX_MORE;
	switch (x->state) {
	case FIRST_ITEM:
		if (c == ']')
			return close_container(x, false);
		return open_value(x, c, again);
	case VALUE:
		return open_value(x, c, again);
	case FIRST_KEY:
		if (c == '}')
			return close_container(x, true);
		return c == '"' ? open_string(x, true) : broken(x);
	case KEY:
		return c == '"' ? open_string(x, true) : broken(x);
	case COLON:
		x->state = VALUE;
		return c == ':' ? QUASH_LEX_MORE : broken(x);
	case AFTER:
		return after_value(x, c);
	default:
		return broken(x);
	}
}

/* Too deep to know what is open: only strings and the depth are kept track of. */
static quash_lex_event in_deep(quash_lex *x, uint8_t c)
{
	if (x->state == DEEP_ESCAPE) {
		x->state = DEEP_STRING;
	} else if (x->state == DEEP_STRING) {
		x->state = c == '\\' ? DEEP_ESCAPE : c == '"' ? DEEP : DEEP_STRING;
	} else if (c == '"') {
		x->state = DEEP_STRING;
	} else if (c == '[' || c == '{') {
		if (x->depth == UINT32_MAX)
			return broken(x);
		x->depth++;
	} else if (c == ']' || c == '}') {
		if (--x->depth == QUASH_DEPTH)
			x->state = AFTER;
	}
	return QUASH_LEX_MORE;
}

static quash_lex_event one_byte(quash_lex *x, uint8_t c, bool *again)
{
	switch (x->state) {
	case ESCAPE:
		if (x->high != 0 && c != 'u') {
			*again = true;
			return put_lone(x);
		}
		return in_escape(x, c);
	case HEX: return in_hex(x, c, again);
	case LITERAL: return in_literal(x, c);
	case DEEP:
	case DEEP_STRING:
	case DEEP_ESCAPE: return in_deep(x, c);
	default: return in_structure(x, c, again);
	}
}

static bool in_text(const quash_lex *x)
{
	return x->state == STRING || x->state == CONTINUED;
}

quash_lex_event quash_lex_run(quash_lex *x, const uint8_t *data, size_t n, size_t *at)
{
	quash_lex_event event = QUASH_LEX_MORE;
	while (event == QUASH_LEX_MORE && *at < n) {
		bool again = false;
		if (in_text(x)) {
			event = string_text(x, data, n, at);
		} else if (x->state >= MINUS && x->state <= NUMBER) {
			event = number_text(x, data, n, at);
		} else {
			event = one_byte(x, data[*at], &again);
			if (!again && x->state != BROKEN)
				++*at;
		}
	}
	return event;
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
	return x->state == COMPLETE || (x->depth == 0 && may_end(x->state));
}

bool quash_lex_blank(const quash_lex *x)
{
	return x->state == VALUE && x->depth == 0;
}
