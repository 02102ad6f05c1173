/* SPDX-License-Identifier: MIT */
#include "posix/posix_system.h"

#include "bridge_http.h"

#include "bridge.h"
#include "bridge_http_head.h"
#include "bridge_log.h"
#include "bridge_stranger.h"
#include "bridge_text.h"
#include "posix/posix_tcp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { ACCEPTED_AT_ONCE = 16, READ_ROUNDS = 16, BODY_GROWS = 16384, SILENCE_S = 14, PER_MS = 34 /* bytes of a body */,
	MOST_STRANGE = MOST_CONNECTIONS / 4 };

static struct {
	const struct http_service *service;
	struct posix_listener door;
	bool full; /* no descriptor is left */
	struct connection *all[MOST_CONNECTIONS];
	unsigned count, places; /* behind these none is in use */
	size_t bodies; /* bytes of them that are held */
} http = { .door = { -1 } };

/* --- Connections */

static void release_body(struct connection *c)
{
	http.bodies -= c->body_room;
	free(c->body);
	c->body = NULL;
	c->body_length = c->body_room = 0;
}

static void drop(struct connection *c)
{
	http.service->lost(c);
	release_body(c);
	queue_free(&c->queue);
	posix_socket_close(&c->socket);
	http.all[c->place] = NULL;
	http.count--;
	while (http.places > 0 && http.all[http.places - 1] == NULL)
		http.places--;
	free(c);
}

static bool is_idle(const struct connection *c)
{
	return c->phase == CONNECTION_READS && port_http_is_idle(&c->reader) && queue_is_empty(&c->queue);
}

/* No request of it has come whole yet. */
static bool is_stranger(const struct connection *c)
{
	return !c->known && c->phase == CONNECTION_READS;
}

static unsigned count_strangers(void)
{
	unsigned count = 0;
	for (unsigned i = 0; i < http.places; i++)
		count += http.all[i] != NULL && is_stranger(http.all[i]);
	return count;
}

/* The one that gives way to one that comes; NULL: none does, and one may in `*wait` milliseconds. First one that stands between two
 * requests, at once. Then one whose request has not come, once it has had time: until then the one that comes waits at the door. Are there
 * many that have made none yet, only they give way: so they take no place from clients. Of equal ones the oldest. */
static struct connection *find_yielding(uint32_t *wait)
{
	const unsigned strangers = count_strangers();
	const uint32_t time = strangers >= MOST_CONNECTIONS / 2 ? HTTP_YIELD_SOON_MS : HTTP_YIELD_MS;
	const bool many = strangers >= MOST_STRANGE;
	struct connection *found = NULL;
	unsigned rank = 0;
	*wait = UINT32_MAX;
	for (unsigned i = 0; i < http.places; i++) {
		struct connection *const c = http.all[i];
		if (c == NULL || c->phase != CONNECTION_READS || (many && c->known))
			continue;
		const unsigned own = !c->known ? 2 : is_idle(c) ? 3 : 1;
		const uint32_t age = bridge.now - c->since;
		if (own < 3 && age < time)
			*wait = time - age < *wait ? time - age : *wait;
		else if (own > rank || (own == rank && age > bridge.now - found->since)) {
			found = c;
			rank = own;
		}
	}
	return found;
}

static bool find_place(unsigned *place)
{
	uint32_t wait;
	struct connection *const yielding = http.count == MOST_CONNECTIONS ? find_yielding(&wait) : NULL;
	if (yielding != NULL)
		drop(yielding);
	for (*place = 0; *place < http.places && http.all[*place] != NULL; (*place)++)
		;
	return *place < MOST_CONNECTIONS;
}

/* Without a descriptor for it: one that gives way has one. */
static int accept_into(struct connection *c)
{
	uint32_t wait;
	const int error = posix_tcp_accept(&http.door, &c->socket);
	struct connection *const yielding = error != 0 && error != EAGAIN ? find_yielding(&wait) : NULL;
	if (yielding == NULL)
		return error;
	drop(yielding);
	return posix_tcp_accept(&http.door, &c->socket);
}

/* NULL: none waits, or there is no place. */
static struct connection *accept_next(void)
{
	struct pollfd fd = { .fd = http.door.fd, .events = POLLIN };
	unsigned place;
	if (http.door.fd < 0 || poll(&fd, 1, 0) <= 0 || !find_place(&place))
		return NULL;
	struct connection *const c = calloc(1, sizeof *c);
	const int error = c != NULL ? accept_into(c) : ENOMEM;
	if (error != 0) {
		http.full = error != EAGAIN;
		free(c);
		return NULL;
	}
	posix_tcp_set_silence(&c->socket, SILENCE_S);
	c->place = place;
	c->since = bridge.now;
	port_http_open(&c->reader, c->head, sizeof c->head, HTTP_BODY_MOST);
	http.all[place] = c;
	http.count++;
	if (place >= http.places)
		http.places = place + 1;
	return c;
}

/* Shells and services often start programs with fewer. What is not given is done without. */
static void ask_for_descriptors(void)
{
	enum { OTHERS = 512 };
	struct rlimit limit;
	const rlim_t wanted = MOST_CONNECTIONS + OTHERS;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
		return;
	limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

int http_listen(const struct http_service *service)
{
	const char *const host = bridge.options.http_host;
	const int error = posix_tcp_listen(&http.door, host, bridge.options.http_number);
	const char *const open = strchr(host, ':') != NULL ? "[" : "", *const close = open[0] != '\0' ? "]" : "";
	http.service = service;
	ask_for_descriptors();
	if (error != 0) {
		log_line(LOG_ERROR, "%s:%u: %s", host, (unsigned)bridge.options.http_number, strerror(error));
		return EXIT_OPTIONS;
	}
	log_line(LOG_INFO, "listening on http://%s%s%s:%u/mcp", open, host, close, (unsigned)posix_tcp_number(&http.door));
	return 0;
}

/* --- Sending */

static void add(struct connection *c, const char *text, size_t n)
{
	(void)queue_add(&c->queue, (const uint8_t *)text, n, true, bridge.now);
	c->sent = bridge.now;
}

static void write_some(struct connection *c)
{
	const quash_port port = posix_socket_port(&c->socket);
	size_t n;
	const uint8_t *data;
	while ((data = queue_next(&c->queue, &n)) != NULL) {
		const int left = port.write(port.device, data, n);
		c->hung = c->hung || left < 0;
		if (left <= 0)
			return;
		queue_taken(&c->queue, (size_t)left, bridge.now);
	}
}

void http_write(void)
{
	for (unsigned i = 0; i < http.places; i++) {
		if (http.all[i] != NULL)
			write_some(http.all[i]);
	}
}

static void put_common(port_http_text *head, const struct connection *c)
{
	const char *const origin = c->reader.status == 0 ? http_origin(&c->reader) : NULL;
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

void http_done(struct connection *c)
{
	release_body(c);
	c->phase = c->reader.closes ? CONNECTION_LEAVES : CONNECTION_READS;
	c->since = bridge.now;
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
	add(c, memory, head.length);
	if (n > 0 && !wants_head_alone(c))
		add(c, body, n);
	http_done(c);
}

void http_refuse(struct connection *c, unsigned status, const char *id, int code, const char *words, const char *data)
{
	char *const body = text_of_failure(id, code, words, data);
	http_respond(c, status, body != NULL ? "application/json" : NULL, body, NULL);
	free(body);
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
	add(c, memory, c->hung ? 0 : head.length);
	c->phase = CONNECTION_STREAMS;
}

void http_send(struct connection *c, const char *text, size_t n)
{
	char head[HTTP_CHUNK_HEAD];
	if (!port_http_takes_chunks(&c->reader)) {
		add(c, text, n);
		return;
	}
	add(c, head, port_http_put_chunk(head, (uint32_t)n));
	add(c, text, n);
	add(c, "\r\n", 2);
}

void http_end_stream(struct connection *c)
{
	if (port_http_takes_chunks(&c->reader))
		add(c, "0\r\n\r\n", 5);
	http_done(c);
}

/* --- Reading */

static bool keep_body(struct connection *c)
{
	const size_t need = c->body_length + c->reader.body_length + 1;
	if (need > c->body_room) {
		const size_t twice = 2 * c->body_room, room = twice > need ? twice : need + BODY_GROWS;
		char *const body = http.bodies + room <= HTTP_BODIES_MOST ? realloc(c->body, room) : NULL;
		if (body == NULL)
			return false;
		http.bodies += room - c->body_room;
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
	stranger_note_refused(c->reader.status == 431 ? "the head of its request is too long" : "its request is none of HTTP/1.1 that is taken");
	http_refuse(c, c->reader.status, NULL, QUASH_INVALID_REQUEST, "no such request is taken", NULL);
	c->phase = CONNECTION_LEAVES;
}

/* Whoever is not let in gets that answer before the body has come. */
static void take_head(struct connection *c)
{
	char why[HTTP_WHY];
	const unsigned status = http_refusal(&c->reader, why);
	const bool token = status == 401;
	static const char *const challenge[] = { "WWW-Authenticate", "Bearer", NULL };
	if (status != 0) {
		c->reader.closes = true;
		stranger_note_refused(why);
		http_respond(c, status, "text/plain", token ? "A token is needed.\n" : "This Host or Origin is not let in.\n",
			token ? challenge : NULL);
		c->phase = CONNECTION_LEAVES;
		return;
	}
	if (c->reader.waits)
		add(c, "HTTP/1.1 100 Continue\r\n\r\n", 25);
}

static void handle(struct connection *c, port_http_event event)
{
	switch (event) {
	case HTTP_HEAD: take_head(c); break;
	case HTTP_BODY:
		if (keep_body(c))
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
static void read_some(struct connection *c)
{
	const quash_port port = posix_socket_port(&c->socket);
	const uint8_t *bytes = NULL;
	for (unsigned rounds = 0; c->phase == CONNECTION_READS && rounds < READ_ROUNDS; rounds++) {
		const int n = port.peek(port.device, &bytes);
		port_http_event event = HTTP_HEAD;
		size_t at = 0;
		c->hung = c->hung || n < 0;
		if (n <= 0)
			return;
		if (port_http_is_idle(&c->reader))
			c->since = bridge.now;
		while (event != HTTP_MORE && c->phase == CONNECTION_READS) {
			event = port_http_read(&c->reader, bytes, (size_t)n, &at);
			handle(c, event);
		}
		port.take(port.device, at);
	}
}

/* What comes after the end of a connection is read and dropped: else the system would reset it, and the answer be lost. */
static void drain(struct connection *c)
{
	const quash_port port = posix_socket_port(&c->socket);
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

static uint32_t left_of(const struct connection *c)
{
	const uint32_t passed = bridge.now - c->since, most = allowed(c), unread = queue_left(&c->queue, bridge.now);
	const uint32_t left = most == UINT32_MAX ? UINT32_MAX : passed < most ? most - passed : 0;
	return left < unread ? left : unread;
}

static bool is_answering(const struct connection *c)
{
	return c->phase == CONNECTION_ANSWERS || c->phase == CONNECTION_STREAMS;
}

static bool is_read_ahead(const struct connection *c)
{
	return c->socket.stdio.from < c->socket.stdio.to;
}

/* A client that takes nothing, and one that has not finished in time. */
static bool is_late(const struct connection *c)
{
	const bool unread = c->queue.full || queue_left(&c->queue, bridge.now) == 0;
	if (unread)
		log_line(LOG_WARNING, "http: a client does not read, closed");
	return unread || left_of(c) == 0;
}

static bool has_vanished(struct connection *c)
{
	uint32_t unheard = 0;
	return c->phase >= CONNECTION_STREAMS && posix_tcp_unacknowledged(&c->socket, &unheard) && unheard >= SILENCE_S * 1000u &&
		bridge.now - c->sent >= SILENCE_S * 1000u;
}

/* While a request is answered, so much more has come that the end of the connection may follow it, and not be seen. */
static bool hides_its_end(const struct connection *c)
{
	enum { MOST_BEHIND = 65536 };
	return is_answering(c) && is_read_ahead(c) && posix_system_unread(c->socket.stdio.in) > MOST_BEHIND;
}

static void keep_alive(struct connection *c)
{
	if (c->phase == CONNECTION_STREAMS && bridge.now - c->sent >= HTTP_COMMENT_MS)
		http_send(c, ":\n\n", 3);
}

static void turn(struct connection *c)
{
	if (c->phase == CONNECTION_READS)
		read_some(c);
	if (c->phase == CONNECTION_WAITS && !c->hung)
		http.service->take(c);
	if (c->phase == CONNECTION_LEAVES)
		drain(c);
	keep_alive(c);
	const bool left = c->phase == CONNECTION_LEAVES && queue_is_empty(&c->queue) && bridge.now - c->since >= 100;
	if (c->hung || c->socket.stdio.gone || c->socket.stdio.ended || left || is_late(c) || has_vanished(c) || hides_its_end(c))
		drop(c);
}

/* Each is read before another comes: so none whose request is there gives way as idle. */
void http_turn(void)
{
	struct connection *c = NULL;
	http.full = false;
	for (unsigned i = 0; i < http.places; i++) {
		if (http.all[i] != NULL)
			turn(http.all[i]);
	}
	for (unsigned count = 0; count < ACCEPTED_AT_ONCE && (c = accept_next()) != NULL; count++)
		turn(c);
	if (http.service != NULL)
		http.service->turn();
}

/* --- Waiting */

size_t http_places(void)
{
	return 1 + (size_t)http.places;
}

bool http_watch(struct pollfd *fds)
{
	struct pollfd *const of = fds + 1;
	bool sleeps = true;
	for (unsigned i = 0; i < http.places; i++) {
		const struct connection *const c = http.all[i];
		if (c == NULL)
			continue;
		const bool reads = c->phase == CONNECTION_READS || c->phase == CONNECTION_LEAVES, ahead = is_read_ahead(c);
		of[i].fd = c->socket.stdio.in;
		of[i].events = (short)(POSIX_SYSTEM_ENDED | (reads || !ahead ? POLLIN : 0) | (queue_is_empty(&c->queue) ? 0 : POLLOUT));
		sleeps = sleeps && !(reads && ahead);
	}
	uint32_t wait;
	const bool open = !http.full && (http.count < MOST_CONNECTIONS || find_yielding(&wait) != NULL);
	fds[0] = (struct pollfd){ .fd = open ? http.door.fd : -1, .events = POLLIN };
	return sleeps;
}

/* While a request is answered, reading shows the end of its connection to systems that have no other sign of it. A first piece of the
 * next request waits then. */
static bool has_ended(struct connection *c, short seen)
{
	const quash_port port = posix_socket_port(&c->socket);
	const uint8_t *bytes = NULL;
	return (seen & (POSIX_SYSTEM_ENDED | POLLHUP | POLLERR)) != 0 || ((seen & POLLIN) != 0 && port.peek(port.device, &bytes) < 0);
}

void http_seen(const struct pollfd *fds)
{
	for (unsigned i = 0; i < http.places; i++) {
		struct connection *const c = http.all[i];
		if (c != NULL && fds[1 + i].fd >= 0 && c->phase != CONNECTION_READS)
			c->hung = c->hung || has_ended(c, fds[1 + i].revents);
	}
}

static uint32_t rest_of(const struct connection *c)
{
	enum { LOOK_MS = 20, LEAVE_MS = 100, BEHIND_MS = 100 };
	const uint32_t left = left_of(c), passed = bridge.now - c->sent;
	const uint32_t comment = c->phase != CONNECTION_STREAMS ? UINT32_MAX : passed < HTTP_COMMENT_MS ? HTTP_COMMENT_MS - passed : 0;
	const uint32_t look = c->hung ? 0 : c->phase == CONNECTION_WAITS ? LOOK_MS : c->phase == CONNECTION_LEAVES ? LEAVE_MS :
		is_answering(c) && is_read_ahead(c) ? BEHIND_MS : UINT32_MAX;
	const uint32_t rest = left < comment ? left : comment;
	return rest < look ? rest : look;
}

uint32_t http_rest(void)
{
	uint32_t rest = http.service != NULL ? http.service->rest() : UINT32_MAX, wait = UINT32_MAX;
	if ((http.count == MOST_CONNECTIONS || http.full) && find_yielding(&wait) == NULL && wait < rest)
		rest = wait;
	for (unsigned i = 0; i < http.places; i++) {
		const uint32_t one = http.all[i] != NULL ? rest_of(http.all[i]) : UINT32_MAX;
		rest = one < rest ? one : rest;
	}
	return rest;
}

/* --- The end */

void http_stop_listening(void)
{
	posix_listener_close(&http.door);
}

void http_close(void)
{
	http_write();
	for (unsigned i = 0; i < http.places; i++) {
		if (http.all[i] != NULL)
			drop(http.all[i]);
	}
}
