/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line that scenes share, under the name of its opening; or a name and what it stands for. */
struct shared {
	struct text name, text;
	int number;
};

struct reader {
	const struct lines *lines;
	const char *path;
	int number; /* of the line */
	bool wrong;
	struct shared *lets, *openings;
	size_t let_count, opening_count;
	struct text opening; /* the name of the one that is read, or empty */
};

static void complain(struct reader *r, const char *what, const char *detail)
{
	fprintf(stderr, "%s:%d: %s: %s\n", r->path, r->number, what, detail);
	r->wrong = true;
}

bool line_starts(const char **at, const char *word)
{
	const size_t length = strlen(word);
	if (strncmp(*at, word, length) != 0 || ((*at)[length] != ' ' && (*at)[length] != '\0'))
		return false;
	*at += length;
	while (**at == ' ')
		++*at;
	return true;
}

static void share(struct reader *r, struct shared **list, size_t *count, const char *name, size_t name_length, const char *text)
{
	struct shared shared = { .number = r->number };
	text_add(&shared.name, name, name_length);
	text_append(&shared.text, text);
	*list = grow(*list, (*count + 1) * sizeof **list);
	(*list)[(*count)++] = shared;
}

static void free_shared(struct shared *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		text_free(&list[i].name);
		text_free(&list[i].text);
	}
	free(list);
}

/* --- Names that stand for a text */

static void read_let(struct reader *r, const char *at)
{
	const char *const blank = strchr(at, ' ');
	if (blank != NULL)
		share(r, &r->lets, &r->let_count, at, (size_t)(blank - at), blank + 1);
	else
		complain(r, "stands for nothing", at);
}

/* The last one that `at` begins with after its `$`, and that no letter goes on. */
static const struct shared *let_at(const struct reader *r, const char *at)
{
	for (size_t i = r->let_count; i > 0; i--) {
		const struct text *const name = &r->lets[i - 1].name;
		const char next = strncmp(at, name->data, name->length) == 0 ? at[name->length] : 'A';
		if ((next < 'A' || next > 'Z') && next != '_')
			return &r->lets[i - 1];
	}
	return NULL;
}

static void expand_lets(const struct reader *r, const char *from, struct text *to)
{
	text_clear(to);
	for (; *from != '\0'; from++) {
		const struct shared *const let = *from == '$' ? let_at(r, from + 1) : NULL;
		text_append(to, let != NULL ? let->text.data : "");
		if (let == NULL)
			text_add(to, from, 1);
		else
			from += let->name.length;
	}
}

/* --- Openings */

static void take(struct reader *r, const char *line);

static void begin_opening(struct reader *r, const char *name)
{
	text_clear(&r->opening);
	text_append(&r->opening, name);
}

/* Its lines stand here. */
static void take_opening(struct reader *r, const char *name)
{
	const int number = r->number;
	bool any = false;
	for (size_t i = 0; i < r->opening_count; i++) {
		const struct shared *const line = &r->openings[i];
		if (!text_equals(&line->name, name))
			continue;
		any = true;
		r->number = line->number;
		take(r, line->text.data);
	}
	r->number = number;
	if (!any)
		complain(r, "no such opening", name);
	r->lines->opened(r->lines->context);
}

/* --- Lines */

static void take(struct reader *r, const char *line)
{
	struct text whole = { 0 };
	expand_lets(r, line, &whole);
	const char *at = whole.data;
	const bool scene = line_starts(&at, "scene");
	if (scene)
		text_clear(&r->opening);
	at = whole.data;
	if (line_starts(&at, "let"))
		read_let(r, at);
	else if (line_starts(&at, "opening"))
		begin_opening(r, at);
	else if (!scene && r->opening.length > 0)
		share(r, &r->openings, &r->opening_count, r->opening.data, r->opening.length, whole.data);
	else if (line_starts(&at, "after"))
		take_opening(r, at);
	else if (!r->lines->take(r->lines->context, r->number, whole.data))
		complain(r, "not understood", whole.data);
	text_free(&whole);
}

static bool read_line(FILE *file, struct text *line)
{
	char piece[256];
	text_clear(line);
	while (fgets(piece, sizeof piece, file) != NULL) {
		text_append(line, piece);
		if (line->data[line->length - 1] == '\n') {
			line->data[--line->length] = '\0';
			return true;
		}
	}
	return line->length > 0;
}

bool file_lines(const char *path, const struct lines *lines)
{
	struct reader r = { .lines = lines, .path = path };
	struct text line = { 0 };
	FILE *file = fopen(path, "r");
	if (file == NULL) {
		complain(&r, "cannot be read", path);
		return false;
	}
	for (r.number = 1; read_line(file, &line); r.number++) {
		if (line.length > 0 && line.data[0] != '#')
			take(&r, line.data);
	}
	free_shared(r.lets, r.let_count);
	free_shared(r.openings, r.opening_count);
	text_free(&r.opening);
	text_free(&line);
	fclose(file);
	return !r.wrong;
}
