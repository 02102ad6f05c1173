/* SPDX-License-Identifier: MIT */
#include "inspect_member.h"

#include <string.h>

struct text text_of(const char *string)
{
	return (struct text){ string, strlen(string) };
}

bool text_equals(struct text a, struct text b)
{
	return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t skip_blanks(struct text t, size_t i)
{
	while (i < t.length && is_blank(t.at[i]))
		i++;
	return i;
}

/* From its first quote to behind its last. */
static size_t skip_string(struct text t, size_t i)
{
	for (i++; i < t.length && t.at[i] != '"'; i++)
		i += t.at[i] == '\\';
	return i + 1 < t.length ? i + 1 : t.length;
}

/* To behind the value that begins at `i`: to the comma or bracket that is not its own. */
static size_t skip_value(struct text t, size_t i)
{
	size_t depth = 0;
	while (i < t.length) {
		const char c = t.at[i];
		if (c == '"') {
			i = skip_string(t, i);
			continue;
		}
		if (depth == 0 && (c == ',' || c == '}' || c == ']'))
			break;
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		i++;
	}
	return i;
}

static struct text trimmed(const char *at, size_t length)
{
	while (length > 0 && is_blank(at[length - 1]))
		length--;
	return (struct text){ at, length };
}

struct text member_of(struct text message, const char *name)
{
	const struct text none = { NULL, 0 }, wanted = text_of(name);
	size_t i = skip_blanks(message, 0);
	if (i == message.length || message.at[i] != '{')
		return none;
	for (i = skip_blanks(message, i + 1); i < message.length && message.at[i] == '"';) {
		const size_t key = i, end = skip_string(message, i);
		const size_t value = skip_blanks(message, skip_blanks(message, end) + 1);
		const size_t behind = skip_value(message, value);
		if (value < message.length && text_equals((struct text){ message.at + key, end - key }, wanted))
			return trimmed(message.at + value, behind - value);
		i = skip_blanks(message, behind + 1);
	}
	return none;
}
