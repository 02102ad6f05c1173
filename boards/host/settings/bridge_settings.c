/* SPDX-License-Identifier: MIT */
#include "bridge_settings.h"

#include "host_escape.h"

#include <stdlib.h>
#include <string.h>

const char settings_no_memory[] = "there is no memory for it";

char *settings_cut(const char *text, size_t length)
{
	char *const copy = malloc(length + 1);
	if (copy == NULL)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *settings_splice(const char *text, size_t from, size_t to, const char *fresh)
{
	const size_t rest = strlen(text + to), n = strlen(fresh);
	char *const spliced = malloc(from + n + rest + 1);
	if (spliced == NULL)
		return NULL;
	memcpy(spliced, text, from);
	memcpy(spliced + from, fresh, n);
	memcpy(spliced + from + n, text + to, rest + 1);
	return spliced;
}

const char *settings_line_end(const char *text)
{
	const char *const end = strchr(text, '\n');
	return end != NULL && end > text && end[-1] == '\r' ? "\r\n" : "\n";
}

size_t settings_mark(const char *text)
{
	return escape_mark(text, strlen(text));
}

bool settings_blank(const char *text)
{
	text += settings_mark(text);
	return text[strspn(text, " \t\r\n")] == '\0';
}

/* A string is one token, of all else a character. */
static size_t token_length(const char *text)
{
	size_t n = 1;
	if (*text != '"')
		return n;
	while (text[n] != '\0' && text[n] != '"')
		n += text[n] == '\\' && text[n + 1] != '\0' ? 2 : 1;
	return n + (text[n] == '"');
}

bool settings_same(const char *value, size_t length, const char *other)
{
	const char *const end = value + length;
	for (;;) {
		value += strspn(value, " \t\r\n");
		other += strspn(other, " \t\r\n");
		if (value >= end || *other == '\0')
			return value >= end && *other == '\0';
		const size_t n = token_length(value);
		if (strncmp(value, other, n) != 0)
			return false;
		value += n;
		other += n;
	}
}

char *settings_change(const char *text, const struct server_settings *server, settings_changer *change, const char **why)
{
	char *changed = settings_cut(text, strlen(text));
	for (size_t i = 0; changed != NULL && i < server->count; i++) {
		char *const before = changed;
		changed = change(before, server, &server->settings[i], why);
		free(before);
	}
	return changed;
}
