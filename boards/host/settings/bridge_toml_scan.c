/* SPDX-License-Identifier: MIT */
#include "bridge_toml_scan.h"

#include "bridge_words.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100 };

static const char digits[] = "0123456789", hex_digits[] = "0123456789abcdefABCDEF";

/* --- Between */

bool toml_skip(struct toml *s, const char *token)
{
	const size_t n = strlen(token);
	if (strncmp(s->text + s->at, token, n) != 0)
		return false;
	s->at += n;
	return true;
}

void toml_skip_blanks(struct toml *s)
{
	s->at += strspn(s->text + s->at, " \t");
}

static bool toml_is_control(char c)
{
	return ((unsigned char)c < 0x20 && c != '\t') || c == 0x7F;
}

/* A control character in it ends it, and is nothing that may follow. */
static void toml_skip_comment(struct toml *s)
{
	toml_skip_blanks(s);
	if (s->text[s->at] == '#') {
		while (!toml_is_control(s->text[s->at]))
			s->at++;
	}
}

static bool skip_line_end(struct toml *s)
{
	return toml_skip(s, "\n") || toml_skip(s, "\r\n");
}

void toml_skip_lines(struct toml *s)
{
	do {
		toml_skip_comment(s);
	} while (skip_line_end(s));
}

bool toml_rest_of_line(struct toml *s)
{
	toml_skip_comment(s);
	return s->text[s->at] == '\0' || skip_line_end(s);
}

/* --- Strings */

static bool skip_code(struct toml *s, size_t count)
{
	char cut[9] = "";
	if (strspn(s->text + s->at, hex_digits) < count)
		return false;
	memcpy(cut, s->text + s->at, count);
	const unsigned long code = strtoul(cut, NULL, 16);
	s->at += count;
	return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

/* Behind a backslash, which may stand before the end of a line. */
static bool toml_skip_escape(struct toml *s, bool lines)
{
	const char c = s->text[s->at];
	if (lines && c != '\0' && strchr(" \t\r\n", c) != NULL) {
		toml_skip_blanks(s);
		return skip_line_end(s);
	}
	if (c == '\0' || strchr("\"\\bfnrtuU", c) == NULL)
		return false;
	s->at++;
	return c == 'u' ? skip_code(s, 4) : c == 'U' ? skip_code(s, 8) : true;
}

/* A text after its first quotes, with those at its end. */
static bool skip_quoted(struct toml *s, const char *quotes, bool escapes, bool lines)
{
	for (;;) {
		if (toml_skip(s, quotes)) {
			for (int more = 0; lines && more < 2 && s->text[s->at] == *quotes; more++)
				s->at++; /* quotes that stand in the text, at its end */
			return true;
		}
		if (escapes && toml_skip(s, "\\")) {
			if (!toml_skip_escape(s, lines))
				return false;
		} else if (!lines || !skip_line_end(s)) {
			if (toml_is_control(s->text[s->at]))
				return false;
			s->at++;
		}
	}
}

static bool skip_string(struct toml *s)
{
	if (toml_skip(s, "\"\"\""))
		return skip_quoted(s, "\"\"\"", true, true);
	if (toml_skip(s, "'''"))
		return skip_quoted(s, "'''", false, true);
	if (toml_skip(s, "\""))
		return skip_quoted(s, "\"", true, false);
	return toml_skip(s, "'") && skip_quoted(s, "'", false, false);
}

/* --- Numbers, dates and times */

/* Digits, with a low line between two of them at most. */
static bool toml_skip_digits(struct toml *s, const char *of)
{
	size_t n;
	do {
		n = strspn(s->text + s->at, of);
		s->at += n;
	} while (n > 0 && toml_skip(s, "_"));
	return n > 0;
}

static bool toml_skip_number(struct toml *s)
{
	const bool sign = toml_skip(s, "+") || toml_skip(s, "-");
	if (toml_skip(s, "inf") || toml_skip(s, "nan"))
		return true;
	if (!sign && toml_skip(s, "0x"))
		return toml_skip_digits(s, hex_digits);
	if (!sign && toml_skip(s, "0o"))
		return toml_skip_digits(s, "01234567");
	if (!sign && toml_skip(s, "0b"))
		return toml_skip_digits(s, "01");
	if (!toml_skip(s, "0") && !toml_skip_digits(s, digits))
		return false;
	if (toml_skip(s, ".") && !toml_skip_digits(s, digits))
		return false;
	if (!toml_skip(s, "e") && !toml_skip(s, "E"))
		return true;
	if (!toml_skip(s, "+"))
		toml_skip(s, "-");
	return toml_skip_digits(s, digits);
}

/* So many digits, whose number is within bounds. */
static bool skip_field(struct toml *s, size_t count, unsigned least, unsigned most, unsigned *value)
{
	*value = 0;
	if (strspn(s->text + s->at, digits) < count)
		return false;
	while (count-- > 0)
		*value = *value * 10 + (unsigned)(s->text[s->at++] - '0');
	return *value >= least && *value <= most;
}

static unsigned days_in(unsigned year, unsigned month)
{
	static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return month == 2 && leap ? 29 : days[month - 1];
}

static bool skip_date(struct toml *s)
{
	unsigned year, month, day;
	return skip_field(s, 4, 1, 9999, &year) && toml_skip(s, "-") && skip_field(s, 2, 1, 12, &month) && toml_skip(s, "-") &&
		skip_field(s, 2, 1, days_in(year, month), &day);
}

static bool skip_time(struct toml *s)
{
	unsigned field;
	if (!skip_field(s, 2, 0, 23, &field) || !toml_skip(s, ":") || !skip_field(s, 2, 0, 59, &field) || !toml_skip(s, ":") ||
		!skip_field(s, 2, 0, 59, &field))
		return false;
	if (!toml_skip(s, "."))
		return true;
	const size_t n = strspn(s->text + s->at, digits);
	s->at += n;
	return n > 0;
}

static bool skip_offset(struct toml *s)
{
	unsigned field;
	if (toml_skip(s, "Z") || toml_skip(s, "z"))
		return true;
	if (!toml_skip(s, "+") && !toml_skip(s, "-"))
		return true; /* it has none */
	return skip_field(s, 2, 0, 23, &field) && toml_skip(s, ":") && skip_field(s, 2, 0, 59, &field);
}

static bool skip_date_and_time(struct toml *s)
{
	if (!skip_date(s))
		return false;
	const char *const next = s->text + s->at;
	const bool time = *next == 'T' || *next == 't' || (*next == ' ' && next[1] >= '0' && next[1] <= '9');
	s->at += time;
	return !time || (skip_time(s) && skip_offset(s));
}

/* What does not end here is followed by what nothing may be followed by. */
static bool skip_scalar(struct toml *s)
{
	const char *const text = s->text + s->at;
	const size_t n = strspn(text, digits);
	if (toml_skip(s, "true") || toml_skip(s, "false"))
		return true;
	if (n == 4 && text[n] == '-')
		return skip_date_and_time(s);
	return n == 2 && text[n] == ':' ? skip_time(s) : toml_skip_number(s);
}

/* --- Keys */

/* A part of a key, decoded behind the keys that there are. */
static bool read_part(struct toml *s, struct toml_path *path)
{
	static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	const char *const from = s->text + s->at;
	char *const key = s->names.keys + s->names.keys_length;
	const bool quoted = *from == '"' || *from == '\'';
	const size_t n = quoted ? 0 : strspn(from, bare);
	s->at += n;
	if (quoted ? strncmp(from, "\"\"\"", 3) == 0 || strncmp(from, "'''", 3) == 0 || !skip_string(s) : n == 0)
		return false;
	const char *const inside = from + quoted;
	const size_t length = (size_t)(s->text + s->at - inside) - quoted;
	path->last = key;
	path->last_length = *from == '"' ? words_decode(key, inside, length) : length;
	if (*from != '"')
		memcpy(key, inside, length);
	return true;
}

bool toml_key(struct toml *s, struct toml_path *path, toml_table section, toml_table *at, enum toml_step way, enum toml_step end)
{
	bool more;
	do {
		toml_skip_blanks(s);
		if (!read_part(s, path))
			return false;
		const char *const next = path->match == path->parts && path->match < path->way_length ? path->way[path->match] : NULL;
		path->match += next != NULL && strlen(next) == path->last_length && memcmp(next, path->last, path->last_length) == 0;
		path->parts++;
		toml_skip_blanks(s);
		more = toml_skip(s, ".");
		if (!names_step(&s->names, section, at, more ? way : end, path->last_length))
			return false;
	} while (more);
	return true;
}

/* --- Values */

static bool toml_skip_array(struct toml *s)
{
	toml_skip_lines(s);
	while (!toml_skip(s, "]")) {
		if (!toml_value(s))
			return false;
		toml_skip_lines(s);
		if (!toml_skip(s, ",") && s->text[s->at] != ']')
			return false;
		toml_skip_lines(s);
	}
	return true;
}

static bool skip_member(struct toml *s, toml_table table)
{
	struct toml_path path = { .way = NULL };
	toml_table at = table;
	return toml_key(s, &path, table, &at, TOML_KEY_WAY, TOML_KEY_END) && toml_skip(s, "=") && toml_value(s);
}

static bool skip_inline_table(struct toml *s)
{
	toml_table table;
	if (!names_table(&s->names, &table))
		return false;
	toml_skip_blanks(s);
	if (toml_skip(s, "}"))
		return true;
	do {
		if (!skip_member(s, table))
			return false;
		toml_skip_blanks(s);
	} while (toml_skip(s, ","));
	return toml_skip(s, "}");
}

bool toml_value(struct toml *s)
{
	bool read;
	toml_skip_blanks(s);
	if (++s->depth > DEEPEST)
		return false;
	if (s->text[s->at] == '"' || s->text[s->at] == '\'')
		read = skip_string(s);
	else if (toml_skip(s, "["))
		read = toml_skip_array(s);
	else
		read = toml_skip(s, "{") ? skip_inline_table(s) : skip_scalar(s);
	s->depth--;
	return read;
}
