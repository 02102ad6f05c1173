/* SPDX-License-Identifier: MIT */
#include "world.h"

#include "cut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_IDS = 1000, OWN = 16, SESSIONS = 8, LEASE_MS = 300, LIMIT_MORE_MS = 2000, LIMIT_SLACK_MS = 300, EXTENSIONS = 20 };

const struct cancel cancels[] = { { "notifications/cancelled", "requestId" }, { "$/cancel_request", "requestId" }, { "$/cancelRequest", "id" }, { "$/cancel_request", "requestId" } };

const struct question questions[QUESTIONS] = { { "sampling/createMessage", "sampling" }, { "elicitation/create", "elicitation" }, { "roots/list", "roots" } };

/* Longest times, as announced. */
static const struct {
	const char *tool;
	uint32_t ms;
} limits[] = { { "a", 400 }, { "b", 1500 } };
static const char limits_text[] = "\"quash/longest\":{\"a\":400,\"\":5,\"c\":-1,\"d\":\"x\",\"b\":1500,\"e\":99999999999}";

static char text[300000];

static void answer_soundly(unsigned which, unsigned i);

static struct device_end *device_at(unsigned which)
{
	return &world.devices[which];
}

static void transmit(unsigned which, int n)
{
	line_send(&device_at(which)->line, text, (size_t)n);
}

/* --- What they get */

static void keep_id(struct device_end *d, unsigned which, const char *id, unsigned mark)
{
	for (size_t i = 0; i < d->id_count; i++) {
		if (strcmp(d->ids[i].id, id) == 0)
			wrong("id", "device %u has had the id %s before", which, id);
	}
	d->ids = realloc(d->ids, (d->id_count + 1) * sizeof *d->ids);
	if (d->ids == NULL)
		abort();
	memcpy(d->ids[d->id_count].id, id, TEXT);
	d->ids[d->id_count++].mark = mark;
}

/* ACP's `initialize` is made anew with each connection. */
static unsigned check_mark(unsigned which, const char *method, const json_t *params)
{
	const unsigned mark = mark_of(params);
	if (strcmp(method, "initialize") == 0 || mark == 0 || mark >= world.asked_count)
		return 0;
	if (world.asked[mark].handed && !world.clients[world.asked[mark].client].muddied)
		wrong("request", "device %u: %s comes twice", which, world.asked[mark].id);
	world.asked[mark].handed = true;
	world.asked[mark].handed_at = world.now;
	return mark;
}

static bool every_host_asks(const char *method)
{
	return strcmp(method, "initialize") == 0 || strstr(method, "/list") != NULL || strcmp(method, "ping") == 0 ||
		strcmp(method, "logging/setLevel") == 0 || strcmp(method, "server/discover") == 0;
}

static uint32_t limit_for(const char *method, const json_t *params)
{
	const char *const tool = json_string_value(json_object_get(params, "name"));
	unsigned i = 0;
	if (!world.limits || world.protocol != MCP || tool == NULL || strcmp(method, "tools/call") != 0)
		return 0;
	while (i < sizeof limits / sizeof limits[0] && strcmp(limits[i].tool, tool) != 0)
		i++;
	return i < sizeof limits / sizeof limits[0] ? limits[i].ms + (world.leases ? LEASE_MS : LIMIT_MORE_MS) : 0;
}

/* The bridge of several clients asks to have requests named, and nobody else does. */
static void check_related(unsigned which, const char *method, unsigned mark, const json_t *params)
{
	const json_t *const meta = json_object_get(params, "_meta");
	const json_t *const experimental = json_object_get(json_object_get(params, "capabilities"), "experimental");
	const bool greets = strcmp(method, "initialize") == 0;
	const json_t *const related = json_object_get(greets ? experimental : meta, "quash/related");
	const bool modern = json_object_get(meta, "io.modelcontextprotocol/protocolVersion") != NULL;
	if (world.protocol != MCP || (mark == 0 && !greets) || world.clients[world.asked[mark].client].muddied)
		return;
	if ((related != NULL) != (world.listens && (greets || modern)) || (related != NULL && !greets && !json_is_true(related)))
		wrong("related", "device %u: %s", which, method);
}

static void keep_request(unsigned which, const char *method, const json_t *id, const json_t *params)
{
	struct device_end *const d = device_at(which);
	if (d->seen_count == SEEN)
		return;
	struct seen *const s = &d->seen[d->seen_count];
	const json_t *const token = world.protocol == LSP ? json_object_get(params, "workDoneToken") :
		json_object_get(json_object_get(params, "_meta"), "progressToken");
	*s = (struct seen){ .limit = limit_for(method, params), .since = world.now };
	if (!json_short(id, s->id))
		wrong("id", "device %u gets a long one", which);
	s->mark = check_mark(which, method, params);
	keep_id(d, which, s->id, s->mark);
	check_related(which, method, s->mark, params);
	if (!json_short(token, s->token))
		s->token[0] = '\0';
	snprintf(s->method, TEXT, "%s", method);
	d->seen_count++;
	if (d->sound || (d->obliging && every_host_asks(method)))
		answer_soundly(which, d->seen_count - 1);
}

static bool may_cancel(const struct seen *s)
{
	const struct asked *const a = &world.asked[s->mark];
	return s->mark == 0 || a->maybe || (s->limit != 0 && world.now - a->since >= s->limit) || world.times || world.stops || world.phase == PHASE_END || asked_may_end(a) ||
		world.clients[a->client].muddied || world.clients[a->client].line.refuses;
}

static void get_cancel(unsigned which, const json_t *id)
{
	struct device_end *const d = device_at(which);
	char text_of_id[TEXT];
	unsigned i = 0;
	if (!json_short(id, text_of_id))
		return;
	while (i < d->seen_count && strcmp(d->seen[i].id, text_of_id) != 0)
		i++;
	if (i == d->seen_count)
		return; /* it was answered */
	if (d->seen[i].cancelled)
		wrong("cancel", "device %u: %s is cancelled twice", which, text_of_id);
	if (!may_cancel(&d->seen[i]))
		wrong("cancel", "device %u: %s is cancelled, and nobody has", which, text_of_id);
	d->seen[i].cancelled = true;
}

static void get_answer(unsigned which, const json_t *message)
{
	struct device_end *const d = device_at(which);
	const json_t *const id = json_object_get(message, "id"), *const result = json_object_get(message, "result");
	const json_t *const error = json_object_get(message, "error");
	const unsigned i = (unsigned)(json_integer_value(id) - OWN_IDS);
	const unsigned mark = mark_of(result != NULL ? result : json_object_get(error, "data"));
	if ((result == NULL) == (error == NULL))
		wrong("answer", "device %u: neither result nor error", which);
	if (id == NULL || json_is_null(id) || d->muddied)
		return;
	if (!json_is_integer(id) || i >= d->own_count)
		wrong("answer", "device %u gets an answer that it has not asked for", which);
	if (++d->own[i].answers > 1)
		wrong("answer", "device %u: its %u is answered twice", which, i + OWN_IDS);
	if (mark != 0 && mark != d->own[i].mark)
		wrong("answer", "device %u: its %u gets another's answer", which, i + OWN_IDS);
}

void device_comes(unsigned which, const json_t *message)
{
	const char *const method = json_string_value(json_object_get(message, "method"));
	const json_t *const id = json_object_get(message, "id"), *const params = json_object_get(message, "params");
	const char *const version = json_string_value(json_object_get(message, "jsonrpc"));
	if (version == NULL || strcmp(version, "2.0") != 0)
		wrong("json", "device %u gets what is no JSON-RPC", which);
	if (method == NULL)
		get_answer(which, message);
	else if (id != NULL)
		keep_request(which, method, id, params);
	else if (strcmp(method, cancels[world.protocol].method) == 0)
		get_cancel(which, json_object_get(params, cancels[world.protocol].id));
}

static bool gets_signs(unsigned which)
{
	(void)which;
	return world.leases;
}

/* --- Answers */

static void answer_send(unsigned which, unsigned i, const char *kind, const char *body)
{
	struct device_end *const d = device_at(which);
	const int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"%s\":%s}", d->seen[i].id, kind, body);
	transmit(which, n);
	if (n >= CUT_MOST)
		return; /* it is noise, so the request is still open */
	world.asked[d->seen[i].mark].told = true;
	world.asked[d->seen[i].mark].told_at = world.now;
	d->seen_count--;
	memmove(&d->seen[i], &d->seen[i + 1], (d->seen_count - i) * sizeof d->seen[0]);
}

static void capabilities(char *body, size_t size, const char *method)
{
	const bool limited = world.limits && world.protocol == MCP;
	char sign[200];
	snprintf(sign, sizeof sign, "{%s%s%s}", world.leases ? "\"quash/lifeSign\":{\"ms\":300}" : "", world.leases && limited ? "," : "",
		limited ? limits_text : "");
	if (world.protocol == ACP)
		snprintf(body, size, "{\"protocolVersion\":1,\"agentCapabilities\":{\"_meta\":%s}}", sign);
	else if (world.protocol == LSP)
		snprintf(body, size, "{\"capabilities\":{\"experimental\":%s}}", sign);
	else
		snprintf(body, size, "{%s\"capabilities\":{\"experimental\":%s%s},\"serverInfo\":{\"name\":\"d\",\"version\":\"1\"}}",
			method[0] == 'i' ? "\"protocolVersion\":\"2025-11-25\"," : "", sign,
			world.lean ? "" : ",\"tools\":{},\"prompts\":{},\"resources\":{\"subscribe\":true},\"logging\":{}");
}

static bool announces(const char *method)
{
	return strcmp(method, "initialize") == 0 || strcmp(method, "server/discover") == 0;
}

static void answer_soundly(unsigned which, unsigned i)
{
	char body[600];
	const struct seen *const s = &device_at(which)->seen[i];
	if (announces(s->method))
		capabilities(body, sizeof body, s->method);
	else if (strcmp(s->method, "tools/list") == 0)
		snprintf(body, sizeof body, "{\"mark\":%u,\"tools\":[{\"name\":\"a\"},{\"name\":\"b\"}]}", s->mark);
	else if (strcmp(s->method, "prompts/list") == 0)
		snprintf(body, sizeof body, "{\"mark\":%u,\"prompts\":[{\"name\":\"a\"}]}", s->mark);
	else if (strcmp(s->method, "resources/list") == 0)
		snprintf(body, sizeof body, "{\"mark\":%u,\"resources\":[{\"uri\":\"r:1\",\"name\":\"one\"}]}", s->mark);
	else if (strcmp(s->method, "session/new") == 0)
		snprintf(body, sizeof body, "{\"mark\":%u,\"sessionId\":\"s%u\"}", s->mark, s->mark % SESSIONS);
	else
		snprintf(body, sizeof body, "{\"mark\":%u,\"uri\":\"r:3\"}", s->mark);
	answer_send(which, i, "result", body);
}

void device_answers_all(unsigned which)
{
	while (device_at(which)->seen_count > 0)
		answer_soundly(which, 0);
}

static void answer_oddly(unsigned which, unsigned i, uint8_t choice)
{
	static char body[200000];
	const unsigned mark = device_at(which)->seen[i].mark;
	const char *kind = "result";
	device_at(which)->odd = device_at(which)->odd || announces(device_at(which)->seen[i].method);
	switch (choice % 8) {
	case 0: snprintf(body, sizeof body, "{\"code\":-32000,\"message\":\"no\",\"data\":{\"mark\":%u}}", mark); kind = "error"; break;
	case 1: snprintf(body, sizeof body, "{\"mark\":%u,\"pad\":\"%s\"}", mark, padding()); break;
	case 2: snprintf(body, sizeof body, "[1,{\"uri\":\"x\"}]"); break;
	case 3: snprintf(body, sizeof body, "{\"message\":1}"); kind = "error"; break;
	case 4: snprintf(body, sizeof body, "{\"mark\":%u,\"tools\":[{\"name\":\"a%u\"},{\"nam\":1}],\"nextCursor\":\"%u\"}", mark, choice, choice); break;
	case 5: snprintf(body, sizeof body, "null"); break;
	case 6: snprintf(body, sizeof body, "{\"mark\":%u,\"sessionId\":\"s%u\",\"stopReason\":\"cancelled\"}", mark, mark % SESSIONS); break;
	default: snprintf(body, sizeof body, "{\"capabilities\":{\"experimental\":{\"quash/lifeSign\":{\"ms\":0}}},\"mark\":%u}", mark); break;
	}
	answer_send(which, i, kind, body);
}

void device_answers(unsigned which)
{
	struct device_end *const d = device_at(which);
	const uint8_t choice = take(&world.script), place = take(&world.script);
	if (d->seen_count == 0)
		return;
	const unsigned i = place % d->seen_count;
	if (choice > 240 && !world.headers && !d->line.closed)
		queue_put(&d->line.in, "ets Jun  8 {", 11u + choice % 2u);
	if (choice % 2 == 0)
		answer_soundly(which, i);
	else
		answer_oddly(which, i, choice / 2);
}

/* --- What else they transmit */

void device_reports(unsigned which)
{
	const struct device_end *const d = device_at(which);
	const uint8_t choice = take(&world.script), place = take(&world.script);
	const bool lsp = world.protocol == LSP;
	const struct seen *const s = d->seen_count > 0 ? &d->seen[place % d->seen_count] : NULL;
	const bool own = s == NULL || s->token[0] == '\0' || choice > 250;
	const int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"%s\":%s,\"mark\":%u,\"progress\":%u,\"value\":{}}}",
		lsp ? "$/progress" : "notifications/progress", lsp ? "token" : "progressToken", own ? "\"mine\"" : s->token, own ? 0 : s->mark, choice);
	transmit(which, n);
}

/* What listens at the device, if anything does. */
static const struct seen *listener(const struct device_end *d)
{
	for (unsigned i = 0; i < d->seen_count; i++) {
		if (strcmp(d->seen[i].method, "subscriptions/listen") == 0)
			return &d->seen[i];
	}
	return NULL;
}

void device_notes(unsigned which)
{
	static const char *const notes[] = { "notifications/message", "notifications/resources/updated", "session/update", "x/note",
		"notifications/tools/list_changed", "notifications/resources/updated", "session/update", "notifications/prompts/list_changed" };
	const uint8_t choice = take(&world.script);
	const unsigned k = choice / 8u % SESSIONS;
	const struct seen *const s = choice >= 128 ? listener(device_at(which)) : NULL;
	const char *const of_session = strcmp(notes[choice % 8], "session/update") == 0 || choice / 64 == 1 ? "sessionId" : "x";
	char meta[200] = "";
	if (s != NULL)
		snprintf(meta, sizeof meta, ",\"mark\":%u,\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s}", s->mark, s->id);
	const int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"uri\":\"r:%u\",\"%s\":\"s%u\",\"level\":\"%s\","
		"\"logger\":\"l\"%s,\"pad\":\"%s\"}}", notes[choice % 8], k, of_session, k, k % 2 == 0 ? "info" : "error", meta, choice > 250 ? padding() : "");
	transmit(which, n);
}

void device_asks(unsigned which)
{
	static const char *const requests[] = { "sampling/createMessage", "session/request_permission", "ping", "fs/read_text_file" };
	struct device_end *const d = device_at(which);
	const uint8_t choice = take(&world.script);
	if (d->own_count == OWN)
		return;
	const unsigned i = d->own_count++;
	d->own[i].answers = 0;
	d->own[i].mark = ++world.next_mark;
	const int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":{\"mark\":%u,\"sessionId\":\"s%u\"}}",
		i + OWN_IDS, requests[choice % 4], d->own[i].mark, choice / 4u % SESSIONS);
	transmit(which, n);
}

/* --- What they transmit of a request that they name */

/* The mark of the request that an id names on that line. */
static unsigned mark_named(const struct device_end *d, const char *id)
{
	for (size_t i = 0; i < d->id_count; i++) {
		if (strcmp(d->ids[i].id, id) == 0)
			return d->ids[i].mark;
	}
	return 0;
}

/* Of an open request of a client, if there is one. */
static const char *open_name(const struct device_end *d, unsigned place)
{
	for (unsigned i = 0; i < d->seen_count; i++) {
		const struct seen *const s = &d->seen[(place + i) % d->seen_count];
		if (s->mark != 0)
			return s->id;
	}
	return "null";
}

/* A number that the bridge may have given meanwhile to a request that is on its way. */
static bool may_be_next(const struct device_end *d, const char *name)
{
	return d->id_count == 0 || strtoll(name, NULL, 10) > strtoll(d->ids[d->id_count - 1].id, NULL, 10);
}

static const char *choose_name(const struct device_end *d, uint8_t choice, unsigned place)
{
	static const char *const odd[] = { "null", "-1", "0", "1.5", "\"7\"", "{}", "[2]", "4294967298" };
	const struct device_end *const other = &world.devices[place % world.device_count];
	const char *name = odd[place % 8];
	if (choice % 8 < 4)
		name = open_name(d, place);
	else if (choice % 8 == 4 && d->id_count > 0)
		name = d->ids[place % d->id_count].id;
	else if (choice % 8 == 5 && other->id_count > 0)
		name = other->ids[other->id_count - 1].id;
	else if (choice % 8 == 6)
		name = world.asked[place % world.asked_count].id;
	const bool foreign = choice % 8 == 5 || choice % 8 == 6;
	return name[0] == '\0' || (foreign && may_be_next(d, name)) ? "null" : name;
}

/* Of an open request that has a token, or one of no request. */
static void put_progress(const struct device_end *d, unsigned place, char *members, size_t size)
{
	const struct seen *const s = d->seen_count > 0 ? &d->seen[place % d->seen_count] : NULL;
	const bool own = s == NULL || s->token[0] == '\0';
	snprintf(members, size, "\"progressToken\":%s,\"mark\":%u,\"progress\":1", own ? "\"mine\"" : s->token, own ? 0 : s->mark);
}

void device_names(unsigned which)
{
	static const char *const methods[] = { "notifications/message", "notifications/progress", "sampling/createMessage", "elicitation/create",
		"notifications/message", "x/note", "roots/list", "notifications/resources/updated", "x/ask", "notifications/tools/list_changed" };
	struct device_end *const d = device_at(which);
	const uint8_t choice = take(&world.script), place = take(&world.script), more = take(&world.script);
	const char *const method = methods[more % 10], *const name = choose_name(d, choice, place);
	const bool asks = more % 10 == 2 || more % 10 == 3 || more % 10 == 6 || more % 10 == 8, reports = more % 10 == 1;
	char members[200], id[30] = "", cause[30] = "";
	if (asks && d->own_count == OWN)
		return;
	snprintf(members, sizeof members, "\"uri\":\"r:%u\",\"level\":\"%s\",\"logger\":\"l\"", more / 10 % URIS, more % 4 == 0 ? "debug" : "error");
	if (reports)
		put_progress(d, place, members, sizeof members);
	else
		snprintf(cause, sizeof cause, ",\"cause\":%u", mark_named(d, name));
	if (asks) {
		d->own[d->own_count].answers = 0;
		d->own[d->own_count].mark = ++world.next_mark;
		snprintf(id, sizeof id, "\"id\":%u,", d->own_count++ + OWN_IDS);
		snprintf(members, sizeof members, "\"mark\":%u", world.next_mark);
	}
	const int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",%s\"method\":\"%s\",\"params\":{%s%s,\"_meta\":{%s\"quash/request\":%s}}}",
		id, method, members, cause, choice >= 128 ? "\"x.org/y\":1," : "", name);
	transmit(which, n);
}

void device_takes_back(unsigned which)
{
	struct device_end *const d = device_at(which);
	const uint8_t choice = take(&world.script);
	if (d->own_count == 0)
		return;
	const int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"%s\":%u}}", cancels[world.protocol].method,
		cancels[world.protocol].id, choice % d->own_count + OWN_IDS);
	transmit(which, n);
}

void device_raw(unsigned which)
{
	struct device_end *const d = device_at(which);
	size_t n;
	const unsigned most = take(&world.script) % 64u;
	const uint8_t *const bytes = take_run(&world.script, most, &n);
	if (d->line.ended || d->line.closed)
		return;
	d->muddied = true;
	queue_put(&d->line.in, bytes, n);
	if (n % 4 != 3)
		queue_put(&d->line.in, "\n", 1);
}

/* --- Coming and going */

void device_plug(unsigned which, bool plugged)
{
	struct device_end *const d = device_at(which);
	d->plugged = plugged;
	if (!plugged)
		d->line.closed = true;
}

void device_moves(unsigned which)
{
	struct device_end *const d = device_at(which);
	const uint8_t choice = take(&world.script);
	switch (choice % 8) {
	case 0: device_plug(which, false); break;
	case 1: device_plug(which, true); break;
	case 2: d->line.ended = true; break;
	case 3: d->busy = !d->busy; break;
	case 4: line_stall(&d->line, choice); break;
	case 5: d->line.piece = choice / 8; break;
	case 6: d->connected = world.now + choice; break;
	default: d->obliging = !d->obliging; d->refuses = choice > 200; break;
	}
}

void devices_check_cancelled(void)
{
	for (unsigned i = 0; i < world.device_count; i++) {
		const struct device_end *const d = &world.devices[i];
		for (unsigned k = 0; k < d->seen_count; k++) {
			const struct seen *const s = &d->seen[k];
			const struct asked *const a = &world.asked[s->mark];
			const bool wanted = asked_is_wanted(a) && !a->cancelled && world.phase != PHASE_END;
			const bool works = !d->line.closed && !d->line.ended && !d->line.stalls && !d->muddied && !world.clients[a->client].muddied;
			if (s->mark != 0 && works && !wanted && !s->cancelled)
				wrong("cancel", "device %u: %s (%s) of client %u is not cancelled", i, s->id, s->method, a->client);
		}
	}
}

/* As long as something comes of the device, its answer may be on its way: the bridge waits on for as long again, EXTENSIONS
 * times at most, but not behind the next silence of that length. */
static bool may_wait_on(const struct device_end *d, const struct seen *s)
{
	const uint32_t slack = world.leases ? LEASE_MS : LIMIT_MORE_MS;
	const bool spoke = (int32_t)(d->line.read_at - s->since) > 0 && world.now - d->line.read_at <= 2 * slack + LIMIT_SLACK_MS;
	return spoke && world.now - s->since <= s->limit + EXTENSIONS * slack + LIMIT_SLACK_MS;
}

/* A line that stalls holds the cancel. */
static void check_limit(const struct device_end *d, struct seen *s, unsigned which)
{
	const struct client_end *const c = &world.clients[world.asked[s->mark].client];
	if (d->line.stalls || c->line.stalls)
		s->since = world.now;
	if (d->odd || d->muddied || d->line.closed || d->line.ended || s->mark == 0 || c->muddied)
		return;
	if (s->limit != 0 && !s->cancelled && world.now - s->since > s->limit + LIMIT_SLACK_MS && !may_wait_on(d, s))
		wrong("longest", "device %u: %s runs for %u ms", which, s->id, (unsigned)(world.now - s->since));
}

void devices_check_limits(void)
{
	for (unsigned i = 0; i < world.device_count; i++) {
		for (unsigned k = 0; k < world.devices[i].seen_count; k++)
			check_limit(&world.devices[i], &world.devices[i].seen[k], i);
	}
}

void devices_choose(uint8_t choice)
{
	static char name_of_command[] = "cat";
	static const enum device_kind kinds[] = { DEVICE_TTY, DEVICE_UNIX, DEVICE_COMMAND, DEVICE_TCP };
	static const char *const names[] = { "one", "two", "three" };
	static char *command[] = { name_of_command, NULL };
	struct bridge_options *const o = &world.options;
	o->many_devices = world.protocol == MCP && choice % 2 == 1;
	o->device_count = world.device_count = o->many_devices ? 1 + choice / 2 % DEVICES : 1;
	for (unsigned i = 0; i < o->device_count; i++) {
		o->devices[i].name = o->many_devices ? names[i] : "device";
		o->devices[i].options = (struct device_options){ .kind = kinds[(choice / 8 + i) % 4], .path = "there", .command = command };
	}
}

/* One that listens at a socket may be of TCP, and gets the token. */
void device_opens(unsigned which)
{
	struct device_end *const d = device_at(which);
	const enum device_kind kind = world.options.devices[which].options.kind;
	line_clear(&d->line);
	d->line.socket = kind == DEVICE_UNIX;
	d->line.ended = d->line.closed = false;
	d->line.token = kind == DEVICE_TCP && world.options.token != NULL;
	d->seen_count = d->own_count = 0;
	d->muddied = d->odd = false;
}

void devices_begin(void)
{
	for (unsigned i = 0; i < world.device_count; i++) {
		struct device_end *const d = &world.devices[i];
		d->line.used = d->obliging = d->plugged = true;
		d->line.owner = i;
		d->line.way = BRIDGE_DEVICE;
		d->line.comes = device_comes;
		d->line.empty = gets_signs;
		d->connected = world.now;
	}
}

/* --- Steps */

void device_steps(unsigned what, unsigned which)
{
	static void (*const steps[])(unsigned) = { device_answers, device_answers, device_answers, device_answers, device_reports, device_reports,
		device_notes, device_notes, device_asks, device_takes_back, device_raw, device_moves, NULL, NULL, device_names };
	const bool moves = steps[what] == device_moves;
	if (moves || world.devices[which].line.open)
		steps[what](which);
}

void devices_be_sound(void)
{
	world.phase = PHASE_SOUND;
	world.passing = SOUND_MS;
	for (unsigned i = 0; i < world.device_count; i++) {
		struct device_end *const d = &world.devices[i];
		d->sound = true;
		d->busy = d->refuses = false;
		d->connected = world.now;
		if (world.unplugs || d->muddied)
			device_plug(i, false);
		else
			device_answers_all(i);
		d->plugged = true;
	}
}
