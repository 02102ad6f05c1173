/* SPDX-License-Identifier: MIT */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOCKET_ROOM = 1 << 16 };

/* --- Queues */

void queue_put(struct queue *q, const void *bytes, size_t n)
{
	if (q->to + n + 1 > q->room) {
		q->room = (q->to + n + 1) * 2;
		q->bytes = realloc(q->bytes, q->room);
		if (q->bytes == NULL)
			abort();
	}
	memcpy(q->bytes + q->to, bytes, n);
	q->to += n;
	q->bytes[q->to] = '\0';
}

void queue_clear(struct queue *q)
{
	free(q->bytes);
	*q = (struct queue){ NULL, 0, 0, 0 };
}

void queue_drop(struct queue *q, size_t n)
{
	memmove(q->bytes, q->bytes + n, q->to - n + 1);
	q->to -= n;
}

/* --- Lines */

struct line *line_at(unsigned i)
{
	if (i >= LINES + DEVICES)
		return NULL;
	return i < LINES ? &world.clients[i].line : &world.devices[i - LINES].line;
}

char line_letter(const struct line *line)
{
	return line->way == BRIDGE_DEVICE ? 'd' : 'c';
}

void line_clear(struct line *line)
{
	queue_clear(&line->in);
	queue_clear(&line->out);
}

void line_send(struct line *line, const char *text, size_t n)
{
	char head[40];
	if (line->ended || line->closed)
		return;
	const int length = snprintf(head, sizeof head, "Content-Length: %u\r\n\r\n", (unsigned)n);
	if (world.headers)
		queue_put(&line->in, head, (size_t)length);
	queue_put(&line->in, text, n);
	if (!world.headers)
		queue_put(&line->in, "\n", 1);
	show("%6u %c%u > %.*s\n", (unsigned)world.now, line_letter(line), line->owner, (int)(n < 300 ? n : 300), text);
}

/* --- What the bridge transmits: whole messages, in their framing, of JSON */

static void judge(struct line *line, const char *text, size_t n)
{
	json_error_t error;
	show("%6u %c%u < %.*s\n", (unsigned)world.now, line_letter(line), line->owner, (int)(n < 300 ? n : 300), text);
	json_t *const message = json_loadb(text, n, JSON_ALLOW_NUL, &error);
	const enum json_error_code code = message != NULL ? json_error_unknown : json_error_code(&error);
	if (message == NULL && code != json_error_numeric_overflow && code != json_error_null_byte_in_key)
		wrong("json", "%s: %.*s", error.text, (int)n, text);
	world.message = message;
	if (message == NULL)
		return;
	size_t i;
	json_t *member;
	if (json_is_array(message)) {
		json_array_foreach(message, i, member)
			line->comes(line->owner, member);
	} else {
		line->comes(line->owner, message);
	}
	json_decref(message);
	world.message = NULL;
}

/* Bytes of the first message with its frame, whose text is stored; 0: it is not whole. */
static size_t first_line(const struct queue *q, const char **text, size_t *n)
{
	const uint8_t *const end = memchr(q->bytes, '\n', q->to);
	if (end == NULL)
		return 0;
	*text = (const char *)q->bytes;
	*n = (size_t)(end - q->bytes);
	return *n + 1;
}

static size_t first_headed(const struct queue *q, const char **text, size_t *n)
{
	const char *const start = (const char *)q->bytes;
	const char *const end = strstr(start, "\r\n\r\n");
	if (q->to >= 2 && memcmp(start, "\r\n", 2) == 0) {
		*n = 0;
		return 2;
	}
	if (end == NULL)
		return 0;
	unsigned length = 0;
	if (sscanf(start, "Content-Length: %u\r\n\r\n", &length) != 1)
		wrong("framing", "it begins with no header: %.100s", start);
	*text = end + 4;
	*n = length;
	const size_t whole = (size_t)(*text - start) + length;
	return whole <= q->to ? whole : 0;
}

static void read_token(struct line *line)
{
	const size_t n = strlen(world.options.token) + 1;
	if (line->out.to < n)
		return;
	if (memcmp(line->out.bytes, "token\n", n) != 0)
		wrong("token", "it is %.*s", (int)n, (const char *)line->out.bytes);
	queue_drop(&line->out, n);
	line->token = false;
}

static void read_out(struct line *line)
{
	size_t whole = 1;
	if (line->token)
		read_token(line);
	if (line->token)
		return;
	while (line->out.to > 0 && whole > 0) {
		const char *text = "";
		size_t n = 0;
		whole = world.headers ? first_headed(&line->out, &text, &n) : first_line(&line->out, &text, &n);
		if (whole > 0 && n > 0)
			judge(line, text, n);
		else if (whole > 0 && (line->empty == NULL || !line->empty(line->owner)))
			wrong("framing", "an empty line");
		if (whole > 0)
			queue_drop(&line->out, whole);
	}
}

/* --- How much of it is taken */

size_t line_pieces(const struct line *line, size_t n)
{
	return line->piece != 0 && n > line->piece ? line->piece : n;
}

void line_stall(struct line *line, uint8_t choice)
{
	line->stalls = line->deaf || !line->stalls;
	line->room = choice / 8 % 8 * 30u;
}

/* What is new takes a token whole. */
static size_t room_for(const struct line *line, size_t n)
{
	const size_t usual = line->stalls ? line->room : SOCKET_ROOM;
	const size_t room = line->token ? strlen(world.options.token) + 1 - line->out.to : usual, most = n < room ? n : room;
	return line->token ? most : line_pieces(line, most);
}

size_t line_takes(struct line *line, const uint8_t *bytes, size_t n)
{
	const size_t taken = room_for(line, n);
	line->refuses_since = line->refuses ? line->refuses_since : world.now;
	line->refuses = taken == 0;
	if (taken == 0)
		return 0;
	line->room -= line->stalls && !line->token ? taken : 0;
	queue_put(&line->out, bytes, taken);
	world_stir();
	if (line->takes != NULL)
		line->takes(line);
	else
		read_out(line);
	return taken;
}
