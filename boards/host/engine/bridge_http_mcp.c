/* SPDX-License-Identifier: MIT */
#include "bridge_http_mcp.h"

#include "bridge_client.h"
#include "bridge_forward.h"
#include "bridge_http_head.h"
#include "bridge_http_message.h"
#include "bridge_http_stream.h"
#include "bridge_http_time.h"
#include "bridge_page.h"
#include "host_escape.h"
#include "quash.h"

#include <string.h>

enum { HEADER_MISMATCH = -32020 };

static const char json[] = "application/json", events[] = "text/event-stream";

/* A request of HTTP, and what of its message decides. */
struct coming {
	struct connection *c;
	const char *session; /* that it names; or NULL */
	struct message message;
	struct span meta, version; /* that its `_meta` names */
};

static void answer_empty(struct connection *c, unsigned status)
{
	http_respond(c, status, NULL, NULL, NULL);
}

static void refuse_with(const struct coming *r, unsigned status, int code, const char *words, const char *data)
{
	struct bridge *const b = r->c->bridge;
	static const struct span nothing = { NULL, 0 };
	char *const id = r->message.id.at != NULL ? span_replaced(&b->heap, message_plain_id(r->message.id), nothing, NULL) : NULL;
	http_refuse(r->c, status, id, code, words, data);
	heap_free(&b->heap, id);
}

static void refuse_message(const struct coming *r, unsigned status, int code, const char *words)
{
	refuse_with(r, status, code, words, NULL);
}

/* The modern era leaves codes of ours to nobody, so there the reason stands beside the usual one. */
static void refuse_busy(const struct coming *r, const char *words)
{
	if (r->version.at != NULL)
		refuse_with(r, 503, QUASH_INTERNAL_ERROR, words, "{\"reason\":\"Busy\"}");
	else
		refuse_message(r, 503, QUASH_BUSY, words);
}

static void no_room(const struct coming *r)
{
	refuse_busy(r, "Too many clients");
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
	struct bridge *const b = r->c->bridge;
	const port_http_reader *const head = &r->c->reader;
	const bool reads = span_is(r->message.method, "resources/read");
	const bool named = span_is(r->message.method, "tools/call") || span_is(r->message.method, "prompts/get");
	if (port_http_single(head, "mcp-protocol-version", NULL) == NULL)
		return "Header mismatch: MCP-Protocol-Version is missing";
	if (r->version.at != NULL && !http_field_is(b, head, "mcp-protocol-version", r->version, false))
		return "Header mismatch: MCP-Protocol-Version is not the version in _meta";
	if (port_http_single(head, "mcp-method", NULL) == NULL)
		return "Header mismatch: Mcp-Method is missing";
	if (!http_field_is(b, head, "mcp-method", r->message.method, false))
		return "Header mismatch: Mcp-Method is not the method";
	if ((named || reads) && !http_field_is(b, head, "mcp-name", span_member(r->message.params, reads ? "uri" : "name"), true))
		return "Header mismatch: Mcp-Name is missing, or not the name in params";
	return NULL;
}

static const struct list_item *find_tool(struct bridge *b, const char *name)
{
	for (unsigned i = 0; i < b->device_count; i++) {
		const struct list *const tools = &b->devices[i]->list[LIST_TOOLS];
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
	struct bridge *const b = c->bridge;
	bool known = true;
	for (unsigned i = 0; i < b->device_count; i++) {
		const struct device *const d = b->devices[i];
		const bool ready = d->phase == DEVICE_READY, fetched = !d->lists[LIST_TOOLS] || d->list[LIST_TOOLS].print != 0;
		known = known && (ready ? fetched : d->was_ready);
	}
	return known || b->now - c->since >= OTHERS_MS;
}

static bool arguments_match(const struct coming *r)
{
	struct bridge *const b = r->c->bridge;
	char *const name = span_text(&b->heap, span_member(r->message.params, "name"));
	const struct list_item *const tool = name != NULL ? find_tool(b, name) : NULL;
	heap_free(&b->heap, name);
	if (tool == NULL)
		return true;
	const struct span schema = span_member((struct span){ tool->json, strlen(tool->json) }, "inputSchema");
	return http_arguments_match(b, &r->c->reader, schema, span_member(r->message.params, "arguments"));
}

/* What will never begin needs no judgement. */
static bool is_judged(const struct coming *r)
{
	return span_is(r->message.method, "tools/call") && !r->c->stopped;
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
	if (!stream_hand_on(stream->client, r->message.text, as_it_is, 0))
		http_give_up(r->c);
}

/* The device has a session of the legacy era with the bridge: without a version it would take the request as one of that. */
static void refuse_unversioned(const struct coming *r)
{
	const char *const version = port_http_single(&r->c->reader, "mcp-protocol-version", NULL);
	if (version != NULL && strcmp(version, QUASH_MCP_MODERN_VERSION) != 0)
		refuse_with(r, 400, QUASH_MCP_UNSUPPORTED, "Unsupported protocol version", "{\"supported\":[\"" QUASH_MCP_MODERN_VERSION "\"]}");
	else
		refuse_message(r, 400, QUASH_INVALID_PARAMS, "_meta lacks io.modelcontextprotocol/protocolVersion");
}

static void take_modern(const struct coming *r)
{
	const char *const mismatch = find_mismatch(r);
	if (r->message.kind == MESSAGE_ANSWER || r->message.kind == MESSAGE_WRONG)
		refuse_message(r, 400, QUASH_INVALID_REQUEST, "There are no requests that this could answer");
	else if (r->message.kind == MESSAGE_NOTE)
		answer_empty(r->c, 202); /* a stream is closed, not cancelled by a notification */
	else if (mismatch != NULL && r->version.at != NULL && is_legacy_method(r->message.method))
		refuse_message(r, 404, QUASH_METHOD_NOT_FOUND, "Method not found"); /* who asks so knows no such fields */
	else if (mismatch != NULL)
		refuse_message(r, 400, HEADER_MISMATCH, mismatch);
	else if (r->version.at == NULL)
		refuse_unversioned(r);
	else if (is_judged(r) && !knows_tools(r->c))
		return;
	else if (is_judged(r) && !arguments_match(r))
		refuse_message(r, 400, HEADER_MISMATCH, "Header mismatch: an argument and its Mcp-Param field differ");
	else
		hand_on_modern(r);
}

/* --- Legacy: 2025-03-26 to 2025-11-25 */

static bool is_cancel(const struct message *m)
{
	return m->kind != MESSAGE_REQUEST && span_is(m->method, "notifications/cancelled");
}

/* What waits may need it. */
static bool overtakes(const struct message *m)
{
	return is_cancel(m) || m->kind == MESSAGE_ANSWER;
}

/* Ids are ours, so a cancel is translated. */
static bool hand_on_note(struct session *d, const struct message *m)
{
	static const struct span as_it_is = { NULL, 0 };
	if (is_cancel(m))
		return session_cancel(d, span_member(m->params, "requestId"), span_member(m->params, "reason"));
	return stream_hand_on(d->client, m->text, as_it_is, 0);
}

static bool hand_on_request(struct session *d, struct stream *stream, const struct message *m)
{
	const uint32_t number = stream_ask(stream, m->id, span_is(m->method, "initialize"));
	d->looks = true;
	return number != 0 && stream_hand_on(d->client, m->text, m->id, number);
}

static void take_request(struct session *d, const struct coming *r)
{
	struct stream *const stream = stream_open(d, r->c);
	if (stream == NULL || !hand_on_request(d, stream, &r->message))
		http_give_up(r->c); /* there is no memory */
}

/* Nothing of a batch is begun before all of it was looked at: a client that has no answer may send it again. NULL, or what is wrong. */
static const char *find_wrong_in_batch(struct span batch)
{
	struct span text;
	size_t place = 0;
	unsigned count = 0;
	while (span_next(batch, &place, NULL, &text)) {
		const struct message m = message_read(text);
		if (m.kind == MESSAGE_WRONG)
			return "One of the batch is no message";
		count += m.kind == MESSAGE_REQUEST;
	}
	return count > STREAM_REQUESTS ? "A batch has more requests than are taken" : NULL;
}

/* Only 2025-03-26 has them. Each answer is an event of its own. */
static void take_batch(struct session *d, const struct coming *r)
{
	const char *const wrong = find_wrong_in_batch(r->message.text);
	struct stream *stream = NULL;
	struct span text;
	size_t place = 0;
	if (wrong != NULL) {
		refuse_message(r, 400, QUASH_INVALID_REQUEST, wrong);
		return;
	}
	while (span_next(r->message.text, &place, NULL, &text)) {
		const struct message m = message_read(text);
		const bool asks = m.kind == MESSAGE_REQUEST;
		if (asks && stream == NULL)
			stream = stream_open(d, r->c);
		if (asks ? stream == NULL || !hand_on_request(d, stream, &m) : !hand_on_note(d, &m))
			http_give_up(r->c);
	}
	if (stream == NULL)
		answer_empty(r->c, 202);
}

/* True: it was refused. */
static bool is_of_no_version(const struct coming *r)
{
	const char *const version = port_http_single(&r->c->reader, "mcp-protocol-version", NULL);
	if (version == NULL || mcp_revision(version) != NULL)
		return false;
	refuse_message(r, 400, QUASH_INVALID_REQUEST, "No such protocol version");
	return true;
}

static void take_in_session(struct session *d, const struct coming *r)
{
	struct bridge *const b = d->client->wire.bridge;
	const bool batch = span_begins(r->message.text, '[');
	d->seen = b->now;
	if (is_of_no_version(r))
		return;
	if (batch && strcmp(d->version, "2025-03-26") != 0)
		refuse_message(r, 400, QUASH_INVALID_REQUEST, "There are no batches in this protocol version");
	else if (!r->c->stopped && !overtakes(&r->message) && !client_has_room(d->client, r->message.text.n))
		return; /* it waits at its connection, and is shown again */
	else if (batch)
		take_batch(d, r);
	else if (r->message.kind == MESSAGE_REQUEST)
		take_request(d, r);
	else if (hand_on_note(d, &r->message))
		answer_empty(r->c, 202);
	else
		http_give_up(r->c); /* there is no memory */
}

/* `initialize` asks for a new session, whatever older one that is gone its client still names. */
static void take_legacy(const struct coming *r)
{
	struct bridge *const b = r->c->bridge;
	const bool greets = span_is(r->message.method, "initialize") && r->message.kind == MESSAGE_REQUEST;
	struct session *const named = r->session != NULL ? session_find(b, r->session) : NULL;
	struct session *const d = named == NULL && greets ? session_open(b) : named;
	if (d != NULL)
		take_in_session(d, r);
	else if (greets)
		no_room(r);
	else if (r->session != NULL)
		refuse_message(r, 404, QUASH_INVALID_REQUEST, "No such session");
	else
		refuse_message(r, 400, QUASH_INVALID_REQUEST, "It names no session (Mcp-Session-Id), and no revision that has none (_meta)");
}

/* --- POST */

/* Of the modern era is what names its revision in `_meta`, or in the head one that has no sessions. */
static bool is_modern(const struct coming *r)
{
	const char *const version = port_http_single(&r->c->reader, "mcp-protocol-version", NULL);
	if (span_is(r->message.method, "initialize") && span_begins(span_member(r->message.params, "protocolVersion"), '"'))
		return false; /* it opens a session, and says so itself */
	return r->version.at != NULL || (version != NULL && r->session == NULL && mcp_revision(version) == NULL);
}

static void take_message(struct coming *r, struct span text)
{
	const struct look look = look_at(text.at, text.n, NULL, NULL);
	if (!look.json) {
		refuse_message(r, 400, QUASH_PARSE_ERROR, "Parse error");
		return;
	}
	r->message = message_read(text);
	r->meta = span_member(r->message.params, "_meta");
	r->version = span_member(r->meta, "io.modelcontextprotocol/protocolVersion");
	if (r->message.kind == MESSAGE_WRONG && !(look.array && look.rpc))
		refuse_message(r, 400, QUASH_INVALID_REQUEST, "Invalid Request");
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
	const char *const body = r->c->body != NULL ? r->c->body : "";
	const size_t mark = escape_mark(body, r->c->body_length);
	if (!port_http_is_type(port_http_single(head, "content-type", NULL), json))
		refuse_message(r, 415, QUASH_INVALID_REQUEST, "Content-Type must be application/json");
	else if (!port_http_accepts(head, json) || !port_http_accepts(head, events))
		refuse_message(r, 406, QUASH_INVALID_REQUEST, "Accept must have application/json and text/event-stream");
	else
		take_message(r, without_space(body + mark, r->c->body_length - mark));
}

/* --- GET, DELETE, and what a page asks before */

static void not_allowed(struct connection *c, const char *words)
{
	http_not_allowed(c, "POST, GET, DELETE, OPTIONS", words);
}

/* A client that is told so of a stream that has ended asks no more: it would ask for ever after one that ends at once. */
static void listen_on(struct session *d, const struct coming *r)
{
	switch (session_listen(d, r->c, port_http_single(&r->c->reader, "last-event-id", NULL))) {
	case LISTENS: break;
	case LISTENS_OVER: not_allowed(r->c, "That stream has ended, and nothing of it is left.\n"); break;
	case LISTENS_MANY: refuse_message(r, 409, QUASH_INVALID_REQUEST, "Too many streams of this session are open"); break;
	default: refuse_message(r, 400, QUASH_INVALID_REQUEST, "Last-Event-ID names no event"); break;
	}
}

static void take_get(struct coming *r)
{
	struct bridge *const b = r->c->bridge;
	struct session *const d = r->session != NULL ? session_find(b, r->session) : NULL;
	if (d != NULL)
		d->seen = b->now;
	if (r->session == NULL)
		not_allowed(r->c, "A stream of a session is asked for with its Mcp-Session-Id.\n");
	else if (d == NULL)
		refuse_message(r, 404, QUASH_INVALID_REQUEST, "No such session");
	else if (is_of_no_version(r))
		return;
	else if (!port_http_accepts(&r->c->reader, events))
		refuse_message(r, 406, QUASH_INVALID_REQUEST, "Accept must have text/event-stream");
	else
		listen_on(d, r);
}

static void take_delete(struct coming *r)
{
	struct bridge *const b = r->c->bridge;
	struct session *const d = r->session != NULL ? session_find(b, r->session) : NULL;
	if (r->session == NULL)
		not_allowed(r->c, "A session is ended with its Mcp-Session-Id.\n");
	else if (d == NULL)
		refuse_message(r, 404, QUASH_INVALID_REQUEST, "No such session");
	else if (!is_of_no_version(r)) {
		session_end(d, "has ended its session");
		answer_empty(r->c, 204);
	}
}

/* --- A request of HTTP */

static void take_body(struct connection *c)
{
	struct coming r = { .c = c, .session = port_http_single(&c->reader, "mcp-session-id", NULL) };
	const char *const method = c->reader.method;
	if (page_takes(c))
		return;
	if (!http_path_is(&c->reader, "/mcp"))
		http_respond(c, 404, "text/plain", "The endpoint is /mcp.\n", NULL);
	else if (strcmp(method, "POST") == 0)
		take_post(&r);
	else if (strcmp(method, "GET") == 0)
		take_get(&r);
	else if (strcmp(method, "DELETE") == 0)
		take_delete(&r);
	else if (strcmp(method, "OPTIONS") == 0)
		http_permit(c, "POST, GET, DELETE");
	else
		not_allowed(c, "No such method.\n");
}

static void connection_lost(struct connection *c)
{
	if (c->stream != NULL)
		stream_lost(c->stream, c);
}

/* All that had come when a person has asked for a Stop was taken before. */
static void turn(struct bridge *b)
{
	page_turn(b);
	sessions_turn(b);
}

const struct http_service http_mcp = { take_body, page_keeps_body, connection_lost, turn, sessions_rest };
