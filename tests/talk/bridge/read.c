/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	struct scenes *scenes;
	int number;
};

struct word {
	const char *words;
	enum step_kind kind;
};

static const struct word of_bridge[] = {
	{ "bridge", STEP_BRIDGE }, { "token", STEP_TOKEN }, { "tick", STEP_TICK }, { "idle", STEP_IDLE }, { "log", STEP_LOG },
	{ "no log", STEP_NO_LOG }, { "record", STEP_RECORD }, { "end", STEP_END }, { "over", STEP_OVER },
};

/* The longer one of two that begin alike stands first. */
static const struct word of_ends[] = {
	{ "is away", STEP_AWAY }, { "is used", STEP_USED }, { "is slow", STEP_SLOW }, { "is there", STEP_THERE }, { "is gone", STEP_GONE },
	{ "is unread", STEP_UNREAD }, { "tried", STEP_TRIED }, { "answers", STEP_ANSWERS }, { "keeps", STEP_KEEPS },
	{ "comes", STEP_COMES }, { "waits", STEP_WAITS }, { "ends", STEP_FINISHES }, { "stalls", STEP_STALLS },
	{ "drains", STEP_DRAINS }, { "reads", STEP_READS }, { "shows", STEP_SHOWS }, { "got", STEP_GOT },
	{ "->>", STEP_SAYS_BYTES }, { "->", STEP_SAYS }, { "posts", STEP_POSTS }, { "gets", STEP_GETS }, { "deletes", STEP_DELETES },
	{ "<-", STEP_HEARS },
};

static const struct word *find(const struct word *words, size_t count, const char **at)
{
	for (size_t i = 0; i < count; i++) {
		if (line_starts(at, words[i].words))
			return &words[i];
	}
	return NULL;
}

static void add_step(struct scene *scene, int number, enum step_kind kind, const char *who, size_t who_length, const char *words, size_t length)
{
	struct step step = { .number = number, .kind = kind };
	text_add(&step.who, who, who_length);
	text_add(&step.words, words, length);
	scene->steps = grow(scene->steps, (scene->count + 1) * sizeof *scene->steps);
	scene->steps[scene->count++] = step;
}

/* What stands behind ` <- ` in the same line is a step of its own. */
static bool read_end(struct scene *scene, int number, const char *line)
{
	const char *at = strchr(line, ' ');
	const size_t who = at != NULL ? (size_t)(at - line) : 0;
	if (at == NULL)
		return false;
	at++;
	const struct word *const word = find(of_ends, sizeof of_ends / sizeof of_ends[0], &at);
	if (word == NULL)
		return false;
	const char *const split = word->kind == STEP_HEARS ? NULL : strstr(at, " <- ");
	add_step(scene, number, word->kind, line, who, at, split != NULL ? (size_t)(split - at) : strlen(at));
	if (split != NULL)
		add_step(scene, number, STEP_HEARS, line, who, split + 4, strlen(split + 4));
	return true;
}

static void begin(struct reader *r, const char *title)
{
	struct scenes *const s = r->scenes;
	struct scene scene = { .number = r->number };
	text_append(&scene.title, title);
	s->all = grow(s->all, (s->count + 1) * sizeof *s->all);
	s->all[s->count++] = scene;
}

static bool take(void *context, int number, const char *line)
{
	struct reader *const r = context;
	const char *at = line;
	r->number = number;
	if (line_starts(&at, "scene")) {
		begin(r, at);
		return true;
	}
	if (r->scenes->count == 0)
		return false;
	struct scene *const scene = &r->scenes->all[r->scenes->count - 1];
	if (line_starts(&at, "shows"))
		return true;
	if (line_starts(&at, "outs"))
		return scene->outs = true;
	const struct word *const word = find(of_bridge, sizeof of_bridge / sizeof of_bridge[0], &at);
	if (word == NULL)
		return read_end(scene, number, line);
	add_step(scene, number, word->kind, "", 0, at, strlen(at));
	return true;
}

static void behind_opening(void *context)
{
	(void)context;
}

bool scenes_read(struct scenes *scenes, const char *path)
{
	struct reader r = { .scenes = scenes };
	*scenes = (struct scenes){ .path = path };
	return file_lines(path, &(struct lines){ take, behind_opening, &r });
}

void scenes_free(struct scenes *scenes)
{
	for (size_t i = 0; i < scenes->count; i++) {
		struct scene *const scene = &scenes->all[i];
		for (size_t k = 0; k < scene->count; k++) {
			text_free(&scene->steps[k].who);
			text_free(&scene->steps[k].words);
		}
		free(scene->steps);
		text_free(&scene->title);
	}
	free(scenes->all);
}
