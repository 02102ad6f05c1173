/* SPDX-License-Identifier: MIT */
#include "quash/lex.h"

enum state {
	/* Between values: which of these may come next; none of them behind the outermost value. */
	COMPLETE = 0,
	A_VALUE = 1,
	A_KEY = 2,
	A_COLON = 4,
	A_COMMA = 8,
	AN_END = 16,
	/* Inside of a number, in the order of `behind_digit`. */
	NUMBER = 32,
	MINUS,
	ZERO,
	INTEGER,
	POINT,
	FRACTION,
	EXPONENT,
	EXPONENT_SIGN,
	EXPONENT_DIGITS,
	/* Inside of a string. */
	STRING,
	CONTINUED, /* a UTF-8 sequence */
	ESCAPE,
	HEX,
	LITERAL,
	/* Deeper than QUASH_DEPTH. */
	DEEP,
	DEEP_STRING,
	DEEP_ESCAPE,
	BROKEN
};

void quash_lex_init(quash_lex *x)
{
	static const quash_lex fresh = { .state = A_VALUE };
	*x = fresh;
}

static quash_lex_event broken(quash_lex *x)
{
	x->state = BROKEN;
	return QUASH_LEX_ERROR;
}

static quash_lex_event value_ended(quash_lex *x, quash_lex_event event)
{
	x->state = x->depth == 0 ? COMPLETE : A_COMMA | AN_END;
	return event;
}

/* --- Numbers */

/* The state behind `c`, or COMPLETE if `c` is not of the number. */
static uint8_t in_number(uint8_t state, uint8_t c)
{
	static const uint8_t behind_digit[9] = { INTEGER,  INTEGER,         COMPLETE,        INTEGER,        FRACTION,
						 FRACTION, EXPONENT_DIGITS, EXPONENT_DIGITS, EXPONENT_DIGITS };
	const uint8_t place = (uint8_t)(state - NUMBER);
	if (c >= '0' && c <= '9')
		return c == '0' && state <= MINUS ? ZERO : place < sizeof behind_digit ? behind_digit[place] : COMPLETE;
	if (c == '-' && state == NUMBER)
		return MINUS;
	if ((c == '-' || c == '+') && state == EXPONENT)
		return EXPONENT_SIGN;
	const bool whole = state == ZERO || state == INTEGER;
	if (c == '.' && whole)
		return POINT;
	return (c | 0x20) == 'e' && (whole || state == FRACTION) ? EXPONENT : COMPLETE;
}

static bool may_end(uint8_t state)
{
	return state == ZERO || state == INTEGER || state == FRACTION || state == EXPONENT_DIGITS;
}

static quash_lex_event number_text(quash_lex *x, const uint8_t *data, size_t n, size_t *at)
{
	const size_t from = *at;
	uint8_t state = x->state;
	size_t i = from;
	for (; i < n; i++) {
		const uint8_t next = in_number(state, data[i]);
		if (next == COMPLETE)
			break;
		state = next;
	}
	x->state = state;
	*at = i;
	if (i > from)
		return QUASH_LEX_TEXT;
	return may_end(state) ? value_ended(x, QUASH_LEX_END) : broken(x);
}

/* --- Strings */

static quash_lex_event put_char(quash_lex *x, uint32_t c)
{
	const uint8_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	x->count = n;
	for (uint8_t i = (uint8_t)(n - 1); i > 0; i--, c >>= 6)
		x->utf8[i & 3] = (uint8_t)(0x80 | (c & 0x3F));
	x->utf8[0] = (uint8_t)(n == 1 ? c : (uint32_t)0xF00 >> n | c);
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
	static const char pairs[] = "b\bf\fn\nr\rt\t\"\"\\\\//";
	if (c == 'u') {
		x->state = HEX;
		x->left = 4;
		x->unit = 0;
		return QUASH_LEX_MORE;
	}
	for (uint8_t i = 0; i < sizeof pairs - 1; i = (uint8_t)(i + 2)) {
		if (c == (uint8_t)pairs[i]) {
			x->state = STRING;
			return put_char(x, (uint8_t)pairs[i + 1]);
		}
	}
	return broken(x);
}

/* The value of a hex digit; 16 and more for anything else. */
static uint8_t hex_digit(uint8_t c)
{
	const uint8_t digit = (uint8_t)(c - '0');
	const uint8_t letter = (uint8_t)((c | 0x20) - 'a');
	return digit < 10 ? digit : letter < 6 ? (uint8_t)(letter + 10) : 16;
}

static quash_lex_event in_hex(quash_lex *x, uint8_t c, bool *again)
{
	const uint8_t digit = hex_digit(c);
	const uint16_t unit = (uint16_t)((uint32_t)x->unit << 4 | digit);
	const uint32_t high = x->high;
	if (digit > 15)
		return broken(x);
	if (x->left > 1) {
		x->left--;
		x->unit = unit;
		return QUASH_LEX_MORE;
	}
	const bool low = unit >> 10 == 0xDC00 >> 10;
	if (high != 0 && !low) {
		*again = true;
		return put_lone(x);
	}
	x->state = STRING;
	x->high = 0;
	if (low)
		return high == 0 ? put_lone(x) : put_char(x, (high << 10) + unit - 0x35FDC00u);
	if (unit >> 10 != 0xD800 >> 10)
		return put_char(x, unit);
	x->high = unit;
	return QUASH_LEX_MORE;
}

/* RFC 3629 section 4: the first byte says how many follow and narrows the second. */
static bool open_utf8(quash_lex *x, uint8_t c)
{
	if (c < 0xC2 || c > 0xF4)
		return false;
	x->state = CONTINUED;
	x->left = c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
	x->low_bound = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
	x->high_bound = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
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

static bool is_plain(uint8_t c)
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
	while (i < n && (x->state == STRING ? is_plain(data[i]) || open_utf8(x, data[i]) : in_utf8(x, data[i])))
		i++;
	*at = i;
	if (i > from)
		return QUASH_LEX_TEXT;
	const uint8_t c = data[i];
	if (x->state != STRING || (c != '"' && c != '\\'))
		return broken(x);
	*at = i + 1;
	x->state = ESCAPE;
	if (c == '\\')
		return QUASH_LEX_MORE;
	if (!x->key)
		return value_ended(x, QUASH_LEX_END);
	x->state = A_COLON;
	return QUASH_LEX_END;
}

/* --- Structure */

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
	x->state = object ? A_KEY | AN_END : A_VALUE | AN_END;
	return object ? QUASH_LEX_OBJECT : QUASH_LEX_ARRAY;
}

static quash_lex_event close_container(quash_lex *x, bool object)
{
	if ((x->state & AN_END) == 0 || in_object(x) != object)
		return broken(x);
	x->kinds >>= 1;
	x->depth--;
	return value_ended(x, object ? QUASH_LEX_OBJECT_END : QUASH_LEX_ARRAY_END);
}

static quash_lex_event open_string(quash_lex *x)
{
	x->key = (x->state & A_KEY) != 0;
	x->state = STRING;
	x->lone = false;
	return x->key ? QUASH_LEX_KEY : QUASH_LEX_STRING;
}

static const char literals[] = "true\0false\0null";

/* Behind the first letter of a literal, or 0. */
static uint8_t literal_place(uint8_t c)
{
	return c == 't' ? 1 : c == 'f' ? 6 : c == 'n' ? 12 : 0;
}

static quash_lex_event in_literal(quash_lex *x, uint8_t c)
{
	const uint8_t place = x->left;
	if (place >= sizeof literals - 1 || c != (uint8_t)literals[place])
		return broken(x);
	x->left = (uint8_t)(place + 1);
	if (literals[place + 1] != '\0')
		return QUASH_LEX_MORE;
	return value_ended(x, place < 5 ? QUASH_LEX_TRUE : place < 11 ? QUASH_LEX_FALSE : QUASH_LEX_NULL);
}

static quash_lex_event open_value(quash_lex *x, uint8_t c, bool *again)
{
	x->left = literal_place(c);
	if (x->left != 0) {
		x->state = LITERAL;
		return QUASH_LEX_MORE;
	}
	x->state = NUMBER;
	*again = true;
	return QUASH_LEX_NUMBER;
}

/* What must be allowed for `c` to stand here. */
static uint8_t needed(uint8_t c)
{
	switch (c) {
	case ':': return A_COLON;
	case ',': return A_COMMA;
	case '"': return A_VALUE | A_KEY;
	case '}':
	case ']': return AN_END;
	default: return A_VALUE;
	}
}

static quash_lex_event in_structure(quash_lex *x, uint8_t c, bool *again)
{
	if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
		return QUASH_LEX_MORE;
	if ((x->state & needed(c)) == 0)
		return broken(x);
	switch (c) {
	case '{':
	case '[': return open_container(x, c == '{');
	case '}':
	case ']': return close_container(x, c == '}');
	case '"': return open_string(x);
	case ':': x->state = A_VALUE; return QUASH_LEX_MORE;
	case ',': x->state = in_object(x) ? A_KEY : A_VALUE; return QUASH_LEX_MORE;
	default: return open_value(x, c, again);
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
		if (++x->depth == 0)
			return broken(x);
	} else if (c == ']' || c == '}') {
		if (--x->depth == QUASH_DEPTH)
			return value_ended(x, QUASH_LEX_MORE);
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
	case BROKEN: return QUASH_LEX_ERROR;
	default: return in_structure(x, c, again);
	}
}

quash_lex_event quash_lex_run(quash_lex *x, const uint8_t *data, size_t n, size_t *at)
{
	quash_lex_event event = QUASH_LEX_MORE;
	while (event == QUASH_LEX_MORE && *at < n) {
		bool again = false;
		if (x->state >= STRING && x->state <= CONTINUED) {
			event = string_text(x, data, n, at);
		} else if (x->state >= NUMBER && x->state < STRING) {
			event = number_text(x, data, n, at);
		} else {
			event = one_byte(x, data[*at], &again);
			if (!again && event != QUASH_LEX_ERROR)
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
	return x->state == A_VALUE && x->depth == 0;
}
