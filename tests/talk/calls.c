/* SPDX-License-Identifier: MIT
 * Is what the peer asks and cancels in order? Whatever a scene expects. */
#include "talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct asked *find(struct play *p, uint32_t id)
{
	for (size_t i = 0; i < p->asked_count; i++) {
		if (p->asked[i].id == id)
			return &p->asked[i];
	}
	return NULL;
}

/* The id that a cancel of the peer's names, else 0. */
static uint32_t cancelled_id(const struct play *p, const char *data, size_t length)
{
	struct text cancel = { 0 };
	uint32_t id = 0;
	if (words_expected(&cancel, "cancels 1", p->dialect)) {
		const size_t head = cancel.length - strlen("1}}");
		if (length > head && memcmp(data, cancel.data, head) == 0)
			id = (uint32_t)strtoul(data + head, NULL, 10);
	}
	text_free(&cancel);
	return id;
}

bool calls_ours(const struct play *play, const char *data, size_t length)
{
	return json_asked(data, length) != 0 || cancelled_id(play, data, length) != 0;
}

bool calls_asked(struct play *play, uint32_t id)
{
	return find(play, id) != NULL;
}

/* --- What is sent to the peer */

void calls_answer(struct play *play, const struct line *line)
{
	struct asked *asked = line->answers != 0 ? find(play, line->answers) : NULL;
	if (line->answers == 0)
		return;
	if (asked == NULL && play_is_exact(play))
		play_fail(play, line->number, "nobody has asked that");
	if (asked != NULL && asked->answer == 0)
		asked->answer = play->input.length;
}

void calls_taken(struct play *play, size_t end, size_t waiting)
{
	for (size_t i = 0; i < play->asked_count; i++) {
		struct asked *asked = &play->asked[i];
		if (asked->over || asked->answer == 0 || asked->answer > end)
			continue;
		asked->over = true;
		asked->composed = play->output.length + waiting;
	}
}

void calls_over(struct play *play)
{
	for (size_t i = 0; i < play->asked_count; i++) {
		play->asked[i].over = true;
		play->asked[i].composed = 0;
	}
}

/* --- What it sends */

/* A program ends a subscription of the other side by its id. */
static bool is_theirs(const struct play *p, uint32_t id)
{
	char text[12];
	const int length = snprintf(text, sizeof text, "%lu", (unsigned long)id);
	return p->scene->program != NULL && json_id_count(&p->input, text, (size_t)length) > 0;
}

static void look_at_cancel(struct play *p, const struct message *m, int line, uint32_t id)
{
	struct asked *asked = find(p, id);
	if (asked == NULL && is_theirs(p, id))
		return;
	if (asked == NULL)
		play_fail(p, line, "cancelled though never asked: %lu", (unsigned long)id);
	else if (asked->cancelled)
		play_fail(p, line, "cancelled twice: %lu", (unsigned long)id);
	else if (asked->over && m->at >= asked->composed)
		play_fail(p, line, "cancelled though it was over: %lu", (unsigned long)id);
	if (asked != NULL)
		asked->cancelled = true;
}

void calls_look_at(struct play *play, const struct message *m, int line)
{
	const char *text = play->output.data + m->at;
	const uint32_t id = json_asked(text, m->length);
	const uint32_t cancelled = cancelled_id(play, text, m->length);
	const uint32_t last = play->asked_count > 0 ? play->asked[play->asked_count - 1].id : 0;
	if (cancelled != 0)
		look_at_cancel(play, m, line, cancelled);
	if (id == 0)
		return;
	if (id <= last)
		play_fail(play, line, "asked under an id that does not rise: %lu", (unsigned long)id);
	play->asked = grow(play->asked, (play->asked_count + 1) * sizeof *play->asked);
	play->asked[play->asked_count++] = (struct asked){ .id = id };
}
