/* SPDX-License-Identifier: MIT */
#include "host_escape.h"

#include "format.h"

#include <stdint.h>
#include <string.h>

/* --- Characters */

struct character {
	uint32_t code;
	size_t bytes;
	bool valid; /* else it is one byte that is part of none */
};

/* How many bytes a character has that begins so; 0: none does. */
static size_t length_by(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xC2 || first > 0xF4)
		return 0;
	return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* RFC 3629 section 4: the shortest form, and no surrogate. */
static bool is_valid(uint32_t code, size_t bytes)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	return code >= least[bytes] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

static struct character read_character(const char *text, size_t left)
{
	const unsigned char *const c = (const unsigned char *)text;
	const struct character none = { c[0], 1, false };
	const size_t bytes = length_by(c[0]);
	if (bytes <= 1)
		return (struct character){ c[0], 1, bytes == 1 };
	if (bytes > left)
		return none;
	uint32_t code = c[0] & (0x7Fu >> bytes);
	for (size_t i = 1; i < bytes; i++) {
		if ((c[i] & 0xC0) != 0x80)
			return none;
		code = code << 6 | (c[i] & 0x3Fu);
	}
	return is_valid(code, bytes) ? (struct character){ code, bytes, true } : none;
}

/* Controls, ends of lines, and what changes the direction of writing. */
static bool is_hidden(uint32_t code)
{
	return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
		(code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

/* --- Forms */

static size_t form_of_byte(char to[ESCAPE_MOST + 1], enum escape_form form, unsigned char byte)
{
	if (form == ESCAPE_JSON)
		return format_text(to, ESCAPE_MOST + 1, "\\ufffd");
	return format_text(to, ESCAPE_MOST + 1, "\\x%02x", (unsigned)byte);
}

static bool stays(enum escape_form form, uint32_t code)
{
	if (code == '"' || code == '\\')
		return form == ESCAPE_LINE || form == ESCAPE_LINES;
	return !is_hidden(code) || (form == ESCAPE_LINES && (code == '\n' || code == '\t'));
}

static size_t form_of(char to[ESCAPE_MOST + 1], enum escape_form form, struct character c, const char *text)
{
	static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *const known = c.code != 0 && c.code < 0x80 ? strchr(plain, (int)c.code) : NULL;
	if (!c.valid)
		return form_of_byte(to, form, (unsigned char)*text);
	if (stays(form, c.code)) {
		memcpy(to, text, c.bytes);
		return c.bytes;
	}
	if (known != NULL)
		return format_text(to, ESCAPE_MOST + 1, "\\%c", letters[known - plain]);
	return format_text(to, ESCAPE_MOST + 1, "\\u%04x", (unsigned)c.code);
}

/* --- Texts */

/* Where forms go. False: there is no room for one. */
typedef bool escape_taker(void *to, const char *piece, size_t n);

static void escape_each(enum escape_form form, const char *text, size_t length, escape_taker *take, void *to)
{
	char piece[ESCAPE_MOST + 1];
	for (size_t i = 0; i < length;) {
		const struct character c = read_character(text + i, length - i);
		if (!take(to, piece, form_of(piece, form, c, text + i)))
			return;
		i += c.bytes;
	}
}

static bool take_in_file(void *to, const char *piece, size_t n)
{
	return fwrite(piece, 1, n, to) == n;
}

static bool take_in_builder(void *to, const char *piece, size_t n)
{
	build_bytes(to, piece, n);
	return true;
}

struct room {
	char *at;
	size_t size, used;
};

static bool take_in_room(void *to, const char *piece, size_t n)
{
	struct room *const room = to;
	if (n >= room->size - room->used)
		return false;
	memcpy(room->at + room->used, piece, n);
	room->used += n;
	return true;
}

void escape_put(FILE *to, enum escape_form form, const char *text, size_t length)
{
	escape_each(form, text, length, take_in_file, to);
}

void escape_build(struct builder *to, enum escape_form form, const char *text, size_t length)
{
	escape_each(form, text, length, take_in_builder, to);
}

size_t escape_write(char *to, size_t size, enum escape_form form, const char *text, size_t length)
{
	struct room room = { to, size, 0 };
	escape_each(form, text, length, take_in_room, &room);
	to[room.used] = '\0';
	return room.used;
}

bool escape_is_utf8(const char *text, size_t length)
{
	struct character c = { 0, 0, true };
	for (size_t i = 0; c.valid && i < length; i += c.bytes)
		c = read_character(text + i, length - i);
	return c.valid;
}

size_t escape_mark(const char *text, size_t length)
{
	static const char mark[] = "\xEF\xBB\xBF";
	const size_t n = sizeof mark - 1;
	return length >= n && memcmp(text, mark, n) == 0 ? n : 0;
}

size_t escape_cut(const char *text, size_t length, size_t most)
{
	size_t i = 0;
	while (i < length) {
		const size_t n = read_character(text + i, length - i).bytes;
		if (n > most - i)
			break;
		i += n;
	}
	return i;
}
