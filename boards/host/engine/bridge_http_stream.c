/* SPDX-License-Identifier: MIT */
#include "bridge_http_stream.h"

#include "bridge_client.h"
#include "bridge_http_message.h"
#include "bridge_log.h"
#include "format.h"
#include "text.h"

#include <string.h>

/* --- What of a message decides where it goes */

enum answer_part { PART_METHOD, PART_ID, PART_PARAMS, PART_ERROR, PART_RESULT, PARTS };
static const char *const part_names[PARTS] = { "method", "id", "params", "error", "result" };

/* --- Events that are kept: a session has so many, and the oldest go first */

static bool is_kept(const struct session *s, const struct stream *stream)
{
	for (const struct event *e = s->events; e != NULL; e = e->next) {
		if (e->stream == stream->number)
			return true;
	}
	return false;
}

static void free_stream(struct stream *stream)
{
	struct bridge *const b = stream->client->wire.bridge;
	for (unsigned i = 0; i < stream->count; i++)
		heap_free(&b->heap, stream->asked[i].own);
	heap_free(&b->heap, stream);
}

void session_forget_streams(struct session *s)
{
	struct stream **at = &s->streams->next;
	while (*at != NULL) {
		struct stream *const stream = *at;
		if (stream->ended && stream->connection == NULL && !is_kept(s, stream)) {
			*at = stream->next;
			free_stream(stream);
		} else {
			at = &stream->next;
		}
	}
}

static void drop_event(struct session *s)
{
	struct bridge *const b = s->client->wire.bridge;
	struct event *const first = s->events;
	if (!first->sent)
		log_line(b, LOG_WARNING, "client %u: a message has found no stream and is dropped", s->client->number);
	s->events = first->next;
	s->event_count--;
	s->event_bytes -= first->n;
	heap_free(&b->heap, first);
}

static struct event *keep_event(struct stream *stream, const char *message)
{
	struct bridge *const b = stream->client->wire.bridge;
	static const char form[] = "id: %u-%u\nevent: message\ndata: %s\n\n";
	struct session *const s = stream->session;
	const size_t size = sizeof form + 24 + strlen(message);
	struct event *const e = heap_resize(&b->heap, NULL, sizeof *e + size);
	struct event **last = &s->events;
	if (e == NULL)
		return NULL;
	*e = (struct event){ .stream = stream->number, .number = ++stream->last };
	e->n = format_text(e->text, size, form, stream->number, stream->last, message);
	while (*last != NULL)
		last = &(*last)->next;
	*last = e;
	s->event_count++;
	s->event_bytes += e->n;
	while (s->events != e && (s->event_count > EVENTS_MOST || s->event_bytes > EVENTS_BYTES))
		drop_event(s);
	session_forget_streams(s);
	return e;
}

/* --- Sending on a stream */

static void take_off(struct stream *stream, struct connection *c)
{
	struct connection **at = &stream->connection;
	while (*at != NULL && *at != c)
		at = &(*at)->older;
	if (*at != NULL)
		*at = c->older;
	c->older = NULL;
	c->stream = NULL;
}

/* From a first event without a message the client knows where it can go on (2025-11-25 basic/transports). Clients of earlier revisions take
 * each event for a message. */
void stream_begin(struct stream *stream)
{
	char text[64];
	struct connection *const c = stream->connection;
	const struct session *const s = stream->session;
	http_begin_stream(c, s != NULL ? s->id : NULL);
	if (s == NULL || strcmp(s->version, "2025-11-25") != 0)
		return;
	const size_t n = format_text(text, sizeof text, "id: %u-%u\nretry: 1000\ndata: \n\n", stream->number, stream->last);
	http_send(c, text, n);
	stream->opened = true;
}

static void end_events(struct stream *stream)
{
	while (stream->connection != NULL) {
		struct connection *const c = stream->connection;
		if (c->phase == CONNECTION_ANSWERS)
			stream_begin(stream);
		take_off(stream, c);
		http_end_stream(c);
	}
}

static void send_event(struct stream *stream, struct event *e)
{
	http_send(stream->connection, e->text, e->n);
	e->sent = stream->opened = true;
}

static void send_kept(struct stream *stream, unsigned after, bool all)
{
	for (struct event *e = stream->session->events; e != NULL; e = e->next) {
		if (e->stream == stream->number && e->number > after && (all || !e->sent))
			send_event(stream, e);
	}
}

/* --- Modern: one request, one client, one connection */

static unsigned status_of(const struct stream *stream, struct span error)
{
	struct bridge *const b = stream->client->wire.bridge;
	char *const text = span_text(&b->heap, span_member(error, "code"));
	size_t n;
	const bool minus = text != NULL && *text == '-';
	const int64_t code = minus ? -(int64_t)text_digits(text + 1, &n) : 0; /* others have no status of their own */
	heap_free(&b->heap, text);
	if (code == QUASH_METHOD_NOT_FOUND)
		return 404;
	const bool header = code <= -32020 && code >= -32022;
	return header || code == QUASH_PARSE_ERROR || code == QUASH_INVALID_REQUEST || (stream->unnamed && code == QUASH_INVALID_PARAMS) ? 400 : 200;
}

static void end_modern(struct stream *stream, const char *why)
{
	struct client *const client = stream->client;
	if (stream->connection != NULL)
		take_off(stream, stream->connection);
	client->stream = NULL;
	free_stream(stream);
	client_leave(client, why);
}

static void modern_message(struct stream *stream, const char *message, const struct span *parts)
{
	struct bridge *const b = stream->client->wire.bridge;
	static const char before[] = "event: message\ndata: ", after[] = "\n\n";
	struct connection *const c = stream->connection;
	const bool answer = parts[PART_METHOD].at == NULL;
	if (answer && c->phase == CONNECTION_ANSWERS) {
		const unsigned status = status_of(stream, parts[PART_ERROR]);
		end_modern(stream, "answered");
		http_respond(c, status, "application/json", message, NULL);
		return;
	}
	if (c->phase == CONNECTION_ANSWERS)
		stream_begin(stream);
	const size_t n = strlen(message);
	char *const text = heap_resize(&b->heap, NULL, n + sizeof before + sizeof after);
	if (text != NULL)
		http_send(c, text, format_text(text, n + sizeof before + sizeof after, "%s%s%s", before, message, after));
	heap_free(&b->heap, text);
	if (!answer)
		return;
	end_modern(stream, "answered");
	http_end_stream(c);
}

/* --- Legacy: where a message of the session belongs */

static struct asked *find_asked(struct stream *stream, uint32_t id)
{
	for (unsigned i = 0; i < stream->count; i++) {
		if (stream->asked[i].id == id)
			return &stream->asked[i];
	}
	return NULL;
}

static uint32_t number_of(struct bridge *b, struct span id)
{
	char *const text = span_text(&b->heap, id);
	size_t n;
	const uint32_t number = text != NULL ? text_digits(text, &n) : 0;
	heap_free(&b->heap, text);
	return number < UINT32_MAX ? number : 0; /* no id of ours is so large */
}

/* NULL: of none that is not answered. */
static struct stream *stream_of(const struct session *s, uint32_t id)
{
	struct stream *stream = s->streams;
	while (stream != NULL && (id == 0 || find_asked(stream, id) == NULL))
		stream = stream->next;
	return stream;
}

static void close_asked(struct stream *stream, struct asked *asked)
{
	asked->id = 0;
	stream->open--;
	stream->ended = stream->open == 0;
}

/* The one answer of a request that nothing came before is no stream. */
static void answer_at_once(struct stream *stream, const char *message, bool greets)
{
	struct connection *const c = stream->connection;
	struct session *const s = stream->session;
	take_off(stream, c);
	const char *const fields[] = { "Mcp-Session-Id", s->id, NULL };
	http_respond(c, 200, "application/json", message, greets ? fields : NULL);
	session_forget_streams(s);
}

static void deliver(struct stream *stream, const char *message)
{
	const bool carried = stream->connection != NULL;
	if (carried && stream->connection->phase == CONNECTION_ANSWERS)
		stream_begin(stream);
	struct event *const e = keep_event(stream, message);
	if (carried && e != NULL)
		send_event(stream, e);
	if (stream->ended)
		end_events(stream);
}

/* `message` NULL: there was no memory for it. */
static void answer_on_stream(struct stream *stream, struct asked *asked, const char *message, bool greets)
{
	close_asked(stream, asked);
	if (message == NULL)
		end_events(stream);
	else if (stream->ended && stream->count == 1 && stream->connection != NULL && stream->connection->phase == CONNECTION_ANSWERS)
		answer_at_once(stream, message, greets);
	else
		deliver(stream, message);
}

void stream_unask(struct stream *stream, struct asked *asked)
{
	struct bridge *const b = stream->client->wire.bridge;
	if (!asked->stopped) {
		char *const error = asked->begun_anew ?
			text_of_failure(&b->heap, asked->own, QUASH_CANCELLED, "Request cancelled", "{\"reason\":\"its session has begun anew\"}") :
			text_of_failure(&b->heap, asked->own, QUASH_INVALID_REQUEST, "Invalid Request", NULL);
		answer_on_stream(stream, asked, error, false);
		heap_free(&b->heap, error);
		return;
	}
	close_asked(stream, asked);
	if (stream->ended)
		end_events(stream);
}

/* Whoever comes back reads why. */
static char *error_of_left_alone(struct bridge *b, const struct asked *asked)
{
	char data[128];
	format_text(data, sizeof data, "{\"reason\":\"its stream was closed, and not asked for again in %u ms\"}", (unsigned)asked->left_alone);
	return text_of_failure(&b->heap, asked->own, QUASH_CANCELLED, "Request cancelled", data);
}

static bool is_cancelled(struct span error)
{
	const struct span code = span_member(error, "code");
	return code.n == 6 && memcmp(code.at, "-32800", 6) == 0;
}

static void note_version(struct session *s, struct span result)
{
	struct bridge *const b = s->client->wire.bridge;
	char *const version = span_text(&b->heap, span_member(result, "protocolVersion"));
	if (version != NULL)
		text_fit(s->version, sizeof s->version, version);
	heap_free(&b->heap, version);
}

static void legacy_answer(struct session *s, const char *message, const struct span *parts)
{
	struct bridge *const b = s->client->wire.bridge;
	const uint32_t id = number_of(b, parts[PART_ID]);
	struct stream *const stream = stream_of(s, id);
	struct asked *const asked = stream != NULL ? find_asked(stream, id) : NULL;
	if (asked == NULL)
		return;
	const bool alone = asked->left_alone != 0 && is_cancelled(parts[PART_ERROR]);
	char *const own = alone ? error_of_left_alone(b, asked) : span_replaced(&b->heap, span_of(message), parts[PART_ID], asked->own);
	const bool refused = parts[PART_ERROR].at != NULL, begins = s->version[0] == '\0', greets = asked->greets;
	answer_on_stream(stream, asked, own, begins && !refused);
	heap_free(&b->heap, own);
	if (greets)
		note_version(s, parts[PART_RESULT]);
	if (begins && s->version[0] == '\0')
		session_end(s, "not begun");
}

/* The bridge marks what belongs to a request, see mcp_put_cause. */
static char *without_mark(struct bridge *b, const char *message, struct span params, uint32_t *id)
{
	static const char mark[] = "quash/request";
	const struct span meta = span_member(params, "_meta"), value = span_member(meta, mark);
	size_t place = 0;
	struct span member, only;
	*id = number_of(b, value);
	if (value.at == NULL)
		return text_copy(&b->heap, message);
	const bool alone = span_next(meta, &place, &member, &only) && !span_next(meta, &place, &member, &only);
	return span_replaced(&b->heap, span_of(message), alone ? span_whole_member(params, "_meta") : span_whole_member(meta, mark), NULL);
}

/* The newest one that somebody listens to: an older connection may have died without a word. */
static struct stream *standing_of(const struct session *s)
{
	struct stream *found = s->streams;
	for (struct stream *stream = s->streams; stream != NULL; stream = stream->next) {
		const bool newer = found->connection == NULL || (int32_t)(stream->since - found->since) >= 0;
		if (stream->standing && stream->connection != NULL && newer)
			found = stream;
	}
	return found;
}

static void legacy_message(struct session *s, const char *message, const struct span *parts)
{
	struct bridge *const b = s->client->wire.bridge;
	uint32_t id = 0;
	if (parts[PART_METHOD].at == NULL) {
		legacy_answer(s, message, parts);
		return;
	}
	char *const text = without_mark(b, message, parts[PART_PARAMS], &id);
	struct stream *const stream = stream_of(s, id);
	if (text != NULL)
		deliver(stream != NULL ? stream : standing_of(s), text);
	heap_free(&b->heap, text);
}

static void message_leaves(struct wire *wire, const char *message)
{
	struct client *const client = (struct client *)(void *)wire;
	struct span parts[PARTS];
	span_members(span_of(message), part_names, parts, PARTS);
	if (client->stream != NULL)
		modern_message(client->stream, message, parts);
	else if (client->session != NULL)
		legacy_message(client->session, message, parts);
}

/* --- Clients */

/* The bridge has ended it. */
static void forgotten(struct client *client)
{
	struct stream *const stream = client->stream;
	if (stream != NULL) {
		http_give_up(stream->connection);
		take_off(stream, stream->connection);
		free_stream(stream);
	}
	client->stream = NULL;
	if (client->session != NULL)
		session_end(client->session, "ended");
}

bool stream_hand_on(struct client *client, struct span message, struct span id, uint32_t number)
{
	struct bridge *const b = client->wire.bridge;
	char digits[12];
	format_text(digits, sizeof digits, "%u", (unsigned)number);
	char *const text = span_replaced(&b->heap, message, number != 0 ? id : (struct span){ NULL, 0 }, number != 0 ? digits : NULL);
	const size_t n = text != NULL ? strlen(text) : 0;
	for (size_t i = 0; i < n; i++)
		text[i] = text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
	if (text != NULL)
		text[n] = '\n'; /* in place of its end */
	const bool added = text != NULL && client_hand_in(client, text, n + 1);
	heap_free(&b->heap, text);
	return added;
}

struct stream *stream_open_modern(struct connection *c)
{
	struct bridge *const b = c->bridge;
	struct stream *const stream = heap_new(&b->heap, sizeof *stream);
	struct client *const client = stream != NULL ? client_open_http(b, message_leaves, forgotten) : NULL;
	if (client == NULL) {
		heap_free(&b->heap, stream);
		return NULL;
	}
	*stream = (struct stream){ .client = client, .connection = c, .since = b->now, .open = 1 };
	client->stream = c->stream = stream;
	c->phase = CONNECTION_ANSWERS;
	return stream;
}

/* --- Sessions */

static bool make_id(struct bridge *b, char id[SESSION_ID + 1])
{
	uint8_t bytes[SESSION_ID / 2];
	if (!b->host.random(b->host.context, bytes, sizeof bytes))
		return false;
	for (unsigned i = 0; i < sizeof bytes; i++)
		format_text(id + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

static struct stream *add_stream(struct session *s, struct connection *c)
{
	struct bridge *const b = s->client->wire.bridge;
	struct stream *const stream = heap_new(&b->heap, sizeof *stream);
	struct stream **last = &s->streams;
	if (stream == NULL)
		return NULL;
	while (*last != NULL)
		last = &(*last)->next;
	*last = stream;
	*stream = (struct stream){ .session = s, .client = s->client, .connection = c, .number = s->streams_made++, .since = b->now, .left = b->now };
	return stream;
}

struct session *session_open(struct bridge *b)
{
	struct session *const s = heap_new(&b->heap, sizeof *s);
	struct client *const client = s != NULL && make_id(b, s->id) ? client_open_http(b, message_leaves, forgotten) : NULL;
	if (client == NULL) {
		heap_free(&b->heap, s);
		return NULL;
	}
	s->client = client;
	s->seen = b->now;
	s->next = b->sessions;
	b->sessions = s;
	client->session = s;
	if (add_stream(s, NULL) != NULL) {
		s->streams->standing = true;
		return s;
	}
	session_end(s, "no memory");
	return NULL;
}

struct session *session_first(struct bridge *b)
{
	return b->sessions;
}

struct session *session_find(struct bridge *b, const char *id)
{
	struct session *s = b->sessions;
	while (s != NULL && strcmp(s->id, id) != 0)
		s = s->next;
	return s;
}

void session_end(struct session *s, const char *why)
{
	struct bridge *const b = s->client->wire.bridge;
	struct client *const client = s->client;
	struct session **at = &b->sessions;
	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	client->session = NULL;
	while (s->streams != NULL) {
		struct stream *const stream = s->streams;
		end_events(stream);
		s->streams = stream->next;
		free_stream(stream);
	}
	while (s->events != NULL) {
		s->events->sent = true; /* no stream is left for it */
		drop_event(s);
	}
	heap_free(&b->heap, s);
	client_leave(client, why);
}

struct stream *stream_open(struct session *s, struct connection *c)
{
	struct stream *const stream = add_stream(s, c);
	if (stream == NULL)
		return NULL;
	c->stream = stream;
	c->phase = CONNECTION_ANSWERS;
	return stream;
}

static void note_anew(const struct session *s)
{
	for (struct stream *stream = s->streams; stream != NULL; stream = stream->next) {
		for (unsigned i = 0; i < stream->count; i++)
			stream->asked[i].begun_anew = true;
	}
}

uint32_t stream_ask(struct stream *stream, struct span id, bool greets)
{
	struct bridge *const b = stream->client->wire.bridge;
	char *const own = stream->count < STREAM_REQUESTS ? span_replaced(&b->heap, message_plain_id(id), (struct span){ NULL, 0 }, NULL) : NULL;
	if (own == NULL)
		return 0;
	b->last_id = b->last_id < INT32_MAX ? b->last_id + 1 : 1;
	if (greets)
		note_anew(stream->session);
	stream->asked[stream->count++] = (struct asked){ .id = b->last_id, .own = own, .greets = greets };
	stream->open++;
	return b->last_id;
}

static bool hand_on_cancel(struct client *client, uint32_t number, struct span reason)
{
	struct bridge *const b = client->wire.bridge;
	struct builder made = build_begin(&b->heap), *const to = &made;
	build_text(to, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":");
	build_number(to, number);
	if (reason.at != NULL) {
		build_text(to, ",\"reason\":");
		build_bytes(to, reason.at, reason.n);
	}
	build_text(to, "}}");
	char *const text = build_end(to);
	const bool handed = text != NULL && stream_hand_on(client, span_of(text), (struct span){ NULL, 0 }, 0);
	heap_free(&b->heap, text);
	return handed;
}

/* What somebody wants to stop is to stop, also where clients that share a session have given it the same id. */
bool session_cancel(struct session *s, struct span id, struct span reason)
{
	bool all = true;
	for (struct stream *stream = s->streams; stream != NULL; stream = stream->next) {
		for (unsigned i = 0; i < stream->count; i++) {
			struct asked *const asked = &stream->asked[i];
			if (asked->id == 0 || asked->stopped || !span_equals(span_of(asked->own), message_plain_id(id)))
				continue;
			asked->stopped = hand_on_cancel(s->client, asked->id, reason);
			all = all && asked->stopped;
		}
	}
	s->looks = true;
	return all;
}

/* `STREAM-NUMBER`. */
static bool read_event(const char *event, uint32_t *stream, uint32_t *number)
{
	size_t n, rest = 0;
	*stream = text_digits(event, &n);
	*number = event[n] == '-' ? text_digits(event + n + 1, &rest) : 0;
	return n > 0 && rest > 0 && event[n + 1 + rest] == '\0';
}

static void carry(struct stream *stream, struct connection *c)
{
	struct bridge *const b = c->bridge;
	if (stream->connection != NULL && stream->connection->phase == CONNECTION_ANSWERS)
		stream_begin(stream);
	if (stream->connection != NULL)
		stream->connection->reached = stream->last;
	c->older = stream->connection;
	c->stream = stream;
	stream->connection = c;
	stream->since = b->now;
	stream->ended = stream->ended && !stream->standing;
	http_begin_stream(c, stream->session->id);
	stream->opened = true;
}

static unsigned count_listening(const struct session *s)
{
	unsigned count = 0;
	for (const struct stream *stream = s->streams; stream != NULL; stream = stream->next) {
		const struct connection *c = stream->connection;
		for (c = c != NULL && !stream->standing ? c->older : c; c != NULL; c = c->older)
			count++;
	}
	return count;
}

/* Each has numbers of its own, so a client that goes on with one gets nothing that another one had. */
static struct stream *open_standing(struct session *s)
{
	struct stream *const stream = s->streams->connection == NULL ? s->streams : add_stream(s, NULL);
	if (stream != NULL)
		stream->standing = true;
	return stream;
}

static bool has_more(const struct stream *stream, uint32_t after)
{
	for (const struct event *e = stream->session->events; e != NULL; e = e->next) {
		if (e->stream == stream->number && e->number > after)
			return true;
	}
	return false;
}

static enum listening find_stream(struct session *s, const char *event, struct stream **found, uint32_t *after)
{
	uint32_t number = 0;
	if (!read_event(event, &number, after) || number >= s->streams_made)
		return LISTENS_NEVER;
	*found = s->streams;
	while (*found != NULL && (*found)->number != number)
		*found = (*found)->next;
	return *found != NULL && (!(*found)->ended || (*found)->standing || has_more(*found, *after)) ? LISTENS : LISTENS_OVER;
}

enum listening session_listen(struct session *s, struct connection *c, const char *event)
{
	struct stream *stream = NULL;
	uint32_t after = 0;
	const enum listening how = event != NULL ? find_stream(s, event, &stream, &after) : LISTENS;
	if (how != LISTENS)
		return how;
	if (count_listening(s) >= STREAM_CONNECTIONS || (event == NULL && (stream = open_standing(s)) == NULL))
		return LISTENS_MANY;
	carry(stream, c);
	send_kept(stream, (unsigned)after, event != NULL);
	if (stream->ended)
		end_events(stream);
	session_forget_streams(s);
	return LISTENS;
}

/* What went on the lost one may not have come, and whoever reads on at an older one learns a later id, so would never ask for it. */
void stream_lost(struct stream *stream, struct connection *c)
{
	struct bridge *const b = c->bridge;
	struct session *const s = stream->session;
	const bool newest = stream->connection == c;
	take_off(stream, c);
	if (s == NULL) {
		end_modern(stream, "has closed its stream");
		return;
	}
	s->seen = b->now;
	if (stream->connection == NULL)
		stream->left = b->now;
	else if (newest)
		send_kept(stream, stream->connection->reached, true);
	stream->ended = stream->ended || (stream->standing && stream != s->streams && stream->connection == NULL);
	if (s->version[0] == '\0')
		session_end(s, "has not waited for its beginning"); /* it cannot come back */
	else
		session_forget_streams(s);
}
