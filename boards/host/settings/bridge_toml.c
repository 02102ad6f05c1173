/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_settings.h"
#include "bridge_toml_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char unreadable[] = "is no TOML that can be read";
static const char other_form[] = "has the server, or all of them, in another form than a table of its own";

/* --- Where the server is */

struct toml_place {
	bool found, other_form;
	size_t from, head_end; /* of its table: its header */
	size_t to;             /* the end of the last statement of its table */
	size_t value, value_end; /* of the setting that is looked for; 0: it has none */
	size_t other, other_end; /* the first table within it, such as that of its environment; its end is 0 without one */
};

struct reading_of {
	const char *way[2]; /* to the server */
	const char *key;
	struct toml_path table;
	toml_table section;
	bool in_server, in_other, in_first; /* table: the server's own, one within it, the first of these */
};

static const char *read_header(struct toml *s, struct reading_of *r, struct toml_place *p)
{
	const size_t from = s->at;
	const bool list = toml_skip(s, "[["), table = list || toml_skip(s, "[");
	r->table = (struct toml_path){ .way = r->way, .way_length = 2 };
	r->section = 0;
	if (!table || !toml_key(s, &r->table, 0, &r->section, TOML_HEADER_WAY, list ? TOML_LIST_END : TOML_HEADER_END) ||
		!toml_skip(s, list ? "]]" : "]") || !toml_rest_of_line(s))
		return unreadable;
	const bool servers = r->table.match == r->table.parts; /* all of them, or the server */
	p->other_form |= list && servers;
	r->in_server = servers && r->table.match == 2;
	r->in_other = !servers && r->table.match == 2;
	r->in_first = r->in_other && p->other_end == 0;
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

static const char *read_statement(struct toml *s, struct reading_of *r, struct toml_place *p)
{
	struct toml_path path = r->table;
	toml_table at = r->section;
	if (!toml_key(s, &path, r->section, &at, TOML_KEY_WAY, TOML_KEY_END) || !toml_skip(s, "="))
		return unreadable;
	toml_skip_blanks(s);
	const size_t value = s->at, key_length = strlen(r->key);
	const bool is_key = path.parts == 3 && path.last_length == key_length && memcmp(path.last, r->key, key_length) == 0;
	if (!toml_value(s))
		return unreadable;
	const size_t end = s->at;
	if (!toml_rest_of_line(s))
		return unreadable;
	const bool is_servers = path.match == 1 && path.parts == 1;
	p->other_form |= is_servers || (path.match == 2 && !r->in_server && !r->in_other);
	if (r->in_server) {
		p->to = s->at;
		if (is_key) {
			p->value = value;
			p->value_end = end;
		}
	} else if (r->in_first) {
		p->other_end = s->at;
	}
	return NULL;
}

/* `key`: of the server's settings, to be looked for. NULL, or what hinders. */
static const char *toml_find_place(const char *text, const struct server_settings *server, const char *key, struct toml_place *p)
{
	struct toml s = { .text = text };
	struct reading_of r = { .way = { server->servers, server->name }, .key = key };
	r.table = (struct toml_path){ .way = r.way, .way_length = 2 };
	*p = (struct toml_place){ .found = false };
	const char *why = names_begin(&s.names, strlen(text)) ? NULL : settings_no_memory;
	s.at = settings_mark(text);
	for (toml_skip_lines(&s); why == NULL && text[s.at] != '\0'; toml_skip_lines(&s))
		why = text[s.at] == '[' ? read_header(&s, &r, p) : read_statement(&s, &r, p);
	names_end(&s.names);
	return why == NULL && p->other_form ? other_form : why;
}

/* --- Changes */

/* The text with the table at its end. */
static char *toml_append(const char *text, const struct server_settings *server)
{
	const char *const line_end = settings_line_end(text);
	const size_t length = strlen(text), mark = settings_mark(text);
	char *fresh = NULL;
	size_t size;
	FILE *const to = open_memstream(&fresh, &size);
	if (to == NULL)
		return NULL;
	fputs(text, to);
	if (length > mark && text[length - 1] != '\n')
		fputs(line_end, to);
	fprintf(to, "%s[%s.%s]%s", length > mark ? line_end : "", server->servers, server->name, line_end);
	for (size_t i = 0; i < server->count; i++)
		fprintf(to, "%s = %s%s", server->settings[i].key, server->settings[i].value, line_end);
	return fclose(to) == 0 ? fresh : NULL;
}

/* The text in which a setting of the server has its value. Its table has a line at least, which is the command. */
static char *toml_change(const char *text, const struct server_settings *server, const struct setting *setting, const char **why)
{
	struct toml_place p;
	*why = toml_find_place(text, server, setting->key, &p);
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
static char *toml_cut_out(const char *text, size_t from, size_t to)
{
	if (from > 1 && text[from - 1] == '\n' && text[from - 2] == '\n')
		from--;
	else if (from > 3 && strncmp(text + from - 4, "\r\n\r\n", 4) == 0)
		from -= 2;
	return settings_splice(text, from, to, "");
}

/* --- The format */

static char *toml_put(const char *text, const struct server_settings *server, const char **why)
{
	struct toml_place p;
	*why = toml_find_place(text, server, "command", &p);
	if (*why != NULL)
		return NULL;
	char *const fresh = p.found ? settings_change(text, server, toml_change, why) : toml_append(text, server);
	if (fresh == NULL && *why == NULL)
		*why = settings_no_memory;
	if (fresh == NULL || toml_find_place(fresh, server, "command", &p) == NULL)
		return fresh;
	free(fresh);
	*why = other_form; /* a setting is a table, or keys with dots have made the servers' */
	return NULL;
}

/* Tables within the server's go before its own. */
static char *toml_drop(const char *text, const struct server_settings *server, const char **why)
{
	struct toml_place p;
	char *shorter = settings_cut(text, strlen(text));
	*why = settings_no_memory;
	while (shorter != NULL && (*why = toml_find_place(shorter, server, "command", &p)) == NULL && (p.found || p.other_end > 0)) {
		char *const before = shorter;
		shorter = p.other_end > 0 ? toml_cut_out(before, p.other, p.other_end) : toml_cut_out(before, p.from, p.to);
		free(before);
		*why = settings_no_memory;
	}
	if (*why == NULL)
		return shorter;
	free(shorter);
	return NULL;
}

static char *toml_value_there(const char *text, const struct server_settings *server, const char *key, const char **why)
{
	struct toml_place p;
	*why = toml_find_place(text, server, key, &p);
	if (*why != NULL || !p.found)
		return NULL;
	char *const found = settings_cut(text + p.value, p.value_end - p.value);
	*why = found == NULL ? settings_no_memory : NULL;
	return found;
}

const struct settings_format settings_toml = { toml_put, toml_drop, toml_value_there };
