/* SPDX-License-Identifier: MIT */
#include "talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
	struct script *script;
	unsigned dialect;
	int number; /* of the line */
};

static struct scene *current(struct parser *p)
{
	if (p->script->count == 0)
		return NULL;
	return &p->script->scenes[p->script->count - 1];
}

static bool number(const char *at, uint32_t *value)
{
	char *end;
	*value = (uint32_t)strtoul(at, &end, 10);
	return end != at && (*end == '\0' || *end == ' ');
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
	text_append(&s->scenes[s->count].title, title);
	s->count++;
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

static bool parse_program(struct parser *p, const char *name)
{
	struct scene *const scene = current(p);
	scene->program = program_named(name);
	scene->concerned = scene->program != NULL && scene->program->config->dialect == end_dialects[p->dialect];
	return scene->program != NULL;
}

/* A line about the scene as a whole. */
static bool parse_head(struct parser *p, const char *at)
{
	struct scene *scene = current(p);
	if (line_starts(&at, "scene"))
		parse_scene(p, at);
	else if (scene == NULL)
		return false;
	else if (line_starts(&at, "program"))
		return parse_program(p, at);
	else if (line_starts(&at, "dialect"))
		scene->concerned = lists_dialect(at, p->dialect);
	else if (line_starts(&at, "watched"))
		scene->watched = true;
	else if (line_starts(&at, "asking"))
		scene->asking = true;
	else if (line_starts(&at, "outs"))
		scene->outs = true;
	else if (line_starts(&at, "ordered"))
		scene->ordered = true;
	else if (line_starts(&at, "halts"))
		scene->halts = true;
	else if (line_starts(&at, "slots"))
		return number(at, &scene->slots);
	else if (line_starts(&at, "arena"))
		return number(at, &scene->arena);
	else if (line_starts(&at, "tx"))
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
		if (line_starts(&at, verbs[i].word)) {
			line->verb = verbs[i].verb;
			return parse_operand(line, verbs[i].operand, at);
		}
	}
	return false;
}

static bool parse_message(struct line *line, const char *at, unsigned dialect)
{
	line->verb = SEND;
	if (line_starts(&at, "->")) {
		line->answers = words_answered(at);
		return words_sent(&line->text, at, dialect);
	}
	if (line_starts(&at, "->>"))
		return words_raw(&line->text, at);
	line->verb = line_starts(&at, "or") ? ALLOW : EXPECT;
	if (!line_starts(&at, "<-"))
		return false;
	if (line->verb == EXPECT && strcmp(at, "nothing") == 0) {
		line->verb = EXPECT_NOTHING;
		return true;
	}
	line->broken = line_starts(&at, "broken");
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

static bool parse_line(struct parser *p, const char *at)
{
	struct scene *scene = current(p);
	struct line line = { .number = p->number };
	char *end;
	if (*at == '[') {
		if (!lists_dialect(at, p->dialect))
			return true;
		at = strchr(at, ']');
		at += at != NULL && at[1] == ' ' ? 2 : 0;
	}
	if (at != NULL && *at == '@') {
		line.turn = (unsigned)strtoul(at + 1, &end, 10);
		at = *end == ' ' ? end + 1 : NULL;
	}
	const bool message = at != NULL &&
		(strncmp(at, "->", 2) == 0 || strncmp(at, "<-", 2) == 0 || strncmp(at, "or", 2) == 0);
	if (message && scene != NULL && strncmp(at, "-> ", 3) == 0 && line.turn == 0 && strstr(at, " <- ") != NULL)
		return parse_exchange(p, at);
	if (at == NULL || scene == NULL || !(message ? parse_message(&line, at, p->dialect) : parse_verb(&line, at))) {
		text_free(&line.text);
		return false;
	}
	add_line(scene, &line);
	return true;
}

static bool take_line(void *context, int number, const char *line)
{
	struct parser *const p = context;
	p->number = number;
	return parse_head(p, line) || parse_line(p, line);
}

static void note_opened(void *context)
{
	struct scene *const scene = current(context);
	if (scene != NULL)
		scene->opened = (uint32_t)scene_bytes(scene);
}

bool script_read(struct script *script, const char *path, unsigned dialect)
{
	static const struct script fresh = { 0 };
	struct parser p = { .script = script, .dialect = dialect };
	*script = fresh;
	script->path = path;
	return file_lines(path, &(struct lines){ take_line, note_opened, &p });
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
