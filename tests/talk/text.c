/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *grow(void *memory, size_t size)
{
	memory = realloc(memory, size > 0 ? size : 1);
	if (memory == NULL) {
		fprintf(stderr, "talk: out of memory\n");
		exit(2);
	}
	return memory;
}

/* Always followed by a NUL that does not count. */
void text_add(struct text *t, const char *data, size_t length)
{
	if (t->length + length + 1 > t->size) {
		t->size = (t->length + length + 1) * 2;
		t->data = grow(t->data, t->size);
	}
	if (length > 0)
		memcpy(t->data + t->length, data, length);
	t->length += length;
	t->data[t->length] = '\0';
}

void text_append(struct text *t, const char *words)
{
	text_add(t, words, strlen(words));
}

void text_printf(struct text *t, const char *format, ...)
{
	char line[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	text_append(t, line);
}

void text_clear(struct text *t)
{
	t->length = 0;
	text_add(t, "", 0);
}

void text_free(struct text *t)
{
	static const struct text none = { 0 };
	free(t->data);
	*t = none;
}

bool text_equals(const struct text *t, const char *words)
{
	return t->length == strlen(words) && memcmp(t->data, words, t->length) == 0;
}
