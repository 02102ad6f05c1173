/* SPDX-License-Identifier: MIT */
#include "talk.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PATIENCE = 80, /* pumps without any movement */
	STEPS_AT_MOST = 64, /* until a message is sent */
	MOMENT = 10,        /* ms */
	TURNS_FOR_AN_ANSWER = 20000,
	STEPS_TO_END = 1200, /* without any movement, once everything is cancelled */
	TICK_TO_END = 10     /* ms a step */
};

bool play_is_exact(const struct play *play)
{
	const struct mode *mode = &play->setup.mode;
	const bool more_outs = mode->kind == BYTES || mode->kind == CUT;
	return mode_is_exact(mode) && !(more_outs && play->scene->outs);
}

void play_fail(struct play *play, int line, const char *format, ...)
{
	char words[2048];
	va_list arguments;
	if (play->failed_line != 0)
		return;
	va_start(arguments, format);
	vsnprintf(words, sizeof words, format, arguments);
	va_end(arguments);
	play->failed_line = line;
	text_append(&play->failure, words);
}

/* --- The peer */

/* The sizes of the scene, but for the one that is scarce. */
static void make_setup(struct play *p)
{
	const struct scene *scene = p->scene;
	struct setup *setup = &p->setup;
	const struct mode *mode = &setup->mode;
	const bool tx_is_scarce = mode->kind == TX || mode->kind == DRIP || mode->kind == STALLING;
	setup->dialect = (uint8_t)p->dialect;
	setup->program = scene->program;
	setup->watched = scene->watched;
	setup->asking = scene->asking;
	if (setup->slots == 0)
		setup->slots = mode->kind == SLOTS ? mode->value : scene->slots;
	if (setup->arena == 0)
		setup->arena = mode->kind == ARENA ? mode->value : scene->arena;
	if (setup->tx == 0)
		setup->tx = tx_is_scarce ? mode->value : scene->tx;
}

void play_free(struct play *play)
{
	play->side->close(play);
	free(play->messages);
	free(play->asked);
	trace_free(play);
	text_free(&play->input);
	text_free(&play->output);
	text_free(&play->failure);
}

/* --- Movement */

/* Pumps until nothing moves any more, or until all that was sent is received. */
static void settle(struct play *p, bool taken_is_enough)
{
	p->side->settle(p, play_is_exact(p) || p->stalled ? 3 : PATIENCE, taken_is_enough);
}

void play_pump(struct play *play)
{
	play->side->pump(play);
}

void play_flush(struct play *play)
{
	settle(play, !play_is_exact(play));
}

void play_sends(struct play *play, const uint8_t *bytes, size_t n)
{
	text_add(&play->output, (const char *)bytes, n);
}

void play_takes(struct play *play, size_t n, size_t waiting)
{
	play->given += n;
	calls_taken(play, play->given, waiting);
}

void play_traces(struct play *play, const struct traced *traced)
{
	trace_add(play, traced);
}

static void run_line(struct play *p, const struct line *line);

/* What is not asked yet, because what is scarce delays it, cannot be answered. */
static bool is_early(struct play *p, const struct line *line)
{
	judge_output(p, line->number);
	if (line->answers == 0 || play_is_exact(p) || p->turns > line->turn + TURNS_FOR_AN_ANSWER)
		return false;
	return !calls_asked(p, line->answers);
}

/* When the next line wants to be run. */
static uint32_t next_turn(const struct play *p)
{
	if (p->scheduled == p->scheduled_end)
		return TURNS_AT_MOST;
	const unsigned turn = p->scene->lines[p->scheduled].turn;
	return turn > p->turns ? turn : p->turns + 1;
}

uint32_t play_turn(struct play *play, uint32_t turns)
{
	play->turns = turns;
	for (; play->scheduled < play->scheduled_end; play->scheduled++) {
		const struct line *line = &play->scene->lines[play->scheduled];
		if (line->turn > play->turns || is_early(play, line))
			break;
		run_line(play, line);
	}
	if (turns == TURNS_AT_MOST) {
		play_fail(play, play->scene->number, "a handler is busy for ever");
		play->side->befall(play, END, 0, "");
	}
	return next_turn(play);
}

void play_step(struct play *play)
{
	play_pump(play);
	play->side->befall(play, STEP, 0, "");
	if (play_is_exact(play))
		settle(play, false);
}

void play_pass(struct play *play)
{
	const uint32_t idle = play->side->value(play, IDLE_IS, 0);
	play->side->befall(play, TICK, idle <= MOMENT ? idle : 0, "");
}

/* --- Lines */

static void send_line(struct play *p, const struct line *line)
{
	text_add(&p->input, line->text.data, line->text.length);
	if (line->answers != 0)
		judge_output(p, line->number);
	calls_answer(p, line);
	if (p->show)
		printf("->  %s%s", line->text.data, line->text.data[line->text.length - 1] == '\n' ? "" : "\n");
}

/* Half a message stays on the old link. */
static void reopen(struct play *p)
{
	judge_output(p, p->scene->number);
	p->output.length = p->split;
	p->given = p->input.length;
	p->gone = false;
	calls_over(p);
}

/* What was sent before must have been received. */
static void befall(struct play *p, const struct line *line)
{
	const bool done = p->side->befall(
		p, line->verb, line->value, line->text.data != NULL ? line->text.data : "");
	if (line->verb == REOPEN)
		reopen(p);
	if (line->verb == GONE)
		p->gone = true;
	if (line->verb == STALL || line->verb == DRAIN)
		p->stalled = line->verb == STALL;
	if (!done && line->verb == DOES)
		play_fail(p, line->number, "the program does not know that");
	if (!done && line->verb == CALL)
		play_fail(p, line->number, "all calls are in use");
	p->missed = p->missed || !done;
	if (!done && line->verb != CALL && play_is_exact(p))
		play_fail(p, line->number, "no live request has this id");
}

static void run_line(struct play *p, const struct line *line)
{
	if (p->show && line->verb != SEND)
		printf("    (line %d)\n", line->number);
	if (line->verb == SEND)
		send_line(p, line);
	else
		befall(p, line);
}

static void run_steps(struct play *p, size_t index)
{
	const struct line *line = &p->scene->lines[index];
	p->turns = 0;
	p->side->watch(p, next_turn(p));
	for (uint32_t i = 0; i < line->value && p->failed_line == 0; i++)
		play_step(p);
	if (p->scheduled < p->scheduled_end && play_is_exact(p))
		play_fail(p, p->scene->lines[p->scheduled].number, "no handler was busy for so long");
	for (; p->scheduled < p->scheduled_end; p->scheduled++)
		run_line(p, &p->scene->lines[p->scheduled]);
}

/* Handlers run until so many messages are there, or all have ended; time passes while they sleep for a moment. Where something
 * is scarce they are waited for. */
static void run_until_sent(struct play *p, const struct line *line)
{
	unsigned steps = 0;
	play_step(p);
	judge_output(p, line->number);
	while (play_is_exact(p) && p->message_count - p->message_next < line->value && ++steps < STEPS_AT_MOST &&
		p->side->value(p, LIVE_IS, 0) > 0) {
		play_pass(p);
		play_step(p);
		judge_output(p, line->number);
	}
}

static void check(struct play *p, const struct line *line)
{
	if (line->verb == EXPECT)
		judge_expected(p, line);
	else if (line->verb == EXPECT_NOTHING)
		judge_nothing(p, line->number);
	else if (line->verb == TRACE_IS)
		trace_judge(p, line);
	else if (line->verb != ALLOW)
		judge_counter(p, line);
}

static void play_line(struct play *p, size_t index)
{
	const struct line *line = &p->scene->lines[index];
	if (line->turn > 0) {
		p->scheduled = p->scheduled == p->scheduled_end ? index : p->scheduled;
		p->scheduled_end = index + 1;
		return;
	}
	if (line->verb == SEND) {
		send_line(p, line);
		return;
	}
	if (p->given < p->input.length)
		play_flush(p);
	if (line->verb == RUN) {
		run_until_sent(p, line);
	} else if (line->verb == STEP) {
		run_steps(p, index);
	} else if (line->verb == EXPECT || line->verb == EXPECT_NOTHING || line->verb == ALLOW ||
		line->verb >= COUNTER_IS) {
		check(p, line);
	} else {
		run_line(p, line);
		play_flush(p);
		settle(p, !play_is_exact(p));
		play_pump(p);
	}
	judge_output(p, line->number);
}

/* Everything is cancelled; then it must end, whatever there was. */
static void finish(struct play *p, int line)
{
	unsigned still = 0;
	p->stalled = false;
	p->side->befall(p, DRAIN, 0, "");
	while (still < STEPS_TO_END && p->failed_line == 0) {
		const size_t before = p->output.length;
		p->side->befall(p, SHUTDOWN, 0, ""); /* also what was received only now */
		p->side->befall(p, TICK, TICK_TO_END, "");
		play_step(p);
		play_pump(p);
		if (p->side->is_over(p))
			break;
		still = p->output.length == before ? still + 1 : 0;
	}
	if (still == STEPS_TO_END)
		play_fail(p, line, "a request never ends, or an answer never leaves");
	if (p->given < p->input.length && !p->gone)
		play_fail(p, line, "feed takes nothing any more: %.60s", p->input.data + p->given);
	judge_output(p, line);
}

bool play_scene(struct play *play)
{
	const struct scene *scene = play->scene;
	const int last = scene->count > 0 ? scene->lines[scene->count - 1].number : scene->number;
	make_setup(play);
	text_clear(&play->input);
	text_clear(&play->output);
	(void)program_noted();
	const char *wrong = play->side->open(play, &play->setup);
	if (wrong != NULL) {
		play_fail(play, scene->number, "the config's %s is wrong", wrong);
		return false;
	}
	for (size_t i = 0; i < scene->count && play->failed_line == 0; i++)
		play_line(play, i);
	play_flush(play);
	judge_rest(play, last);
	finish(play, last);
	judge_counts(play, last);
	return play->failed_line == 0;
}
