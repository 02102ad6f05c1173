/* SPDX-License-Identifier: MIT */
#include "agents.h"

#include "bridge_inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLACK_MS = 400, PROMPT_MS = 100, UNREAD_MS = 30000, LAST_WAIT = 100 };

struct agents agents;

/* bridge_http_stream.h has a `struct asked` of its own. */
struct session *session_find(struct bridge *bridge, const char *id);

/* --- Exchanges */

struct exchange *exchange_of(unsigned line)
{
	for (unsigned i = 0; i < agents.exchange_count; i++) {
		if (agents.exchanges[i].line == line && !agents.exchanges[i].done)
			return &agents.exchanges[i];
	}
	return NULL;
}

bool exchange_is_whole(const struct exchange *x)
{
	return x->end <= world.clients[x->line].line.in.to;
}

bool exchange_is_next(const struct exchange *x)
{
	for (const struct exchange *before = agents.exchanges; before < x; before++) {
		if (before->line == x->line && !before->done && (before->kind == LISTENS || before->kind == RAW))
			return false;
	}
	return !x->done && exchange_is_whole(x);
}

/* --- Connections */

bool client_is_there(unsigned who)
{
	const struct client_end *const c = &world.clients[who];
	return c->line.used && (c->line.open || c->waits) && !c->leaves;
}

unsigned line_connect(unsigned most, uint8_t choice)
{
	if (world.client_count >= most)
		return LINES;
	const unsigned who = world.client_count++;
	struct client_end *const c = &world.clients[who];
	c->waits = c->line.used = c->line.socket = true;
	c->line.way = BRIDGE_HTTP;
	c->line.owner = who;
	c->line.takes = response_takes;
	c->line.closes = response_closes;
	c->line.piece = choice % 8 == 0 ? 1u + choice / 8u : 0;
	c->since = agents.ends[who].active = world.now;
	return who;
}

static void doubt(unsigned who)
{
	for (unsigned i = 0; i < agents.exchange_count; i++) {
		if (agents.exchanges[i].line == who && agents.exchanges[i].kind < STRANGE)
			agents.all[agents.exchanges[i].agent].doubtful = true;
	}
}

void line_leave(unsigned who, bool half)
{
	struct client_end *const c = &world.clients[who];
	if (c->leaves || !c->line.used)
		return;
	show("%6u %u leaves%s\n", (unsigned)world.now, who, half ? ", half" : "");
	if (c->line.stalls)
		doubt(who);
	c->line.ended = half;
	c->line.closed = !half;
	c->leaves = true;
	c->since = world.now;
}

_Noreturn void client_is_refused(unsigned who)
{
	wrong("door", "line %u is not let in, and there is a place", who);
}

/* --- Whether what was asked is still wanted. In doubt it is, and may be cancelled */

bool agent_is_live(const struct agent *a)
{
	return !a->modern && a->session[0] != '\0' && !a->greets && !a->ended;
}

static uint32_t left_alone(const struct agent *a)
{
	return world.now - a->attended;
}

/* Its stream was, for as long as a lease. */
static bool call_is_left(const struct asked *asked, uint32_t slack)
{
	const uint32_t left = world.now - agents.origins[asked - world.asked].attended;
	return left >= NO_LEASE_MS + slack || (world.leases && left >= LEASE_MS + slack);
}

static bool some_device_is_odd(void)
{
	for (unsigned i = 0; i < world.device_count; i++) {
		if (world.devices[i].odd || world.devices[i].line.stalls)
			return true;
	}
	return false;
}

static bool session_is_idle(const struct agent *a, uint32_t slack)
{
	const uint32_t idle = world.options.session_idle;
	return idle != 0 && left_alone(a) >= idle + slack;
}

bool asked_is_wanted(const struct asked *asked)
{
	const struct agent *const a = &agents.all[agents.origins[asked - world.asked].agent];
	if (a->modern)
		return client_is_there(asked->client);
	if (a->ended)
		return world.now - a->ended_at < SLACK_MS;
	if (a->doubtful)
		return true;
	return !session_is_idle(a, SLACK_MS) && (some_device_is_odd() || !call_is_left(asked, SLACK_MS));
}

bool asked_may_end(const struct asked *asked)
{
	const struct agent *const a = &agents.all[agents.origins[asked - world.asked].agent];
	if (a->modern)
		return !client_is_there(asked->client);
	return a->ended || a->ending || a->doubtful || session_is_idle(a, 0) || call_is_left(asked, 0);
}

/* --- While the bridge sleeps */

static bool resumes_stream_of(const struct exchange *x, unsigned mark)
{
	const struct origin *const o = &agents.origins[mark];
	return x->resumes && o->stream != NO_STREAM && x->agent == o->agent && x->stream == o->stream;
}

static void note_attendance(void)
{
	for (unsigned i = 0; i < agents.exchange_count; i++) {
		const struct exchange *const x = &agents.exchanges[i];
		const bool carries = (x->kind == CALLS || x->kind == LISTENS || x->kind == GREETS) && exchange_of(x->line) == x && exchange_is_whole(x) && x->status == 0;
		if (!carries || !client_is_there(x->line))
			continue;
		agents.all[x->agent].attended = world.now;
		for (unsigned k = 1; k < world.asked_count; k++) {
			if ((k >= x->first && k < x->first + x->count) || resumes_stream_of(x, k))
				agents.origins[k].attended = world.now;
		}
		if (world.clients[x->line].line.stalls || x->old)
			agents.all[x->agent].doubtful = true;
	}
}

/* Then the newest connection has the answer. */
static bool was_resumed(unsigned mark)
{
	for (unsigned i = 0; i < agents.exchange_count; i++) {
		if (resumes_stream_of(&agents.exchanges[i], mark))
			return true;
	}
	return false;
}

/* Whoever reads gets what a device has answered, whatever others do not read. */
static void check_prompt(const struct asked *a)
{
	const struct exchange *const x = &agents.exchanges[agents.origins[a - world.asked].exchange];
	const struct line *const line = &world.clients[a->client].line;
	if (!a->told || a->answers > 0 || a->maybe || line->stalls || !client_is_there(a->client) || exchange_of(a->client) != x)
		return;
	if (asked_may_end(a) || world.times || world.limits || was_resumed((unsigned)(a - world.asked)) || world.now - a->told_at < PROMPT_MS)
		return;
	wrong("prompt", "line %u: %s (%s) was answered %u ms ago", a->client, a->id, a->method, (unsigned)(world.now - a->told_at));
}

static void check_line(unsigned who)
{
	const struct client_end *const c = &world.clients[who];
	const bool late = world.now - c->since > SLACK_MS + 2 * LAST_WAIT;
	if (c->line.open && c->leaves && (c->line.closed || c->line.ended) && late)
		wrong("gone", "line %u is kept for %u ms", who, (unsigned)(world.now - c->since));
	if (c->line.open && c->line.refuses && world.now - c->line.refuses_since > UNREAD_MS + SLACK_MS && world.phase != PHASE_END)
		wrong("unread", "line %u has taken nothing for %u ms", who, (unsigned)(world.now - c->line.refuses_since));
}

void clients_check(void)
{
	note_attendance();
	for (unsigned i = 0; i < world.client_count; i++)
		check_line(i);
	if (world.phase != PHASE_SCRIPT && world.phase != PHASE_CALM)
		return;
	for (unsigned i = 1; i < world.asked_count; i++)
		check_prompt(&world.asked[i]);
}

/* Each of its requests is answered, or was cancelled. */
static bool has_nothing_to_do(const struct exchange *x)
{
	for (unsigned i = x->first; i < x->first + x->count; i++) {
		if (world.asked[i].answers == 0 && !world.asked[i].cancelled)
			return false;
	}
	return true;
}

static void check_stream(const struct exchange *x)
{
	const struct agent *const a = &agents.all[x->agent];
	const bool carries = x->kind == CALLS || (x->kind == LISTENS && a->ended);
	if (a->modern || !carries || x->done || exchange_of(x->line) != x || !exchange_is_whole(x) || !client_is_there(x->line) || agents.ends[x->line].slow)
		return;
	if (a->ended)
		wrong("session", "line %u: its stream goes on without its session", x->line);
	if (has_nothing_to_do(x))
		wrong("stream", "line %u: it goes on, and nothing is left to say", x->line);
}

void clients_check_gone(void)
{
	for (unsigned i = 0; i < world.client_count; i++)
		check_line(i);
	for (unsigned i = 0; i < agents.exchange_count; i++)
		check_stream(&agents.exchanges[i]);
}

/* --- Answers that are due */

/* The exchange that may bring it, if any does. */
static bool is_carried(unsigned mark)
{
	const struct origin *const o = &agents.origins[mark];
	for (unsigned i = 0; i < agents.exchange_count; i++) {
		const struct exchange *const x = &agents.exchanges[i];
		const bool its = i == o->exchange || resumes_stream_of(x, mark);
		if (its && exchange_is_next(x) && client_is_there(x->line) && !world.clients[x->line].line.stalls)
			return true;
	}
	return false;
}

unsigned agents_without_answer(void)
{
	for (unsigned i = 1; i < world.asked_count; i++) {
		const struct asked *const a = &world.asked[i];
		if (a->answers == 0 && !a->unsure && !a->maybe && is_carried(i))
			return i;
	}
	return 0;
}

/* --- After all have gone */

void agents_check_over(void)
{
	unsigned orphans = world.options.session_idle == 0 ? agents.orphans : 0;
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
		const bool orphan = orphans > 0 && world.bridge->clients[i] != NULL && world.bridge->clients[i]->session != NULL;
		if (world.bridge->clients[i] != NULL && !orphan)
			wrong("over", "%s is kept", world.bridge->clients[i]->wire.name);
		orphans -= orphan;
	}
	for (unsigned i = 0; i < world.client_count; i++) {
		if (world.clients[i].line.open)
			wrong("over", "line %u is kept", i);
	}
	for (unsigned i = 0; i < agents.count; i++) {
		if (agents.all[i].session[0] != '\0' && session_find(world.bridge, agents.all[i].session) != NULL)
			wrong("over", "session %u is kept", i);
	}
}

void clients_begin(void)
{
	world.asked_count = 1;
	world.random = true;
}

void clients_end(void)
{
	for (unsigned i = 0; i < LINES; i++) {
		queue_clear(&agents.ends[i].body);
		queue_clear(&agents.ends[i].rest);
	}
	free(agents.kept);
	memset(&agents, 0, sizeof agents);
}
