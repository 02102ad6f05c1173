/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_jsonc_scan.h"
#include "bridge_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char unreadable[] = "is no JSON that can be read";

/* --- Where the server is */

struct jsonc_place {
	struct object root, servers, entry;
	bool has_servers, has_entry;
};

/* The object that is the member found in `outer`. NULL, or what hinders. */
static const char *enter(const char *text, const struct object *outer, const char *name, struct object *inner)
{
	struct scan s = { .text = text, .at = outer->value };
	if (outer->found > 1)
		return "has a name twice on the way to the server";
	if (text[s.at] != '{')
		return "has something else than an object on the way to the server";
	return scan_object(&s, name, inner) ? NULL : unreadable;
}

/* `key`: of the server's settings, to be looked for; or NULL. */
static const char *jsonc_find_place(const char *text, const struct server_settings *server, const char *key, struct jsonc_place *p)
{
	struct scan s = { .text = text, .at = settings_mark(text) };
	size_t end;
	const char *why = NULL;
	*p = (struct jsonc_place){ .has_servers = false };
	if (!scan_space(&s, &end) || text[s.at] != '{' || !scan_object(&s, server->servers, &p->root) || !scan_space(&s, &end) ||
		text[s.at] != '\0')
		return unreadable;
	p->has_servers = p->root.found > 0;
	if (p->has_servers)
		why = enter(text, &p->root, server->name, &p->servers);
	p->has_entry = why == NULL && p->servers.found > 0;
	if (p->has_entry)
		why = enter(text, &p->servers, key, &p->entry);
	return why;
}

/* --- Changes */

/* The white space that a line begins with. */
struct indent {
	const char *at;
	int length;
};

static struct indent indent_at(const char *text, size_t at)
{
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return (struct indent){ text + at, (int)strspn(text + at, " \t") };
}

static bool begins_its_line(const char *text, size_t at)
{
	const struct indent indent = indent_at(text, at);
	return indent.at + indent.length == text + at;
}

static void put_indent(FILE *to, struct indent indent)
{
	fwrite(indent.at, 1, (size_t)indent.length, to);
}

/* What a level has more than the one around it. */
static struct indent indent_of(const char *text, const struct object *root)
{
	const struct indent unit = indent_at(text, root->first_key);
	const bool shows = root->count > 0 && begins_its_line(text, root->first_key) && unit.length > 0;
	return shows ? unit : (struct indent){ "  ", 2 };
}

struct layout {
	const char *line_end;
	struct indent outer, unit; /* of what is around the members; of a level */
	struct indent own;         /* of the members; without `at`: a unit more than around them */
	bool on_one_line;
};

static struct layout layout_of(const char *text, const struct object *root, const struct object *o)
{
	const bool on_one_line = o->count > 0 && memchr(text + o->open, '\n', o->close - o->open) == NULL;
	struct layout l = { settings_line_end(text), indent_at(text, o->open), indent_of(text, root), { NULL, 0 }, on_one_line };
	if (o->count > 0 && begins_its_line(text, o->first_key))
		l.own = indent_at(text, o->first_key);
	return l;
}

static void put_line(FILE *to, const struct layout *l)
{
	if (l->on_one_line) {
		putc(' ', to);
		return;
	}
	fputs(l->line_end, to);
	put_indent(to, l->own.at != NULL ? l->own : l->outer);
	if (l->own.at == NULL)
		put_indent(to, l->unit);
}

/* In a value a line's end and a tab stand for those of the text. */
static void put_jsonc_member(FILE *to, const struct layout *l, const char *key, const char *value)
{
	put_line(to, l);
	fprintf(to, "\"%s\": ", key);
	for (; *value != '\0'; value++) {
		if (*value == '\n')
			put_line(to, l);
		else if (*value != '\t')
			putc(*value, to);
		else if (!l->on_one_line)
			put_indent(to, l->unit);
	}
}

/* The text with one more member in an object. */
static char *insert(const char *text, const struct object *root, const struct object *o, const char *key, const char *value)
{
	const struct layout l = layout_of(text, root, o);
	char *fresh = NULL;
	size_t size;
	FILE *const to = open_memstream(&fresh, &size);
	if (to == NULL)
		return NULL;
	fwrite(text, 1, o->value_end, to);
	if (o->count > 0 && o->comma == 0)
		putc(',', to);
	fwrite(text + o->value_end, 1, o->content_end - o->value_end, to);
	put_jsonc_member(to, &l, key, value);
	if (!l.on_one_line && memchr(text + o->content_end, '\n', o->close - o->content_end) == NULL) {
		fputs(l.line_end, to);
		put_indent(to, l.outer);
		fputs(text + o->close, to);
	} else {
		fputs(text + o->content_end, to);
	}
	return fclose(to) == 0 ? fresh : NULL;
}

/* The text without the member that was found in an object. A line's end stays where a comment may stand before it. */
static char *jsonc_cut_out(const char *text, const struct object *o)
{
	const size_t to = o->after != 0 ? o->after : o->end;
	const bool line_goes_on = text[to + strspn(text + to, " \t\r")] != '\n';
	size_t from = o->before;
	if (line_goes_on && memchr(text + from, '\n', o->key - from) != NULL)
		from = (size_t)(indent_at(text, o->key).at - text);
	char *const shorter = settings_splice(text, from, to, "");
	if (shorter == NULL || o->after != 0 || o->comma_before == 0)
		return shorter;
	char *const shortest = settings_splice(shorter, o->comma_before, o->comma_before + 1, "");
	free(shorter);
	return shortest;
}

/* --- The server's own settings */

/* The text in which a setting of the server that is there has its value. */
static char *jsonc_change(const char *text, const struct server_settings *server, const struct setting *setting, const char **why)
{
	struct jsonc_place p;
	*why = jsonc_find_place(text, server, setting->key, &p);
	if (*why != NULL)
		return NULL;
	if (p.entry.found == 0)
		return insert(text, &p.root, &p.entry, setting->key, setting->value);
	if (setting->stays || settings_same(text + p.entry.value, p.entry.end - p.entry.value, setting->value))
		return settings_cut(text, strlen(text));
	return settings_splice(text, p.entry.value, p.entry.end, setting->value);
}

/* The value of a new server, and of what holds it where that is new too. */
static char *jsonc_value(const struct server_settings *server, bool held)
{
	const char *const line = held ? "\n\t" : "\n\t\t";
	char *value = NULL;
	size_t size;
	FILE *const to = open_memstream(&value, &size);
	if (to == NULL)
		return NULL;
	if (!held)
		fprintf(to, "{\n\t\"%s\": ", server->name);
	putc('{', to);
	for (size_t i = 0; i < server->count; i++) {
		fprintf(to, "%s%s\"%s\": ", i > 0 ? "," : "", line, server->settings[i].key);
		fputs(server->settings[i].value, to);
	}
	fputs(held ? "\n}" : "\n\t}\n}", to);
	return fclose(to) == 0 ? value : NULL;
}

/* --- The format */

static char *jsonc_put(const char *text, const struct server_settings *server, const char **why)
{
	struct jsonc_place p;
	const char *const empty = settings_mark(text) > 0 ? "\xEF\xBB\xBF{}\n" : "{}\n";
	const char *const all = settings_blank(text) ? empty : text;
	*why = jsonc_find_place(all, server, NULL, &p);
	if (*why != NULL)
		return NULL;
	char *fresh = NULL;
	if (p.has_entry) {
		fresh = settings_change(all, server, jsonc_change, why);
	} else {
		char *const value = jsonc_value(server, p.has_servers);
		if (value != NULL)
			fresh = insert(all, &p.root, p.has_servers ? &p.servers : &p.root, p.has_servers ? server->name : server->servers, value);
		free(value);
	}
	if (fresh == NULL && *why == NULL)
		*why = settings_no_memory;
	return fresh;
}

/* What held the server goes too when nothing is left in it. */
static char *drop_empty(char *text, const struct server_settings *server)
{
	struct jsonc_place p;
	if (text == NULL || jsonc_find_place(text, server, NULL, &p) != NULL || p.servers.count > 0 || p.servers.content_end > p.servers.open + 1)
		return text;
	char *const shorter = jsonc_cut_out(text, &p.root);
	free(text);
	return shorter;
}

static char *jsonc_drop(const char *text, const struct server_settings *server, const char **why)
{
	struct jsonc_place p = { .has_entry = false };
	*why = settings_blank(text) ? NULL : jsonc_find_place(text, server, NULL, &p);
	if (*why != NULL)
		return NULL;
	char *const shorter = p.has_entry ? drop_empty(jsonc_cut_out(text, &p.servers), server) : settings_cut(text, strlen(text));
	*why = shorter == NULL ? settings_no_memory : settings_blank(shorter) ? NULL : jsonc_find_place(shorter, server, NULL, &p);
	if (*why == NULL)
		return shorter;
	free(shorter);
	return NULL;
}

static char *jsonc_value_there(const char *text, const struct server_settings *server, const char *key, const char **why)
{
	struct jsonc_place p = { .has_entry = false };
	*why = settings_blank(text) ? NULL : jsonc_find_place(text, server, key, &p);
	if (*why != NULL || !p.has_entry)
		return NULL;
	char *const found = settings_cut(text + p.entry.value, p.entry.end - p.entry.value);
	*why = found == NULL ? settings_no_memory : NULL;
	return found;
}

const struct settings_format settings_jsonc = { jsonc_put, jsonc_drop, jsonc_value_there };
