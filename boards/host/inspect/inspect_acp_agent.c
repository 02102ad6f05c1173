/* SPDX-License-Identifier: MIT
 * What an ACP agent says and asks while it works on a prompt. */
#include "inspect_acp.h"

#include "inspect_show.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Updates */

static void note_named(const char *name, quash_value value)
{
	if (quash_kind_of(value) == QUASH_NONE)
		return;
	note_part(" %s", name);
	note_value(value);
}

int32_t acp_update(quash_request *request, quash_value params)
{
	const quash_value update = quash_get(params, "update"), kind = quash_get(update, "sessionUpdate");
	const quash_value text = quash_get(update, "content.text");
	if (quash_is(kind, "agent_message_chunk") && quash_kind_of(text) == QUASH_STRING &&
		!link_of(request)->options->json) {
		show_value(text);
		return QUASH_DONE;
	}
	note_open();
	if (link_of(request)->options->json) {
		note_value(update);
	} else {
		note_value(kind);
		note_named("", quash_get(update, "title"));
		note_named("", quash_get(update, "status"));
		note_named("", text);
	}
	note_close();
	return QUASH_DONE;
}

/* --- Permissions */

enum { MOST_CHOICES = 9, MOST_PENDING = 16, LOOK_MS = 50 };

struct choice {
	char id[200];
	char name[160];
};

/* In the request's state: its params are gone while somebody thinks. */
struct question {
	bool asked, shown;
	int chosen; /* from 1 on; -1: nobody is there to choose */
	int count;
	char title[200];
	struct choice choices[MOST_CHOICES];
};

static void copy(char *to, size_t size, quash_value value)
{
	const size_t length = quash_length(value) < size ? quash_length(value) : size - 1;
	memcpy(to, quash_text(value), length);
	to[length] = '\0';
}

static enum permission permission_of(const struct link *link)
{
	const enum permission given = link->options->permission;
	if (given != PERMISSION_UNSET)
		return given;
	return isatty(STDIN_FILENO) ? PERMISSION_ASK : PERMISSION_REJECT;
}

/* 0 when there is none of this kind. */
static int choose(const quash_value options, const char *kind)
{
	quash_value cursor = { 0 }, option;
	for (int i = 1; quash_next(options, &cursor, NULL, &option); i++) {
		if (strncmp(quash_text(quash_get(option, "kind")), kind, strlen(kind)) == 0)
			return i;
	}
	return 0;
}

/* An id that is too long to be kept cannot be chosen. */
static void keep_choices(struct question *q, quash_value options)
{
	quash_value cursor = { 0 }, option;
	while (q->count < MOST_CHOICES && quash_next(options, &cursor, NULL, &option)) {
		struct choice *const choice = &q->choices[q->count];
		const quash_value id = quash_get(option, "optionId");
		q->count++;
		copy(choice->name, sizeof choice->name, quash_get(option, "name"));
		copy(choice->id, sizeof choice->id, id);
		if (quash_length(id) >= sizeof choice->id)
			choice->id[0] = '\0';
	}
}

/* `chosen` is 1 to the number of choices; anything else is the outcome `cancelled`. */
static int32_t answer(quash_request *request, const struct question *q, int chosen)
{
	const bool selected = chosen > 0 && chosen <= q->count && q->choices[chosen - 1].id[0] != '\0';
	quash_writer *const w = quash_reply(request);
	quash_put_object(w);
	quash_put_key(w, "outcome");
	quash_put_object(w);
	quash_put_key(w, "outcome");
	quash_put_text(w, selected ? "selected" : "cancelled");
	if (selected) {
		quash_put_key(w, "optionId");
		quash_put_text(w, q->choices[chosen - 1].id);
	}
	quash_put_end(w);
	quash_put_end(w);
	return quash_send(request);
}

static void tell_answer(const struct question *q, int chosen)
{
	note_open();
	note_part("permission: ");
	note_text(q->title, strlen(q->title));
	note_part(": ");
	if (chosen > 0 && chosen <= q->count)
		note_text(q->choices[chosen - 1].name, strlen(q->choices[chosen - 1].name));
	else
		note_part("cancelled");
	note_close();
}

static int32_t choose_now(quash_request *request, struct question *q, int chosen)
{
	if (!q->shown)
		tell_answer(q, chosen);
	q->shown = true; /* a reply without room is tried again */
	return answer(request, q, chosen);
}

/* --- Asking a person */

static void show_question(const struct question *q)
{
	note_open();
	note_part("permission: ");
	note_text(q->title, strlen(q->title));
	note_close();
	for (int i = 0; i < q->count; i++) {
		note_open();
		note_part("  %d: ", i + 1);
		note_text(q->choices[i].name, strlen(q->choices[i].name));
		note_close();
	}
	note("choose 1 to %d:", q->count);
}

static void on_line(struct link *link, const char *line)
{
	struct question *const q = quash_state((quash_request *)(uintptr_t)link->asks);
	const int number = line != NULL ? atoi(line) : -1;
	if (line != NULL && (number < 1 || number > q->count))
		note("choose 1 to %d:", q->count);
	else
		q->chosen = number;
}

static void take_turn(quash_request *request, struct question *q)
{
	struct link *const link = link_of(request);
	if (link->asks != NULL)
		return;
	link->asks = request;
	link->on_line = on_line;
	q->asked = true;
	q->shown = true;
	show_question(q);
}

static int32_t begin(quash_request *request, struct question *q, quash_value params)
{
	const quash_value options = quash_get(params, "options");
	const enum permission permission = permission_of(link_of(request));
	if (q->count == 0) {
		copy(q->title, sizeof q->title, quash_get(params, "toolCall.title"));
		keep_choices(q, options);
	}
	if (quash_live_count(quash_peer_of(request)) > MOST_PENDING)
		return QUASH_BUSY;
	if (permission == PERMISSION_ALLOW || permission == PERMISSION_REJECT)
		return choose_now(
			request, q, choose(options, permission == PERMISSION_ALLOW ? "allow" : "reject"));
	if (permission == PERMISSION_HANG)
		note("permission: left open");
	return quash_wait(request, 1);
}

/* An answer is owed at the latest when the prompt is cancelled by its session (prompt-turn "Cancellation"). */
int32_t acp_permission(quash_request *request, quash_value params)
{
	struct link *const link = link_of(request);
	struct question *const q = quash_state(request);
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	if (link->cancelling && !link->options->by_request)
		return choose_now(request, q, -1);
	if (q->chosen != 0)
		return choose_now(request, q, q->chosen);
	if (quash_kind_of(params) != QUASH_NONE)
		return begin(request, q, params);
	if (permission_of(link) == PERMISSION_ASK && !q->asked)
		take_turn(request, q);
	return quash_wait(request, LOOK_MS);
}

void acp_permission_end(quash_request *request)
{
	struct link *const link = link_of(request);
	if (link->asks == request)
		link->asks = NULL;
	if (quash_cancelled(request) == QUASH_BY_OTHER_SIDE)
		note("permission: the agent does not want it any more");
}
