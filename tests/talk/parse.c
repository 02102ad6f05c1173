/* SPDX-License-Identifier: MIT */
#include "talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line that scenes share, under the name of its opening; or a name and what it stands for. */
struct shared {
	struct text name, text;
	int number;
};

struct parser {
	struct script *script;
	unsigned dialect;
	int number; /* of the line */
	bool wrong;
	struct shared *lets, *openings;
	size_t let_count, opening_count;
	struct text opening; /* the name of the one that is read, or empty */
};

static void complain(struct parser *p, const char *what, const char *detail)
{
	fprintf(stderr, "%s:%d: %s: %s\n", p->script->path, p->number, what, detail);
	p->wrong = true;
}

static struct scene *current(struct parser *p)
{
	if (p->script->count == 0)
		return NULL;
	return &p->script->scenes[p->script->count - 1];
}

/* Whether `*at` begins with `word` as a whole, and steps over it. */
static bool starts(const char **at, const char *word)
{
	const size_t length = strlen(word);
	if (strncmp(*at, word, length) != 0 || ((*at)[length] != ' ' && (*at)[length] != '\0'))
		return false;
	*at += length;
	while (**at == ' ')
		++*at;
	return true;
}

static bool number(const char *at, uint32_t *value)
{
	char *end;
	*value = (uint32_t)strtoul(at, &end, 10);
	return end != at && (*end == '\0' || *end == ' ');
}

/* --- What scenes share */

static void share(struct parser *p, struct shared **list, size_t *count, const char *name, size_t name_length, const char *text)
{
	struct shared shared = { .number = p->number };
	text_add(&shared.name, name, name_length);
	text_put(&shared.text, text);
	*list = grow(*list, (*count + 1) * sizeof **list);
	(*list)[(*count)++] = shared;
}

static bool parse_let(struct parser *p, const char *at)
{
	const char *const blank = strchr(at, ' ');
	if (blank != NULL)
		share(p, &p->lets, &p->let_count, at, (size_t)(blank - at), blank + 1);
	return blank != NULL;
}

/* The last one that `at` begins with after its `$`, and that no letter goes on. */
static const struct shared *let_at(const struct parser *p, const char *at)
{
	for (size_t i = p->let_count; i > 0; i--) {
		const struct text *const name = &p->lets[i - 1].name;
		const char next = strncmp(at, name->data, name->length) == 0 ? at[name->length] : 'A';
		if ((next < 'A' || next > 'Z') && next != '_')
			return &p->lets[i - 1];
	}
	return NULL;
}

static void expand_lets(const struct parser *p, const char *from, struct text *to)
{
	text_clear(to);
	for (; *from != '\0'; from++) {
		const struct shared *const let = *from == '$' ? let_at(p, from + 1) : NULL;
		text_put(to, let != NULL ? let->text.data : "");
		if (let == NULL)
			text_add(to, from, 1);
		else
			from += let->name.length;
	}
}

static void free_shared(struct shared *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		text_free(&list[i].name);
		text_free(&list[i].text);
	}
	free(list);
}

/* --- Heads */

static void parse_scene(struct parser *p, const char *title)
{
	struct script *s = p->script;
	const struct scene fresh = {
		.number = p->number, .concerned = true, .slots = 8, .arena = 4096, .tx = 1024
	};
	s->scenes = grow(s->scenes, (s->count + 1) * sizeof *s->scenes);
	s->scenes[s->count] = fresh;
	text_put(&s->scenes[s->count].title, title);
	s->count++;
	text_clear(&p->opening);
}

static bool lists_dialect(const char *words, unsigned dialect)
{
	const char *name = dialect_words[dialect];
	const size_t length = strlen(name);
	for (const char *at = words; (at = strstr(at, name)) != NULL; at++) {
		const bool begins = at == words || at[-1] == ' ' || at[-1] == '[';
		if (begins && (at[length] == ' ' || at[length] == ']' || at[length] == '\0'))
			return true;
	}
	return false;
}

static void begin_opening(struct parser *p, const char *name)
{
	text_clear(&p->opening);
	text_put(&p->opening, name);
}

static bool parse_program(struct parser *p, const char *name)
{
	struct scene *const scene = current(p);
	scene->program = program_named(name);
	scene->concerned = scene->program != NULL && scene->program->config->dialect == end_dialects[p->dialect];
	return scene->program != NULL;
}

static void parse(struct parser *p, const char *line);

/* The lines of an opening stand here. */
static bool parse_after(struct parser *p, const char *name)
{
	const int number = p->number;
	bool any = false;
	for (size_t i = 0; i < p->opening_count; i++) {
		const struct shared *const line = &p->openings[i];
		if (!text_equals(&line->name, name))
			continue;
		any = true;
		p->number = line->number;
		parse(p, line->text.data);
	}
	p->number = number;
	current(p)->opened = (uint32_t)scene_bytes(current(p));
	return any;
}

/* A line about the scene as a whole. */
static bool parse_head(struct parser *p, const char *at)
{
	struct scene *scene = current(p);
	if (starts(&at, "scene"))
		parse_scene(p, at);
	else if (starts(&at, "let"))
		return parse_let(p, at);
	else if (starts(&at, "opening"))
		begin_opening(p, at);
	else if (scene == NULL)
		return false;
	else if (starts(&at, "after"))
		return parse_after(p, at);
	else if (starts(&at, "program"))
		return parse_program(p, at);
	else if (starts(&at, "dialect"))
		scene->concerned = lists_dialect(at, p->dialect);
	else if (starts(&at, "watched"))
		scene->watched = true;
	else if (starts(&at, "asking"))
		scene->asking = true;
	else if (starts(&at, "outs"))
		scene->outs = true;
	else if (starts(&at, "ordered"))
		scene->ordered = true;
	else if (starts(&at, "halts"))
		scene->halts = true;
	else if (starts(&at, "slots"))
		return number(at, &scene->slots);
	else if (starts(&at, "arena"))
		return number(at, &scene->arena);
	else if (starts(&at, "tx"))
		return number(at, &scene->tx);
	else
		return false;
	return true;
}

/* --- Lines */

enum operand { WITHOUT, NUMBER, TEXT, TEXT_AND_NUMBER };

static const struct {
	const char *word;
	enum verb verb;
	enum operand operand;
} verbs[] = {
	{ "step", STEP, NUMBER },
	{ "tick", TICK, NUMBER },
	{ "live", LIVE_IS, NUMBER },
	{ "calls", CALLS_IS, NUMBER },
	{ "uncall", UNCALL, NUMBER },
	{ "idle", IDLE_IS, NUMBER },
	{ "end", END, WITHOUT },
	{ "gone", GONE, WITHOUT },
	{ "reopen", REOPEN, WITHOUT },
	{ "lost", LOST, WITHOUT },
	{ "session", SESSION, WITHOUT },
	{ "shutdown", SHUTDOWN, WITHOUT },
	{ "stall", STALL, WITHOUT },
	{ "drain", DRAIN, WITHOUT },
	{ "local", LOCAL, TEXT },
	{ "call", CALL, TEXT },
	{ "async", ASYNC, TEXT },
	{ "reason", REASON_IS, TEXT },
	{ "trace", TRACE_IS, TEXT },
	{ "does", DOES, TEXT },
	{ "did", DID_IS, TEXT },
	{ "counter", COUNTER_IS, TEXT_AND_NUMBER },
};

static bool parse_operand(struct line *line, enum operand operand, const char *at)
{
	const char *blank = strchr(at, ' ');
	switch (operand) {
	case WITHOUT: return *at == '\0';
	case NUMBER:
		line->value = line->verb == IDLE_IS ? UINT32_MAX : 1;
		return (*at == '\0' && (line->verb == STEP || line->verb == IDLE_IS)) ||
			number(at, &line->value);
	case TEXT: return words_plain(&line->text, at);
	default:
		if (blank == NULL)
			return false;
		text_add(&line->text, at, (size_t)(blank - at));
		return number(blank + 1, &line->value);
	}
}

static bool parse_verb(struct line *line, const char *at)
{
	for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
		if (starts(&at, verbs[i].word)) {
			line->verb = verbs[i].verb;
			return parse_operand(line, verbs[i].operand, at);
		}
	}
	return false;
}

static bool parse_message(struct line *line, const char *at, unsigned dialect)
{
	line->verb = SEND;
	if (starts(&at, "->")) {
		line->answers = words_answered(at);
		return words_sent(&line->text, at, dialect);
	}
	if (starts(&at, "->>"))
		return words_raw(&line->text, at);
	line->verb = starts(&at, "or") ? ALLOW : EXPECT;
	if (!starts(&at, "<-"))
		return false;
	if (line->verb == EXPECT && strcmp(at, "nothing") == 0) {
		line->verb = EXPECT_NOTHING;
		return true;
	}
	line->broken = starts(&at, "broken");
	return words_expected(&line->text, at, dialect);
}

static void append(struct scene *scene, const struct line *line)
{
	scene->lines = grow(scene->lines, (scene->count + 1) * sizeof *scene->lines);
	scene->lines[scene->count++] = *line;
	scene->calls = scene->calls || line->answers != 0 ||
		(line->verb == EXPECT && json_asked(line->text.data, line->text.length) != 0);
}

/* In scenes of programs handlers run for what is expected behind what was sent. */
static void add_line(struct scene *scene, const struct line *line)
{
	const size_t count = scene->count;
	if (line->verb != EXPECT && line->verb != ALLOW)
		scene->run = 0;
	else if (scene->program != NULL && count > 0 && scene->lines[count - 1].verb == SEND && scene->lines[count - 1].turn == 0)
		scene->run = count;
	if (scene->run == count && count > 0) {
		const struct line run = { .number = line->number, .verb = RUN };
		append(scene, &run);
	}
	if (scene->run > 0 && line->verb == EXPECT && line->text.length > 0)
		scene->lines[scene->run].value++;
	append(scene, line);
}

/* -> MESSAGE <- MESSAGE */
static bool parse_exchange(struct parser *p, const char *at)
{
	const char *const split = strstr(at, " <- ");
	struct line sent = { .number = p->number }, expected = { .number = p->number };
	struct text first = { 0 };
	text_add(&first, at, (size_t)(split - at));
	const bool known = parse_message(&sent, first.data, p->dialect) && parse_message(&expected, split + 1, p->dialect);
	text_free(&first);
	add_line(current(p), &sent);
	add_line(current(p), &expected);
	return known;
}

static void parse_line(struct parser *p, const char *at)
{
	struct scene *scene = current(p);
	struct line line = { .number = p->number };
	char *end;
	if (*at == '[') {
		if (!lists_dialect(at, p->dialect))
			return;
		at = strchr(at, ']');
		at += at != NULL && at[1] == ' ' ? 2 : 0;
	}
	if (at != NULL && *at == '@') {
		line.turn = (unsigned)strtoul(at + 1, &end, 10);
		at = *end == ' ' ? end + 1 : NULL;
	}
	const bool message = at != NULL &&
		(strncmp(at, "->", 2) == 0 || strncmp(at, "<-", 2) == 0 || strncmp(at, "or", 2) == 0);
	if (message && scene != NULL && strncmp(at, "-> ", 3) == 0 && line.turn == 0 && strstr(at, " <- ") != NULL) {
		if (!parse_exchange(p, at))
			complain(p, "not understood", at);
		return;
	}
	if (at == NULL || scene == NULL ||
		!(message ? parse_message(&line, at, p->dialect) : parse_verb(&line, at))) {
		complain(p, "not understood", at != NULL ? at : "");
		text_free(&line.text);
		return;
	}
	add_line(scene, &line);
}

static bool read_line(FILE *file, struct text *line)
{
	char piece[256];
	text_clear(line);
	while (fgets(piece, sizeof piece, file) != NULL) {
		text_put(line, piece);
		if (line->data[line->length - 1] == '\n') {
			line->data[--line->length] = '\0';
			return true;
		}
	}
	return line->length > 0;
}

static void parse(struct parser *p, const char *line)
{
	struct text whole = { 0 };
	const char *at = line;
	expand_lets(p, line, &whole);
	if (p->opening.length > 0 && !starts(&at, "scene") && !starts(&at, "opening") && !starts(&at, "let"))
		share(p, &p->openings, &p->opening_count, p->opening.data, p->opening.length, whole.data);
	else if (!parse_head(p, whole.data))
		parse_line(p, whole.data);
	text_free(&whole);
}

bool script_read(struct script *script, const char *path, unsigned dialect)
{
	static const struct script fresh = { 0 };
	struct parser p = { .script = script, .dialect = dialect };
	struct text line = { 0 };
	FILE *file = fopen(path, "r");
	*script = fresh;
	script->path = path;
	if (file == NULL) {
		complain(&p, "cannot be read", path);
		return false;
	}
	for (p.number = 1; read_line(file, &line); p.number++) {
		if (line.length > 0 && line.data[0] != '#')
			parse(&p, line.data);
	}
	free_shared(p.lets, p.let_count);
	free_shared(p.openings, p.opening_count);
	text_free(&p.opening);
	text_free(&line);
	fclose(file);
	return !p.wrong;
}

size_t scene_bytes(const struct scene *scene)
{
	size_t length = 0;
	for (size_t i = 0; i < scene->count; i++)
		length += scene->lines[i].verb == SEND ? scene->lines[i].text.length : 0;
	return length;
}

void script_free(struct script *script)
{
	for (size_t i = 0; i < script->count; i++) {
		struct scene *scene = &script->scenes[i];
		for (size_t k = 0; k < scene->count; k++)
			text_free(&scene->lines[k].text);
		free(scene->lines);
		text_free(&scene->title);
	}
	free(script->scenes);
}
