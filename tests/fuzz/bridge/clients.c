/* SPDX-License-Identifier: MIT */
#include "world.h"

#include "bridge_stranger.h"

#include <stdio.h>
#include <string.h>

enum { GRACE_SLACK = 400 };

bool client_is_there(unsigned who)
{
	const struct client_end *const c = &world.clients[who];
	return c->line.used && c->line.open && !c->leaves;
}

bool asked_is_wanted(const struct asked *asked)
{
	return client_is_there(asked->client);
}

bool asked_may_end(const struct asked *asked)
{
	return !client_is_there(asked->client);
}

/* --- Coming and going */

void client_connects(void)
{
	const uint8_t choice = take(&world.script);
	if (!world.listens || world.client_count == CLIENTS)
		return;
	const unsigned who = world.client_count++;
	struct client_end *const c = &world.clients[who];
	c->waits = c->line.used = c->line.socket = true;
	c->line.owner = who;
	c->line.comes = client_gets;
	c->line.way = world.options.listens_tcp && choice % 2 == 1 ? BRIDGE_TCP : BRIDGE_LOCAL;
	if (c->line.way == BRIDGE_LOCAL)
		return;
	const char *const token = choice % 8 == 7 ? "wrong\n" : "token\n";
	c->mute = world.options.token != NULL && choice % 8 == 5;
	queue_put(&c->line.in, token, c->mute ? choice / 8 % 6u : 6u);
	c->muddied = c->mute || choice % 8 == 7;
}

void client_goes(unsigned who)
{
	struct client_end *const c = &world.clients[who];
	const uint8_t choice = take(&world.script);
	if (!c->line.used || (!world.listens && choice < 200))
		return;
	if (choice % 4 == 3)
		c->line.ended = true;
	else
		c->line.closed = true;
	if (choice % 4 == 2)
		c->line.in.from = c->line.in.to;
	show("%6u client %u goes%s\n", (unsigned)world.now, who, c->line.closed ? "" : ", half");
	c->since = c->leaves ? c->since : world.now;
	c->leaves = true;
}

_Noreturn void client_is_refused(unsigned who)
{
	wrong("door", "client %u is not let in, and there is a place", who);
}

/* A message that a device has taken half of must go to its end, and holds its client's request until then. */
static uint32_t since_free(uint32_t since)
{
	static uint32_t stalled;
	for (unsigned i = 0; i < world.device_count; i++)
		stalled = world.devices[i].line.stalls ? world.now : stalled;
	return (int32_t)(stalled - since) > 0 && (int32_t)(world.now - stalled) >= 0 ? stalled : since;
}

static void check_mute(unsigned who)
{
	const struct client_end *const c = &world.clients[who];
	if (c->mute && c->line.open && world.now - c->since > STRANGER_MS + GRACE_SLACK)
		wrong("stranger", "client %u has shown no token for %u ms", who, (unsigned)(world.now - c->since));
}

static void check_unread(unsigned who)
{
	const struct line *const line = &world.clients[who].line;
	const uint32_t most = QUEUE_MS + world.options.grace + GRACE_SLACK;
	if (line->open && line->refuses && world.phase != PHASE_END && world.now - since_free(line->refuses_since) > most)
		wrong("unread", "client %u has taken nothing for %u ms", who, (unsigned)(world.now - line->refuses_since));
}

void clients_check_gone(void)
{
	for (unsigned i = 0; i < world.client_count; i++) {
		check_mute(i);
		check_unread(i);
	}
	for (unsigned i = 0; i < world.client_count; i++) {
		const struct client_end *const c = &world.clients[i];
		if (c->line.open && c->leaves && world.listens && world.now - since_free(c->since) > world.options.grace + GRACE_SLACK)
			wrong("gone", "client %u is kept for %u ms", i, (unsigned)(world.now - c->since));
	}
}

/* --- What they get */

/* A batch may be refused as a whole. */
static void get_refusal(unsigned who)
{
	for (unsigned i = 1; i < world.asked_count; i++)
		world.asked[i].unsure = world.asked[i].unsure || (world.asked[i].batched && world.asked[i].client == who);
}

/* What a device announces to the bridge is the bridge's. */
static void check_capabilities(unsigned who, const json_t *experimental)
{
	if (world.protocol == MCP &&
		(json_object_get(experimental, "quash/longest") != NULL || json_object_get(experimental, "quash/lifeSign") != NULL))
		wrong("hop", "client %u gets what is announced to the bridge", who);
}

static void check_answer(unsigned who, const json_t *message)
{
	char id[TEXT];
	const json_t *const result = json_object_get(message, "result"), *const error = json_object_get(message, "error");
	const json_t *const has = json_object_get(message, "id");
	unsigned i = world.asked_count - 1;
	if ((result != NULL) == (error != NULL) || (error != NULL && !json_is_integer(json_object_get(error, "code"))))
		wrong("answer", "client %u: neither result nor error", who);
	if ((has == NULL || json_is_null(has)) && error != NULL) {
		get_refusal(who);
		return;
	}
	const bool known = json_short(has, id);
	while (i > 0 && !(known && world.asked[i].client == who && strcmp(world.asked[i].id, id) == 0))
		i--;
	if (i == 0 && world.clients[who].muddied)
		return;
	if (i == 0)
		wrong("answer", "client %u gets an answer for %s, which it has not asked", who, id);
	struct asked *const a = &world.asked[i];
	const unsigned mark = mark_of(result != NULL ? result : json_object_get(error, "data"));
	if (mark != 0 && mark != i && !world.clients[who].muddied)
		wrong("answer", "client %u: %s gets what was the answer to %s of client %u", who, id, world.asked[mark % ASKED].id,
			world.asked[mark % ASKED].client);
	if (++a->answers > 1 && !world.clients[who].muddied)
		wrong("answer", "client %u: %s is answered twice", who, id);
	world.clients[who].opened = world.clients[who].opened || (strcmp(a->method, "initialize") == 0 && result != NULL);
	if (strcmp(a->method, "initialize") == 0 || strcmp(a->method, "server/discover") == 0)
		check_capabilities(who, json_object_get(json_object_get(result, "capabilities"), "experimental"));
	const char *const session = json_string_value(json_object_get(result, "sessionId"));
	if (session != NULL && session[0] == 's' && strlen(session) == 2)
		world.clients[who].sessions |= 1u << (session[1] - '0');
}

static const struct asked *marked(const json_t *params)
{
	const unsigned mark = mark_of(params);
	return mark > 0 && mark < world.asked_count ? &world.asked[mark] : NULL;
}

static void check_progress(unsigned who, const json_t *params)
{
	char token[TEXT] = "";
	const struct asked *const a = marked(params);
	const json_t *const has = json_object_get(params, "progressToken");
	(void)json_short(has != NULL ? has : json_object_get(params, "token"), token);
	if (a == NULL)
		return;
	if (a->client != who)
		wrong("progress", "client %u gets that of client %u", who, a->client);
	if (strcmp(a->token, token) != 0)
		wrong("progress", "client %u: token %s, not %s", who, token, a->token);
	if (a->answers > 0)
		wrong("progress", "client %u: behind the answer to %s", who, a->id);
}

/* True if the notification is one of a subscription. */
static bool check_subscription(unsigned who, const json_t *params)
{
	char id[TEXT] = "";
	const struct asked *const a = marked(params);
	const json_t *const meta = json_object_get(params, "_meta");
	const json_t *const has = json_object_get(meta, "io.modelcontextprotocol/subscriptionId");
	if (has == NULL)
		return false;
	(void)json_short(has, id);
	if (a != NULL && (a->client != who || strcmp(a->id, id) != 0))
		wrong("subscription", "client %u gets %s, which is %s of client %u", who, id, a->id, a->client);
	return true;
}

/* --- Whose request it names: `cause` is the mark of that request, 0: it names none of a client */

static bool names_request(const json_t *params)
{
	return json_object_get(params, "cause") != NULL;
}

static void check_cause(unsigned who, const char *method, const json_t *params)
{
	const json_int_t cause = json_integer_value(json_object_get(params, "cause"));
	const struct asked *const a = cause > 0 && cause < world.asked_count ? &world.asked[cause] : NULL;
	if (world.protocol != MCP)
		return;
	if (json_object_get(json_object_get(params, "_meta"), "quash/request") != NULL)
		wrong("cause", "client %u gets the name of a request in %s", who, method);
	if (!world.listens || !names_request(params))
		return;
	if (a == NULL && !world.clients[who].muddied)
		wrong("cause", "client %u gets %s, which names no request of a client", who, method);
	if (a != NULL && a->client != who)
		wrong("cause", "client %u gets %s, which names %s of client %u", who, method, a->id, a->client);
}

/* Of several clients the one that has made the request is asked, if it has announced that. */
static void check_question(unsigned who, const char *method, const json_t *params)
{
	unsigned i = 0;
	if (!world.listens || world.protocol != MCP || world.clients[who].muddied)
		return;
	while (i < QUESTIONS && strcmp(questions[i].method, method) != 0)
		i++;
	if (!names_request(params) || (i < QUESTIONS && (world.clients[who].can >> i & 1) == 0))
		wrong("asked", "client %u is asked %s", who, method);
}

static void check_note(unsigned who, const char *method, const json_t *params)
{
	const struct client_end *const c = &world.clients[who];
	const char *const uri = json_string_value(json_object_get(params, "uri"));
	const char *const session = json_string_value(json_object_get(params, "sessionId"));
	if ((world.protocol == MCP || world.protocol == LSP) && (strcmp(method, "notifications/progress") == 0 || strcmp(method, "$/progress") == 0))
		check_progress(who, params);
	if (!check_subscription(who, params) && world.protocol == MCP && strcmp(method, "notifications/resources/updated") == 0 && uri != NULL) {
		const char *const own = strstr(uri, "r:");
		const unsigned device = strncmp(uri, "two+", 4) == 0 ? 1 : 0;
		if (own == NULL || (c->uris >> (device * URIS + (unsigned)(own[2] - '0')) & 1) == 0)
			wrong("update", "client %u has no subscription for %s", who, uri);
	}
	if (world.listens && world.protocol == ACP && session != NULL && (c->sessions >> (session[1] - '0') & 1) == 0)
		wrong("session", "client %u gets what concerns %s", who, session);
	if (world.listens && world.protocol != LSP && session == NULL && strcmp(method, "x/note") == 0 && !names_request(params) && !check_subscription(who, params))
		wrong("note", "client %u gets %s, which names nobody", who, method);
}

/* A client of the legacy era gets nothing but answers, and what they report, before it has that to `initialize`. */
static void check_early(unsigned who, const char *method)
{
	const struct client_end *const c = &world.clients[who];
	const bool reports = strcmp(method, "notifications/progress") == 0 || strcmp(method, "notifications/cancelled") == 0;
	if (world.protocol == MCP && !reports && !c->opened && !c->modern && !c->muddied)
		wrong("early", "client %u gets %s before it has a session", who, method);
}

static void keep_wanted(struct client_end *c, const json_t *id, const json_t *params)
{
	if (c->want_count == WANTS || !json_short(id, c->wants[c->want_count]))
		return;
	c->marks[c->want_count++] = mark_of(params);
}

void client_gets(unsigned who, const json_t *message)
{
	struct client_end *const c = &world.clients[who];
	const char *const method = json_string_value(json_object_get(message, "method"));
	const json_t *const id = json_object_get(message, "id"), *const params = json_object_get(message, "params");
	if (method != NULL) {
		check_cause(who, method, params);
		check_early(who, method);
	}
	if (method == NULL) {
		check_answer(who, message);
	} else if (id != NULL) {
		check_question(who, method, params);
		keep_wanted(c, id, params);
	} else if (!c->muddied) {
		check_note(who, method, params);
	}
}

unsigned client_without_answer(void)
{
	for (unsigned i = 1; i < world.asked_count; i++) {
		const struct asked *const a = &world.asked[i];
		const struct client_end *const c = &world.clients[a->client];
		const bool silent = a->maybe && world.protocol == MCP;
		if (a->answers == 0 && !a->unsure && !silent && client_is_there(a->client) && !c->muddied && !c->line.stalls)
			return i;
	}
	return 0;
}

void clients_check_answered(void)
{
	const struct asked *const a = &world.asked[client_without_answer()];
	if (a != &world.asked[0])
		wrong("answer", "client %u: %s (%s) has none", a->client, a->id, a->method);
}

void clients_check(void)
{
	clients_check_gone();
}

void clients_begin(void)
{
	world.asked_count = 1;
	if (world.listens)
		return;
	world.client_count = 1;
	system_open(&world.clients[0].line, bridge_terminal(world.bridge));
	world.clients[0].line.used = true;
	world.clients[0].line.comes = client_gets;
}

void clients_end(void)
{
}
