/* SPDX-License-Identifier: MIT
 * A second opinion on what the peer sends, by other code than the library's. */
#include "talk.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const unsigned char *at, *end;
};

static int peek(const struct reader *r)
{
	return r->at < r->end ? *r->at : -1;
}

static bool take(struct reader *r, int c)
{
	if (peek(r) != c)
		return false;
	r->at++;
	return true;
}

static bool take_word(struct reader *r, const char *word)
{
	while (*word != '\0' && take(r, *word))
		word++;
	return *word == '\0';
}

static bool digits(struct reader *r)
{
	if (!isdigit(peek(r)))
		return false;
	while (isdigit(peek(r)))
		r->at++;
	return true;
}

static bool number(struct reader *r)
{
	(void)take(r, '-');
	if (!take(r, '0') && !digits(r))
		return false;
	if (take(r, '.') && !digits(r))
		return false;
	if (take(r, 'e') || take(r, 'E')) {
		if (!take(r, '+'))
			(void)take(r, '-');
		return digits(r);
	}
	return true;
}

/* RFC 3629, as in its section 4. */
static bool utf8(struct reader *r)
{
	const unsigned char first = *r->at++;
	int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
	unsigned char low = 0x80, high = 0xBF;
	if (first < 0xC2 || first > 0xF4)
		return false;
	if (first == 0xE0)
		low = 0xA0;
	if (first == 0xED)
		high = 0x9F;
	if (first == 0xF0)
		low = 0x90;
	if (first == 0xF4)
		high = 0x8F;
	for (; more > 0; more--, low = 0x80, high = 0xBF) {
		if (peek(r) < low || peek(r) > high)
			return false;
		r->at++;
	}
	return true;
}

static bool escape(struct reader *r)
{
	const int c = peek(r);
	if (c <= 0 || strchr("\"\\/bfnrtu", c) == NULL)
		return false;
	r->at++;
	for (int i = 0; c == 'u' && i < 4; i++) {
		if (!isxdigit(peek(r)))
			return false;
		r->at++;
	}
	return true;
}

static bool string(struct reader *r)
{
	if (!take(r, '"'))
		return false;
	while (peek(r) >= 0x20 && peek(r) != '"') {
		if (peek(r) >= 0x80 ? !utf8(r) : take(r, '\\') ? !escape(r) : (r->at++, false))
			return false;
	}
	return take(r, '"');
}

static bool value(struct reader *r);

static bool container(struct reader *r, int end)
{
	if (take(r, end))
		return true;
	do {
		if (end == '}' && !(string(r) && take(r, ':')))
			return false;
		if (!value(r))
			return false;
	} while (take(r, ','));
	return take(r, end);
}

/* Compact JSON only: the peer writes no white space. */
static bool value(struct reader *r)
{
	switch (peek(r)) {
	case '{': return take(r, '{') && container(r, '}');
	case '[': return take(r, '[') && container(r, ']');
	case '"': return string(r);
	case 't': return take_word(r, "true");
	case 'f': return take_word(r, "false");
	case 'n': return take_word(r, "null");
	default: return number(r);
	}
}

bool json_valid(const char *data, size_t length)
{
	struct reader r = { (const unsigned char *)data, (const unsigned char *)data + length };
	return value(&r) && r.at == r.end;
}

void json_id(const char *data, size_t length, const char **id, size_t *id_length)
{
	static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":";
	const size_t head_length = sizeof head - 1;
	*id = data;
	*id_length = 0;
	if (length <= head_length || memcmp(data, head, head_length) != 0)
		return;
	struct reader r = { (const unsigned char *)data + head_length, (const unsigned char *)data + length };
	*id = data + head_length;
	if (!value(&r))
		return;
	const size_t after = (size_t)((const char *)r.at - *id);
	*id_length = take_word(&r, ",\"method\":") ? 0 : after;
}

uint32_t json_asked(const char *data, size_t length)
{
	struct reader r = { (const unsigned char *)data, (const unsigned char *)data + length };
	uint32_t id = 0;
	if (!take_word(&r, "{\"jsonrpc\":\"2.0\",\"id\":"))
		return 0;
	for (; isdigit(peek(&r)); r.at++)
		id = id * 10 + (uint32_t)(peek(&r) - '0');
	return take_word(&r, ",\"method\":") ? id : 0;
}

size_t json_id_count(const struct text *sent, const char *id, size_t id_length)
{
	static const char name[] = "\"id\":";
	size_t count = 0;
	for (const char *at = sent->data; at != NULL && (at = strstr(at, name)) != NULL; at++) {
		const char *after = at + sizeof name - 1;
		count += strncmp(after, id, id_length) == 0 && strchr(",}]", after[id_length]) != NULL;
	}
	return count;
}

static long split_line(const char *data, size_t length, size_t *body, size_t *body_length)
{
	const char *end = length > 0 ? memchr(data, '\n', length) : NULL;
	if (end == NULL)
		return 0;
	*body = 0;
	*body_length = (size_t)(end - data);
	return *body_length == 0 ? -1 : (long)*body_length + 1;
}

static long split_header(const char *data, size_t length, size_t *body, size_t *body_length)
{
	static const char name[] = "Content-Length: ";
	const size_t name_length = sizeof name - 1;
	const size_t compared = length < name_length ? length : name_length;
	if (compared > 0 && memcmp(data, name, compared) != 0)
		return -1;
	size_t at = name_length, size = 0;
	for (; at < length && isdigit((unsigned char)data[at]); at++)
		size = size * 10 + (size_t)(data[at] - '0');
	if (length < at + 4)
		return 0;
	if (memcmp(data + at, "\r\n\r\n", 4) != 0 || data[name_length] == '0')
		return -1;
	*body = at + 4;
	*body_length = size;
	return length < *body + size ? 0 : (long)(*body + size);
}

long frame_split(
	const quash_dialect *dialect, const char *data, size_t length, size_t *body, size_t *body_length)
{
	if (dialect->framing == QUASH_LINES)
		return split_line(data, length, body, body_length);
	return split_header(data, length, body, body_length);
}
