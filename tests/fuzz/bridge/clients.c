/* SPDX-License-Identifier: MIT */
#include "world.h"

#include <stdio.h>
#include <string.h>

enum { GRACE_SLACK = 400, URIS = 8, WANTS = 8, LONG = 50000 };

static char text[400000];

bool client_is_there(unsigned who)
{
	const struct client_end *const c = &world.clients[who];
	return c->line.used && c->line.open && !c->leaves;
}

/* --- What they ask. Each protocol's own methods, those of the bridge, and one that nobody knows. */

static const char *const of_mcp[] = { "tools/call", "initialize", "tools/list", "prompts/get", "resources/read",
	"resources/subscribe", "logging/setLevel", "subscriptions/listen", "server/discover", "completion/complete", "x/unknown",
	"prompts/list", "resources/unsubscribe", "ping", "tools/call", "tools/call" };
static const char *const of_acp[] = { "session/prompt", "initialize", "session/new", "session/load", "session/prompt", "x/unknown" };
static const char *const of_others[] = { "textDocument/hover", "initialize", "shutdown", "x/unknown", "x/other", "textDocument/rename" };
static const char *const names[] = { "a", "one_a", "two_b", "devices", "b", "three_zzz", "one_b", "two_a" };

/* What is too long to be handed on counts as raw. */
static void transmit(unsigned who, int n)
{
	struct client_end *const c = &world.clients[who];
	c->muddied = c->muddied || n >= CUT_MOST;
	line_send(&c->line, text, (size_t)n);
}

static const char *method_for(uint8_t choice)
{
	const struct protocol *const p = bridge.options.protocol;
	if (p == &protocol_mcp)
		return of_mcp[choice % (sizeof of_mcp / sizeof of_mcp[0])];
	if (p == &protocol_acp)
		return of_acp[choice % (sizeof of_acp / sizeof of_acp[0])];
	return of_others[choice % (sizeof of_others / sizeof of_others[0])];
}

/* An id that it has not used, or one whose request was answered. */
static void choose_id(struct client_end *c, struct asked *a, uint8_t choice)
{
	for (unsigned i = 1; choice % 8 == 7 && i < world.asked_count; i++) {
		const struct asked *const before = &world.asked[i];
		if (before->client == a->client && before->answers == 1 && !before->unsure) {
			memcpy(a->id, before->id, TEXT);
			for (unsigned k = i + 1; k < world.asked_count; k++) {
				if (world.asked[k].client == a->client && strcmp(world.asked[k].id, a->id) == 0)
					goto fresh;
			}
			return;
		}
	}
fresh:
	snprintf(a->id, TEXT, choice % 2 == 0 ? "%u" : "\"c%u\"", ++c->next);
}

static void note_choice(struct client_end *c, const char *method, unsigned device, unsigned k)
{
	if (strcmp(method, "resources/subscribe") == 0)
		c->uris |= 1u << (device * URIS + k);
	if (strcmp(method, "session/load") == 0)
		c->sessions |= 1u << k;
}

/* Appends a request to the text; returns its new length. */
static int put_request(unsigned who, int at)
{
	struct client_end *const c = &world.clients[who];
	const unsigned mark = world.asked_count++;
	struct asked *const a = &world.asked[mark];
	const uint8_t choice = take(&world.script), which = take(&world.script), more = take(&world.script);
	const char *const pad = more % 16 == 15 ? padding() : "", *const method = method_for(choice);
	const unsigned device = which % (world.device_count > 1 ? 2 : 1), k = which / 2 % URIS;
	*a = (struct asked){ .client = who, .unsure = strlen(pad) > LONG };
	snprintf(a->method, TEXT, "%s", method);
	choose_id(c, a, more);
	if (more / 16 % 4 != 0)
		snprintf(a->token, TEXT, more / 16 % 4 == 1 ? "%u" : "\"t%u\"", more / 64u);
	note_choice(c, method, device, k);
	const bool modern = choice / 16 % 8 == 7;
	const char *const scheme = world.device_count == 1 ? "" : device == 0 ? "one+" : "two+";
	const int n = snprintf(text + at, sizeof text - (size_t)at, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":{\"mark\":%u,"
		"\"name\":\"%s\",\"uri\":\"%sr:%u\",\"level\":\"%s\",\"sessionId\":\"s%u\",\"ref\":{\"type\":\"ref/prompt\",\"name\":\"%s\"}%s%s%s%s%s%s%s"
		",\"pad\":\"%s\"}}", a->id, method, mark, names[which % 8], scheme, k, which % 2 == 0 ? "debug" : "error", k, names[which % 8],
		a->token[0] != '\0' ? ",\"workDoneToken\":" : "", a->token, ",\"_meta\":{",
		a->token[0] != '\0' ? "\"progressToken\":" : "", a->token, a->token[0] != '\0' && modern ? "," : "",
		modern ? "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}" : "}", pad);
	return at + n;
}

void client_asks(unsigned who)
{
	if (world.asked_count > ASKED)
		return;
	const int n = put_request(who, 0);
	transmit(who, n);
}

/* --- What else they transmit */

/* One of its requests, lately made rather than not; NULL if it has none. */
static struct asked *choose_asked(unsigned who)
{
	unsigned back = take(&world.script) % 4u;
	struct asked *found = NULL;
	for (unsigned i = world.asked_count; i-- > 1;) {
		if (world.asked[i].client != who)
			continue;
		found = &world.asked[i];
		if (back-- == 0)
			break;
	}
	return found;
}

static int put_cancel(unsigned who, int at, bool batched)
{
	const struct protocol *const p = bridge.options.protocol;
	struct asked *const a = choose_asked(who);
	if (a == NULL)
		return at;
	const char *const method = p == &protocol_mcp ? "notifications/cancelled" : p == &protocol_lsp ? "$/cancelRequest" : "$/cancel_request";
	for (unsigned i = 1; i < world.asked_count; i++) {
		struct asked *const same = &world.asked[i];
		if (same->client != who || strcmp(same->id, a->id) != 0)
			continue;
		same->maybe = true;
		same->cancelled = same->cancelled || !batched;
	}
	return at + snprintf(text + at, sizeof text - (size_t)at, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"%s\":%s}}", method,
		p == &protocol_lsp ? "id" : "requestId", a->id);
}

void client_cancels(unsigned who)
{
	const int n = put_cancel(who, 0, false);
	if (n > 0)
		transmit(who, n);
}

void client_answers(unsigned who)
{
	struct client_end *const c = &world.clients[who];
	const uint8_t choice = take(&world.script);
	if (c->want_count == 0)
		return;
	const unsigned i = choice % c->want_count;
	const int n = snprintf(text, sizeof text, choice / 16 % 2 == 0 ? "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"mark\":%u}}" :
		"{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-1,\"message\":\"no\",\"data\":{\"mark\":%u}}}", c->wants[i], c->marks[i]);
	if (choice < 224) { /* else it answers again later */
		c->want_count--;
		memmove(c->wants[i], c->wants[c->want_count], TEXT);
		c->marks[i] = c->marks[c->want_count];
	}
	transmit(who, n);
}

/* `session/cancel` may cancel its prompts. */
static void give_up_prompts(unsigned who)
{
	for (unsigned i = 1; i < world.asked_count; i++) {
		struct asked *const a = &world.asked[i];
		if (a->client == who && strcmp(a->method, "session/prompt") == 0)
			a->maybe = true;
	}
}

void client_notes(unsigned who)
{
	static const char *const notes[] = { "notifications/initialized", "x/note", "session/cancel", "notifications/roots/list_changed",
		"notifications/progress", "x/unknown", "$/setTrace", "notifications/elicitation/complete" };
	const uint8_t choice = take(&world.script);
	const char *const method = notes[choice % 8];
	if (strcmp(method, "session/cancel") == 0)
		give_up_prompts(who);
	const int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"sessionId\":\"s%u\",\"progressToken\":%u,"
		"\"progress\":1,\"pad\":\"%s\"}}", method, choice / 8u % URIS, choice / 8u, choice > 250 ? padding() : "");
	transmit(who, n);
}

void client_batches(unsigned who)
{
	const bool served = bridge.options.protocol == &protocol_jsonrpc;
	const unsigned first = world.asked_count;
	int n = snprintf(text, sizeof text, "[");
	for (unsigned count = take(&world.script) % 4u + 1; count > 0 && world.asked_count <= ASKED; count--) {
		if (n > 1)
			text[n++] = ',';
		const int before = n;
		n = take(&world.script) % 4 == 3 ? put_cancel(who, n, true) : put_request(who, n);
		if (n == before)
			n += snprintf(text + n, sizeof text - (size_t)n, "1");
	}
	text[n++] = ']';
	for (unsigned i = first; i < world.asked_count; i++) {
		world.asked[i].unsure = world.asked[i].unsure || !served || n > LONG;
		world.asked[i].batched = true;
	}
	transmit(who, n);
}

void client_raw(unsigned who)
{
	struct client_end *const c = &world.clients[who];
	size_t n;
	const unsigned most = take(&world.script) % 64u;
	const uint8_t *const bytes = take_run(&world.script, most, &n);
	if (c->line.ended || c->line.closed)
		return;
	c->muddied = true;
	queue_put(&c->line.in, bytes, n);
	if (n % 4 != 3)
		queue_put(&c->line.in, "\n", 1);
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
	c->line.comes = client_comes;
	c->tcp = bridge.options.listens_tcp && choice % 2 == 1;
	if (!c->tcp)
		return;
	const char *const token = choice % 8 == 7 ? "wrong\n" : "token\n";
	queue_put(&c->line.in, token, 6);
	c->muddied = choice % 8 == 7;
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

unsigned client_at_door(bool tcp)
{
	unsigned who = 0;
	while (who < CLIENTS && !(world.clients[who].waits && world.clients[who].tcp == tcp))
		who++;
	if (who < CLIENTS)
		world.clients[who].since = world.now;
	return who;
}

void clients_check_gone(void)
{
	for (unsigned i = 0; i < world.client_count; i++) {
		const struct client_end *const c = &world.clients[i];
		if (c->line.open && c->leaves && world.listens && world.now - c->since > bridge.options.grace + GRACE_SLACK)
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

static void check_note(unsigned who, const char *method, const json_t *params)
{
	const struct client_end *const c = &world.clients[who];
	const char *const uri = json_string_value(json_object_get(params, "uri"));
	const char *const session = json_string_value(json_object_get(params, "sessionId"));
	const struct protocol *const p = bridge.options.protocol;
	if (p->progress != NULL && (strcmp(method, "notifications/progress") == 0 || strcmp(method, "$/progress") == 0))
		check_progress(who, params);
	if (!check_subscription(who, params) && p == &protocol_mcp && strcmp(method, "notifications/resources/updated") == 0 && uri != NULL) {
		const char *const own = strstr(uri, "r:");
		const unsigned device = strncmp(uri, "two+", 4) == 0 ? 1 : 0;
		if (own == NULL || (c->uris >> (device * URIS + (unsigned)(own[2] - '0')) & 1) == 0)
			wrong("update", "client %u has no subscription for %s", who, uri);
	}
	if (world.listens && p == &protocol_acp && session != NULL && (c->sessions >> (session[1] - '0') & 1) == 0)
		wrong("session", "client %u gets what concerns %s", who, session);
}

static void keep_wanted(struct client_end *c, const json_t *id, const json_t *params)
{
	if (c->want_count == WANTS || !json_short(id, c->wants[c->want_count]))
		return;
	c->marks[c->want_count++] = mark_of(params);
}

void client_comes(unsigned who, const json_t *message)
{
	struct client_end *const c = &world.clients[who];
	const char *const method = json_string_value(json_object_get(message, "method"));
	const json_t *const id = json_object_get(message, "id"), *const params = json_object_get(message, "params");
	if (method == NULL)
		check_answer(who, message);
	else if (id == NULL && !c->muddied)
		check_note(who, method, params);
	else if (id != NULL && world.listens && bridge.options.protocol == &protocol_mcp)
		wrong("asked", "client %u is asked %s", who, method);
	else if (id != NULL)
		keep_wanted(c, id, params);
}

unsigned client_without_answer(void)
{
	for (unsigned i = 1; i < world.asked_count; i++) {
		const struct asked *const a = &world.asked[i];
		const struct client_end *const c = &world.clients[a->client];
		const bool silent = a->maybe && bridge.options.protocol == &protocol_mcp;
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

void clients_begin(void)
{
	world.asked_count = 1;
	if (world.listens)
		return;
	world.client_count = 1;
	world.clients[0].line.used = true;
	world.clients[0].line.comes = client_comes;
}
