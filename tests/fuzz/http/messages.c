/* SPDX-License-Identifier: MIT */
#include "agents.h"

#include "bridge_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_BYTES = 900000, KEPT_EVENTS = 500 };

static struct agent *agent_of(const struct exchange *x)
{
	return &agents.all[x->agent];
}

/* --- Streams and their events */

static bool is_of_calls(unsigned agent, unsigned stream)
{
	for (unsigned i = 1; i < world.asked_count; i++) {
		if (agents.origins[i].agent == agent && agents.origins[i].stream == (int)stream)
			return true;
	}
	return false;
}

static void note_stream(struct exchange *x, unsigned stream)
{
	if (stream >= STREAMS)
		wrong("event", "line %u: stream %u", x->line, stream);
	if (agent_of(x)->modern)
		wrong("event", "line %u: an id in the modern era", x->line);
	if (x->stream != NO_STREAM && x->stream != (int)stream)
		wrong("event", "line %u: an event of stream %u on stream %d", x->line, stream, x->stream);
	if ((x->kind == LISTENS && x->stream == NO_STREAM && is_of_calls(x->agent, stream)) || (x->kind == CALLS && stream == 0))
		wrong("event", "line %u: an event of stream %u", x->line, stream);
	x->stream = (int)stream;
	agent_of(x)->known[stream] = true;
	for (unsigned i = 0; i < x->count; i++)
		agents.origins[x->first + i].stream = (int)stream;
}

void message_first(struct exchange *x, unsigned stream, unsigned number)
{
	note_stream(x, stream);
	if (number != x->last)
		wrong("event", "line %u: it begins behind event %u", x->line, number);
}

static uint32_t print_of(const char *text, size_t n)
{
	uint32_t print = 2166136261u;
	for (size_t i = 0; i < n; i++)
		print = (print ^ (uint8_t)text[i]) * 16777619u;
	return print;
}

/* No stream has a gap: the number that is next on this connection. 0: any, as a standing stream begins with what came while nobody
 * listened. */
static unsigned next_number(const struct exchange *x)
{
	if (x->kind == LISTENS && !x->resumes && x->last == 0)
		return 0;
	return (x->resumes && x->after > x->last ? x->after : x->last) + 1;
}

/* The connection that it came on is gone, where it may have been lost. So an older one gets it again, see stream_lost. */
static bool may_be_lost(const struct kept *k)
{
	return !client_is_there(k->line);
}

/* True if it is the first time. Nobody gets one again that has not asked for it, but for what may be lost. */
static bool keep_event(struct exchange *x, unsigned number, const char *text, size_t n)
{
	struct agent *const a = agent_of(x);
	const unsigned stream = (unsigned)x->stream;
	const uint32_t print = print_of(text, n);
	if (number <= x->last || (x->resumes && number <= x->after))
		wrong("event", "line %u: %u-%u behind %u, and %u", x->line, stream, number, x->last, x->after);
	if (!a->overfull && next_number(x) != 0 && number != next_number(x))
		wrong("event", "line %u: %u-%u is next to %u, from %u", x->line, stream, number, x->last, x->after);
	x->last = number;
	for (size_t i = 0; i < agents.kept_count; i++) {
		struct kept *const k = &agents.kept[i];
		if (k->agent != x->agent || k->stream != stream || k->number != number)
			continue;
		if ((!x->resumes && !agents.ends[x->line].slow && !may_be_lost(k)) || k->print != print)
			wrong("event", "line %u: %u-%u comes %s", x->line, stream, number, k->print != print ? "with another message" : "again");
		k->line = x->line;
		return false;
	}
	agents.kept = realloc(agents.kept, (agents.kept_count + 1) * sizeof *agents.kept);
	if (agents.kept == NULL)
		abort();
	agents.kept[agents.kept_count++] = (struct kept){ x->agent, x->line, stream, number, print };
	a->last[stream] = number > a->last[stream] ? number : a->last[stream];
	a->event_bytes += n + 40;
	a->overfull = a->overfull || a->event_bytes > KEPT_BYTES || agents.kept_count > KEPT_EVENTS;
	return true;
}

/* --- Answers */

static bool belongs(const struct exchange *x, unsigned mark)
{
	const struct origin *const o = &agents.origins[mark];
	const bool own = mark >= x->first && mark < x->first + x->count;
	return own || (x->resumes && o->agent == x->agent && o->stream == x->stream);
}

static unsigned mark_for(const struct exchange *x, const json_t *has)
{
	char id[TEXT];
	if (!json_short(has, id))
		return 0;
	for (unsigned i = world.asked_count; i-- > 1;) {
		if (belongs(x, i) && strcmp(world.asked[i].id, id) == 0)
			return i;
	}
	return 0;
}

static void greets(const struct exchange *x, const json_t *result)
{
	struct agent *const a = agent_of(x);
	a->greets = false;
	if (result == NULL) {
		a->ended = a->session[0] != '\0';
		a->ended_at = world.now;
		return;
	}
	if (a->session[0] == '\0')
		wrong("session", "line %u: `initialize` is answered without one", x->line);
	const char *const version = json_string_value(json_object_get(result, "protocolVersion"));
	if (version == NULL || strcmp(version, a->version) != 0)
		wrong("session", "line %u: version %s", x->line, version != NULL ? version : "none");
}

static void check_answer(struct exchange *x, const json_t *message)
{
	const json_t *const result = json_object_get(message, "result"), *const error = json_object_get(message, "error");
	const json_t *const id = json_object_get(message, "id");
	const unsigned i = mark_for(x, id);
	if ((result != NULL) == (error != NULL) || (error != NULL && !json_is_integer(json_object_get(error, "code"))))
		wrong("answer", "line %u: neither result nor error", x->line);
	if (i == 0 && error != NULL && agents.ends[x->line].status >= 400)
		return;
	if (i == 0)
		wrong("answer", "line %u gets an answer that it has not asked for", x->line);
	struct asked *const a = &world.asked[i];
	const unsigned mark = mark_of(result != NULL ? result : json_object_get(error, "data"));
	if (mark != 0 && mark != i)
		wrong("answer", "line %u: %s gets the answer to %s of line %u", x->line, a->id, world.asked[mark % (ASKED + 1)].id, world.asked[mark % (ASKED + 1)].client);
	if (++a->answers > 1)
		wrong("answer", "line %u: %s is answered twice", x->line, a->id);
	if (x->kind == GREETS)
		greets(x, result);
}

/* --- What belongs to a request */

static bool is_open_at_device(unsigned mark)
{
	for (unsigned i = 0; i < world.device_count; i++) {
		for (unsigned k = 0; k < world.devices[i].seen_count; k++) {
			if (world.devices[i].seen[k].mark == mark && !world.devices[i].seen[k].cancelled)
				return true;
		}
	}
	return false;
}

static void check_whose(const struct exchange *x, const char *what, json_int_t mark)
{
	if (mark <= 0 || mark >= world.asked_count)
		wrong("cause", "line %u gets %s, which names no request of a client", x->line, what);
	const struct asked *const a = &world.asked[mark];
	if (agents.origins[mark].agent != x->agent || (agent_of(x)->modern && !belongs(x, (unsigned)mark)))
		wrong("cause", "line %u gets %s, which names %s of line %u", x->line, what, a->id, a->client);
	if (!belongs(x, (unsigned)mark) && a->answers == 0 && !a->maybe && !world.times && !world.limits && is_open_at_device((unsigned)mark) && !asked_may_end(a))
		wrong("cause", "line %u gets %s of %s, which has a stream of its own on line %u", x->line, what, a->id, a->client);
}

static void check_progress(const struct exchange *x, const json_t *params)
{
	char token[TEXT] = "";
	const unsigned mark = mark_of(params);
	(void)json_short(json_object_get(params, "progressToken"), token);
	if (mark == 0 || mark >= world.asked_count)
		return;
	check_whose(x, "progress", mark);
	if (strcmp(world.asked[mark].token, token) != 0)
		wrong("progress", "line %u: token %s, not %s", x->line, token, world.asked[mark].token);
	if (world.asked[mark].answers > 0)
		wrong("progress", "line %u: behind the answer to %s", x->line, world.asked[mark].id);
}

static bool check_subscription(const struct exchange *x, const json_t *params)
{
	char id[TEXT] = "";
	const json_t *const has = json_object_get(json_object_get(params, "_meta"), "io.modelcontextprotocol/subscriptionId");
	const unsigned mark = mark_of(params);
	if (has == NULL)
		return false;
	(void)json_short(has, id);
	if (mark > 0 && mark < world.asked_count && strcmp(world.asked[mark].id, id) != 0)
		wrong("subscription", "line %u gets %s, which is %s", x->line, id, world.asked[mark].id);
	if (mark > 0)
		check_whose(x, "what it listens to", mark);
	return true;
}

static void check_update(const struct exchange *x, const json_t *params)
{
	const char *const uri = json_string_value(json_object_get(params, "uri"));
	const char *const own = uri != NULL ? strstr(uri, "r:") : NULL;
	const unsigned device = uri != NULL && strncmp(uri, "two+", 4) == 0 ? 1 : 0;
	if (own == NULL || agent_of(x)->modern || (agent_of(x)->uris >> (device * URIS + (unsigned)(own[2] - '0')) & 1) == 0)
		wrong("update", "line %u has no subscription for %s", x->line, uri != NULL ? uri : "nothing");
}

static void check_note(const struct exchange *x, const char *method, const json_t *params)
{
	const json_t *const cause = json_object_get(params, "cause");
	if (json_object_get(json_object_get(params, "_meta"), "quash/request") != NULL)
		wrong("cause", "line %u gets the name of a request in %s", x->line, method);
	if (cause != NULL)
		check_whose(x, method, json_integer_value(cause));
	if (strcmp(method, "notifications/progress") == 0)
		check_progress(x, params);
	else if (!check_subscription(x, params) && cause == NULL && strcmp(method, "notifications/resources/updated") == 0)
		check_update(x, params);
	else if (cause == NULL && strcmp(method, "x/note") == 0 && json_object_get(json_object_get(params, "_meta"), "io.modelcontextprotocol/subscriptionId") == NULL)
		wrong("note", "line %u gets %s, which names nobody", x->line, method);
}

static void check_question(struct exchange *x, const char *method, const json_t *id, const json_t *params)
{
	struct agent *const a = agent_of(x);
	unsigned i = 0;
	while (i < QUESTIONS && strcmp(questions[i].method, method) != 0)
		i++;
	if (a->modern || json_object_get(params, "cause") == NULL || (i < QUESTIONS && (a->can >> i & 1) == 0))
		wrong("asked", "line %u is asked %s", x->line, method);
	check_whose(x, method, json_integer_value(json_object_get(params, "cause")));
	if (a->want_count < WANTS && json_short(id, a->wants[a->want_count]))
		a->marks[a->want_count++] = mark_of(params);
}

void message_comes(struct exchange *x, int stream, unsigned number, const char *text, size_t n)
{
	json_error_t error;
	json_t *const message = json_loadb(text, n, JSON_ALLOW_NUL, &error);
	const enum json_error_code code = message != NULL ? json_error_unknown : json_error_code(&error);
	const bool event = stream != NO_STREAM;
	world.message = message;
	show("%6u %u < %d-%u %.*s\n", (unsigned)world.now, x->line, stream, number, (int)(n < 300 ? n : 300), text);
	if (message == NULL && code != json_error_numeric_overflow && code != json_error_null_byte_in_key)
		wrong("json", "%s: %.*s", error.text, (int)n, text);
	if (agents.ends[x->line].events && !event && !agent_of(x)->modern)
		wrong("event", "line %u: one without an id", x->line);
	if (event)
		note_stream(x, (unsigned)stream);
	if ((!event || keep_event(x, number, text, n)) && json_is_object(message)) {
		const char *const method = json_string_value(json_object_get(message, "method"));
		const json_t *const id = json_object_get(message, "id"), *const params = json_object_get(message, "params");
		if (method == NULL)
			check_answer(x, message);
		else if (id != NULL)
			check_question(x, method, id, params);
		else
			check_note(x, method, params);
	} else if (message != NULL && !json_is_object(message)) {
		wrong("json", "line %u: no object", x->line);
	}
	json_decref(message);
	world.message = NULL;
}

/* --- Heads */

void message_session(struct exchange *x, const char *session)
{
	struct agent *const a = agent_of(x);
	if (a->modern || (x->kind != GREETS && strcmp(a->session, session) != 0))
		wrong("session", "line %u: %s", x->line, session);
	for (unsigned i = 0; i < agents.count; i++) {
		if (&agents.all[i] != a && strcmp(agents.all[i].session, session) == 0)
			wrong("session", "line %u gets that of another", x->line);
	}
	snprintf(a->session, sizeof a->session, "%s", session);
	a->attended = world.now;
}

/* So many have connected that there may be, or have been, as many clients as there are places. */
static bool may_be_full(void)
{
	return world.client_count + agents.count >= MOST_CLIENTS - MOST_LINES;
}

/* A stream is kept that has something to say. */
static bool is_unanswered(const struct exchange *x)
{
	for (unsigned i = 1; i < world.asked_count; i++) {
		const struct origin *const o = &agents.origins[i];
		if (o->agent == x->agent && o->stream == x->stream && world.asked[i].answers == 0 && !world.asked[i].maybe && !agent_of(x)->overfull)
			return true;
	}
	return false;
}

static bool listens_much(const struct agent *a)
{
	enum { MANY = 6 };
	unsigned count = 0;
	for (unsigned i = 0; i < agents.exchange_count; i++) {
		const struct exchange *const x = &agents.exchanges[i];
		count += x->kind == LISTENS && &agents.all[x->agent] == a && !x->done;
	}
	return count >= MANY;
}

static bool status_may_be(const struct exchange *x, unsigned status)
{
	const struct agent *const a = agent_of(x);
	const bool dying = a->ending || a->ended || a->doubtful || (world.options.session_idle != 0 && world.now - a->attended >= world.options.session_idle);
	const bool sure = a->ended && !a->doubtful && !agents.ends[x->line].slow && world.now != a->ended_at;
	const bool full = may_be_full();
	if (world.phase == PHASE_END || world.stopped)
		return true;
	if (x->status != 0)
		return status == x->status || (dying && status == 404);
	if (a->modern)
		return x->kind == NOTES ? status == 202 : status == 200 || status == 400 || status == 404 || (status == 503 && full);
	if (x->kind == GREETS)
		return status == 200 || (status == 503 && full);
	if ((dying && status == 404) || (status == 405 && x->resumes && !is_unanswered(x)) || (status == 409 && x->kind == LISTENS && listens_much(a)))
		return true;
	if (status == 503 && x->kind != ENDS)
		return a->sent > QUEUE_MOST;
	return !sure && status == (x->kind == NOTES ? 202 : x->kind == ENDS ? 204 : 200);
}

void message_status(const struct exchange *x, unsigned status)
{
	struct agent *const a = agent_of(x);
	if (!status_may_be(x, status))
		wrong("status", "line %u: %u for a request of kind %d, agent %u", x->line, status, x->kind, x->agent);
	if (x->kind == STRANGE)
		return;
	if (x->kind == GREETS && status != 200)
		a->greets = false;
	if (!a->modern && (status == 204 || status == 404) && !a->ended) {
		a->ended = true;
		a->ended_at = world.now;
	}
	if (!a->modern && status < 300 && x->kind != ENDS)
		a->attended = world.now;
	for (unsigned i = 1; x->kind == NOTES && status == 202 && x->first != 0 && !agents.ends[x->line].slow && i < world.asked_count; i++) {
		struct asked *const same = &world.asked[i];
		if (agents.origins[i].agent == x->agent && strcmp(same->id, world.asked[x->first].id) == 0) /* they are, if they were there before */
			same->cancelled = same->cancelled || (same->handed && same->handed_at != world.now && same->since < x->since);
	}
	for (unsigned i = 0; status >= 400 && !a->modern && i < x->count; i++)
		world.asked[x->first + i].unsure = true;
	for (unsigned i = 0; (status == 503 || status == 413) && i < x->count; i++)
		world.asked[x->first + i].unsure = true;
}
