/* SPDX-License-Identifier: MIT */
#include "prefix.h"

#include <string.h>

enum { VALUE, VALUE_OR_END, KEY, KEY_OR_END, COLON, BEHIND, WHOLE, STRING, ESCAPE, HEX, TAIL, WORD, MINUS, ZERO, DIGITS, POINT, FRACTION, E, E_SIGN, EXPONENT };

void prefix_begin(struct prefix *p, bool batches)
{
	memset(p, 0, sizeof *p);
	p->batches = batches;
}

bool prefix_is_object(const struct prefix *p)
{
	return !p->broken && p->state == WHOLE && p->open[0] == '}';
}

/* --- Members */

static bool is_envelope(const struct prefix *p)
{
	return (p->depth == 1 && p->open[0] == '}') || (p->batches && p->depth == 2 && p->open[0] == ']' && p->open[1] == '}');
}

static void name_char(struct prefix *p, uint8_t c)
{
	if (p->length < sizeof p->name)
		p->name[p->length] = (char)c;
	p->length++;
}

static void name_ended(struct prefix *p)
{
	static const char *const names[] = { "jsonrpc", "id", "method", "params", "result", "error" };
	for (size_t i = 0; p->key && is_envelope(p) && i < sizeof names / sizeof names[0]; i++)
		p->known = p->known || (strlen(names[i]) == p->length && memcmp(names[i], p->name, p->length) == 0);
}

static bool to(struct prefix *p, uint8_t state)
{
	p->state = state;
	return true;
}

static bool value_ended(struct prefix *p)
{
	return to(p, p->depth > 0 ? BEHIND : WHOLE);
}

static bool opens(struct prefix *p, char close, uint8_t state)
{
	if (p->depth >= sizeof p->open)
		return false;
	p->open[p->depth++] = close;
	if (is_envelope(p))
		p->known = false;
	return to(p, state);
}

static bool closes(struct prefix *p, uint8_t c)
{
	if (p->depth == 0 || (char)c != p->open[p->depth - 1])
		return false;
	p->depth--;
	return value_ended(p);
}

static bool word(struct prefix *p, const char *rest)
{
	p->word = rest;
	return to(p, WORD);
}

static bool begins_value(struct prefix *p, uint8_t c)
{
	p->key = false;
	switch (c) {
	case '{': return opens(p, '}', KEY_OR_END);
	case '[': return opens(p, ']', VALUE_OR_END);
	case '"': return to(p, STRING);
	case 't': return word(p, "rue");
	case 'f': return word(p, "alse");
	case 'n': return word(p, "ull");
	case '-': return to(p, MINUS);
	case '0': return to(p, ZERO);
	default: return c >= '1' && c <= '9' && to(p, DIGITS);
	}
}

static bool begins_key(struct prefix *p, uint8_t c)
{
	p->key = true;
	p->length = 0;
	return c == '"' && to(p, STRING);
}

/* Unicode 15, table 3-7. */
static bool lead(struct prefix *p, uint8_t c)
{
	if (c < 0xC2 || c > 0xF4)
		return false;
	p->left = c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
	p->low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
	p->high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
	return to(p, TAIL);
}

static bool tail(struct prefix *p, uint8_t c)
{
	if (c < p->low || c > p->high)
		return false;
	p->low = 0x80;
	p->high = 0xBF;
	p->left--;
	return to(p, p->left > 0 ? TAIL : STRING);
}

static bool in_string(struct prefix *p, uint8_t c)
{
	if (c == '"') {
		name_ended(p);
		return p->key ? to(p, COLON) : value_ended(p);
	}
	if (c == '\\')
		return to(p, ESCAPE);
	name_char(p, c);
	return c >= 0x80 ? lead(p, c) : c >= 0x20;
}

static bool escaped(struct prefix *p, uint8_t c)
{
	p->left = 4;
	p->unit = 0;
	if (c != 'u')
		name_char(p, c == '/' ? '/' : '\n'); /* the others are in no name */
	return c == 'u' ? to(p, HEX) : c != 0 && strchr("\"\\/bfnrt", c) != NULL && to(p, STRING);
}

static bool hex(struct prefix *p, uint8_t c)
{
	static const char digits[] = "0123456789abcdef";
	const char *const digit = c != 0 ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
	p->left--;
	p->unit = p->unit * 16 + (unsigned)(digit != NULL ? digit - digits : 0);
	if (p->left == 0)
		name_char(p, p->unit < 0x80 ? (uint8_t)p->unit : 0xFF);
	return c != 0 && strchr("0123456789abcdefABCDEF", c) != NULL && to(p, p->left > 0 ? HEX : STRING);
}

static bool in_word(struct prefix *p, uint8_t c)
{
	if ((uint8_t)*p->word != c)
		return false;
	p->word++;
	return *p->word != '\0' || value_ended(p);
}

static bool structure(struct prefix *p, uint8_t c)
{
	if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
		return true;
	switch (p->state) {
	case VALUE: return begins_value(p, c);
	case VALUE_OR_END: return c == ']' ? closes(p, c) : begins_value(p, c);
	case KEY: return begins_key(p, c);
	case KEY_OR_END: return c == '}' ? closes(p, c) : begins_key(p, c);
	case COLON: return c == ':' && to(p, VALUE);
	case BEHIND:
		if (c == ',')
			return to(p, p->open[p->depth - 1] == '}' ? KEY : VALUE);
		return closes(p, c);
	default: return false;
	}
}

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

/* A number ends with the byte after it. */
static bool number_ended(struct prefix *p, uint8_t c)
{
	return value_ended(p) && structure(p, c);
}

static bool in_number(struct prefix *p, uint8_t c)
{
	const bool e = c == 'e' || c == 'E';
	switch (p->state) {
	case MINUS: return c == '0' ? to(p, ZERO) : is_digit(c) && to(p, DIGITS);
	case ZERO: return c == '.' ? to(p, POINT) : e ? to(p, E) : number_ended(p, c);
	case DIGITS: return is_digit(c) || (c == '.' ? to(p, POINT) : e ? to(p, E) : number_ended(p, c));
	case POINT: return is_digit(c) && to(p, FRACTION);
	case FRACTION: return is_digit(c) || (e ? to(p, E) : number_ended(p, c));
	case E: return c == '+' || c == '-' ? to(p, E_SIGN) : is_digit(c) && to(p, EXPONENT);
	case E_SIGN: return is_digit(c) && to(p, EXPONENT);
	default: return is_digit(c) || number_ended(p, c);
	}
}

bool prefix_byte(struct prefix *p, uint8_t byte)
{
	const bool known = p->known;
	bool good;
	if (p->broken)
		return false;
	switch (p->state) {
	case STRING: good = in_string(p, byte); break;
	case ESCAPE: good = escaped(p, byte); break;
	case HEX: good = hex(p, byte); break;
	case TAIL: good = tail(p, byte); break;
	case WORD: good = in_word(p, byte); break;
	default: good = p->state >= MINUS ? in_number(p, byte) : structure(p, byte); break;
	}
	p->broken = !good;
	return good && known;
}
