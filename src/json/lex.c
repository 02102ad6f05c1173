/* SPDX-License-Identifier: MIT */
#include "../../include/quash/lex.h"

#include "escape.h"
#include "rom.h"
#include "utf8.h"

enum lex_state {
	/* Between values: which of these may come next; none of them after the outermost value. */
	COMPLETE = 0,
	A_VALUE = 1,
	A_KEY = 2, /* the next one: what stands in an array as a value begins in an object as a key */
	A_COLON = 4,
	A_COMMA = 8,
	AN_END = 16,
	/* Inside of a number, which may end here. The last two bits are those of the digits to come. */
	ZERO = 32,
	INTEGER,
	FRACTION,
	EXPONENT_DIGITS,
	/* Only a digit may follow. */
	MINUS = INTEGER + 4,
	POINT,
	EXPONENT_SIGN,
	/* A digit or a sign may follow: the sign leads to the state that is 4 less. */
	NUMBER = MINUS + 4,
	EXPONENT = EXPONENT_SIGN + 4,
	LITERAL,
	/* Deeper than QUASH_DEPTH. */
	DEEP,
	DEEP_STRING,
	DEEP_ESCAPE,
	BROKEN,
	/* Inside of a string: all from here on. */
	STRING,
	CONTINUED,  /* a UTF-8 sequence */
	AFTER_HIGH, /* a high surrogate waits for its low one */
	ESCAPE,
	HEX
};

/* Beside an event: the byte is not used, it must be read again. */
enum { KEEP = 0x40 };

/* No event: the byte is text as it stands. */
enum { BYTE = 0x20 };

/* True if `c` is a string's text and nothing else. Signed, so that two comparisons do for most letters. */
static bool is_plain(int8_t c)
{
	return c > '\\' || (c != '\\' && c >= 0x20 && c != '"');
}

/* True if a number may end in this state. */
static bool may_end(uint8_t state)
{
	return state >= ZERO && state <= EXPONENT_DIGITS;
}

/* --- What ends a value, or all of them */

/* A line's end must stand nowhere inside of a text that is a line: so it is looked for only here. */
QUASH_OUTLINED_ static uint8_t broken(quash_lex *x, uint8_t c)
{
	if (c == '\n' && x->line)
		return QUASH_LEX_LINE | KEEP;
	x->state = BROKEN;
	return QUASH_LEX_ERROR | KEEP;
}

QUASH_OUTLINED_ QUASH_NOINLINE static uint8_t value_ended(quash_lex *x, uint8_t event)
{
	x->state = A_COMMA | AN_END;
	if (x->depth == 0)
		x->state = COMPLETE;
	return event;
}

/* --- Inside of numbers */

/* The state after `c`, or COMPLETE if `c` is not of the number. */
QUASH_NOINLINE static uint8_t next(uint8_t state, uint8_t c)
{
	const uint8_t digits = (uint8_t)(ZERO | (state & 3));
	if (c >= '0' && c <= '9') {
		if (state == ZERO)
			return COMPLETE;
		return c == '0' && digits == INTEGER && state != INTEGER ? ZERO : digits;
	}
	if (c == '.')
		return state <= INTEGER ? POINT : COMPLETE;
	if ((c | 0x20) == 'e')
		return state <= FRACTION ? EXPONENT : COMPLETE;
	if (c == '-' ? state >= NUMBER : c == '+' && state == EXPONENT)
		return (uint8_t)(state - 4);
	return COMPLETE;
}

static uint8_t number_byte(quash_lex *x, uint8_t c)
{
	const uint8_t state = next(x->state, c);
	if (state != COMPLETE) {
		x->state = state;
		return BYTE;
	}
	return may_end(x->state) ? value_ended(x, QUASH_LEX_END | KEEP)
				 : broken(x, c);
}

/* --- Inside of strings: text, UTF-8, escapes */

static const uint16_t replacement = 0xFFFD;

static uint8_t put_char(quash_lex *x, uint32_t c)
{
	const uint8_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	const size_t length = x->length;
	uint8_t lead = 0;
	x->state = STRING;
	if (length + QUASH_LEX_ROOM > x->size)
		return QUASH_LEX_TEXT;
	uint8_t *const to = x->text + length;
	for (uint8_t i = (uint8_t)(n - 1); i > 0; i--, c >>= 6) {
		to[i & 3] = (uint8_t)(0x80 | (c & 0x3F));
		lead = (uint8_t)(lead >> 1 | 0xC0);
	}
	to[0] = (uint8_t)(lead | c);
	x->length = (quash_size)(length + n);
	return length + n + QUASH_LEX_ROOM > x->size ? QUASH_LEX_TEXT : QUASH_LEX_MORE;
}

/* The high surrogate that waits has no partner: what follows it is read again. */
QUASH_NOINLINE QUASH_OUTLINED_ static uint8_t put_lone(quash_lex *x, uint8_t state)
{
	x->high = 0;
	x->lone = true;
	const uint8_t event = put_char(x, replacement);
	x->state = state;
	return event | KEEP;
}

/* What it means after a backslash; 0 if it must not stand there. */
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
		x->left = 4;
		return QUASH_LEX_MORE;
	}
	if (x->high != 0)
		return put_lone(x, ESCAPE);
	const uint8_t meant = escaped(c);
	return meant != 0 ? put_char(x, meant) : broken(x, c);
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
		return broken(x, c);
	if (x->left == 1)
		return unit_ended(x, unit);
	x->unit = unit;
	x->left--;
	return QUASH_LEX_MORE;
}

static uint8_t open_utf8(quash_lex *x, uint8_t c)
{
	if (!quash_utf8_begins(c))
		return broken(x, c);
	x->state = CONTINUED;
	x->left = (uint8_t)(c << 1);
	x->unit = quash_utf8_next(c);
	return BYTE;
}

/* Each 1 at the beginning of the first byte, but for the first 1, is a byte to come. */
static uint8_t in_utf8(quash_lex *x, uint8_t c)
{
	if (c < (uint8_t)x->unit || c > x->unit >> 8)
		return broken(x, c);
	x->unit = quash_utf8_next(0);
	x->left = (uint8_t)(x->left << 1);
	if (x->left < 0x80)
		x->state = STRING;
	return BYTE;
}

static uint8_t string_ended(quash_lex *x)
{
	if (!x->key)
		return value_ended(x, QUASH_LEX_END);
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

static uint8_t string_byte(quash_lex *x, uint8_t c)
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

/* --- Outside of strings: containers, literals, and what is nested too deep */

static uint8_t in_object(const quash_lex *x)
{
	return x->kinds & 1;
}

/* 1 for a brace, 0 for a bracket: they differ in this bit alone. */
static uint8_t is_object(uint8_t c)
{
	return c >> 5 & 1;
}

static uint8_t open_container(quash_lex *x, uint8_t object)
{
	x->depth++;
	if (x->depth > QUASH_DEPTH) {
		x->state = DEEP;
		return QUASH_LEX_DEEP;
	}
	x->kinds = x->kinds << 1 | object;
	x->state = (uint8_t)(AN_END | (A_VALUE + object));
	return (uint8_t)(QUASH_LEX_ARRAY + object);
}

static uint8_t close_container(quash_lex *x, uint8_t c)
{
	const uint8_t object = is_object(c);
	if (in_object(x) != object)
		return broken(x, c);
	x->kinds >>= 1;
	x->depth--;
	return value_ended(x, (uint8_t)(QUASH_LEX_ARRAY_END + object));
}

static uint8_t open_string(quash_lex *x)
{
	x->key = (x->state & A_KEY) != 0;
	x->state = STRING;
	x->lone = false;
	x->length = 0;
	return x->key ? QUASH_LEX_KEY : QUASH_LEX_STRING;
}

/* What follows the first letter of a literal stands at that letter's place in the alphabet; a blank ends it. */
static const char *const literals = "      alse    ull   rue ";
enum { LITERALS = 24 };

static bool begins_literal(uint8_t c)
{
	return c == 't' || c == 'f' || c == 'n';
}

static uint8_t in_literal(quash_lex *x, uint8_t c)
{
	const uint8_t place = x->left;
	if (place >= LITERALS - 1 || c != (uint8_t)quash_rom(&literals[place]))
		return broken(x, c);
	x->left = (uint8_t)(place + 1);
	if (quash_rom(&literals[place + 1]) != ' ')
		return QUASH_LEX_MORE;
	return value_ended(x,
		place > 20            ? QUASH_LEX_TRUE
			: place < 12 ? QUASH_LEX_FALSE
				     : QUASH_LEX_NULL);
}

static uint8_t open_value(quash_lex *x, uint8_t c)
{
	if (begins_literal(c)) {
		x->state = LITERAL;
		x->left = c & 0x1F;
		return QUASH_LEX_MORE;
	}
	x->state = NUMBER;
	x->length = 0;
	return QUASH_LEX_NUMBER | KEEP;
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
		x->state = (uint8_t)(A_VALUE + in_object(x));
		return QUASH_LEX_MORE;
	case '}':
	case ']':
		if ((allowed & AN_END) == 0)
			break;
		return close_container(x, c);
	default:
		if ((allowed & A_VALUE) == 0)
			break;
		return c == '{' || c == '[' ? open_container(x, is_object(c)) : open_value(x, c);
	}
	return broken(x, c);
}

/* Too deep to know what is open: only strings and the depth are tracked. */
static uint8_t in_deep(quash_lex *x, uint8_t c)
{
	if (c == '\n' && x->line)
		return broken(x, c);
	if (x->state == DEEP_ESCAPE) {
		x->state = DEEP_STRING;
	} else if (c == '"') {
		x->state = x->state == DEEP ? DEEP_STRING : DEEP;
	} else if (x->state == DEEP_STRING) {
		if (c == '\\')
			x->state = DEEP_ESCAPE;
	} else if (c == '[' || c == '{') {
		if (++x->depth == 0)
			return broken(x, c);
	} else if (c == ']' || c == '}') {
		if (--x->depth == QUASH_DEPTH)
			return value_ended(x, QUASH_LEX_MORE);
	}
	return QUASH_LEX_MORE;
}

/* --- Whole texts */

void quash_lex_init(quash_lex *x, uint8_t *text, quash_size size)
{
	static const quash_lex fresh = { .state = A_VALUE };
	*x = fresh;
	x->text = text;
	x->size = size;
}

static uint8_t any_byte(quash_lex *x, uint8_t c)
{
	const uint8_t state = x->state;
	if (state == STRING && is_plain((int8_t)c))
		return BYTE;
	if (state < ZERO)
		return in_structure(x, c);
	if (state >= STRING)
		return string_byte(x, c);
	if (state < LITERAL)
		return number_byte(x, c);
	if (state == LITERAL)
		return in_literal(x, c);
	return state == BROKEN ? broken(x, c) : in_deep(x, c);
}

/* Copies a byte, then plain text until it ends, or the room is full. */
static uint8_t copy_run(quash_lex *x, const uint8_t *data, size_t n, const uint8_t **byte)
{
	const size_t at = (size_t)(*byte - data), length = x->length;
	/* A prover looks at each place alone: then it sees that neither end is passed. */
	/*@ split at; */
	/*@ split length; */
	if (length + QUASH_LEX_ROOM > x->size)
		return QUASH_LEX_TEXT;
	const int8_t *const from = (const int8_t *)data + at;
	int8_t *const to = (int8_t *)x->text + length;
	const size_t room = x->size + 1u - QUASH_LEX_ROOM - length;
	const size_t rest = x->state != STRING ? 1 : n - at;
	const size_t most = rest < room ? rest : room;
	size_t k = 0;
	do {
		to[k] = from[k];
		k++;
	} while (k < most && is_plain(from[k]));
	x->length = (quash_size)(length + k);
	*byte = (const uint8_t *)from + k;
	return k < room ? QUASH_LEX_MORE : QUASH_LEX_TEXT;
}

QUASH_NOINLINE quash_lex_event quash_lex_run(quash_lex *x, const uint8_t *data, size_t n, size_t *at)
{
	if (*at >= n)
		return QUASH_LEX_MORE;
	const uint8_t *byte = data + *at;
	const uint8_t *const end = data + n;
	uint8_t event;
	do {
		event = any_byte(x, *byte);
		if (event == BYTE) {
			event = copy_run(x, data, n, &byte);
		} else {
			byte += event < KEEP;
			event &= KEEP - 1;
		}
	} while (event == QUASH_LEX_MORE && byte < end);
	*at = (size_t)(byte - data);
	return (quash_lex_event)event;
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

bool quash_lex_blank_(const quash_lex *x)
{
	return x->state == A_VALUE && x->depth == 0;
}
