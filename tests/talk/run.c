/* SPDX-License-Identifier: MIT
 * run [--dialect D] [--mode M] [--shared] [--show] FILE.talk[:LINE]... [--board COMMAND...]
 *
 * Plays the scenes of the files, each for all of its dialects, in all modes: whole, byte by byte, cut in two
 * at every position; with a TX that drips or stalls; with every size from the smallest up. With --shared each dialect has a
 * part of the positions and sizes: a scene of all dialects has all of them.
 *
 * With a board, whose UART is on the command's stdin and stdout, the peer is there; scenes are played whole and byte by
 * byte, and what it sends must be what the peer in this process sends, byte for byte. Where the board's memory is smaller
 * than a scene's sizes these are cut down; when it does not go as written then, it is judged like any scene whose memory
 * is scarce, and listed. */
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
	size_t every; /* how many dialects share the cuts, halts and sizes of a scene */
	struct script script;
	unsigned index; /* of the dialect */
	size_t sent;    /* bytes by the peer, in the last play */
	const struct scene *scene;
	bool failed; /* the scene, in some mode */
	bool board;  /* is where the peer is */
	bool scarce; /* the scene, in some mode */
	unsigned long plays, passed, failures, skipped, smaller, judged_scarce, elsewhere;
};

static const char *const mode_names[] = { [WHOLE] = "whole",
	[SPLIT] = "split",
	[PUMPED] = "pumped",
	[BYTES] = "bytes",
	[CUT] = "cut",
	[DRIP] = "drip",
	[STALLING] = "stalling",
	[HALT] = "halt",
	[SLOTS] = "slots",
	[ARENA] = "arena",
	[TX] = "tx" };

static void mode_name(struct text *out, struct mode mode)
{
	text_append(out, mode_names[mode.kind]);
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

static void play_with(struct run *run, const struct side *side, const struct setup *setup, struct play *play)
{
	const struct play fresh = { .script = &run->script,
		.scene = run->scene,
		.side = side,
		.dialect = run->index,
		.setup = *setup,
		.show = run->show };
	*play = fresh;
	run->plays++;
	(void)play_scene(play);
}

/* Is `mode` wanted, and is there no failure yet? */
static bool is_wanted(const struct run *run, struct mode mode)
{
	struct text name = { 0 };
	mode_name(&name, mode);
	const bool wanted = !run->failed && (run->mode == NULL || strcmp(run->mode, name.data) == 0);
	text_free(&name);
	return wanted;
}

static void settle_play(struct run *run, struct play *play)
{
	struct text name = { 0 };
	mode_name(&name, play->setup.mode);
	run->sent = play->output.length;
	if (play->failed_line != 0) {
		tell_failure(run, play, name.data);
		run->failed = true;
	}
	text_free(&name);
	play_free(play);
}

static void play_mode(struct run *run, enum mode_kind kind, uint32_t value)
{
	const struct setup setup = { .mode = { kind, value } };
	struct play play;
	if (!is_wanted(run, setup.mode))
		return;
	play_with(run, &here, &setup, &play);
	settle_play(run, &play);
}

/* --- On a board */

static uint32_t memory_of(const struct setup *s)
{
	enum { ALIGNMENT = 7 * 7, RECEIVED = TESTEE_ID_SIZE + TAG_SIZE };
	return s->slots * wire_room()->slot + s->arena + s->tx + RECEIVED + ALIGNMENT;
}

/* The scene's sizes, cut down until they fit: true if that was needed. */
static bool cut_down(const struct scene *scene, struct setup *s)
{
	s->slots = scene->slots;
	s->arena = scene->arena;
	s->tx = scene->tx;
	const bool fits = memory_of(s) <= wire_room()->memory;
	while (memory_of(s) > wire_room()->memory) {
		if (s->arena > 512)
			s->arena /= 2;
		else if (s->tx > 256)
			s->tx /= 2;
		else if (s->slots > 3)
			s->slots--;
		else if (s->tx > 128)
			s->tx /= 2;
		else if (s->arena > 128)
			s->arena /= 2;
		else
			break;
	}
	return !fits;
}

static void compare(struct play *play, const struct play *model)
{
	if (play->failed_line == 0 && model->failed_line == 0 &&
		(play->output.length != model->output.length ||
			memcmp(play->output.data, model->output.data, model->output.length) != 0))
		play_fail(play, play->scene->number, "not the bytes that are sent here");
}

static void play_scarce(struct run *run, struct setup *setup)
{
	struct play play;
	setup->mode.kind = ARENA;
	setup->mode.value = setup->arena;
	run->scarce = true;
	play_with(run, &wire, setup, &play);
	settle_play(run, &play);
}

static void play_on_board(struct run *run, enum mode_kind kind)
{
	struct setup setup = { .mode = { kind, 0 } };
	struct play play, model;
	if (!is_wanted(run, setup.mode))
		return;
	const bool smaller = cut_down(run->scene, &setup);
	run->smaller += smaller;
	play_with(run, &wire, &setup, &play);
	if (play.failed_line != 0 && smaller && !wire_is_dead()) {
		play_free(&play);
		play_scarce(run, &setup);
		return;
	}
	play_with(run, &here, &setup, &model);
	compare(&play, &model);
	play_free(&model);
	settle_play(run, &play);
}

/* --- All modes of a scene */

/* What the library does with a cut does not depend on the program: long scenes are cut at that many places, about. */
enum { CUTS_OF_PROGRAMS = 200 };

/* Whether the n-th of many plays that differ little is for this dialect. The first, which is the least, is for each. */
static bool is_turn(const struct run *run, size_t n)
{
	return run->mode != NULL || n == 0 || n % run->every == run->index % run->every;
}

static void play_exact(struct run *run)
{
	play_mode(run, WHOLE, 0);
	play_mode(run, SPLIT, 0);
	play_mode(run, PUMPED, 0);
	play_mode(run, BYTES, 0);
	const size_t opened = run->scene->opened, length = scene_bytes(run->scene);
	const size_t stride = run->scene->program != NULL && run->mode == NULL ? 1 + (length - opened) / CUTS_OF_PROGRAMS : 1;
	for (size_t n = 0; 1 + opened + n * stride < length; n++) {
		if (is_turn(run, n))
			play_mode(run, CUT, (uint32_t)(1 + opened + n * stride));
	}
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

enum { MOST_SENT = 10000 }; /* when the one mode that is wanted is to be found */

static void play_halted(struct run *run)
{
	const size_t sent = run->mode != NULL ? MOST_SENT : run->sent;
	for (uint32_t at = 0; run->scene->halts && at <= sent; at++) {
		if (is_turn(run, at))
			play_mode(run, HALT, at);
	}
}

/* Every small size, then fewer and fewer. */
static uint32_t next_size(uint32_t size, uint32_t fine)
{
	return size + 1 + (size > fine ? (size - fine) / 16 : 0);
}

static void play_starved(struct run *run)
{
	const struct scene *scene = run->scene;
	for (uint32_t slots = 1; slots < scene->slots; slots++)
		play_mode(run, SLOTS, slots);
	size_t n = 0;
	for (uint32_t arena = QUASH_ARENA_MIN; arena < scene->arena; arena = next_size(arena, 160)) {
		if (is_turn(run, n++))
			play_mode(run, ARENA, arena);
	}
	n = 0;
	for (uint32_t tx = QUASH_TX_MIN; tx < scene->tx; tx = next_size(tx, 200)) {
		if (is_turn(run, n++))
			play_mode(run, TX, tx);
	}
}

static void play_all(struct run *run)
{
	const unsigned long plays = run->plays;
	run->failed = wire_is_dead();
	run->scarce = false;
	if (run->board) {
		play_on_board(run, WHOLE);
		play_on_board(run, BYTES);
	} else {
		play_exact(run);
		play_halted(run);
		if (END_HAS_ANY_SIZE) {
			play_slow(run);
			play_starved(run);
		}
	}
	if (run->scarce && !run->failed)
		printf("scarce: %s:%d (%s): %s\n", run->script.path, run->scene->number,
			dialect_words[run->index], run->scene->title.data);
	run->judged_scarce += run->scarce;
	run->passed += !run->failed && run->plays > plays; /* not every scene has every mode */
	run->failures += run->failed;
}

/* --- Files */

static bool fits(const struct run *run, const struct scene *scene)
{
	if (scene->program != NULL && (run->board || !END_HAS_ANY_SIZE))
		return false;
	return END_HAS_ANY_SIZE || (scene->slots == KNOWN_SLOTS && scene->arena == KNOWN_ARENA && scene->tx == KNOWN_TX);
}

static bool wanted(const struct run *run, size_t index)
{
	const struct script *s = &run->script;
	const int next = index + 1 < s->count ? s->scenes[index + 1].number : run->line + 1;
	return s->scenes[index].concerned && fits(run, &s->scenes[index]) &&
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
		run->elsewhere += run->script.scenes[i].concerned && run->script.scenes[i].program != NULL;
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
	else if (strcmp(argv[*i], "--shared") == 0)
		run->every = DIALECTS;
	else
		return false;
	return true;
}

/* Where the board's command begins, or the end. */
static int command_at(int argc, char **argv)
{
	int i = 1;
	while (i < argc && strcmp(argv[i], "--board") != 0)
		i++;
	return i;
}

static void tell_board(const struct run *run)
{
	const struct room *room = wire_room();
	printf("the board has %lu bytes for slots, arena and TX, %lu for each slot, %lu for input: %lu plays "
	       "with smaller "
	       "sizes, %lu scenes judged as scarce; %lu scenes of programs are for the host\n",
		(unsigned long)room->memory, (unsigned long)room->slot, (unsigned long)room->input,
		run->smaller, run->judged_scarce, run->elsewhere);
}

int main(int argc, char **argv)
{
	struct run run = { .program = argv[0], .every = 1 };
	const int end = command_at(argc, argv);
	run.board = end < argc;
	if (run.board && (end + 1 == argc || !wire_start(argv + end + 1))) {
		fprintf(stderr, "%s: no board\n", argv[0]);
		wire_stop();
		return 2;
	}
	for (int i = 1; i < end; i++) {
		if (strncmp(argv[i], "--", 2) != 0) {
			play_file(&run, argv[i]);
		} else if (!parse_option(&run, end, argv, &i)) {
			fprintf(stderr, "usage: %s [--dialect D] [--mode M] [--shared] [--show] FILE.talk[:LINE]... [--board COMMAND...]\n",
				argv[0]);
			wire_stop();
			return 2;
		}
	}
	if (run.board)
		tell_board(&run);
	wire_stop();
	printf("%lu passed, %lu failed, %lu skipped\n", run.passed, run.failures, run.skipped);
	return run.failures > 0 || run.passed == 0;
}
