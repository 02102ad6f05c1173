/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100 };

static const char unreadable[] = "is no TOML that can be read";
static const char other_form[] = "has the server, or all of them, in another form than a table of its own";

/* --- Values */

struct scan {
	const char *text;
	size_t at;
	unsigned depth;
};

static bool skip(struct scan *s, const char *token)
{
	const size_t n = strlen(token);
	if (strncmp(s->text + s->at, token, n) != 0)
		return false;
	s->at += n;
	return true;
}

static void skip_blanks(struct scan *s)
{
	s->at += strspn(s->text + s->at, " \t");
}

static bool skip_line_end(struct scan *s)
{
	return skip(s, "\n") || skip(s, "\r\n");
}

/* White space, comments and ends of lines. */
static void skip_lines(struct scan *s)
{
	do {
		skip_blanks(s);
		if (s->text[s->at] == '#')
			s->at += strcspn(s->text + s->at, "\n");
	} while (skip_line_end(s));
}

/* What may follow on a statement, up to the end of its line. */
static bool skip_rest_of_line(struct scan *s)
{
	skip_blanks(s);
	if (s->text[s->at] == '#')
		s->at += strcspn(s->text + s->at, "\n");
	return s->text[s->at] == '\0' || skip_line_end(s);
}

static bool skip_escape(struct scan *s, bool lines)
{
	const char c = s->text[s->at + 1];
	const size_t hex = c == 'u' ? 4 : c == 'U' ? 8 : c == 'x' ? 2 : 0;
	if (c == '\0')
		return false;
	s->at += 2;
	if (hex > 0 && strspn(s->text + s->at, "0123456789abcdefABCDEF") < hex)
		return false;
	s->at += hex;
	return hex > 0 || strchr("\"\\bfnrte", c) != NULL || (lines && strchr(" \t\r\n", c) != NULL);
}

/* A text after its first quotes, with those at its end. */
static bool skip_quoted(struct scan *s, const char *quotes, bool escapes, bool lines)
{
	for (;;) {
		const unsigned char c = (unsigned char)s->text[s->at];
		if (skip(s, quotes)) {
			while (lines && s->text[s->at] == *quotes)
				s->at++; /* quotes that stand in the text, at its end */
			return true;
		}
		if (escapes && c == '\\') {
			if (!skip_escape(s, lines))
				return false;
			continue;
		}
		if (c == 0x7F || (c < 0x20 && c != '\t' && !(lines && (c == '\n' || c == '\r'))))
			return false;
		s->at++;
	}
}

static bool skip_string(struct scan *s)
{
	if (skip(s, "\"\"\""))
		return skip_quoted(s, "\"\"\"", true, true);
	if (skip(s, "'''"))
		return skip_quoted(s, "'''", false, true);
	if (skip(s, "\""))
		return skip_quoted(s, "\"", true, false);
	return skip(s, "'") && skip_quoted(s, "'", false, false);
}

static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

/* Numbers, dates and times are known by how they begin. */
static bool skip_scalar(struct scan *s)
{
	static const char *const words[] = { "true", "false", "inf", "nan", "+inf", "+nan", "-inf", "-nan" };
	const char *const text = s->text + s->at;
	const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.:");
	const size_t digit = *text == '+' || *text == '-';
	bool known = n > digit && text[digit] >= '0' && text[digit] <= '9';
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		known = known || (strlen(words[i]) == n && strncmp(text, words[i], n) == 0);
	s->at += n;
	if (known && n == strlen("1979-05-27") && text[4] == '-' && text[n] == ' ' && text[n + 1] >= '0' && text[n + 1] <= '9')
		s->at += 1 + strspn(text + n + 1, "0123456789:.+-Zz");
	return known;
}

static bool skip_value(struct scan *s);

static bool skip_array(struct scan *s)
{
	skip_lines(s);
	while (!skip(s, "]")) {
		if (!skip_value(s))
			return false;
		skip_lines(s);
		if (!skip(s, ",") && s->text[s->at] != ']')
			return false;
		skip_lines(s);
	}
	return true;
}

/* A part of a key, as it stands there. */
struct part {
	const char *at;
	size_t length;
};

static bool read_part(struct scan *s, struct part *part)
{
	const char *const from = s->text + s->at;
	const bool quoted = *from == '"' || *from == '\'';
	const size_t n = quoted ? 0 : strspn(from, bare);
	s->at += n;
	if (quoted ? strncmp(from, "\"\"\"", 3) == 0 || strncmp(from, "'''", 3) == 0 || !skip_string(s) : n == 0)
		return false;
	*part = (struct part){ from + quoted, (size_t)(s->text + s->at - from) - 2 * quoted };
	return true;
}

/* The path of a key within the settings: how many parts it has, and how many of its first ones lead to the server. */
struct path {
	size_t parts, match;
	struct part last;
};

static bool read_key(struct scan *s, const struct server_settings *server, struct path *path)
{
	const char *const way[] = { server->servers, server->name };
	do {
		skip_blanks(s);
		if (!read_part(s, &path->last))
			return false;
		const char *const next = path->match == path->parts && path->match < 2 ? way[path->match] : NULL;
		path->match += next != NULL && strlen(next) == path->last.length && strncmp(next, path->last.at, path->last.length) == 0;
		path->parts++;
		skip_blanks(s);
	} while (skip(s, "."));
	return true;
}

static bool skip_inline_table(struct scan *s)
{
	static const struct server_settings nobody = { .servers = "", .name = "" };
	skip_lines(s);
	while (!skip(s, "}")) {
		struct path path = { 0, 0, { NULL, 0 } };
		if (!read_key(s, &nobody, &path) || !skip(s, "=") || !skip_value(s))
			return false;
		skip_lines(s);
		if (!skip(s, ",") && s->text[s->at] != '}')
			return false;
		skip_lines(s);
	}
	return true;
}

static bool skip_value(struct scan *s)
{
	bool read;
	skip_blanks(s);
	if (++s->depth > DEEPEST)
		return false;
	if (s->text[s->at] == '"' || s->text[s->at] == '\'')
		read = skip_string(s);
	else if (skip(s, "["))
		read = skip_array(s);
	else
		read = skip(s, "{") ? skip_inline_table(s) : skip_scalar(s);
	s->depth--;
	return read;
}

/* --- Where the server is */

struct place {
	bool found;
	size_t from, head_end; /* of its table: its header */
	size_t to;             /* the end of the last statement of its table */
	size_t value, value_end; /* of the setting that is looked for; 0: it has none */
	size_t other, other_end; /* the first table within it, such as that of its environment; its end is 0 without one */
};

struct reading_of {
	const struct server_settings *server;
	const char *key;
	struct path table;
	bool in_server, in_other, in_first; /* table: the server's own, one within it, the first of these */
};

static const char *read_header(struct scan *s, struct reading_of *r, struct place *p)
{
	const size_t from = s->at;
	const bool list = skip(s, "[["), table = list || skip(s, "[");
	r->table = (struct path){ 0, 0, { NULL, 0 } };
	if (!table || !read_key(s, r->server, &r->table) || !skip(s, list ? "]]" : "]") || !skip_rest_of_line(s))
		return unreadable;
	const bool servers = r->table.match == r->table.parts; /* all of them, or the server */
	if (list && servers)
		return other_form;
	r->in_server = servers && r->table.match == 2;
	r->in_other = !servers && r->table.match == 2;
	r->in_first = r->in_other && p->other_end == 0;
	if (r->in_server && p->found)
		return "has the server's table twice";
	if (r->in_server) {
		p->found = true;
		p->from = from;
		p->head_end = p->to = s->at;
	}
	if (r->in_first) {
		p->other = from;
		p->other_end = s->at;
	}
	return NULL;
}

static const char *read_statement(struct scan *s, struct reading_of *r, struct place *p)
{
	struct path path = r->table;
	if (!read_key(s, r->server, &path) || !skip(s, "="))
		return unreadable;
	skip_blanks(s);
	const size_t value = s->at, key_length = strlen(r->key);
	if (!skip_value(s))
		return unreadable;
	const size_t end = s->at;
	if (!skip_rest_of_line(s))
		return unreadable;
	const bool is_servers = path.match == 1 && path.parts == 1;
	if (is_servers || (path.match == 2 && !r->in_server && !r->in_other))
		return other_form;
	if (r->in_server) {
		p->to = s->at;
		if (path.parts == 3 && path.last.length == key_length && strncmp(path.last.at, r->key, key_length) == 0) {
			p->value = value;
			p->value_end = end;
		}
	} else if (r->in_first) {
		p->other_end = s->at;
	}
	return NULL;
}

/* `key`: of the server's settings, to be looked for. NULL, or what hinders. */
static const char *find_place(const char *text, const struct server_settings *server, const char *key, struct place *p)
{
	struct scan s = { .text = text };
	struct reading_of r = { .server = server, .key = key };
	const char *why = NULL;
	*p = (struct place){ .found = false };
	for (skip_lines(&s); why == NULL && text[s.at] != '\0'; skip_lines(&s))
		why = text[s.at] == '[' ? read_header(&s, &r, p) : read_statement(&s, &r, p);
	return why;
}

/* --- Changes */

/* The text with the table at its end. */
static char *append(const char *text, const struct server_settings *server)
{
	const char *const line_end = settings_line_end(text);
	const size_t length = strlen(text);
	char *fresh = NULL;
	size_t size;
	FILE *const to = open_memstream(&fresh, &size);
	if (to == NULL)
		return NULL;
	fputs(text, to);
	if (length > 0 && text[length - 1] != '\n')
		fputs(line_end, to);
	fprintf(to, "%s[%s.%s]%s", length > 0 ? line_end : "", server->servers, server->name, line_end);
	for (size_t i = 0; i < server->count; i++)
		fprintf(to, "%s = %s%s", server->settings[i].key, server->settings[i].value, line_end);
	return fclose(to) == 0 ? fresh : NULL;
}

/* The text in which a setting of the server has its value. Its table has a line at least, which is the command. */
static char *change(const char *text, const struct server_settings *server, const struct setting *setting, const char **why)
{
	struct place p;
	*why = find_place(text, server, setting->key, &p);
	if (*why != NULL)
		return NULL;
	if (p.value != 0 && (setting->stays || settings_same(text + p.value, p.value_end - p.value, setting->value)))
		return settings_cut(text, strlen(text));
	if (p.value != 0)
		return settings_splice(text, p.value, p.value_end, setting->value);
	const size_t room = strlen(setting->key) + strlen(setting->value) + strlen(" = \r\n") + 1;
	char *const line = malloc(room);
	if (line == NULL)
		return NULL;
	snprintf(line, room, "%s = %s%s", setting->key, setting->value, settings_line_end(text));
	char *const changed = settings_splice(text, p.head_end, p.head_end, line);
	free(line);
	return changed;
}

/* With the empty line before it. */
static char *cut_out(const char *text, size_t from, size_t to)
{
	if (from > 1 && text[from - 1] == '\n' && text[from - 2] == '\n')
		from--;
	else if (from > 3 && strncmp(text + from - 4, "\r\n\r\n", 4) == 0)
		from -= 2;
	return settings_splice(text, from, to, "");
}

/* --- The format */

static char *put(const char *text, const struct server_settings *server, const char **why)
{
	struct place p;
	*why = find_place(text, server, "command", &p);
	if (*why != NULL)
		return NULL;
	char *const fresh = p.found ? settings_change(text, server, change, why) : append(text, server);
	if (fresh == NULL && *why == NULL)
		*why = settings_no_memory;
	return fresh;
}

/* Tables within the server's go before its own. */
static char *drop(const char *text, const struct server_settings *server, const char **why)
{
	struct place p;
	char *shorter = settings_cut(text, strlen(text));
	*why = settings_no_memory;
	while (shorter != NULL && (*why = find_place(shorter, server, "command", &p)) == NULL && (p.found || p.other_end > 0)) {
		char *const before = shorter;
		shorter = p.other_end > 0 ? cut_out(before, p.other, p.other_end) : cut_out(before, p.from, p.to);
		free(before);
		*why = settings_no_memory;
	}
	if (*why == NULL)
		return shorter;
	free(shorter);
	return NULL;
}

static char *value_there(const char *text, const struct server_settings *server, const char *key, const char **why)
{
	struct place p;
	*why = find_place(text, server, key, &p);
	if (*why != NULL || !p.found)
		return NULL;
	char *const found = settings_cut(text + p.value, p.value_end - p.value);
	*why = found == NULL ? settings_no_memory : NULL;
	return found;
}

const struct settings_format settings_toml = { put, drop, value_there };
