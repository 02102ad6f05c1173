/* SPDX-License-Identifier: MIT
 * The events of the trace hook, in the words of a scene. */
#include "talk.h"

#include <stdlib.h>
#include <string.h>

static const char *const event_names[] = { [QUASH_RECEIVED] = "RECEIVED",
	[QUASH_KEPT] = "KEPT",
	[QUASH_PARKED] = "PARKED",
	[QUASH_STARTED] = "STARTED",
	[QUASH_FLAGGED] = "FLAGGED",
	[QUASH_RECORDED] = "RECORDED",
	[QUASH_WRITTEN] = "WRITTEN",
	[QUASH_SILENCED] = "SILENCED",
	[QUASH_REFUSED] = "REFUSED",
	[QUASH_FREED] = "FREED",
	[QUASH_LATE_CANCEL] = "LATE_CANCEL",
	[QUASH_DROPPED] = "DROPPED",
	[QUASH_MISUSED] = "MISUSED",
	[QUASH_NEW_SESSION] = "NEW_SESSION" };

static const char *const cause_names[QUASH_CAUSES] = { [QUASH_NOT_CANCELLED] = "nothing",
	[QUASH_BY_OTHER_SIDE] = "OTHER_SIDE",
	[QUASH_BY_PARENT] = "PARENT",
	[QUASH_BY_DEADLINE] = "DEADLINE",
	[QUASH_BY_HANDLER] = "HANDLER",
	[QUASH_BY_LOCAL_CODE] = "LOCAL_CODE",
	[QUASH_BY_SHUTDOWN] = "SHUTDOWN",
	[QUASH_BY_LEASE] = "LEASE",
	[QUASH_BY_SESSION] = "SESSION",
	[QUASH_BY_LINK] = "LINK" };

static const char *const why_names[QUASH_WHYS] = { [QUASH_WHY_NONE] = "",
	[QUASH_WHY_NO_JSON] = "NO_JSON",
	[QUASH_WHY_ENVELOPE] = "ENVELOPE",
	[QUASH_WHY_ID] = "ID",
	[QUASH_WHY_DUPLICATE_ID] = "DUPLICATE_ID",
	[QUASH_WHY_METHOD] = "METHOD",
	[QUASH_WHY_DEEP] = "DEEP",
	[QUASH_WHY_ARENA_SIZE] = "ARENA_SIZE",
	[QUASH_WHY_ARENA_FULL] = "ARENA_FULL",
	[QUASH_WHY_SLOTS_FULL] = "SLOTS_FULL",
	[QUASH_WHY_BATCH] = "BATCH",
	[QUASH_WHY_GROUP] = "GROUP",
	[QUASH_WHY_CANCELLED] = "CANCELLED",
	[QUASH_WHY_OWN_CANCEL] = "OWN_CANCEL",
	[QUASH_WHY_LINK] = "LINK",
	[QUASH_WHY_SESSION] = "SESSION",
	[QUASH_WHY_NO_ANSWER] = "NO_ANSWER",
	[QUASH_WHY_BAD_CODE] = "BAD_CODE",
	[QUASH_WHY_SECOND_ANSWER] = "SECOND_ANSWER",
	[QUASH_WHY_UNBALANCED] = "UNBALANCED",
	[QUASH_WHY_PUT_DEEP] = "PUT_DEEP",
	[QUASH_WHY_CHANGED] = "CHANGED",
	[QUASH_WHY_STATE_SIZE] = "STATE_SIZE",
	[QUASH_WHY_TX_FULL] = "TX_FULL",
	[QUASH_WHY_TX_SIZE] = "TX_SIZE",
	[QUASH_WHY_ANSWER_WAITS] = "ANSWER_WAITS",
	[QUASH_WHY_HANDLER] = "HANDLER",
	[QUASH_WHY_SECOND_GROUP] = "SECOND_GROUP" };

void trace_add(struct play *play, const struct traced *traced)
{
	struct trace_line line = { 0 };
	if (traced->id_length > 0)
		text_add(&line.id, (const char *)traced->id, traced->id_length);
	else
		text_append(&line.id, "none");
	text_append(&line.text, event_names[traced->event]);
	if (traced->event == QUASH_FLAGGED)
		text_printf(&line.text, " %s", cause_names[traced->detail]);
	else if (traced->detail != 0)
		text_printf(&line.text, " %ld", (long)traced->detail);
	if (traced->why != QUASH_WHY_NONE)
		text_printf(&line.text, " %s", why_names[traced->why]);
	play->traces = grow(play->traces, (play->trace_count + 1) * sizeof *play->traces);
	play->traces[play->trace_count++] = line;
}

/* The events of the id; they are looked at now. */
static void take_events(struct play *p, const char *id, struct text *events)
{
	size_t left = 0;
	text_clear(events);
	for (size_t i = 0; i < p->trace_count; i++) {
		struct trace_line *line = &p->traces[i];
		if (!text_equals(&line->id, id)) {
			p->traces[left++] = *line;
			continue;
		}
		text_append(events, events->length > 0 ? ", " : "");
		text_append(events, line->text.data);
		text_free(&line->id);
		text_free(&line->text);
	}
	p->trace_count = left;
}

/* What is scarce adds events; a board shows none. */
void trace_judge(struct play *play, const struct line *line)
{
	struct text id = { 0 }, events = { 0 };
	const char *blank = strchr(line->text.data, ' ');
	const char *expected = blank != NULL ? blank + 1 : "";
	if (!play_is_exact(play) || play->side != &here)
		return;
	text_add(&id, line->text.data, blank != NULL ? (size_t)(blank - line->text.data) : line->text.length);
	take_events(play, id.data, &events);
	if (!text_equals(&events, expected))
		play_fail(play, line->number, "expected: %s\n       got: %s", expected, events.data);
	text_free(&id);
	text_free(&events);
}

void trace_free(struct play *play)
{
	for (size_t i = 0; i < play->trace_count; i++) {
		text_free(&play->traces[i].id);
		text_free(&play->traces[i].text);
	}
	free(play->traces);
}
