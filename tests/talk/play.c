/* SPDX-License-Identifier: MIT */
#include "talk.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PATIENCE = 80,          /* pumps without any movement */
	TURNS_AT_MOST = 200000, /* of a busy handler that nobody cancels */
	TURNS_FOR_AN_ANSWER = 20000,
	STEPS_TO_END = 1200     /* without any movement, once everything is cancelled */
};

bool mode_is_exact(const struct mode *mode)
{
	return mode->kind <= CUT;
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
	text_put(&play->failure, words);
}

/* --- The peer */

static void pump_busy(quash_peer *peer, void *device);

static bool ended(void *device)
{
	const struct play *p = device;
	return p->ended;
}

/* Sizes as the scene says, but for the one that is scarce. Exact ones, so that a sanitizer sees each byte. */
static void make_config(struct play *p)
{
	const struct scene *s = p->scene;
	const enum mode_kind kind = p->mode.kind;
	const uint32_t slots = kind == SLOTS ? p->mode.value : s->slots;
	const uint32_t arena = kind == ARENA ? p->mode.value : s->arena;
	const uint32_t tx = kind == TX || kind == DRIP || kind == STALLING ? p->mode.value : s->tx;
	const quash_config config = {
		.dialect = dialect_words[p->dialect].dialect,
		.methods = p->methods,
		.slots = grow(NULL, slots * sizeof(quash_request)),
		.ids = grow(NULL, slots * TESTEE_ID_SIZE),
		.states = grow(NULL, slots * TESTEE_STATE_SIZE),
		.tags = grow(NULL, slots * TAG_SIZE),
		.arena = grow(NULL, arena),
		.tx = grow(NULL, tx),
		.reason = p->reason,
		.context = &p->testee,
		.arena_size = (quash_size)arena,
		.tx_size = (quash_size)tx,
		.state_size = TESTEE_STATE_SIZE,
		.method_count = METHODS,
		.slot_count = (uint8_t)slots,
		.id_size = TESTEE_ID_SIZE,
		.tag_size = TAG_SIZE,
		.reason_size = sizeof p->reason,
	};
	const struct testee testee = {
		.pump = pump_busy, .ended = ended, .device = p, .calls = p->calls, .call_count = TALK_CALLS };
	methods_all(p->methods, s->watched ? config.dialect->cancel_method : "$/unwatched", s->asking);
	p->config = config;
	p->testee = testee;
}

void play_free(struct play *play)
{
	free(play->config.slots);
	free(play->config.ids);
	free(play->config.states);
	free(play->config.tags);
	free(play->config.arena);
	free(play->config.tx);
	free(play->messages);
	free(play->asked);
	text_free(&play->input);
	text_free(&play->output);
	text_free(&play->failure);
}

/* --- Movement */

/* Pumps until nothing moves any more, or until all that was said is heard. */
static void settle(struct play *p, bool heard_is_enough)
{
	unsigned still = 0;
	const unsigned patience = mode_is_exact(&p->mode) || p->stalled ? 3 : PATIENCE;
	while (still < patience && !(heard_is_enough && p->given == p->input.length)) {
		const size_t before = p->given + p->output.length;
		play_pump(p);
		still = p->given + p->output.length == before ? still + 1 : 0;
	}
}

void play_flush(struct play *play)
{
	settle(play, !mode_is_exact(&play->mode));
}

static void run_line(struct play *p, const struct line *line);

/* What is not asked yet, because what is scarce delays it, cannot be answered. */
static bool is_early(struct play *p, const struct line *line)
{
	judge_output(p, line->number);
	if (line->answers == 0 || mode_is_exact(&p->mode) || p->turns > line->turn + TURNS_FOR_AN_ANSWER)
		return false;
	return !calls_asked(p, line->answers);
}

static void pump_busy(quash_peer *peer, void *device)
{
	struct play *p = device;
	(void)peer;
	p->turns++;
	for (; p->scheduled < p->scheduled_end; p->scheduled++) {
		const struct line *line = &p->scene->lines[p->scheduled];
		if (line->turn > p->turns || is_early(p, line))
			break;
		run_line(p, line);
	}
	if (p->turns == TURNS_AT_MOST) {
		play_fail(p, p->scene->number, "a handler is busy for ever");
		p->ended = true;
	}
	play_pump(p);
}

void play_step(struct play *play)
{
	play_pump(play);
	quash_step(&play->peer);
	if (mode_is_exact(&play->mode))
		settle(play, false);
}

/* --- Lines */

static void say(struct play *p, const struct line *line)
{
	text_add(&p->input, line->text.data, line->text.length);
	calls_answer(p, line);
	if (p->show)
		printf("->  %s%s", line->text.data, line->text.data[line->text.length - 1] == '\n' ? "" : "\n");
}

static quash_request *find(struct play *p, const char *id)
{
	quash_live live = { 0 };
	while (quash_next_live(&p->peer, &live)) {
		struct text spelled = { 0 };
		const char *quote = live.id_is_number ? "" : "\"";
		text_put(&spelled, quote);
		if (live.id != NULL)
			text_add(&spelled, live.id, live.id_length);
		text_put(&spelled, quote);
		const bool same = text_equals(&spelled, id);
		text_free(&spelled);
		if (same)
			return (quash_request *)(uintptr_t)live.request;
	}
	return NULL;
}

static void cancel(struct play *p, const struct line *line)
{
	quash_request *request = find(p, line->text.data);
	if (request == NULL) {
		if (mode_is_exact(&p->mode))
			play_fail(p, line->number, "no live request has this id");
	} else if (line->verb == LOCAL) {
		quash_cancel(request);
	} else {
		quash_cancel_async(quash_handle_of(request));
	}
}

/* Half a message stays behind on the old link. */
static void reopen(struct play *p)
{
	judge_output(p, p->scene->number);
	p->output.length = p->split;
	p->given = p->input.length;
	p->ended = false;
	p->gone = false;
	calls_over(p);
	quash_reopen(&p->peer);
}

quash_call *play_free_call(struct play *play)
{
	for (size_t i = 0; i < TALK_CALLS; i++) {
		if (!quash_call_in_use(&play->calls[i]))
			return &play->calls[i];
	}
	return NULL;
}

static int32_t count_told(quash_call *call, quash_value answer)
{
	struct play *p = call->context;
	(void)answer;
	p->told++;
	return QUASH_DONE;
}

/* The program asks by itself. */
static void ask(struct play *p, const struct line *line)
{
	static const quash_call fresh = { 0 };
	quash_call *call = play_free_call(p);
	if (call == NULL) {
		play_fail(p, line->number, "all calls are in use");
		return;
	}
	*call = fresh;
	call->method = line->text.data;
	call->done = count_told;
	call->context = p;
	quash_ask(&p->peer, call);
}

/* What was said before must have been heard. */
static void befall(struct play *p, const struct line *line)
{
	switch (line->verb) {
	case TICK: p->now += line->value; break;
	case END: p->ended = true; break;
	case GONE: p->gone = true; break;
	case REOPEN: reopen(p); break;
	case LOST: quash_lost(&p->peer, line->value); break;
	case SHUTDOWN: quash_cancel_all(&p->peer); break;
	case STALL: p->stalled = true; break;
	case DRAIN: p->stalled = false; break;
	case CALL: ask(p, line); break;
	case UNCALL: (void)quash_call_cancel_id(&p->peer, line->value); break;
	default: cancel(p, line); break;
	}
}

static void run_line(struct play *p, const struct line *line)
{
	if (p->show && line->verb != SAY)
		printf("    (line %d)\n", line->number);
	if (line->verb == SAY)
		say(p, line);
	else
		befall(p, line);
}

static void run_steps(struct play *p, size_t index)
{
	const struct line *line = &p->scene->lines[index];
	p->turns = 0;
	for (uint32_t i = 0; i < line->value && p->failed_line == 0; i++)
		play_step(p);
	if (p->scheduled < p->scheduled_end && mode_is_exact(&p->mode))
		play_fail(p, p->scene->lines[p->scheduled].number, "no handler was busy for so long");
	for (; p->scheduled < p->scheduled_end; p->scheduled++)
		run_line(p, &p->scene->lines[p->scheduled]);
}

static void check(struct play *p, const struct line *line)
{
	if (line->verb == EXPECT)
		judge_expected(p, line);
	else if (line->verb == EXPECT_NOTHING)
		judge_nothing(p, line->number);
	else if (line->verb != ALLOW && mode_is_exact(&p->mode))
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
	if (line->verb == SAY) {
		say(p, line);
		return;
	}
	if (p->given < p->input.length)
		play_flush(p);
	if (line->verb == STEP) {
		run_steps(p, index);
	} else if (line->verb == EXPECT || line->verb == EXPECT_NOTHING || line->verb == ALLOW ||
		line->verb >= COUNTER_IS) {
		check(p, line);
	} else {
		run_line(p, line);
		play_flush(p);
		settle(p, !mode_is_exact(&p->mode));
		play_pump(p);
	}
	judge_output(p, line->number);
}

/* Everything is cancelled; then it must end, whatever there was. */
static void finish(struct play *p, int line)
{
	unsigned still = 0;
	p->stalled = false;
	while (still < STEPS_TO_END && p->failed_line == 0) {
		size_t waiting;
		const size_t before = p->output.length;
		quash_cancel_all(&p->peer); /* also what was heard only now */
		play_step(p);
		play_pump(p);
		quash_out(&p->peer, &waiting);
		if (quash_live_count(&p->peer) == 0 &&
			((waiting == 0 && p->given == p->input.length) || p->gone))
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
	make_config(play);
	text_clear(&play->input);
	text_clear(&play->output);
	const char *wrong = quash_init(&play->peer, &play->config);
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
