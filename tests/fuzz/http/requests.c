/* SPDX-License-Identifier: MIT */
#include "agents.h"

#include "bridge_http.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BATCH = 4, LONG = 10000 };

static char body[400000];
static char head[4000];
static size_t head_length, body_length;
static bool in_batch;

/* --- Texts */

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	body_length += (size_t)vsnprintf(body + body_length, sizeof body - body_length, format, list);
	va_end(list);
}

static void put_head(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put_head(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	head_length += (size_t)vsnprintf(head + head_length, sizeof head - head_length, format, list);
	va_end(list);
}

/* --- Transmitting: at once, or a first part of it */

static void add(unsigned who, const char *text, size_t n)
{
	struct http_end *const end = &agents.ends[who];
	if (end->rest.to > end->rest.from)
		queue_put(&end->rest, text, n);
	else
		queue_put(&world.clients[who].line.in, text, n);
}

/* In what the line transmits, with what comes later. */
static size_t end_of_requests(unsigned who)
{
	const struct http_end *const end = &agents.ends[who];
	return world.clients[who].line.in.to + end->rest.to - end->rest.from;
}

void request_flush(unsigned who)
{
	struct http_end *const end = &agents.ends[who];
	if (end->rest.to == end->rest.from || world.clients[who].leaves)
		return;
	queue_put(&world.clients[who].line.in, end->rest.bytes + end->rest.from, end->rest.to - end->rest.from);
	queue_clear(&end->rest);
	end->active = world.now;
}

/* From there on it comes later. */
static void hold_back(unsigned who, size_t from)
{
	struct line *const line = &world.clients[who].line;
	if (from >= line->in.to || from < line->in.from)
		return;
	queue_put(&agents.ends[who].rest, line->in.bytes + from, line->in.to - from);
	line->in.to = from;
	agents.ends[who].stuck = world.now;
}

static void add_chunks(unsigned who, uint8_t choice)
{
	char size[20];
	for (size_t at = 0; at < body_length;) {
		const size_t left = body_length - at, wished = 1u + choice * 7u, n = wished < left ? wished : left;
		add(who, size, (size_t)snprintf(size, sizeof size, "%zX\r\n", n));
		add(who, body + at, n);
		add(who, "\r\n", 2);
		at += n;
	}
	add(who, "0\r\n\r\n", 5);
}

/* A connection of that agent that is kept, or a new one; LINES: there is none. */
static unsigned choose_line(unsigned agent, unsigned most, uint8_t choice)
{
	for (unsigned i = agents.exchange_count; i-- > 0 && choice % 4 != 0;) {
		const struct exchange *const x = &agents.exchanges[i];
		const bool idle = exchange_of(x->line) == NULL;
		if (x->agent == agent && client_is_there(x->line) && !agents.ends[x->line].loose && !agents.ends[x->line].closes && !x->old && (idle || choice % 16 == 3))
			return x->line;
	}
	return line_connect(most, choice / 16);
}

/* How the request is transmitted, by a byte of the script. */
static struct exchange *transmit(enum exchange_kind kind, unsigned agent, const char *method, unsigned most)
{
	const uint8_t choice = take(&world.script), way = take(&world.script);
	const bool old = way % 16 == 5, chunked = way % 4 == 2;
	const unsigned who = agents.exchange_count < EXCHANGES ? choose_line(agent, most, choice) : LINES;
	if (who == LINES)
		return NULL;
	struct line *const line = &world.clients[who].line;
	const size_t from = line->in.to, begin = end_of_requests(who);
	line->piece = body_length < LONG ? line->piece : 0; /* else it takes too many turns */
	char first[100];
	const size_t n = (size_t)snprintf(first, sizeof first, "%s /mcp HTTP/1.%d\r\n", method, old ? 0 : 1);
	add(who, first, n);
	if (way % 32 == 7 || way % 32 == 8)
		put_head("%s", way % 32 == 7 ? "Connection: close\r\n" : "Origin: http://localhost:1\r\n");
	if (world.options.token != NULL)
		put_head("Authorization: Bearer %s\r\n", world.options.token);
	put_head("Host: 127.0.0.1:1\r\n");
	if (kind == LISTENS || kind == ENDS)
		put_head("\r\n");
	else if (chunked && !old)
		put_head("Transfer-Encoding: chunked\r\n\r\n");
	else
		put_head("Content-Length: %zu\r\n\r\n", body_length);
	add(who, head, head_length);
	if (kind != LISTENS && kind != ENDS && chunked && !old)
		add_chunks(who, way);
	else if (kind != LISTENS && kind != ENDS)
		add(who, body, body_length);
	if (way / 32 == 7 && agents.ends[who].rest.to == 0)
		hold_back(who, from + (line->in.to - from) * choice / 256);
	struct exchange *const x = &agents.exchanges[agents.exchange_count++];
	*x = (struct exchange){ .kind = kind, .line = who, .agent = agent, .begin = begin, .old = old, .stream = NO_STREAM, .since = world.now };
	if (kind != LISTENS && kind != ENDS && body_length > HTTP_BODY_MOST)
		x->status = 413;
	x->end = end_of_requests(who);
	agents.ends[who].active = world.now;
	agents.all[agent].sent += body_length;
	show("%6u %u > %s%s%.*s%s\n", (unsigned)world.now, who, first, head, (int)(body_length < 300 ? body_length : 300), body,
		exchange_is_whole(x) ? "" : " ...");
	return x;
}

static void begin(void)
{
	head_length = body_length = 0;
	head[0] = body[0] = '\0';
}

static void put_common(const struct agent *a)
{
	put_head("Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n");
	if (a->modern)
		put_head("MCP-Protocol-Version: 2026-07-28\r\n");
	else if (a->session[0] != '\0')
		put_head("Mcp-Session-Id: %s\r\nMCP-Protocol-Version: %s\r\n", a->session, a->version);
}

/* --- Requests of MCP */

static const char *const of_legacy[] = { "tools/call", "tools/call", "tools/call", "tools/list", "prompts/get", "resources/read", "resources/subscribe", "tools/call",
	"logging/setLevel", "x/unknown", "completion/complete", "ping", "tools/call", "resources/unsubscribe", "prompts/list", "tools/call" };
static const char *const of_modern[] = { "tools/call", "tools/call", "tools/call", "tools/list", "prompts/get", "resources/read", "subscriptions/listen", "tools/call",
	"server/discover", "x/unknown", "completion/complete", "ping", "tools/call", "subscriptions/listen", "prompts/list", "tools/call" };
static const char *const names[] = { "a", "one_a", "two_b", "devices", "b", "three_zzz", "one_b", "two_a" };

static bool is_answered_id(unsigned agent, const char *id)
{
	for (unsigned i = 1; i < world.asked_count; i++) {
		if (agents.origins[i].agent == agent && strcmp(world.asked[i].id, id) == 0 && (world.asked[i].answers == 0 || world.asked[i].unsure))
			return false;
	}
	return true;
}

/* Modern requests share nothing, so all may have the same id. Legacy ones may as well, but not in one batch: their answers would be told
 * apart by nothing. */
static void choose_id(unsigned agent, struct asked *asked, uint8_t choice)
{
	struct agent *const a = &agents.all[agent];
	snprintf(asked->id, TEXT, "%u", 1 + choice / 8u % 2u);
	if (choice % 8 < 6 || (in_batch && !is_answered_id(agent, asked->id)))
		snprintf(asked->id, TEXT, choice % 2 == 0 ? "%u" : "\"c%u\"", ++a->next + 2);
	if (a->modern && choice % 4 == 1)
		snprintf(asked->id, TEXT, "1");
}

static void put_meta(const struct agent *a, const struct asked *asked, uint8_t which)
{
	put(",\"_meta\":{\"x\":0%s%s", asked->token[0] != '\0' ? ",\"progressToken\":" : "", asked->token);
	if (a->modern)
		put(",\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}%s",
			which / 32 % 2 == 1 ? ",\"io.modelcontextprotocol/logLevel\":\"info\"" : "");
	put("}");
}

/* Appends one with the next mark to the body. */
static void put_call(unsigned agent)
{
	struct agent *const a = &agents.all[agent];
	const unsigned mark = world.asked_count++;
	struct asked *const asked = &world.asked[mark];
	const uint8_t choice = take(&world.script), which = take(&world.script), more = take(&world.script);
	const char *const pad = more % 16 == 15 ? padding() : "", *const method = (a->modern ? of_modern : of_legacy)[choice % 16];
	const unsigned device = which % (world.device_count > 1 ? 2 : 1), k = which / 2 % URIS;
	const char *const scheme = world.device_count == 1 ? "" : device == 0 ? "one+" : "two+", *const name = names[which % 8];
	*asked = (struct asked){ .since = world.now };
	agents.origins[mark] = (struct origin){ agent, agents.exchange_count, NO_STREAM, world.now };
	snprintf(asked->method, TEXT, "%s", method);
	choose_id(agent, asked, more);
	if (more / 16 % 4 != 0)
		snprintf(asked->token, TEXT, more / 16 % 4 == 1 ? "%u" : "\"t%u\"", more / 64u);
	if (strcmp(method, "resources/subscribe") == 0)
		a->uris |= 1u << (device * URIS + k);
	put("{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":{\"mark\":%u,\"name\":\"%s\",\"uri\":\"%sr:%u\",\"level\":\"%s\","
		"\"ref\":{\"type\":\"ref/prompt\",\"name\":\"%s\"}", asked->id, method, mark, name, scheme, k, which % 2 == 0 ? "debug" : "error", name);
	put_meta(a, asked, which);
	put(",\"pad\":\"%s\"}}", pad);
	if (a->modern) {
		put_head("Mcp-Method: %s\r\n", method);
		if (strcmp(method, "resources/read") == 0)
			put_head("Mcp-Name: %sr:%u\r\n", scheme, k);
		else
			put_head("Mcp-Name: %s\r\n", name);
	}
}

/* Those from that mark on have gone that way; NULL: they have not. */
static void note_asked(struct exchange *x, unsigned first)
{
	if (x == NULL) {
		world.asked_count = first;
		return;
	}
	x->first = first;
	x->count = world.asked_count - first;
	for (unsigned i = first; i < world.asked_count; i++) {
		world.asked[i].client = x->line;
		agents.origins[i].exchange = (unsigned)(x - agents.exchanges);
	}
}

static void greet(unsigned agent)
{
	struct agent *const a = &agents.all[agent];
	const unsigned first = world.asked_count++;
	struct asked *const asked = &world.asked[first];
	const char *comma = "";
	*asked = (struct asked){ .id = "0", .method = "initialize", .since = world.now };
	agents.origins[first] = (struct origin){ agent, agents.exchange_count, NO_STREAM, world.now };
	put_common(a);
	put("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\",\"clientInfo\":{\"name\":\"f\",\"version\":\"1\"},\"capabilities\":{",
		a->version);
	for (unsigned i = 0; i < QUESTIONS; i++) {
		if ((a->can >> i & 1) == 0)
			continue;
		put("%s\"%s\":{}", comma, questions[i].capability);
		comma = ",";
	}
	put("}}}");
	struct exchange *const x = transmit(GREETS, agent, "POST", SCRIPT_LINES);
	note_asked(x, first);
	a->greets = x != NULL;
}

void request_call(unsigned agent)
{
	struct agent *const a = &agents.all[agent];
	const unsigned first = world.asked_count;
	if (first > ASKED || a->greets || a->ended)
		return;
	begin();
	if (!a->modern && a->session[0] == '\0') {
		greet(agent);
		return;
	}
	put_common(a);
	put_call(agent);
	note_asked(transmit(CALLS, agent, "POST", SCRIPT_LINES), first);
}

/* --- Cancels */

/* One of its requests that is open, lately made rather than not; 0: it has none. */
static unsigned choose_asked(unsigned agent)
{
	unsigned back = take(&world.script) % 3u, found = 0;
	for (unsigned i = world.asked_count; i-- > 1;) {
		if (agents.origins[i].agent != agent || world.asked[i].answers > 0 || strcmp(world.asked[i].method, "initialize") == 0)
			continue;
		found = i;
		if (back-- == 0)
			break;
	}
	return found;
}

static void put_cancel(unsigned mark)
{
	const struct asked *const asked = &world.asked[mark];
	for (unsigned i = 1; i < world.asked_count; i++) {
		struct asked *const same = &world.asked[i];
		if (agents.origins[i].agent == agents.origins[mark].agent && strcmp(same->id, asked->id) == 0)
			same->maybe = true;
	}
	put("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%s}}", asked->id);
}

void request_cancel(unsigned agent)
{
	struct agent *const a = &agents.all[agent];
	const unsigned mark = choose_asked(agent);
	if (mark == 0 || a->ended)
		return;
	if (a->modern) {
		line_leave(world.asked[mark].client, false);
		return;
	}
	begin();
	put_common(a);
	put_cancel(mark);
	struct exchange *const x = transmit(NOTES, agent, "POST", SCRIPT_LINES);
	if (x != NULL)
		x->first = mark;
}

/* --- What else they transmit */

/* Several at once: only 2025-03-26 has that. */
void request_batch(unsigned agent)
{
	struct agent *const a = &agents.all[agent];
	const unsigned first = world.asked_count;
	if (!agent_is_live(a) || strcmp(a->version, "2025-03-26") != 0 || first + BATCH > ASKED)
		return;
	begin();
	put_common(a);
	in_batch = true;
	put("[");
	for (unsigned count = take(&world.script) % BATCH + 1; count > 0; count--) {
		const unsigned mark = take(&world.script) % 4 == 3 ? choose_asked(agent) : 0;
		if (mark != 0)
			put_cancel(mark);
		else
			put_call(agent);
		put("%s", count > 1 ? "," : "");
	}
	put("]");
	in_batch = false;
	note_asked(transmit(world.asked_count > first ? CALLS : NOTES, agent, "POST", SCRIPT_LINES), first);
}

void request_answer(unsigned agent)
{
	struct agent *const a = &agents.all[agent];
	const uint8_t choice = take(&world.script);
	if (a->want_count == 0 || !agent_is_live(a))
		return;
	const unsigned i = choice % a->want_count;
	begin();
	put_common(a);
	put(choice / 16 % 2 == 0 ? "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"mark\":%u}}" :
		"{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-1,\"message\":\"no\",\"data\":{\"mark\":%u}}}", a->wants[i], a->marks[i]);
	if (choice < 224) { /* else it answers again later */
		a->want_count--;
		memmove(a->wants[i], a->wants[a->want_count], TEXT);
		a->marks[i] = a->marks[a->want_count];
	}
	(void)transmit(NOTES, agent, "POST", SCRIPT_LINES);
}

/* A request of the legacy or the modern era that has a member twice, or an id that is none. */
static void request_twice(unsigned agent, unsigned which)
{
	static const char *const members[] = { "\"id\":1,\"id\":2,\"method\":\"tools/list\"", "\"id\":1,\"method\":\"ping\",\"m\\u0065thod\":\"tools/list\"", "\"id\":true,\"method\":\"tools/list\"",
		"\"method\":\"tools/list\",\"id\":1.0" };
	put("{\"jsonrpc\":\"2.0\",%s%s}", members[which % 4],
		agents.all[agent].modern ? ",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}" : "");
	struct exchange *const x = transmit(NOTES, agent, "POST", SCRIPT_LINES);
	if (x != NULL)
		x->status = 400;
}

void request_note(unsigned agent)
{
	static const char *const notes[] = { "notifications/initialized", "x/note", "notifications/roots/list_changed", "notifications/progress" };
	const struct agent *const a = &agents.all[agent];
	const uint8_t choice = take(&world.script);
	if (!a->modern && !agent_is_live(a))
		return;
	begin();
	put_common(a);
	if (choice % 32 == 31) {
		request_twice(agent, choice / 32);
		return;
	}
	put("{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"progressToken\":%u,\"progress\":1,\"pad\":\"%s\"%s}}", notes[choice % 4], choice, choice > 250 ? padding() : "",
		a->modern ? ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}" : "");
	(void)transmit(NOTES, agent, "POST", SCRIPT_LINES);
}

/* --- GET and DELETE */

void request_resume(unsigned agent, unsigned stream, unsigned after, unsigned most)
{
	begin();
	put_common(&agents.all[agent]);
	put_head("Last-Event-ID: %u-%u\r\n", stream, after);
	struct exchange *const x = transmit(LISTENS, agent, "GET", most);
	if (x == NULL)
		return;
	x->stream = (int)stream;
	x->resumes = true;
	x->after = after;
}

void request_listen(unsigned agent)
{
	const struct agent *const a = &agents.all[agent];
	const uint8_t choice = take(&world.script), place = take(&world.script);
	if (!agent_is_live(a))
		return;
	for (unsigned i = 0; i < STREAMS && choice % 4 != 0; i++) {
		const unsigned stream = (place + i) % STREAMS;
		if (!a->known[stream])
			continue;
		request_resume(agent, stream, choice % 8 == 1 && a->last[stream] > 0 ? choice / 8 % a->last[stream] : a->last[stream], SCRIPT_LINES);
		return;
	}
	begin();
	put_common(a);
	(void)transmit(LISTENS, agent, "GET", SCRIPT_LINES);
}

void request_end(unsigned agent, unsigned most)
{
	struct agent *const a = &agents.all[agent];
	if (!agent_is_live(a))
		return;
	begin();
	put_common(a);
	if (transmit(ENDS, agent, "DELETE", most) != NULL)
		a->ending = true;
}

/* --- What is wrong */

/* Each is no request of MCP, or has a head or body that is refused, with that status. */
static const struct {
	unsigned status;
	const char *text;
} strange[] = {
	{ 404, "POST /other HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}" },
	{ 405, "PUT /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}" },
	{ 405, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n" },
	{ 404, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: no\r\n\r\n" },
	{ 404, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: no\r\n\r\n" },
	{ 404, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: no\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}" },
	{ 400, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}" },
	{ 400, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n{\"}" },
	{ 400, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]" },
	{ 400, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n" },
	{ 400, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nContent-Length: 40\r\n\r\n"
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}" },
	{ 415, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}" },
	{ 406, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}" },
	{ 400, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 47\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"id\":2}" },
	{ 403, "GET /mcp HTTP/1.1\r\nHost: [evil.com]\r\n\r\n" },
	{ 403, "GET http://evil.com/mcp HTTP/1.1\r\nHost: localhost\r\n\r\n" },
	{ 415, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain; a=b, application/json\r\nContent-Length: 2\r\n\r\n{}" },
	{ 406, "POST /mcp/ HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream;q=0\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}" },
	{ 204, "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n" },
	{ 200, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" },
	{ 405, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}" },
	{ 200, "GET /calls HTTP/1.1\r\nHost: localhost\r\n\r\n" },
	{ 405, "GET /stop HTTP/1.1\r\nHost: localhost\r\n\r\n" },
	{ 200, "POST /stop HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}" },
};

void request_strange(void)
{
	const uint8_t choice = take(&world.script), way = take(&world.script);
	const unsigned which = choice % (sizeof strange / sizeof strange[0]);
	const unsigned who = world.options.token == NULL && agents.exchange_count < EXCHANGES && agents.count > 0 ? line_connect(SCRIPT_LINES, way / 16) : LINES;
	if (who == LINES)
		return;
	world.stops = world.stops || strncmp(strange[which].text, "POST /stop ", 11) == 0;
	add(who, strange[which].text, strlen(strange[which].text));
	struct exchange *const x = &agents.exchanges[agents.exchange_count++];
	*x = (struct exchange){ .kind = STRANGE, .line = who, .stream = NO_STREAM, .status = strange[which].status, .end = world.clients[who].line.in.to };
	show("%6u %u > %s\n", (unsigned)world.now, who, strange[which].text);
}

/* A request of the modern era of which some bytes are changed, without a mark. Anything may be the response, if it is one. */
void request_raw(void)
{
	static const char text[] = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\n"
		"Mcp-Method: tools/call\r\nMcp-Name: a\r\nContent-Length: 167\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"_meta\":"
		"{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"progressToken\":\"p\"}}}     ";
	const unsigned who = agents.exchange_count < EXCHANGES && agents.count > 0 ? line_connect(SCRIPT_LINES, take(&world.script)) : LINES;
	char changed[sizeof text];
	if (who == LINES)
		return;
	memcpy(changed, text, sizeof text);
	for (unsigned count = take(&world.script) % 4u; count > 0; count--) {
		const unsigned at = take_below(&world.script, sizeof text - 1);
		changed[at] = (char)take(&world.script);
	}
	agents.ends[who].loose = true;
	agents.exchanges[agents.exchange_count++] = (struct exchange){ .kind = RAW, .line = who, .stream = NO_STREAM };
	for (unsigned count = take(&world.script) % 3u; count < 3; count++)
		add(who, changed, sizeof text - 1 - (count == 2 ? take(&world.script) % 100u : 0));
	show("%6u %u > %s\n", (unsigned)world.now, who, changed);
}
