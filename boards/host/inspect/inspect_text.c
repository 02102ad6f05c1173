/* SPDX-License-Identifier: MIT */
#include "inspect_text.h"

#include "reading.h"

#include <string.h>

/* --- JSON that the command line brings */

quash_kind json_kind(const char *text)
{
	struct reading r;
	quash_kind kind = QUASH_NONE;
	reading_begin(&r, text, strlen(text));
	for (;;) {
		const quash_lex_event event = reading_next(&r);
		if (event == QUASH_LEX_MORE)
			return quash_lex_complete(&r.lex) ? kind : QUASH_NONE;
		if (event == QUASH_LEX_ERROR || event == QUASH_LEX_DEEP)
			return QUASH_NONE;
		if (kind == QUASH_NONE)
			kind = event <= QUASH_LEX_OBJECT ? (quash_kind)event : QUASH_NONE;
	}
}

void json_compact(char *text)
{
	bool quoted = false, escaped = false;
	char *to = text;
	for (const char *from = text; *from != '\0'; from++) {
		if (!quoted && strchr(" \t\r\n", *from) != NULL)
			continue;
		if (*from == '"' && !escaped)
			quoted = !quoted;
		escaped = *from == '\\' && !escaped;
		*to++ = *from;
	}
	*to = '\0';
}

bool json_has(const char *object, const char *name)
{
	struct reading r;
	bool key = false;
	reading_begin(&r, object, strlen(object));
	for (;;) {
		const quash_lex_event event = reading_next(&r);
		if (event == QUASH_LEX_MORE || event == QUASH_LEX_ERROR)
			return false;
		if (event == QUASH_LEX_END && key && reading_is(&r, name))
			return true;
		key = event == QUASH_LEX_KEY && r.lex.depth == 1;
	}
}

/* --- Members of messages */

struct text text_from(const char *string)
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

/* From its first quote to after its last. */
static size_t skip_string(struct text t, size_t i)
{
	for (i++; i < t.length && t.at[i] != '"'; i++)
		i += t.at[i] == '\\';
	return i + 1 < t.length ? i + 1 : t.length;
}

/* To the end of the value that begins at `i`: to the comma or bracket that is not its own. */
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
	const struct text none = { NULL, 0 }, wanted = text_from(name);
	size_t i = skip_blanks(message, 0);
	if (i == message.length || message.at[i] != '{')
		return none;
	for (i = skip_blanks(message, i + 1); i < message.length && message.at[i] == '"';) {
		const size_t key = i, end = skip_string(message, i);
		const size_t value = skip_blanks(message, skip_blanks(message, end) + 1);
		const size_t after = skip_value(message, value);
		if (value < message.length && text_equals((struct text){ message.at + key, end - key }, wanted))
			return trimmed(message.at + value, after - value);
		i = skip_blanks(message, after + 1);
	}
	return none;
}
