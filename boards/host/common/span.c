/* SPDX-License-Identifier: MIT */
#include "span.h"

#include "reading.h"

#include <string.h>

static const struct span none = { NULL, 0 };

/* --- Walking */

static size_t skip_space(struct span text, size_t at)
{
	while (at < text.n && strchr(" \t\r\n", text.at[at]) != NULL && text.at[at] != '\0')
		at++;
	return at;
}

/* Where the value that begins at `at` ends; 0: it is none. */
static size_t end_of_value(struct span text, size_t at)
{
	struct reading r;
	quash_lex_event event;
	reading_begin(&r, text.at + at, text.n - at);
	do {
		event = reading_next(&r);
		if (event == QUASH_LEX_MORE || event == QUASH_LEX_ERROR)
			return 0;
	} while (r.lex.depth > 0 || event == QUASH_LEX_STRING || event == QUASH_LEX_NUMBER);
	return at + r.at;
}

struct span span_of(const char *text)
{
	return (struct span){ text, strlen(text) };
}

struct span span_container(const char *text, size_t n)
{
	const struct span whole = { text, n };
	const size_t first = skip_space(whole, 0);
	if (first == n || (text[first] != '{' && text[first] != '['))
		return none;
	const size_t end = end_of_value(whole, first);
	return end > 0 && skip_space(whole, end) == n ? (struct span){ text + first, end - first } : none;
}

bool span_next(struct span container, size_t *place, struct span *key, struct span *value)
{
	const bool object = span_begins(container, '{');
	size_t at = skip_space(container, *place == 0 ? 1 : *place);
	if (at < container.n && container.at[at] == ',')
		at = skip_space(container, at + 1);
	if ((!object && !span_begins(container, '[')) || at + 1 >= container.n)
		return false;
	if (object) {
		const size_t end = end_of_value(container, at);
		if (end == 0)
			return false;
		if (key != NULL)
			*key = (struct span){ container.at + at, end - at };
		at = skip_space(container, skip_space(container, end) + 1);
	}
	const size_t end = end_of_value(container, at);
	*value = (struct span){ container.at + at, end - at };
	*place = end;
	return end != 0;
}

void span_members(struct span object, const char *const *names, struct span *values, size_t count)
{
	struct span key = none, value = none;
	size_t place = 0;
	for (size_t i = 0; i < count; i++)
		values[i] = none;
	while (span_begins(object, '{') && span_next(object, &place, &key, &value)) {
		for (size_t i = 0; i < count; i++)
			values[i] = span_is(key, names[i]) ? value : values[i];
	}
}

struct span span_member(struct span object, const char *name)
{
	struct span value = none;
	span_members(object, &name, &value, 1);
	return value;
}

/* --- Values */

bool span_begins(struct span value, char c)
{
	return value.n > 0 && value.at[0] == c;
}

/* The text of a string, decoded, byte by byte. */
struct decoding {
	struct span value;
	quash_lex lex;
	quash_lex_event event;
	size_t at;         /* in the value */
	quash_size taken;  /* of what the lexer has written */
	uint8_t room[64];
};

static void decode_begin(struct decoding *d, struct span value)
{
	d->value = value;
	d->event = QUASH_LEX_STRING;
	d->at = 0;
	d->taken = 0;
	quash_lex_init(&d->lex, d->room, sizeof d->room);
}

/* -1: it has ended. */
static int decode_next(struct decoding *d)
{
	while (d->taken == d->lex.length && (d->event == QUASH_LEX_STRING || d->event == QUASH_LEX_TEXT)) {
		d->lex.length = d->taken = 0;
		d->event = quash_lex_run(&d->lex, (const uint8_t *)d->value.at, d->value.n, &d->at);
	}
	return d->taken < d->lex.length ? d->room[d->taken++] : -1;
}

size_t span_length(struct span value)
{
	struct decoding d;
	size_t length = 0;
	if (!span_begins(value, '"'))
		return SIZE_MAX;
	decode_begin(&d, value);
	while (decode_next(&d) >= 0)
		length++;
	return d.lex.lone ? SIZE_MAX : length;
}

char *span_text(const struct heap *heap, struct span value)
{
	struct decoding d;
	size_t length = 0;
	if (!span_begins(value, '"'))
		return value.at != NULL ? span_replaced(heap, value, none, NULL) : NULL;
	char *const text = heap_resize(heap, NULL, value.n + 1);
	if (text == NULL)
		return NULL;
	decode_begin(&d, value);
	for (int byte; length < value.n && (byte = decode_next(&d)) >= 0; length++)
		text[length] = (char)byte;
	text[length] = '\0';
	return text;
}

/* A NUL is a character like any other. */
static bool has_text(struct span value, const char *text, size_t n)
{
	struct decoding d;
	size_t i = 0;
	if (value.n == n + 2 && memcmp(value.at + 1, text, n) == 0)
		return true;
	if (memchr(value.at, '\\', value.n) == NULL)
		return false;
	decode_begin(&d, value);
	while (i < n && decode_next(&d) == (unsigned char)text[i])
		i++;
	return i == n && decode_next(&d) < 0;
}

bool span_is(struct span value, const char *text)
{
	return span_begins(value, '"') && has_text(value, text, strlen(text));
}

bool span_same(struct span a, struct span b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.at, b.at, a.n) == 0);
}

bool span_equals(struct span a, struct span b)
{
	struct decoding left, right;
	int byte = 0;
	if (!span_begins(a, '"') || !span_begins(b, '"'))
		return span_same(a, b);
	decode_begin(&left, a);
	decode_begin(&right, b);
	while (byte >= 0 && (byte = decode_next(&left)) == decode_next(&right))
		;
	return byte < 0;
}

/* --- Changing */

char *span_replaced(const struct heap *heap, struct span text, struct span part, const char *with)
{
	const size_t before = part.at != NULL ? (size_t)(part.at - text.at) : text.n, rest = text.n - before - part.n;
	const size_t middle = with != NULL ? strlen(with) : 0;
	char *const made = heap_resize(heap, NULL, before + middle + rest + 1);
	if (made == NULL)
		return NULL;
	memcpy(made, text.at, before);
	if (middle > 0)
		memcpy(made + before, with, middle);
	if (rest > 0)
		memcpy(made + before + middle, text.at + before + part.n, rest);
	made[before + middle + rest] = '\0';
	return made;
}

/* The comma after it; or before it, if it is the last one. */
struct span span_whole_member(struct span object, const char *name)
{
	struct span key = none, value = none, found = none;
	size_t place = 0, before = 1;
	while (span_begins(object, '{') && span_next(object, &place, &key, &value)) {
		if (span_is(key, name)) {
			const size_t from = (size_t)(key.at - object.at), end = skip_space(object, place);
			const bool comma = object.at[end] == ',';
			const size_t first = comma ? from : before, last = comma ? end + 1 : place;
			found = (struct span){ object.at + first, last - first };
		}
		before = place;
	}
	return found;
}
