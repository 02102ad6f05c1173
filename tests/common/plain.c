/* SPDX-License-Identifier: MIT */
#include "plain.h"

#include <string.h>

/* A board has no room for more. */
#if defined __unix__ || defined __wasm__
enum { VALUES = 20000, TEXT = 1 << 20, DEPTH = 64 };
#else
enum { VALUES = 3000, TEXT = 20000, DEPTH = 64 };
#endif

static struct {
	const char *at, *end, *begin;
	struct plain values[VALUES];
	size_t count;
	char text[TEXT];
	size_t length;
	unsigned depth;
	bool bad, blank;
} parser;

static struct plain *value(void);

static struct plain *fail(void)
{
	parser.bad = true;
	return NULL;
}

static int peek(void)
{
	return parser.at < parser.end ? (unsigned char)*parser.at : -1;
}

static void skip_blanks(void)
{
	while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') {
		parser.at++;
		parser.blank = true;
	}
}

static bool keep(char c)
{
	if (parser.length >= TEXT)
		return false;
	parser.text[parser.length++] = c;
	return true;
}

static bool keep_code(uint32_t code)
{
	if (code < 0x80)
		return keep((char)code);
	if (code < 0x800)
		return keep((char)(0xC0 | code >> 6)) && keep((char)(0x80 | (code & 63)));
	if (code < 0x10000)
		return keep((char)(0xE0 | code >> 12)) && keep((char)(0x80 | (code >> 6 & 63))) &&
			keep((char)(0x80 | (code & 63)));
	return keep((char)(0xF0 | code >> 18)) && keep((char)(0x80 | (code >> 12 & 63))) &&
		keep((char)(0x80 | (code >> 6 & 63))) && keep((char)(0x80 | (code & 63)));
}

static long hex4(void)
{
	long code = 0;
	for (unsigned i = 0; i < 4; i++) {
		const int c = peek();
		const int digit = c >= '0' && c <= '9' ? c - '0'
			: c >= 'a' && c <= 'f'         ? c - 'a' + 10
			: c >= 'A' && c <= 'F'         ? c - 'A' + 10
						       : -1;
		if (digit < 0)
			return -1;
		code = code * 16 + digit;
		parser.at++;
	}
	return code;
}

/* After `\u`. Half a pair becomes U+FFFD. */
static bool unicode(bool *lone)
{
	const long code = hex4();
	if (code < 0)
		return false;
	if (code < 0xD800 || code > 0xDFFF)
		return keep_code((uint32_t)code);
	if (code < 0xDC00 && parser.end - parser.at >= 2 && parser.at[0] == '\\' && parser.at[1] == 'u') {
		const char *const before = parser.at;
		parser.at += 2;
		const long low = hex4();
		if (low < 0)
			return false;
		if (low >= 0xDC00 && low <= 0xDFFF)
			return keep_code(
				0x10000u + ((uint32_t)(code - 0xD800) << 10) + (uint32_t)(low - 0xDC00));
		parser.at = before;
	}
	*lone = true;
	return keep_code(0xFFFD);
}

static bool escape(bool *lone)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const int c = peek();
	const char *const found = c > 0 ? strchr(from, c) : NULL;
	parser.at++;
	if (c == 'u')
		return unicode(lone);
	return found != NULL && keep(to[found - from]);
}

/* A character beyond ASCII, as Unicode 15 table 3-7 has it. */
static bool beyond_ascii(void)
{
	const unsigned char *const s = (const unsigned char *)parser.at;
	const unsigned lead = s[0];
	const unsigned more = lead >= 0xC2 && lead <= 0xDF ? 1
		: lead >= 0xE0 && lead <= 0xEF             ? 2
		: lead >= 0xF0 && lead <= 0xF4             ? 3
							   : 0;
	if (more == 0 || parser.end - parser.at <= (ptrdiff_t)more)
		return false;
	for (unsigned i = 1; i <= more; i++) {
		if ((s[i] & 0xC0) != 0x80)
			return false;
	}
	if ((lead == 0xE0 && s[1] < 0xA0) || (lead == 0xED && s[1] > 0x9F) || (lead == 0xF0 && s[1] < 0x90) ||
		(lead == 0xF4 && s[1] > 0x8F))
		return false;
	for (unsigned i = 0; i <= more; i++) {
		if (!keep((char)s[i]))
			return false;
	}
	parser.at += more + 1;
	return true;
}

/* From the opening quote on. */
static const char *string(size_t *length, bool *lone)
{
	const size_t from = parser.length;
	bool good = true;
	parser.at++;
	while (good && peek() >= 0 && peek() != '"') {
		const int c = peek();
		if (c == '\\') {
			parser.at++;
			good = escape(lone);
		} else if (c >= 0x80) {
			good = beyond_ascii();
		} else {
			good = c >= 0x20 && keep((char)c);
			parser.at++;
		}
	}
	if (!good || peek() != '"') {
		(void)fail();
		return "";
	}
	parser.at++;
	*length = parser.length - from;
	if (!keep('\0'))
		(void)fail();
	return &parser.text[from];
}

static bool digits(void)
{
	const char *const from = parser.at;
	while (peek() >= '0' && peek() <= '9')
		parser.at++;
	return parser.at > from;
}

static bool number(void)
{
	if (peek() == '-')
		parser.at++;
	if (peek() == '0')
		parser.at++;
	else if (!digits())
		return false;
	if (peek() == '.') {
		parser.at++;
		if (!digits())
			return false;
	}
	if (peek() == 'e' || peek() == 'E') {
		parser.at++;
		if (peek() == '+' || peek() == '-')
			parser.at++;
		return digits();
	}
	return true;
}

static bool word(const char *text)
{
	const size_t length = strlen(text);
	if ((size_t)(parser.end - parser.at) < length || memcmp(parser.at, text, length) != 0)
		return false;
	parser.at += length;
	return true;
}

static bool member(struct plain *container, struct plain **last)
{
	const char *key = NULL;
	size_t key_length = 0;
	bool lone = false;
	skip_blanks();
	if (container->kind == PLAIN_OBJECT) {
		if (peek() != '"')
			return false;
		key = string(&key_length, &lone);
		skip_blanks();
		if (parser.bad || peek() != ':')
			return false;
		parser.at++;
	}
	struct plain *const child = value();
	if (child == NULL)
		return false;
	child->key = key;
	child->key_length = key_length;
	if (*last == NULL)
		container->child = child;
	else
		(*last)->next = child;
	*last = child;
	return true;
}

static bool container(struct plain *v, char close)
{
	struct plain *last = NULL;
	parser.at++;
	skip_blanks();
	if (peek() == close) {
		parser.at++;
		return true;
	}
	while (member(v, &last)) {
		skip_blanks();
		const int c = peek();
		parser.at++;
		if (c == close)
			return true;
		if (c != ',')
			return false;
	}
	return false;
}

static bool number_value(struct plain *v)
{
	const char *const from = parser.at;
	v->kind = PLAIN_NUMBER;
	v->text = &parser.text[parser.length];
	if (!number())
		return false;
	v->length = (size_t)(parser.at - from);
	for (const char *p = from; p < parser.at; p++) {
		if (!keep(*p))
			return false;
	}
	return keep('\0');
}

static bool fill(struct plain *v)
{
	switch (peek()) {
	case '{': v->kind = PLAIN_OBJECT; return container(v, '}');
	case '[': v->kind = PLAIN_ARRAY; return container(v, ']');
	case '"':
		v->kind = PLAIN_STRING;
		v->text = string(&v->length, &v->lone);
		return !parser.bad;
	case 't': v->kind = PLAIN_TRUE; return word("true");
	case 'f': v->kind = PLAIN_FALSE; return word("false");
	case 'n': v->kind = PLAIN_NULL; return word("null");
	default: return number_value(v);
	}
}

static struct plain *value(void)
{
	static const struct plain fresh = { .kind = PLAIN_NONE };
	skip_blanks();
	if (parser.count >= VALUES || parser.depth >= DEPTH || peek() < 0)
		return fail();
	struct plain *const v = &parser.values[parser.count++];
	*v = fresh;
	v->from = (size_t)(parser.at - parser.begin);
	parser.depth++;
	const bool good = fill(v);
	parser.depth--;
	v->to = (size_t)(parser.at - parser.begin);
	return good && !parser.bad ? v : fail();
}

const struct plain *plain_read(const char *text, size_t length)
{
	parser.at = parser.begin = text;
	parser.end = text + length;
	parser.count = parser.length = 0;
	parser.depth = 0;
	parser.bad = parser.blank = false;
	return value();
}

const struct plain *plain_parse(const char *text, size_t length)
{
	const struct plain *const v = plain_read(text, length);
	skip_blanks();
	return v != NULL && parser.at == parser.end ? v : NULL;
}

bool plain_is_compact(void)
{
	return !parser.blank;
}

void plain_size(const struct plain *v, size_t *values, size_t *bytes)
{
	*values += 1;
	*bytes += v->key_length + v->length;
	for (const struct plain *child = v->child; child != NULL; child = child->next)
		plain_size(child, values, bytes);
}

const struct plain *plain_get(const struct plain *object, const char *name)
{
	const struct plain *found = NULL;
	if (object == NULL || object->kind != PLAIN_OBJECT)
		return NULL;
	for (const struct plain *child = object->child; child != NULL; child = child->next) {
		if (child->key_length == strlen(name) && memcmp(child->key, name, child->key_length) == 0)
			found = child;
	}
	return found;
}

unsigned plain_count(const struct plain *object, const char *name)
{
	unsigned n = 0;
	for (const struct plain *child = object->child; child != NULL; child = child->next)
		n += child->key_length == strlen(name) && memcmp(child->key, name, child->key_length) == 0;
	return n;
}

bool plain_is(const struct plain *v, const char *text)
{
	return v != NULL && v->kind == PLAIN_STRING && v->length == strlen(text) &&
		memcmp(v->text, text, v->length) == 0;
}

long plain_int(const struct plain *v, long otherwise)
{
	if (v == NULL || v->kind != PLAIN_NUMBER || v->length > 9 || strpbrk(v->text, ".eE") != NULL)
		return otherwise;
	const bool minus = v->text[0] == '-';
	long number = 0;
	for (size_t i = minus; i < v->length; i++)
		number = number * 10 + (v->text[i] - '0');
	return minus ? -number : number;
}
