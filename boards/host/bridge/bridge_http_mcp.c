/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_http_mcp.h"

#include "bridge_client.h"
#include "bridge_forward.h"
#include "bridge_http_head.h"
#include "bridge_http_stream.h"
#include "bridge_http_time.h"
#include "quash.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_MISMATCH = -32020 };

static const char json[] = "application/json", events[] = "text/event-stream";

/* A request of HTTP, and what of its message decides. */
struct coming {
	struct connection *c;
	const char *session; /* that it names; or NULL */
	struct span message, method, id, params, meta, version;
};

static void answer_empty(struct connection *c, unsigned status)
{
	http_respond(c, status, NULL, NULL, NULL);
}

static void refuse_with(const struct coming *r, unsigned status, int code, const char *words, const char *data)
{
	static const struct span nothing = { NULL, 0 };
	char *const id = r->id.at != NULL ? span_replaced(r->id, nothing, NULL) : NULL;
	http_refuse(r->c, status, id, code, words, data);
	free(id);
}

static void refuse(const struct coming *r, unsigned status, int code, const char *words)
{
	refuse_with(r, status, code, words, NULL);
}

static void no_room(const struct coming *r)
{
	refuse(r, 503, QUASH_BUSY, "Too many clients");
}

/* --- Modern: 2026-07-28 */

/* What that revision does not have. The bridge would answer them itself, as it does in the legacy era. */
static bool is_legacy_method(struct span method)
{
	static const char *const names[] = { "initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe" };
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (span_is(method, names[i]))
			return true;
	}
	return false;
}

/* NULL, or what is wrong. */
static const char *find_mismatch(const struct coming *r)
{
	const port_http_reader *const head = &r->c->reader;
	const bool reads = span_is(r->method, "resources/read");
	const bool named = span_is(r->method, "tools/call") || span_is(r->method, "prompts/get");
	if (port_http_single(head, "mcp-protocol-version", NULL) == NULL)
		return "Header mismatch: MCP-Protocol-Version is missing";
	if (r->version.at != NULL && !http_field_is(head, "mcp-protocol-version", r->version, false))
		return "Header mismatch: MCP-Protocol-Version is not the version in _meta";
	if (port_http_single(head, "mcp-method", NULL) == NULL)
		return "Header mismatch: Mcp-Method is missing";
	if (!http_field_is(head, "mcp-method", r->method, false))
		return "Header mismatch: Mcp-Method is not the method";
	if ((named || reads) && !http_field_is(head, "mcp-name", span_member(r->params, reads ? "uri" : "name"), true))
		return "Header mismatch: Mcp-Name is missing, or not the name in params";
	return NULL;
}

static const struct list_item *find_tool(const char *name)
{
	for (unsigned i = 0; i < bridge.server_count; i++) {
		const struct list *const tools = &bridge.servers[i]->list[LIST_TOOLS];
		for (size_t k = 0; k < tools->count; k++) {
			if (tools->items[k].shown != NULL && tools->items[k].json != NULL && strcmp(tools->items[k].shown, name) == 0)
				return &tools->items[k];
		}
	}
	return NULL;
}

/* Which arguments stand in fields is known from schemas. They are waited for as long as for a device that is about to come. */
static bool knows_tools(const struct connection *c)
{
	bool known = true;
	for (unsigned i = 0; i < bridge.server_count; i++) {
		const struct server *const s = bridge.servers[i];
		const bool ready = s->phase == SERVER_READY, fetched = !s->lists[LIST_TOOLS] || s->list[LIST_TOOLS].print != 0;
		known = known && (ready ? fetched : s->was_ready);
	}
	return known || bridge.now - c->since >= OTHERS_MS;
}

static bool arguments_match(const struct coming *r)
{
	char *const name = span_text(span_member(r->params, "name"));
	const struct list_item *const tool = name != NULL ? find_tool(name) : NULL;
	free(name);
	if (tool == NULL)
		return true;
	const struct span schema = span_member((struct span){ tool->json, strlen(tool->json) }, "inputSchema");
	return http_arguments_match(&r->c->reader, schema, span_member(r->params, "arguments"));
}

static void hand_on_modern(const struct coming *r)
{
	struct stream *const stream = stream_open_modern(r->c);
	if (stream == NULL) {
		no_room(r);
		return;
	}
	static const struct span as_it_is = { NULL, 0 };
	stream->unnamed = span_member(r->meta, "io.modelcontextprotocol/clientCapabilities").at == NULL;
	if (!stream_hand_on(stream->client, r->message, as_it_is, 0))
		r->c->hung = true;
}

/* The device has a session of the legacy era with the bridge: without a version it would take the request as one of that. */
static void refuse_unversioned(const struct coming *r)
{
	const char *const version = port_http_single(&r->c->reader, "mcp-protocol-version", NULL);
	if (version != NULL && strcmp(version, QUASH_MCP_MODERN_VERSION) != 0)
		refuse_with(r, 400, QUASH_MCP_UNSUPPORTED, "Unsupported protocol version", "{\"supported\":[\"" QUASH_MCP_MODERN_VERSION "\"]}");
	else
		refuse(r, 400, QUASH_INVALID_PARAMS, "_meta lacks io.modelcontextprotocol/protocolVersion");
}

static void take_modern(const struct coming *r)
{
	const char *const mismatch = find_mismatch(r);
	if (r->method.at == NULL)
		refuse(r, 400, QUASH_INVALID_REQUEST, "There are no requests that this could answer");
	else if (r->id.at == NULL)
		answer_empty(r->c, 202); /* a stream is closed, not cancelled by a notification */
	else if (mismatch != NULL)
		refuse(r, 400, HEADER_MISMATCH, mismatch);
	else if (r->version.at == NULL)
		refuse_unversioned(r);
	else if (is_legacy_method(r->method))
		refuse(r, 404, QUASH_METHOD_NOT_FOUND, "Method not found");
	else if (span_is(r->method, "tools/call") && !knows_tools(r->c))
		return;
	else if (span_is(r->method, "tools/call") && !arguments_match(r))
		refuse(r, 400, HEADER_MISMATCH, "Header mismatch: an argument and its Mcp-Param field differ");
	else
		hand_on_modern(r);
}

/* --- Legacy: 2025-03-26 to 2025-11-25 */

static bool is_legacy_version(const char *version)
{
	static const char *const versions[] = QUASH_MCP_LEGACY_VERSIONS;
	for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
		if (strcmp(versions[i], version) == 0)
			return true;
	}
	return false;
}

/* Ids are ours, so a cancel is translated. One that names no request is dropped. */
static bool hand_on_note(struct session *s, const struct coming *r)
{
	const bool cancels = span_is(r->method, "notifications/cancelled");
	const struct span named = span_member(r->params, "requestId");
	const uint32_t number = cancels && named.at != NULL ? session_request(s, named) : 0;
	s->looks = s->looks || cancels;
	if (cancels)
		return number == 0 || stream_hand_on(s->client, r->message, named, number);
	return stream_hand_on(s->client, r->message, named, 0);
}

static bool hand_on_request(struct session *s, struct stream *stream, struct span message, struct span id)
{
	const uint32_t number = stream_ask(stream, id);
	return number != 0 && stream_hand_on(s->client, message, id, number);
}

static void take_request(struct session *s, const struct coming *r)
{
	struct stream *const stream = stream_open(s, r->c);
	if (stream == NULL || !hand_on_request(s, stream, r->message, r->id))
		r->c->hung = true; /* there is no memory */
}

static bool is_id(struct span id)
{
	return id.at == NULL || !(span_begins(id, '{') || span_begins(id, '[') || span_begins(id, 'n'));
}

/* Nothing of a batch is begun before all of it was looked at: a client that has no answer may send it again. NULL, or what is wrong. */
static const char *find_wrong_in_batch(const struct coming *r)
{
	static const char *const names[] = { "method", "id" };
	struct span message, parts[2];
	size_t place = 0;
	unsigned count = 0;
	while (span_next(r->message, &place, NULL, &message)) {
		span_members(message, names, parts, 2);
		if (!span_begins(message, '{') || !is_id(parts[1]))
			return "One of the batch is no message";
		count += parts[0].at != NULL && parts[1].at != NULL;
	}
	return count > STREAM_REQUESTS ? "A batch has more requests than are taken" : NULL;
}

/* Only 2025-03-26 has them. Each answer is an event of its own. */
static void take_batch(struct session *s, const struct coming *r)
{
	static const char *const names[] = { "method", "id", "params" };
	const char *const wrong = find_wrong_in_batch(r);
	struct stream *stream = NULL;
	struct span message, parts[3];
	size_t place = 0;
	if (wrong != NULL) {
		refuse(r, 400, QUASH_INVALID_REQUEST, wrong);
		return;
	}
	while (span_next(r->message, &place, NULL, &message)) {
		span_members(message, names, parts, 3);
		const struct coming one = { r->c, r->session, message, parts[0], parts[1], parts[2], { NULL, 0 }, { NULL, 0 } };
		const bool asks = one.method.at != NULL && one.id.at != NULL;
		if (asks && stream == NULL)
			stream = stream_open(s, r->c);
		if (asks ? stream == NULL || !hand_on_request(s, stream, message, one.id) : !hand_on_note(s, &one))
			r->c->hung = true;
	}
	if (stream == NULL)
		answer_empty(r->c, 202);
}

/* True: it was refused. */
static bool is_of_no_version(const struct coming *r)
{
	const char *const version = port_http_single(&r->c->reader, "mcp-protocol-version", NULL);
	if (version == NULL || is_legacy_version(version))
		return false;
	refuse(r, 400, QUASH_INVALID_REQUEST, "No such protocol version");
	return true;
}

static void take_in_session(struct session *s, const struct coming *r)
{
	s->seen = bridge.now;
	if (is_of_no_version(r))
		return;
	if (span_begins(r->message, '[') && strcmp(s->version, "2025-03-26") != 0)
		refuse(r, 400, QUASH_INVALID_REQUEST, "There are no batches in this protocol version");
	else if (!client_has_room(s->client, span_begins(r->message, '[') ? r->message.n : 0))
		refuse(r, 503, QUASH_BUSY, "Too much of this session waits");
	else if (span_begins(r->message, '['))
		take_batch(s, r);
	else if (r->method.at != NULL && r->id.at != NULL)
		take_request(s, r);
	else if (hand_on_note(s, r))
		answer_empty(r->c, 202);
	else
		no_room(r);
}

static void take_legacy(const struct coming *r)
{
	const bool greets = span_is(r->method, "initialize") && r->id.at != NULL;
	struct session *const s = r->session != NULL ? session_find(r->session) : greets ? session_open() : NULL;
	if (s != NULL)
		take_in_session(s, r);
	else if (r->session != NULL)
		refuse(r, 404, QUASH_INVALID_REQUEST, "No such session");
	else if (greets)
		no_room(r);
	else
		refuse(r, 400, QUASH_INVALID_REQUEST, "It names no session (Mcp-Session-Id), and no revision that has none (_meta)");
}

/* --- POST */

/* Of the modern era is what names its revision in `_meta`, or in the head one that has no sessions. */
static bool is_modern(const struct coming *r)
{
	const char *const version = port_http_single(&r->c->reader, "mcp-protocol-version", NULL);
	return r->version.at != NULL || (version != NULL && r->session == NULL && !is_legacy_version(version));
}

static void take_message(struct coming *r)
{
	static const char *const names[] = { "method", "id", "params" };
	struct span parts[3];
	const struct look look = look_at(r->message.at, r->message.n, NULL, NULL);
	if (!look.json) {
		refuse(r, 400, QUASH_PARSE_ERROR, "Parse error");
		return;
	}
	span_members(r->message, names, parts, 3);
	r->method = parts[0];
	r->id = parts[1];
	r->params = parts[2];
	r->meta = span_member(r->params, "_meta");
	r->version = span_member(r->meta, "io.modelcontextprotocol/protocolVersion");
	const bool id = is_id(r->id);
	if (!id)
		r->id = (struct span){ NULL, 0 };
	if (!look.rpc || !id)
		refuse(r, 400, QUASH_INVALID_REQUEST, "Invalid Request");
	else if (is_modern(r))
		take_modern(r);
	else
		take_legacy(r);
}

static struct span without_space(const char *text, size_t n)
{
	static const char space[] = " \t\r\n";
	while (n > 0 && text[0] != '\0' && strchr(space, text[0]) != NULL) {
		text++;
		n--;
	}
	while (n > 0 && text[n - 1] != '\0' && strchr(space, text[n - 1]) != NULL)
		n--;
	return (struct span){ text, n };
}

static void take_post(struct coming *r)
{
	const port_http_reader *const head = &r->c->reader;
	r->message = without_space(r->c->body != NULL ? r->c->body : "", r->c->body_length);
	if (!port_http_is_type(port_http_single(head, "content-type", NULL), json))
		refuse(r, 415, QUASH_INVALID_REQUEST, "Content-Type must be application/json");
	else if (!port_http_accepts(head, json) || !port_http_accepts(head, events))
		refuse(r, 406, QUASH_INVALID_REQUEST, "Accept must have application/json and text/event-stream");
	else
		take_message(r);
}

/* --- GET, DELETE, and what a page asks before */

static void not_allowed(struct connection *c, const char *words)
{
	static const char *const fields[] = { "Allow", "POST, GET, DELETE, OPTIONS", NULL };
	http_respond(c, 405, "text/plain", words, fields);
}

static void take_get(struct coming *r)
{
	const port_http_reader *const head = &r->c->reader;
	struct session *const s = r->session != NULL ? session_find(r->session) : NULL;
	if (s != NULL)
		s->seen = bridge.now;
	if (r->session == NULL)
		not_allowed(r->c, "A stream of a session is asked for with its Mcp-Session-Id.\n");
	else if (s == NULL)
		refuse(r, 404, QUASH_INVALID_REQUEST, "No such session");
	else if (is_of_no_version(r))
		return;
	else if (!port_http_accepts(head, events))
		refuse(r, 406, QUASH_INVALID_REQUEST, "Accept must have text/event-stream");
	else if (!session_listen(s, r->c, port_http_single(head, "last-event-id", NULL)))
		refuse(r, 400, QUASH_INVALID_REQUEST, "Last-Event-ID names no event that is kept");
}

static void take_delete(struct coming *r)
{
	struct session *const s = r->session != NULL ? session_find(r->session) : NULL;
	if (r->session == NULL)
		not_allowed(r->c, "A session is ended with its Mcp-Session-Id.\n");
	else if (s == NULL)
		refuse(r, 404, QUASH_INVALID_REQUEST, "No such session");
	else if (!is_of_no_version(r)) {
		session_end(s, "has ended its session");
		answer_empty(r->c, 204);
	}
}

static void take_options(const struct coming *r)
{
	static const char *const fields[] = { "Access-Control-Allow-Methods", "POST, GET, DELETE", "Access-Control-Allow-Headers",
		"Authorization, *", "Access-Control-Max-Age", "600", NULL };
	http_respond(r->c, 204, NULL, NULL, fields);
}

/* --- A request of HTTP */

static bool is_endpoint(const port_http_reader *head)
{
	static const char endpoint[] = "/mcp";
	const char *const path = http_path(head);
	if (path == NULL || strncmp(path, endpoint, sizeof endpoint - 1) != 0)
		return false;
	const char *const rest = path + sizeof endpoint - 1 + (path[sizeof endpoint - 1] == '/');
	return rest[0] == '\0' || rest[0] == '?';
}

static void take(struct connection *c)
{
	struct coming r = { .c = c, .session = port_http_single(&c->reader, "mcp-session-id", NULL) };
	const char *const method = c->reader.method;
	if (!is_endpoint(&c->reader))
		http_respond(c, 404, "text/plain", "The endpoint is /mcp.\n", NULL);
	else if (strcmp(method, "POST") == 0)
		take_post(&r);
	else if (strcmp(method, "GET") == 0)
		take_get(&r);
	else if (strcmp(method, "DELETE") == 0)
		take_delete(&r);
	else if (strcmp(method, "OPTIONS") == 0)
		take_options(&r);
	else
		not_allowed(c, "No such method.\n");
}

static void lost(struct connection *c)
{
	if (c->stream != NULL)
		stream_lost(c->stream);
}

const struct http_service http_mcp = { take, lost, sessions_turn, sessions_rest };
