/* SPDX-License-Identifier: MIT */
#include "bridge_http.h"

#include "bridge_inner.h"
#include "bridge_http_head.h"
#include "bridge_log.h"
#include "bridge_stranger.h"
#include "text.h"

#include <string.h>

enum { READ_ROUNDS = 16, LOOK_MS = 20, BODY_GROWS = 16384, PER_MS = 34 /* bytes of a body */, MOST_STRANGE = MOST_CONNECTIONS / 4 };

/* --- Connections */

static void release_body(struct connection *c)
{
	struct bridge *const b = c->bridge;
	b->http.bodies -= c->body_room;
	heap_free(&b->heap, c->body);
	c->body = NULL;
	c->body_length = c->body_room = 0;
}

static void drop_connection(struct connection *c)
{
	struct bridge *const b = c->bridge;
	b->http.service->lost(c);
	release_body(c);
	queue_free(&c->queue);
	line_close(c->line, 0);
	b->http.all[c->place] = NULL;
	b->http.count--;
	while (b->http.places > 0 && b->http.all[b->http.places - 1] == NULL)
		b->http.places--;
	heap_free(&b->heap, c);
}

static bool connection_is_idle(const struct connection *c)
{
	return c->phase == CONNECTION_READS && port_http_is_idle(&c->reader) && queue_is_empty(&c->queue) && line_is_clear(c->line) && !line_shows(c->line);
}

/* No request of it has come whole yet, or none that needs to be let in. */
static bool is_stranger(const struct connection *c)
{
	return !c->known && (c->phase == CONNECTION_READS || c->phase == CONNECTION_LEAVES);
}

static unsigned count_strangers(struct bridge *b)
{
	unsigned count = 0;
	for (unsigned i = 0; i < b->http.places; i++)
		count += b->http.all[i] != NULL && is_stranger(b->http.all[i]);
	return count;
}

/* The one that gives way to one that comes; NULL: none does, and one may in `*wait` milliseconds. First one that stands between two
 * requests, at once. Then one whose request has not come, once it has had time: until then the one that comes waits at the door. Are there
 * many that have made none yet, only they give way: so they take no place from clients. Of equal ones the oldest. */
static struct connection *find_yielding(struct bridge *b, uint32_t *wait)
{
	const unsigned strangers = count_strangers(b);
	const uint32_t time = strangers >= MOST_CONNECTIONS / 2 ? HTTP_YIELD_SOON_MS : HTTP_YIELD_MS;
	const bool many = strangers >= MOST_STRANGE;
	struct connection *found = NULL;
	unsigned rank = 0;
	*wait = UINT32_MAX;
	for (unsigned i = 0; i < b->http.places; i++) {
		struct connection *const c = b->http.all[i];
		if (c == NULL || (c->phase != CONNECTION_READS && !is_stranger(c)) || (many && c->known))
			continue;
		const unsigned own = !c->known ? 2 : connection_is_idle(c) ? 3 : 1;
		const uint32_t age = b->now - c->since;
		if (own < 3 && age < time)
			*wait = time - age < *wait ? time - age : *wait;
		else if (own > rank || (own == rank && age > b->now - found->since)) {
			found = c;
			rank = own;
		}
	}
	return found;
}

bool http_has_room(struct bridge *b)
{
	uint32_t wait;
	return b->http.count < MOST_CONNECTIONS || find_yielding(b, &wait) != NULL;
}

bool http_yields(struct bridge *b)
{
	uint32_t wait;
	struct connection *const yielding = find_yielding(b, &wait);
	if (yielding != NULL)
		drop_connection(yielding);
	return yielding != NULL;
}

static struct connection *make_connection(struct bridge *b, struct bridge_line *line)
{
	struct connection *const c = line != NULL ? heap_new(&b->heap, sizeof *c) : NULL;
	if (c == NULL)
		return NULL;
	c->bridge = b;
	c->line = line;
	c->queue.heap = &b->heap;
	c->since = b->now;
	port_http_open(&c->reader, c->head, sizeof c->head, HTTP_BODY_MOST);
	return c;
}

struct bridge_line *http_comes(struct bridge *b)
{
	unsigned place = 0;
	if (b->http.count == MOST_CONNECTIONS && !http_yields(b))
		return NULL;
	while (place < b->http.places && b->http.all[place] != NULL)
		place++;
	struct bridge_line *const line = line_new(b, BRIDGE_HTTP);
	struct connection *const c = make_connection(b, line);
	if (c == NULL) {
		if (line != NULL)
			line_drop(line);
		return NULL;
	}
	c->place = place;
	b->http.all[place] = c;
	b->http.count++;
	if (place >= b->http.places)
		b->http.places = place + 1;
	return line;
}

/* --- Sending */

static void add_out(struct connection *c, const char *text, size_t n)
{
	struct bridge *const b = c->bridge;
	(void)queue_add(&c->queue, (const uint8_t *)text, n, true);
	c->sent = b->now;
	c->stirs = true;
}

static void write_some(struct connection *c)
{
	const quash_port port = line_port(c->line);
	size_t n;
	const uint8_t *data;
	while ((data = queue_next(&c->queue, &n)) != NULL) {
		const int left = port.write(port.device, data, n);
		c->hung = c->hung || left < 0;
		if (left <= 0)
			return;
		queue_taken(&c->queue, (size_t)left);
	}
}

void http_write(struct bridge *b)
{
	for (unsigned i = 0; i < b->http.places; i++) {
		if (b->http.all[i] != NULL)
			write_some(b->http.all[i]);
	}
}

static void put_common(port_http_text *head, const struct connection *c)
{
	struct bridge *const b = c->bridge;
	const char *const origin = c->reader.status == 0 ? http_origin(b, &c->reader) : NULL;
	if (origin != NULL) {
		port_http_put_field(head, "Access-Control-Allow-Origin", origin);
		port_http_put_field(head, "Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate");
		port_http_put_field(head, "Vary", "Origin");
	}
	if (c->reader.closes)
		port_http_put_field(head, "Connection", "close");
	else if (!port_http_takes_chunks(&c->reader))
		port_http_put_field(head, "Connection", "keep-alive");
}

void http_give_up(struct connection *c)
{
	c->hung = c->stirs = true;
}

void http_done(struct connection *c)
{
	struct bridge *const b = c->bridge;
	c->stirs = true;
	release_body(c);
	c->stopped = false;
	c->phase = c->reader.closes ? CONNECTION_LEAVES : CONNECTION_READS;
	c->since = b->now;
	port_http_next(&c->reader);
}

/* RFC 9110 section 9.3.2. Of what is no request the method is not known. */
static bool wants_head_alone(const struct connection *c)
{
	return c->reader.status == 0 && strcmp(c->reader.method, "HEAD") == 0;
}

void http_respond(struct connection *c, unsigned status, const char *type, const char *body, const char *const *fields)
{
	char memory[1024];
	port_http_text head = { memory, sizeof memory, 0 };
	const size_t n = body != NULL ? strlen(body) : 0;
	port_http_put_status(&head, status);
	if (type != NULL)
		port_http_put_field(&head, "Content-Type", type);
	for (; fields != NULL && fields[0] != NULL; fields += 2)
		port_http_put_field(&head, fields[0], fields[1]);
	if (status != 204)
		port_http_put_length(&head, n);
	put_common(&head, c);
	port_http_put_end(&head);
	if (head.length > head.size) { /* an Origin without end */
		c->hung = true;
		return;
	}
	add_out(c, memory, head.length);
	if (n > 0 && !wants_head_alone(c))
		add_out(c, body, n);
	http_done(c);
}

void http_refuse(struct connection *c, unsigned status, const char *id, int code, const char *words, const char *data)
{
	struct bridge *const b = c->bridge;
	char *const body = text_of_failure(&b->heap, id, code, words, data);
	http_respond(c, status, body != NULL ? "application/json" : NULL, body, NULL);
	heap_free(&b->heap, body);
}

void http_not_allowed(struct connection *c, const char *methods, const char *words)
{
	const char *const fields[] = { "Allow", methods, NULL };
	http_respond(c, 405, "text/plain", words, fields);
}

void http_permit(struct connection *c, const char *methods)
{
	const char *const fields[] = { "Access-Control-Allow-Methods", methods, "Access-Control-Allow-Headers", "Authorization, *",
		"Access-Control-Max-Age", "600", NULL };
	http_respond(c, 204, NULL, NULL, fields);
}

void http_begin_stream(struct connection *c, const char *session)
{
	char memory[1024];
	port_http_text head = { memory, sizeof memory, 0 };
	c->reader.closes = c->reader.closes || !port_http_takes_chunks(&c->reader);
	port_http_put_status(&head, 200);
	port_http_put_field(&head, "Content-Type", "text/event-stream");
	port_http_put_field(&head, "Cache-Control", "no-cache");
	port_http_put_field(&head, "X-Accel-Buffering", "no");
	if (session != NULL)
		port_http_put_field(&head, "Mcp-Session-Id", session);
	if (port_http_takes_chunks(&c->reader))
		port_http_put_field(&head, "Transfer-Encoding", "chunked");
	put_common(&head, c);
	port_http_put_end(&head);
	c->hung = c->hung || head.length > head.size;
	add_out(c, memory, c->hung ? 0 : head.length);
	c->phase = CONNECTION_STREAMS;
}

void http_send(struct connection *c, const char *text, size_t n)
{
	char head[HTTP_CHUNK_HEAD];
	if (!port_http_takes_chunks(&c->reader)) {
		add_out(c, text, n);
		return;
	}
	add_out(c, head, port_http_put_chunk(head, (uint32_t)n));
	add_out(c, text, n);
	add_out(c, "\r\n", 2);
}

void http_end_stream(struct connection *c)
{
	if (port_http_takes_chunks(&c->reader))
		add_out(c, "0\r\n\r\n", 5);
	http_done(c);
}

/* --- Reading */

static bool keep_body(struct connection *c)
{
	struct bridge *const b = c->bridge;
	const size_t need = c->body_length + c->reader.body_length + 1;
	if (need > c->body_room) {
		const size_t twice = 2 * c->body_room, room = twice > need ? twice : need + BODY_GROWS;
		char *const body = b->http.bodies + room <= HTTP_BODIES_MOST ? heap_resize(&b->heap, c->body, room) : NULL;
		if (body == NULL)
			return false;
		b->http.bodies += room - c->body_room;
		c->body = body;
		c->body_room = room;
	}
	memcpy(c->body + c->body_length, c->reader.body, c->reader.body_length);
	c->body_length += c->reader.body_length;
	c->body[c->body_length] = '\0';
	return true;
}

/* Nothing of it can be trusted any more. */
static void refuse_request(struct connection *c)
{
	struct bridge *const b = c->bridge;
	stranger_note_refused(b, c->reader.status == 431 ? "the head of its request is too long" : "its request is none of HTTP/1.1 that is taken");
	http_refuse(c, c->reader.status, NULL, QUASH_INVALID_REQUEST, "no such request is taken", NULL);
	c->phase = CONNECTION_LEAVES;
}

/* Whoever is not let in gets that answer before the body has come. */
static void take_head(struct connection *c)
{
	struct bridge *const b = c->bridge;
	char why[HTTP_WHY];
	const unsigned status = http_refusal(b, &c->reader, why);
	const bool token = status == 401;
	static const char *const challenge[] = { "WWW-Authenticate", "Bearer", NULL };
	if (status != 0) {
		c->reader.closes = true;
		stranger_note_refused(b, why);
		http_respond(c, status, "text/plain", token ? "A token is needed.\n" : "This Host or Origin is not let in.\n",
			token ? challenge : NULL);
		c->phase = CONNECTION_LEAVES;
		return;
	}
	if (c->reader.waits)
		add_out(c, "HTTP/1.1 100 Continue\r\n\r\n", 25);
}

static void handle(struct connection *c, port_http_event event)
{
	switch (event) {
	case HTTP_HEAD: take_head(c); break;
	case HTTP_BODY:
		if (!c->bridge->http.service->keeps(c) || keep_body(c))
			break;
		c->reader.closes = true;
		http_refuse(c, 503, NULL, QUASH_INTERNAL_ERROR, "there is no room for the body now", NULL);
		c->phase = CONNECTION_LEAVES;
		break;
	case HTTP_END:
		c->known = true;
		c->phase = CONNECTION_WAITS;
		break;
	case HTTP_WRONG: refuse_request(c); break;
	default: break;
	}
}

/* What one sends without end must not hold up others. */
static void read_connection(struct connection *c)
{
	struct bridge *const b = c->bridge;
	const quash_port port = line_port(c->line);
	const uint8_t *bytes = NULL;
	for (unsigned rounds = 0; c->phase == CONNECTION_READS && rounds < READ_ROUNDS; rounds++) {
		const int n = port.peek(port.device, &bytes);
		port_http_event event = HTTP_HEAD;
		size_t at = 0;
		c->hung = c->hung || n < 0;
		if (n <= 0)
			return;
		if (port_http_is_idle(&c->reader))
			c->since = b->now;
		while (event != HTTP_MORE && c->phase == CONNECTION_READS) {
			event = port_http_read(&c->reader, bytes, (size_t)n, &at);
			handle(c, event);
		}
		port.take(port.device, at);
	}
}

/* What comes after the end of a connection is read and dropped: else the system would reset it, and the answer be lost. */
static void drain_connection(struct connection *c)
{
	const quash_port port = line_port(c->line);
	const uint8_t *bytes = NULL;
	const int n = port.peek(port.device, &bytes);
	c->hung = c->hung || n < 0;
	if (n > 0)
		port.take(port.device, (size_t)n);
}

/* --- Turns */

static uint32_t allowed(const struct connection *c)
{
	switch (c->phase) {
	case CONNECTION_READS:
		return port_http_is_idle(&c->reader) ? HTTP_IDLE_MS : HTTP_REQUEST_MS + (uint32_t)(c->body_length / PER_MS);
	case CONNECTION_LEAVES: return HTTP_REQUEST_MS;
	default: return UINT32_MAX;
	}
}

static uint32_t room_left_of(const struct connection *c)
{
	struct bridge *const b = c->bridge;
	const uint32_t passed = b->now - c->since, most = allowed(c), unread = line_left(c->line, QUEUE_MS);
	const uint32_t left = most == UINT32_MAX ? UINT32_MAX : passed < most ? most - passed : 0;
	return left < unread ? left : unread;
}

static bool is_answering(const struct connection *c)
{
	return c->phase == CONNECTION_ANSWERS || c->phase == CONNECTION_STREAMS;
}

static bool is_read_ahead(const struct connection *c)
{
	return line_shows(c->line);
}

/* A client that takes nothing, and one that has not finished in time. */
static bool is_late(const struct connection *c)
{
	struct bridge *const b = c->bridge;
	const bool unread = c->queue.full || line_left(c->line, QUEUE_MS) == 0;
	if (unread)
		log_line(b, LOG_WARNING, "http: a client does not read, closed");
	return unread || room_left_of(c) == 0;
}

/* While a request is answered, so much more has come that the end of the connection may follow it, and not be seen. */
static bool hides_its_end(const struct connection *c)
{
	return is_answering(c) && line_is_stuffed(c->line);
}

/* Whoever is answered is noticed to be gone whatever of it is unread. */
static bool is_gone(const struct connection *c)
{
	return c->hung || c->line->gone || c->line->ended || (c->phase != CONNECTION_READS && c->line->hung);
}

static void keep_alive(struct connection *c)
{
	struct bridge *const b = c->bridge;
	if (c->phase == CONNECTION_STREAMS && b->now - c->sent >= HTTP_COMMENT_MS)
		http_send(c, ":\n\n", 3);
}

/* What waits is not read again in each turn, and what is long less often. */
static uint32_t look_again(const struct connection *c)
{
	enum { BYTES_PER_MS = 8192 };
	return LOOK_MS + (uint32_t)(c->body_length / BYTES_PER_MS);
}

static void show_waiting(struct connection *c)
{
	struct bridge *const b = c->bridge;
	if (c->shown && b->now - c->looked < look_again(c))
		return;
	c->looked = b->now;
	c->shown = true;
	b->http.service->take(c);
	c->shown = c->phase == CONNECTION_WAITS;
}

/* True if it needs no turn now. Many are open beside one that asks. */
static bool connection_rests(const struct connection *c)
{
	return !c->stirs && !c->line->stirs && (c->rest == UINT32_MAX || c->bridge->now - c->rests < c->rest);
}

static void connection_turn(struct connection *c)
{
	struct bridge *const b = c->bridge;
	if (connection_rests(c))
		return;
	c->line->stirs = false;
	if (c->phase == CONNECTION_READS)
		read_connection(c);
	if (c->phase == CONNECTION_WAITS && !c->hung)
		show_waiting(c);
	if (c->phase == CONNECTION_LEAVES)
		drain_connection(c);
	keep_alive(c);
	const bool left = c->phase == CONNECTION_LEAVES && queue_is_empty(&c->queue) && line_is_clear(c->line) && b->now - c->since >= 100;
	if (is_gone(c) || left || is_late(c) || hides_its_end(c))
		drop_connection(c);
	else
		c->stirs = true; /* until what it can rest was looked at */
}

void http_turn(struct bridge *b)
{
	for (unsigned i = 0; i < b->http.places; i++) {
		if (b->http.all[i] != NULL)
			connection_turn(b->http.all[i]);
	}
	if (b->http.service != NULL)
		b->http.service->turn(b);
}

/* --- Waiting */

/* Something is to be read, or to be written and the line takes it. */
static bool connection_is_due(const struct connection *c)
{
	const bool reads = c->phase == CONNECTION_READS || c->phase == CONNECTION_LEAVES;
	return (reads && is_read_ahead(c)) || (!queue_is_empty(&c->queue) && !line_is_full(c->line)) || (!reads && c->line->hung);
}

static uint32_t wait_left(const struct connection *c)
{
	const uint32_t passed = c->bridge->now - c->looked;
	return c->shown && passed < look_again(c) ? look_again(c) - passed : 0;
}

static uint32_t connection_rest_of(const struct connection *c)
{
	struct bridge *const b = c->bridge;
	enum { LEAVE_MS = 100 };
	const uint32_t left = room_left_of(c), passed = b->now - c->sent;
	const uint32_t comment = c->phase != CONNECTION_STREAMS ? UINT32_MAX : passed < HTTP_COMMENT_MS ? HTTP_COMMENT_MS - passed : 0;
	const uint32_t look = c->hung || connection_is_due(c) ? 0 : c->phase == CONNECTION_WAITS ? wait_left(c) : c->phase == CONNECTION_LEAVES ? LEAVE_MS : UINT32_MAX;
	const uint32_t rest = left < comment ? left : comment;
	return rest < look ? rest : look;
}

/* What it can rest is looked at once, and stands until something stirs it. */
static uint32_t connection_rest(struct connection *c)
{
	const uint32_t passed = c->bridge->now - c->rests;
	if (connection_rests(c))
		return c->rest == UINT32_MAX ? UINT32_MAX : c->rest - passed;
	c->rests = c->bridge->now;
	c->rest = connection_rest_of(c);
	c->stirs = c->rest == 0;
	return c->rest;
}

uint32_t http_rest(struct bridge *b)
{
	uint32_t rest = b->http.service != NULL ? b->http.service->rest(b) : UINT32_MAX, wait = UINT32_MAX;
	if (b->http.count == MOST_CONNECTIONS && find_yielding(b, &wait) == NULL && wait < rest)
		rest = wait;
	for (unsigned i = 0; i < b->http.places; i++) {
		const uint32_t one = b->http.all[i] != NULL ? connection_rest(b->http.all[i]) : UINT32_MAX;
		rest = one < rest ? one : rest;
	}
	return rest;
}

/* --- The end */

void http_close(struct bridge *b)
{
	http_write(b);
	for (unsigned i = 0; i < b->http.places; i++) {
		if (b->http.all[i] != NULL)
			drop_connection(b->http.all[i]);
	}
}
