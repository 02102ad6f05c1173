/* SPDX-License-Identifier: MIT */
#include "bridge_jsonc_scan.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 200 };

static bool jsonc_skip_comment(struct scan *s)
{
	const char *const text = s->text + s->at;
	if (text[1] == '/') {
		s->at += strcspn(text, "\r\n");
		return true;
	}
	const char *const end = text[1] == '*' ? strstr(text + 2, "*/") : NULL;
	s->at += end != NULL ? (size_t)(end - text) + 2 : 0;
	return end != NULL;
}

bool scan_space(struct scan *s, size_t *content_end)
{
	for (;;) {
		s->at += strspn(s->text + s->at, " \t\r\n");
		if (s->text[s->at] != '/')
			return true;
		if (!jsonc_skip_comment(s))
			return false;
		*content_end = s->at;
	}
}

static bool jsonc_skip_escape(struct scan *s)
{
	const char c = s->text[s->at + 1];
	if (c == 'u' && strspn(s->text + s->at + 2, "0123456789abcdefABCDEF") >= 4) {
		s->at += 6;
		return true;
	}
	s->at += 2;
	return c != '\0' && strchr("\"\\/bfnrt", c) != NULL;
}

bool scan_string(struct scan *s)
{
	if (s->text[s->at++] != '"')
		return false;
	for (;;) {
		const unsigned char c = (unsigned char)s->text[s->at];
		if (c < 0x20 || (c == '\\' && !jsonc_skip_escape(s)))
			return false;
		s->at += c != '\\';
		if (c == '"')
			return true;
	}
}

static bool jsonc_skip_digits(struct scan *s)
{
	const size_t n = strspn(s->text + s->at, "0123456789");
	s->at += n;
	return n > 0;
}

static bool jsonc_skip_number(struct scan *s)
{
	s->at += s->text[s->at] == '-';
	const bool zero = s->text[s->at] == '0';
	s->at += zero;
	if (!zero && !jsonc_skip_digits(s))
		return false;
	if (s->text[s->at] == '.' && (s->at++, !jsonc_skip_digits(s)))
		return false;
	if (s->text[s->at] != 'e' && s->text[s->at] != 'E')
		return true;
	s->at++;
	s->at += s->text[s->at] == '+' || s->text[s->at] == '-';
	return jsonc_skip_digits(s);
}

static bool skip_word(struct scan *s)
{
	static const char *const words[] = { "true", "false", "null" };
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		const size_t n = strlen(words[i]);
		if (strncmp(s->text + s->at, words[i], n) == 0) {
			s->at += n;
			return true;
		}
	}
	return jsonc_skip_number(s);
}

/* Whether the key, in its quotes, is the name, which has nothing that must be escaped. */
static bool is_key(const char *key, const char *name)
{
	for (key++; *name != '\0'; name++) {
		unsigned code = 0;
		if (key[0] == '\\' && key[1] == 'u' && sscanf(key + 2, "%4x", &code) == 1)
			key += 5;
		else
			code = (unsigned char)*key;
		if (code != (unsigned char)*name)
			return false;
		key++;
	}
	return *key == '"';
}

static bool skip_value(struct scan *s);

/* Up to a comma, which it takes and whose place it notes, or to the closing bracket. */
static bool skip_comma(struct scan *s, char close, size_t *comma, size_t *content_end)
{
	if (!scan_space(s, content_end))
		return false;
	*comma = s->text[s->at] == ',' ? s->at : 0;
	if (*comma == 0)
		return s->text[s->at] == close;
	*content_end = ++s->at;
	return scan_space(s, content_end);
}

static bool jsonc_skip_array(struct scan *s)
{
	size_t end, comma = s->at++;
	bool more = true;
	if (!scan_space(s, &end))
		return false;
	while (s->text[s->at] != ']') {
		if (!more || !skip_value(s) || !skip_comma(s, ']', &comma, &end))
			return false;
		more = comma != 0;
	}
	s->at++;
	return true;
}

static bool skip_value(struct scan *s)
{
	struct object nobody;
	bool read;
	if (s->depth == DEEPEST)
		return false;
	s->depth++;
	switch (s->text[s->at]) {
	case '{': read = scan_object(s, NULL, &nobody); break;
	case '[': read = jsonc_skip_array(s); break;
	case '"': read = scan_string(s); break;
	default: read = skip_word(s); break;
	}
	s->depth--;
	return read;
}

/* Without its comma. */
static bool read_member(struct scan *s, const char *name, struct object *o)
{
	const size_t key = s->at;
	size_t comments;
	if (!scan_string(s) || !scan_space(s, &comments) || s->text[s->at] != ':')
		return false;
	s->at++;
	if (!scan_space(s, &comments))
		return false;
	const size_t value = s->at;
	if (!skip_value(s))
		return false;
	if (o->count++ == 0)
		o->first_key = key;
	if (name != NULL && is_key(s->text + key, name)) {
		o->found++;
		o->key = key;
		o->value = value;
		o->end = s->at;
	}
	o->value_end = o->content_end = s->at;
	return true;
}

bool scan_object(struct scan *s, const char *name, struct object *o)
{
	*o = (struct object){ .open = s->at };
	o->value_end = o->content_end = ++s->at;
	if (!scan_space(s, &o->content_end))
		return false;
	while (s->text[s->at] != '}') {
		const size_t before = o->content_end, comma_before = o->comma;
		const unsigned found = o->found;
		if ((o->count > 0 && o->comma == 0) || !read_member(s, name, o) || !skip_comma(s, '}', &o->comma, &o->content_end))
			return false;
		if (o->found > found) {
			o->before = before;
			o->comma_before = comma_before;
			o->after = o->comma != 0 ? o->comma + 1 : 0;
		}
	}
	o->close = s->at++;
	return true;
}
