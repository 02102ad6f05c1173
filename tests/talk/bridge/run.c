/* SPDX-License-Identifier: MIT
 * talk-bridge [--mode M] [--some N] [--show] FILE.talk[:LINE]...
 *
 * Plays each scene of quash-bridge whole; with a clock that wraps; byte by byte; with the input cut in two at each place; and with one
 * allocation that fails, each in turn. `--some`: at most about so many cuts and failures of a scene; 0: none. */
#include "scene.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
	const char *program, *mode; /* the only one, or NULL */
	unsigned long some;         /* ULONG_MAX: all */
	bool show, failed;
	int line;
	struct scenes scenes;
	const struct scene *scene;
	size_t fed;          /* in the last play */
	unsigned long asked; /* allocations in the last play */
	unsigned long plays, passed, failures;
};

/* Returns whether it went well. `name` is NULL for none. */
static bool play(struct run *run, const char *name, struct host_mode mode)
{
	if (run->failed || (run->mode != NULL && strcmp(run->mode, name) != 0))
		return false;
	struct play *const p = grow(NULL, sizeof *p);
	memset(p, 0, sizeof *p);
	p->scene = run->scene;
	p->show = run->show;
	p->host.mode = mode;
	run->plays++;
	if (!play_scene(p)) {
		run->failed = true;
		printf("FAILED %s:%d (%s): %s\n  %s\n  again: %s --show --mode %s %s:%d\n", run->scenes.path, p->failed_line, name,
			run->scene->title.data, p->failure.data, run->program, name, run->scenes.path, run->scene->number);
	}
	if (run->show || (run->failed && run->mode == NULL))
		printf("%s", p->host.log.data != NULL ? p->host.log.data : "");
	run->fed = p->host.fed;
	run->asked = p->host.asked;
	play_free(p);
	free(p);
	return true;
}

/* How far it is from one to the next of `count`. A scene in which much is said takes as long as several others. */
static unsigned long stride(const struct run *run, unsigned long count)
{
	enum { USUAL_BYTES = 50000 };
	const unsigned long weight = 1 + run->fed / USUAL_BYTES, some = run->some / weight;
	return run->mode != NULL || run->some == ULONG_MAX ? 1 : 1 + count / (some > 0 ? some : 1);
}

static void play_numbered(struct run *run, bool cuts, unsigned long count)
{
	char name[40];
	for (unsigned long i = 1; i < count && run->some > 0; i += stride(run, count)) {
		snprintf(name, sizeof name, "%s=%lu", cuts ? "cut" : "fail", i);
		(void)play(run, name, cuts ? (struct host_mode){ .cut = i } : (struct host_mode){ .fail = i });
	}
}

static void play_all(struct run *run)
{
	enum { MOST = 100000, BEFORE_WRAP = 1000 };
	run->failed = false;
	(void)play(run, "whole", (struct host_mode){ 0 });
	const unsigned long fed = run->mode != NULL ? MOST : run->fed, asked = run->mode != NULL ? MOST : run->asked;
	(void)play(run, "wrap", (struct host_mode){ .start = UINT32_MAX - BEFORE_WRAP });
	if (!run->scene->outs) {
		(void)play(run, "bytes", (struct host_mode){ .bytes = true });
		play_numbered(run, true, fed);
	}
	play_numbered(run, false, asked + 1);
	run->passed += !run->failed;
	run->failures += run->failed;
}

static bool is_wanted(const struct run *run, size_t index)
{
	const struct scenes *const s = &run->scenes;
	const int next = index + 1 < s->count ? s->all[index + 1].number : run->line + 1;
	return run->line == 0 || (s->all[index].number <= run->line && run->line < next);
}

static void play_file(struct run *run, char *path)
{
	const unsigned long plays = run->plays, failures = run->failures;
	char *const colon = strrchr(path, ':');
	run->line = colon != NULL ? atoi(colon + 1) : 0;
	if (colon != NULL)
		*colon = '\0';
	run->failures += !scenes_read(&run->scenes, path);
	for (size_t i = 0; i < run->scenes.count; i++) {
		run->scene = &run->scenes.all[i];
		if (is_wanted(run, i))
			play_all(run);
	}
	printf("%s %s: %lu scenes, played %lu times\n", run->failures > failures ? "FAILED" : "ok", path, (unsigned long)run->scenes.count,
		run->plays - plays);
	fflush(stdout);
	scenes_free(&run->scenes);
}

static bool read_option(struct run *run, int argc, char **argv, int *i)
{
	if (strcmp(argv[*i], "--show") == 0)
		run->show = true;
	else if (strcmp(argv[*i], "--mode") == 0 && *i + 1 < argc)
		run->mode = argv[++*i];
	else if (strcmp(argv[*i], "--some") == 0 && *i + 1 < argc)
		run->some = strtoul(argv[++*i], NULL, 10);
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	struct run run = { .program = argv[0], .some = ULONG_MAX };
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "--", 2) != 0) {
			play_file(&run, argv[i]);
		} else if (!read_option(&run, argc, argv, &i)) {
			fprintf(stderr, "usage: %s [--mode M] [--some N] [--show] FILE.talk[:LINE]...\n", argv[0]);
			return 2;
		}
	}
	printf("%lu passed, %lu failed, 0 skipped\n", run.passed, run.failures);
	return run.failures > 0 || run.passed == 0;
}
