/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

/* How long `<name>` at `at` is; 0: there is none. */
static size_t hole_at(const char *at)
{
	const size_t name = *at == '<' ? strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_") : 0;
	return name > 0 && at[1 + name] == '>' ? name + 2 : 0;
}

static const struct text *value_of(const struct holes *holes, const char *hole, size_t length)
{
	for (size_t i = 0; i < holes->count; i++) {
		if (holes->names[i].length == length && memcmp(holes->names[i].data, hole, length) == 0)
			return &holes->values[i];
	}
	return NULL;
}

static void give(struct holes *holes, const char *hole, size_t hole_length, const char *value, size_t length)
{
	holes->names = grow(holes->names, (holes->count + 1) * sizeof *holes->names);
	holes->values = grow(holes->values, (holes->count + 1) * sizeof *holes->values);
	holes->names[holes->count] = holes->values[holes->count] = (struct text){ 0 };
	text_add(&holes->names[holes->count], hole, hole_length);
	text_add(&holes->values[holes->count++], value, length);
}

bool holes_fill(const struct holes *holes, const char *words, struct text *to)
{
	bool all = true;
	text_clear(to);
	while (*words != '\0') {
		const size_t hole = hole_at(words);
		const struct text *const value = hole > 0 ? value_of(holes, words, hole) : NULL;
		if (value != NULL)
			text_add(to, value->data, value->length);
		else
			text_add(to, words, hole > 0 ? hole : 1);
		all = all && (hole == 0 || value != NULL);
		words += hole > 0 ? hole : 1;
	}
	return all;
}

/* A value of JSON, or what stands before `next`. */
static size_t value_length(const char *text, size_t length, char next)
{
	size_t at = 0, depth = 0;
	bool quoted = false;
	if (length == 0 || strchr("\"{[", text[0]) == NULL) {
		while (at < length && text[at] != next && (next != '\0' || strchr(",}] ", text[at]) == NULL))
			at++;
		return at;
	}
	do {
		if (text[at] == '"')
			quoted = !quoted;
		else if (quoted && text[at] == '\\')
			at++;
		else if (!quoted)
			depth += text[at] == '{' || text[at] == '[' ? 1u : 0u;
		depth -= !quoted && (text[at] == '}' || text[at] == ']') ? 1u : 0u;
		at++;
	} while (at < length && (quoted || depth > 0));
	return at;
}

bool holes_match(struct holes *holes, const char *expected, const char *text, size_t length)
{
	size_t at = 0;
	while (*expected != '\0') {
		const size_t hole = hole_at(expected);
		const struct text *const value = hole > 0 ? value_of(holes, expected, hole) : NULL;
		const size_t n = hole == 0 ? 1 : value != NULL ? value->length : value_length(text + at, length - at, expected[hole]);
		const char *const same = hole == 0 ? expected : value != NULL ? value->data : text + at;
		if (strcmp(expected, "*") == 0)
			return true;
		if (n == 0 || length - at < n || memcmp(text + at, same, n) != 0)
			return false;
		if (hole > 3 && value == NULL)
			give(holes, expected, hole, text + at, n);
		else if (hole == 3 && value == NULL && expected[1] != '_')
			give(holes, expected, hole, text + at, n);
		at += n;
		expected += hole > 0 ? hole : 1;
	}
	return at == length;
}

void holes_free(struct holes *holes)
{
	for (size_t i = 0; i < holes->count; i++) {
		text_free(&holes->names[i]);
		text_free(&holes->values[i]);
	}
	free(holes->names);
	free(holes->values);
}
