/* SPDX-License-Identifier: MIT */
#include "world.h"

#include "cut.h"

#include <stdio.h>
#include <string.h>

enum { LONG = 50000 };

static char text[400000];

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
	if (world.protocol == MCP)
		return of_mcp[choice % (sizeof of_mcp / sizeof of_mcp[0])];
	if (world.protocol == ACP)
		return of_acp[choice % (sizeof of_acp / sizeof of_acp[0])];
	return of_others[choice % (sizeof of_others / sizeof of_others[0])];
}

static bool is_asked_again(unsigned i)
{
	unsigned k = i + 1;
	while (k < world.asked_count && !(world.asked[k].client == world.asked[i].client && strcmp(world.asked[k].id, world.asked[i].id) == 0))
		k++;
	return k < world.asked_count;
}

/* The id of a request of that client that was answered; NULL: there is none. */
static const char *answered_id(unsigned client)
{
	for (unsigned i = 1; i < world.asked_count; i++) {
		const struct asked *const a = &world.asked[i];
		if (a->client == client && a->answers == 1 && !a->unsure && !is_asked_again(i))
			return a->id;
	}
	return NULL;
}

/* An id that it has not used, or one whose request was answered. */
static void choose_id(struct client_end *c, struct asked *a, uint8_t choice)
{
	const char *const before = choice % 8 == 7 ? answered_id(a->client) : NULL;
	if (before != NULL)
		memcpy(a->id, before, TEXT);
	else
		snprintf(a->id, TEXT, choice % 2 == 0 ? "%u" : "\"c%u\"", ++c->next);
}

static void note_choice(struct client_end *c, const char *method, unsigned device, unsigned k)
{
	if (strcmp(method, "resources/subscribe") == 0)
		c->uris |= 1u << (device * URIS + k);
	if (strcmp(method, "session/load") == 0 || strcmp(method, "session/prompt") == 0)
		c->sessions |= 1u << k;
	if (strcmp(method, "initialize") == 0)
		c->can |= k;
}

/* MCP: with a session begun anew what is live ends in silence. In a batch it is refused. */
static void begin_session(struct client_end *c, unsigned who, bool batched)
{
	if (world.protocol != MCP || batched)
		return;
	c->has_greeted = true;
	for (unsigned i = 1; i < world.asked_count; i++) {
		struct asked *const a = &world.asked[i];
		if (a->client == who)
			a->maybe = a->cancelled = true;
	}
}

/* Most clients of MCP's legacy era begin with it. */
static bool must_greet(const struct client_end *c, bool modern, uint8_t choice)
{
	return world.protocol == MCP && !modern && !c->has_greeted && choice % 8 != 7;
}

/* Those of the bits. */
static const char *capabilities(unsigned can)
{
	static char caps[120];
	int n = 0;
	for (unsigned i = 0; i < QUESTIONS; i++)
		n += snprintf(caps + n, sizeof caps - (size_t)n, "%s\"%s\":%s", i > 0 ? "," : "", questions[i].capability, can >> i & 1 ? "{}" : "null");
	return caps;
}

/* `_meta` of a request, with what a client of 2026-07-28 may say in it. */
static const char *meta(const struct asked *a, bool modern, unsigned which)
{
	static const char *const related[] = { "", "", ",\"quash/related\":true", ",\"quash/related\":{}" };
	static char members[400];
	snprintf(members, sizeof members, "\"x\":0%s%s%s%s%s", a->token[0] != '\0' ? ",\"progressToken\":" : "", a->token,
		modern ? ",\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}" : "",
		which / 32 % 2 == 1 ? ",\"io.modelcontextprotocol/logLevel\":\"info\"" : "", related[which / 64 % 4]);
	return members;
}

/* Appends a request to the text; returns its new length. */
static int put_request(unsigned who, int at)
{
	struct client_end *const c = &world.clients[who];
	const unsigned mark = world.asked_count++;
	struct asked *const a = &world.asked[mark];
	const uint8_t choice = take(&world.script), which = take(&world.script), more = take(&world.script);
	const bool modern = choice / 16 % 8 == 7;
	const char *const pad = more % 16 == 15 ? padding() : "";
	const char *const method = must_greet(c, modern, which) ? "initialize" : method_for(choice);
	if (strcmp(method, "initialize") == 0)
		begin_session(c, who, at > 0);
	const unsigned device = which % (world.device_count > 1 ? 2 : 1), k = which / 2 % URIS;
	*a = (struct asked){ .client = who, .unsure = strlen(pad) > LONG, .since = world.now };
	snprintf(a->method, TEXT, "%s", method);
	choose_id(c, a, more);
	if (more / 16 % 4 != 0)
		snprintf(a->token, TEXT, more / 16 % 4 == 1 ? "%u" : "\"t%u\"", more / 64u);
	note_choice(c, method, device, k);
	c->modern = c->modern || modern;
	const char *const scheme = world.device_count == 1 ? "" : device == 0 ? "one+" : "two+";
	const int n = snprintf(text + at, sizeof text - (size_t)at, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":{\"mark\":%u,"
		"\"protocolVersion\":\"2025-11-25\",\"name\":\"%s\",\"uri\":\"%sr:%u\",\"level\":\"%s\",\"sessionId\":\"s%u\",\"ref\":{\"type\":\"ref/prompt\",\"name\":\"%s\"}%s%s"
		",\"capabilities\":{%s},\"_meta\":{%s},\"pad\":\"%s\"}}", a->id, method, mark, names[which % 8], scheme, k,
		which % 2 == 0 ? "debug" : "error", k, names[which % 8], a->token[0] != '\0' ? ",\"workDoneToken\":" : "", a->token,
		capabilities(k), meta(a, modern, which), pad);
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
	struct asked *const a = choose_asked(who);
	if (a == NULL)
		return at;
	for (unsigned i = 1; i < world.asked_count; i++) {
		struct asked *const same = &world.asked[i];
		if (same->client != who || strcmp(same->id, a->id) != 0)
			continue;
		same->maybe = true;
		same->cancelled = same->cancelled || !batched;
	}
	return at + snprintf(text + at, sizeof text - (size_t)at, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"%s\":%s}}", cancels[world.protocol].method,
		cancels[world.protocol].id, a->id);
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
	const bool served = world.protocol == JSONRPC;
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
