/* SPDX-License-Identifier: MIT
 * A reader of HTTP/1.1 responses and of events, which takes nothing but what is written as it should be. */
#include "agents.h"

#include "bridge_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { IDLE_MS = 75000, REQUEST_MS = 15000, YIELD_MS = 250, NEARLY_ALL = 28, READ_BEHIND = 65536 };

static struct http_end *end_of(unsigned who)
{
	return &agents.ends[who];
}

/* --- Events */

static bool after(const char *line, const char *name, const char **value)
{
	const size_t n = strlen(name);
	*value = line + n;
	return strncmp(line, name, n) == 0;
}

/* One of its lines; text ends with NUL. */
static void read_line(unsigned who, const char *line, int *stream, unsigned *number, const char **data)
{
	const char *value;
	int n = 0;
	if (after(line, "id: ", &value)) {
		if (sscanf(value, "%d-%u%n", stream, number, &n) != 2 || value[n] != '\0')
			wrong("event", "line %u: id %s", who, value);
	} else if (after(line, "data: ", &value)) {
		if (*data != NULL)
			wrong("event", "line %u: two lines of data", who);
		*data = value;
	} else if (line[0] != ':' && strcmp(line, "event: message") != 0 && strcmp(line, "retry: 1000") != 0) {
		wrong("event", "line %u: %.100s", who, line);
	}
}

static void read_event(unsigned who, char *text)
{
	struct exchange *const x = exchange_of(who);
	int stream = NO_STREAM;
	unsigned number = 0;
	const char *data = NULL;
	for (char *line = text, *end; line != NULL; line = end) {
		end = strchr(line, '\n');
		if (end != NULL)
			*end++ = '\0';
		read_line(who, line, &stream, &number, &data);
	}
	if (x == NULL || x->kind == RAW || data == NULL)
		return;
	if (data[0] != '\0')
		message_comes(x, stream, number, data, strlen(data));
	else if (stream == NO_STREAM)
		wrong("event", "line %u: neither id nor data", who);
	else
		message_first(x, (unsigned)stream, number);
}

static void read_events(unsigned who)
{
	struct queue *const body = &end_of(who)->body;
	char *end;
	while (body->to > 0 && (end = strstr((char *)body->bytes, "\n\n")) != NULL) {
		const size_t n = (size_t)(end - (char *)body->bytes) + 2;
		*end = '\0';
		read_event(who, (char *)body->bytes);
		queue_drop(body, n);
	}
}

/* --- Bodies */

static void body_comes(unsigned who, const void *bytes, size_t n)
{
	struct http_end *const end = end_of(who);
	if (n > 0 && memchr(bytes, '\0', n) != NULL)
		wrong("body", "line %u: a NUL", who);
	queue_put(&end->body, bytes, n);
	if (end->events)
		read_events(who);
}

static bool is_json(const char *text, size_t n)
{
	json_t *const value = json_loadb(text, n, 0, NULL);
	json_decref(value);
	return value != NULL;
}

/* The response has ended. */
static void whole(unsigned who)
{
	struct http_end *const end = end_of(who);
	struct exchange *const x = exchange_of(who);
	if (end->events && end->body.to > 0)
		wrong("event", "line %u: it ends within one", who);
	const bool told = x != NULL && x->kind == STRANGE && end->status == 200;
	if (told && end->body.bytes[0] == '{' && !is_json((char *)end->body.bytes, end->body.to))
		wrong("body", "line %u: no JSON: %.*s", who, (int)end->body.to, (char *)end->body.bytes);
	if (!told && !end->events && end->body.to > 0 && end->body.bytes[0] == '{' && x != NULL && x->kind != RAW)
		message_comes(x, NO_STREAM, 0, (char *)end->body.bytes, end->body.to);
	queue_clear(&end->body);
	end->reading = READS_HEAD;
	end->active = world.now;
	if (x == NULL)
		return;
	x->done = true;
	if (agent_is_live(&agents.all[x->agent]) && x->status == 0 && end->status < 400 && (x->kind == CALLS || x->kind == LISTENS || x->kind == GREETS))
		agents.all[x->agent].attended = world.now;
}

/* --- Heads */

static bool is_status(unsigned status)
{
	static const unsigned known[] = { 100, 200, 202, 204, 400, 401, 403, 404, 405, 406, 409, 413, 415, 431, 501, 503, 505 };
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		if (known[i] == status)
			return true;
	}
	return false;
}

/* The value of a field; NULL: it is not there. Twice is wrong. */
static const char *field(const char *head, const char *name, char *to, size_t size)
{
	const char *found = NULL;
	for (const char *line = strstr(head, "\r\n"); line != NULL && line[2] != '\0' && line[2] != '\r'; line = strstr(line + 2, "\r\n")) {
		const size_t n = strlen(name);
		if (strncasecmp(line + 2, name, n) != 0 || line[2 + n] != ':')
			continue;
		if (found != NULL)
			wrong("head", "%s stands twice: %s", name, head);
		found = line + 2 + n + 1;
	}
	if (found == NULL)
		return NULL;
	found += strspn(found, " ");
	snprintf(to, size, "%.*s", (int)strcspn(found, "\r"), found);
	return to;
}

static void check_lines(const char *head)
{
	for (const char *line = strstr(head, "\r\n"); line != NULL && line[2] != '\0' && line[2] != '\r'; line = strstr(line + 2, "\r\n")) {
		const size_t name = strspn(line + 2, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-");
		const size_t text = strcspn(line + 2, "\r\n");
		if (name == 0 || line[2 + name] != ':' || line[2 + text] != '\r' || line[3 + text] != '\n')
			wrong("head", "%s", head);
	}
}

static void begin_body(unsigned who, const char *head)
{
	char length[32], coding[32], type[64], session[64], closes[32];
	struct http_end *const end = end_of(who);
	const bool chunked = field(head, "Transfer-Encoding", coding, sizeof coding) != NULL, has = field(head, "Content-Length", length, sizeof length) != NULL;
	end->events = field(head, "Content-Type", type, sizeof type) != NULL && strcmp(type, "text/event-stream") == 0;
	end->closes = end->closes || (field(head, "Connection", closes, sizeof closes) != NULL && strcmp(closes, "close") == 0);
	if ((chunked && has) || (chunked && strcmp(coding, "chunked") != 0) || (!chunked && !has && end->status != 204 && !end->closes))
		wrong("head", "line %u: the body has no end: %s", who, head);
	end->left = has ? strtoul(length, NULL, 10) : 0;
	end->reading = chunked ? READS_CHUNK_SIZE : has || end->status == 204 ? READS_LENGTH : READS_TO_CLOSE;
	struct exchange *const x = exchange_of(who);
	if (x == NULL && !end->loose)
		wrong("head", "line %u: a response that nobody has asked for: %s", who, head);
	if (x == NULL || x->kind == RAW)
		return;
	x->begun = true;
	if (field(head, "Mcp-Session-Id", session, sizeof session) != NULL)
		message_session(x, session);
	message_status(x, end->status);
}

/* True if one has come. */
static bool read_head(unsigned who, struct queue *out)
{
	struct http_end *const end = end_of(who);
	unsigned minor = 0;
	int n = 0;
	char *const over = strstr((char *)out->bytes, "\r\n\r\n");
	if (over == NULL)
		return false;
	over[2] = '\0';
	show("%6u %u < %s", (unsigned)world.now, who, (char *)out->bytes);
	if (sscanf((char *)out->bytes, "HTTP/1.%u %u %n", &minor, &end->status, &n) != 2 || minor != 1 || n != 13 || !is_status(end->status))
		wrong("head", "line %u: %s", who, (char *)out->bytes);
	check_lines((char *)out->bytes);
	if (end->status != 100)
		begin_body(who, (char *)out->bytes);
	queue_drop(out, (size_t)(over - (char *)out->bytes) + 4);
	return true;
}

/* --- Chunks */

static bool read_size(unsigned who, struct queue *out)
{
	struct http_end *const end = end_of(who);
	char *rest = NULL;
	const char *const over = strstr((char *)out->bytes, "\r\n");
	if (over == NULL)
		return false;
	end->left = strtoul((char *)out->bytes, &rest, 16);
	if (rest != over || over == (char *)out->bytes)
		wrong("chunk", "line %u: %.20s", who, (char *)out->bytes);
	queue_drop(out, (size_t)(over - (char *)out->bytes) + 2);
	end->reading = end->left > 0 ? READS_CHUNK : READS_TRAILER;
	return true;
}

/* CR LF behind a chunk, or behind the last one. */
static bool read_end(unsigned who, struct queue *out)
{
	struct http_end *const end = end_of(who);
	if (out->to < 2)
		return false;
	if (memcmp(out->bytes, "\r\n", 2) != 0)
		wrong("chunk", "line %u: no end", who);
	queue_drop(out, 2);
	if (end->reading == READS_TRAILER)
		whole(who);
	else
		end->reading = READS_CHUNK_SIZE;
	return true;
}

static bool read_bytes(unsigned who, struct queue *out, enum reading then)
{
	struct http_end *const end = end_of(who);
	const size_t n = end->reading == READS_TO_CLOSE || out->to < end->left ? out->to : end->left;
	char *const bytes = world.bytes = malloc(n + 1);
	if (bytes == NULL)
		abort();
	memcpy(bytes, out->bytes, n);
	queue_drop(out, n);
	end->left -= end->reading == READS_TO_CLOSE ? 0 : n;
	body_comes(who, bytes, n);
	free(bytes);
	world.bytes = NULL;
	if (end->reading == READS_TO_CLOSE || end->left > 0)
		return false;
	end->reading = then;
	if (then == READS_HEAD)
		whole(who);
	return true;
}

void response_takes(struct line *line)
{
	struct queue *const out = &line->out;
	struct http_end *const end = end_of(line->owner);
	bool more = true;
	end->active = world.now;
	while (more && (out->to > 0 || (end->reading == READS_LENGTH && end->left == 0))) {
		switch (end->reading) {
		case READS_HEAD: more = read_head(line->owner, out); break;
		case READS_LENGTH: more = read_bytes(line->owner, out, READS_HEAD); break;
		case READS_CHUNK_SIZE: more = read_size(line->owner, out); break;
		case READS_CHUNK: more = read_bytes(line->owner, out, READS_CHUNK_END); break;
		case READS_TO_CLOSE: more = read_bytes(line->owner, out, READS_TO_CLOSE); break;
		default: more = read_end(line->owner, out); break;
		}
	}
}

/* --- The bridge closes */

static unsigned open_lines(void)
{
	unsigned count = 0;
	for (unsigned i = 0; i < world.client_count; i++)
		count += world.clients[i].line.open;
	return count;
}

/* What is transmitted of its line ends before it begins. */
static bool has_nothing_of(const struct exchange *x)
{
	return world.clients[x->line].line.in.to <= x->begin;
}

/* No request of its connection was answered. */
static bool is_stranger(unsigned who)
{
	for (unsigned i = 0; i < agents.exchange_count; i++) {
		if (agents.exchanges[i].line == who && agents.exchanges[i].begun)
			return false;
	}
	return true;
}

/* While a request is answered so much has come behind it that it would hide the end of the connection. */
static bool hides_its_end(const struct exchange *x)
{
	return x != NULL && exchange_is_whole(x) && world.clients[x->line].line.in.to >= x->end + READ_BEHIND;
}

/* Where there are many connections, one between two requests gives way, and one whose request has not come in time. */
static bool may_close(unsigned who)
{
	const struct client_end *const c = &world.clients[who];
	const struct http_end *const end = end_of(who);
	const struct exchange *const x = exchange_of(who);
	const bool between = end->reading == READS_HEAD && (x == NULL || has_nothing_of(x)), full = open_lines() >= NEARLY_ALL;
	const bool stuck = end->rest.to > end->rest.from;
	if (c->leaves || world.phase >= PHASE_STOP || end->loose || end->closes || end->reading == READS_TO_CLOSE || c->line.refuses || c->line.stalls || hides_its_end(x))
		return true;
	if (between && world.now - end->active >= IDLE_MS)
		return true;
	if (is_stranger(who) && (between || stuck))
		return (full && world.now - c->since >= YIELD_MS) || (stuck && world.now - end->stuck >= REQUEST_MS);
	return between ? full : stuck && world.now - end->stuck >= (full ? YIELD_MS : REQUEST_MS);
}

/* A session may have begun that nobody knows of. */
static void give_up(struct exchange *x)
{
	x->done = true;
	if (x->kind != GREETS)
		return;
	if (agents.all[x->agent].greets)
		agents.orphans++;
	if (agents.all[x->agent].greets)
		agents.all[x->agent].session[0] = '\0';
	agents.all[x->agent].greets = false;
}

void response_closes(struct line *line)
{
	struct http_end *const end = end_of(line->owner);
	struct exchange *x = exchange_of(line->owner);
	show("%6u %u is closed\n", (unsigned)world.now, line->owner);
	if (!may_close(line->owner))
		wrong("closed", "line %u is closed, %s", line->owner, x == NULL ? "between requests" : x->begun ? "within a response" : "before a response");
	if (end->slow)
		queue_clear(&end->body); /* it may end anywhere */
	if (end->reading == READS_TO_CLOSE && !world.clients[line->owner].leaves)
		whole(line->owner);
	while ((x = exchange_of(line->owner)) != NULL)
		give_up(x);
	world.clients[line->owner].leaves = true;
}
