/* SPDX-License-Identifier: MIT */
#include "bridge_words.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Escapes */

static size_t put_utf8(char *to, uint32_t code)
{
	static const unsigned char marks[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
	const size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (size_t i = n; i-- > 1; code >>= 6)
		to[i] = (char)(0x80 | (code & 0x3F));
	to[0] = (char)(marks[n] | code);
	return n;
}

static uint32_t hex_at(const char *digits, int count)
{
	unsigned code = 0;
	char cut[9];
	snprintf(cut, sizeof cut, "%.*s", count, digits);
	sscanf(cut, "%x", &code);
	return code;
}

/* A code of JSON may be the first half of two, which are one character. */
static size_t decode_code(char *to, size_t *length, const char *escape, size_t left)
{
	const int digits = escape[1] == 'U' ? 8 : 4;
	uint32_t code = hex_at(escape + 2, digits);
	size_t read = 2 + (size_t)digits;
	if (code >= 0xD800 && code < 0xDC00 && left >= 12 && escape[6] == '\\' && escape[7] == 'u') {
		code = 0x10000 + ((code & 0x3FF) << 10) + (hex_at(escape + 8, 4) & 0x3FF);
		read = 12;
	}
	*length += put_utf8(to + *length, code);
	return read;
}

size_t words_decode(char *to, const char *inside, size_t length)
{
	static const char names[] = "bfnrt", codes[] = "\b\f\n\r\t";
	size_t n = 0;
	for (size_t i = 0; i < length;) {
		const char c = inside[i], next = i + 1 < length ? inside[i + 1] : '\0';
		const char *const name = next != '\0' ? strchr(names, next) : NULL;
		if (c != '\\') {
			to[n++] = c;
			i++;
		} else if (next == 'u' || next == 'U') {
			i += decode_code(to, &n, inside + i, length - i);
		} else if (next != '\0' && strchr(" \t\r\n", next) != NULL) {
			i += 1 + strspn(inside + i + 1, " \t\r\n"); /* the end of a line of TOML is left out so */
		} else {
			to[n++] = name != NULL ? codes[name - names] : next;
			i += 2;
		}
	}
	return n;
}

/* --- Strings */

/* From its first quotes; the lengths of them, and of what is between. */
static const char *find_end(const char *text, size_t *quotes, size_t *length)
{
	const char quote = *text;
	*quotes = text[1] == quote && text[2] == quote ? 3 : 1;
	const char *end = text + *quotes;
	while (*end != '\0' && strncmp(end, text, *quotes) != 0)
		end += quote == '"' && *end == '\\' && end[1] != '\0' ? 2 : 1;
	while (*quotes == 3 && *end != '\0' && end[3] == quote)
		end++; /* quotes that stand in the text, at its end */
	*length = (size_t)(end - text) - *quotes;
	return *end != '\0' ? end + *quotes : end;
}

static const char *skip_comment(const char *text)
{
	const char *const end = text[1] == '*' ? strstr(text + 2, "*/") : NULL;
	return end != NULL ? end + 2 : text + strcspn(text, "\n");
}

char *words_next(const char **value)
{
	const char *at = *value;
	size_t quotes, length;
	for (at += strcspn(at, "\"'#/"); *at == '#' || *at == '/'; at += strcspn(at, "\"'#/"))
		at = skip_comment(at);
	*value = at;
	if (*at == '\0')
		return NULL;
	*value = find_end(at, &quotes, &length);
	const char *inside = at + quotes;
	const size_t first = quotes < 3 ? 0 : *inside == '\n' ? 1 : strncmp(inside, "\r\n", 2) == 0 ? 2 : 0;
	char *const word = malloc(length + 1);
	if (word == NULL)
		return NULL;
	inside += first;
	length -= first;
	if (*at == '"')
		length = words_decode(word, inside, length);
	else
		memcpy(word, inside, length);
	word[length] = '\0';
	return word;
}
