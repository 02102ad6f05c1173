/* SPDX-License-Identifier: MIT */
#include "bridge_span.h"

#include "reading.h"

#include <stdlib.h>
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

/* A string's text, decoded, and a NUL. The caller frees it; NULL: there is no memory. */
static char *decode(struct span value, size_t *length, bool *lone)
{
	char *const text = malloc(value.n + QUASH_LEX_ROOM + 1);
	quash_lex lex;
	size_t at = 0;
	quash_lex_event event = QUASH_LEX_MORE;
	if (text == NULL)
		return NULL;
	quash_lex_init(&lex, (uint8_t *)text, (quash_size)(value.n + QUASH_LEX_ROOM));
	do {
		event = quash_lex_run(&lex, (const uint8_t *)value.at, value.n, &at);
	} while (event == QUASH_LEX_STRING);
	*length = event == QUASH_LEX_END ? lex.length : 0;
	*lone = lex.lone;
	text[*length] = '\0';
	return text;
}

size_t span_length(struct span value)
{
	size_t length = SIZE_MAX;
	bool lone = true;
	if (span_begins(value, '"'))
		free(decode(value, &length, &lone));
	return lone ? SIZE_MAX : length;
}

char *span_text(struct span value)
{
	size_t length = 0;
	bool lone = false;
	if (span_begins(value, '"'))
		return decode(value, &length, &lone);
	return value.at != NULL ? span_replaced(value, none, NULL) : NULL;
}

/* A NUL is a character like any other. */
static bool is_text(struct span value, const char *text, size_t n)
{
	size_t length = 0;
	bool lone = false;
	if (value.n == n + 2 && memcmp(value.at + 1, text, n) == 0)
		return true;
	char *const decoded = memchr(value.at, '\\', value.n) != NULL ? decode(value, &length, &lone) : NULL;
	const bool is = decoded != NULL && length == n && memcmp(decoded, text, n) == 0;
	free(decoded);
	return is;
}

bool span_is(struct span value, const char *text)
{
	return span_begins(value, '"') && is_text(value, text, strlen(text));
}

bool span_equals(struct span a, struct span b)
{
	size_t length = 0;
	bool lone = false;
	if (!span_begins(a, '"') || !span_begins(b, '"'))
		return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
	char *const text = decode(a, &length, &lone);
	const bool is = text != NULL && is_text(b, text, length);
	free(text);
	return is;
}

/* --- Changing */

char *span_replaced(struct span text, struct span part, const char *with)
{
	const size_t before = part.at != NULL ? (size_t)(part.at - text.at) : text.n, rest = text.n - before - part.n;
	const size_t middle = with != NULL ? strlen(with) : 0;
	char *const made = malloc(before + middle + rest + 1);
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
