/* SPDX-License-Identifier: MIT
 * run [--dialect D] [--mode M] [--show] FILE.talk[:LINE]...
 *
 * Plays the scenes of the files, each for all of its dialects, in all modes: whole, byte by byte, cut in two
 * at every position; with a TX that drips or stalls; with every size from the smallest up. */
#include "talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
	const char *program;
	const char *dialect; /* only this one, or NULL */
	const char *mode;    /* only this one, or NULL */
	bool show;
	int line; /* only the scene around it, or 0 */
	struct script script;
	unsigned index; /* of the dialect */
	const struct scene *scene;
	bool failed; /* the scene, in some mode */
	unsigned long plays, passed, failures, skipped;
};

static const char *const mode_names[] = { [WHOLE] = "whole",
	[PUMPED] = "pumped",
	[BYTES] = "bytes",
	[CUT] = "cut",
	[DRIP] = "drip",
	[STALLING] = "stalling",
	[SLOTS] = "slots",
	[ARENA] = "arena",
	[TX] = "tx" };

static void mode_name(struct text *out, struct mode mode)
{
	text_put(out, mode_names[mode.kind]);
	if (mode.kind >= CUT)
		text_printf(out, "=%lu", (unsigned long)mode.value);
}

/* --- One case */

static void tell_failure(const struct run *run, const struct play *play, const char *mode)
{
	const char *dialect = dialect_words[run->index];
	printf("FAILED %s:%d (%s, %s): %s\n  %s\n", run->script.path, play->failed_line, dialect, mode,
		run->scene->title.data, play->failure.data);
	printf("  again: %s --show --dialect %s --mode %s %s:%d\n", run->program, dialect, mode,
		run->script.path, run->scene->number);
}

/* Returns how many bytes were said. */
static size_t play_mode(struct run *run, enum mode_kind kind, uint32_t value)
{
	const struct mode mode = { kind, value };
	struct play play = {
		.script = &run->script, .scene = run->scene, .side = &here, .dialect = run->index, .setup = { .mode = mode },
		.show = run->show
	};
	struct text name = { 0 };
	size_t said = 0;
	mode_name(&name, mode);
	if (!run->failed && (run->mode == NULL || strcmp(run->mode, name.data) == 0)) {
		run->plays++;
		if (!play_scene(&play)) {
			tell_failure(run, &play, name.data);
			run->failed = true;
		}
		said = play.input.length;
		play_free(&play);
	}
	text_free(&name);
	return said;
}

/* --- All modes of a scene */

static size_t bytes_said(const struct scene *scene)
{
	size_t length = 0;
	for (size_t i = 0; i < scene->count; i++)
		length += scene->lines[i].verb == SAY ? scene->lines[i].text.length : 0;
	return length;
}

static void play_exact(struct run *run)
{
	play_mode(run, WHOLE, 0);
	play_mode(run, PUMPED, 0);
	play_mode(run, BYTES, 0);
	const size_t length = bytes_said(run->scene);
	for (size_t at = 1; at < length; at++)
		play_mode(run, CUT, (uint32_t)at);
}

static void play_slow(struct run *run)
{
	static const uint32_t sizes[] = { QUASH_TX_MIN, 65, 100 };
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && sizes[i] < run->scene->tx; i++) {
		play_mode(run, DRIP, sizes[i]);
		play_mode(run, STALLING, sizes[i]);
	}
	play_mode(run, DRIP, run->scene->tx);
	play_mode(run, STALLING, run->scene->tx);
}

/* Every small size, then fewer and fewer. */
static uint32_t next_size(uint32_t size, uint32_t fine)
{
	return size + 1 + (size > fine ? (size - fine) / 16 : 0);
}

static void play_starved(struct run *run)
{
	const struct scene *scene = run->scene;
	for (uint32_t slots = 2; slots < scene->slots; slots++)
		play_mode(run, SLOTS, slots);
	for (uint32_t arena = QUASH_ARENA_MIN; arena < scene->arena; arena = next_size(arena, 160))
		play_mode(run, ARENA, arena);
	for (uint32_t tx = QUASH_TX_MIN; tx < scene->tx; tx = next_size(tx, 200))
		play_mode(run, TX, tx);
}

static void play_all(struct run *run)
{
	const unsigned long plays = run->plays;
	run->failed = false;
	play_exact(run);
	play_slow(run);
	play_starved(run);
	run->passed += !run->failed && run->plays > plays; /* not every scene has every mode */
	run->failures += run->failed;
}

/* --- Files */

static bool wanted(const struct run *run, size_t index)
{
	const struct script *s = &run->script;
	const int next = index + 1 < s->count ? s->scenes[index + 1].number : run->line + 1;
	return s->scenes[index].concerned &&
		(run->line == 0 || (s->scenes[index].number <= run->line && run->line < next));
}

/* Returns the number of scenes played. */
static unsigned play_dialect(struct run *run, const char *path, unsigned dialect)
{
	unsigned scenes = 0;
	run->index = dialect;
	if (!script_read(&run->script, path, dialect))
		run->failures++;
	for (size_t i = 0; i < run->script.count; i++) {
		if (!wanted(run, i))
			continue;
		run->scene = &run->script.scenes[i];
		play_all(run);
		scenes++;
	}
	script_free(&run->script);
	return scenes;
}

static void play_file(struct run *run, char *path)
{
	const unsigned long plays = run->plays, failures = run->failures;
	char *colon = strrchr(path, ':');
	unsigned scenes = 0;
	run->line = colon != NULL ? atoi(colon + 1) : 0;
	if (colon != NULL)
		*colon = '\0';
	for (unsigned i = 0; i < DIALECTS; i++) {
		if (run->dialect == NULL || strcmp(run->dialect, dialect_words[i]) == 0)
			scenes += play_dialect(run, path, i);
	}
	printf("%s %s: %u scenes, played %lu times\n", run->failures > failures ? "FAILED" : "ok", path,
		scenes, run->plays - plays);
	fflush(stdout);
}

static bool parse_option(struct run *run, int argc, char **argv, int *i)
{
	if (strcmp(argv[*i], "--show") == 0)
		run->show = true;
	else if (strcmp(argv[*i], "--dialect") == 0 && *i + 1 < argc)
		run->dialect = argv[++*i];
	else if (strcmp(argv[*i], "--mode") == 0 && *i + 1 < argc)
		run->mode = argv[++*i];
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	struct run run = { .program = argv[0] };
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "--", 2) != 0) {
			play_file(&run, argv[i]);
		} else if (!parse_option(&run, argc, argv, &i)) {
			fprintf(stderr, "usage: %s [--dialect D] [--mode M] [--show] FILE.talk[:LINE]...\n",
				argv[0]);
			return 2;
		}
	}
	printf("%lu passed, %lu failed, %lu skipped\n", run.passed, run.failures, run.skipped);
	return run.failures > 0 || run.passed == 0;
}
