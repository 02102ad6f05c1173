/* SPDX-License-Identifier: MIT
 * Just enough of HTTP to say what a response was. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static size_t find(const char *data, size_t length, const char *words)
{
	const size_t n = strlen(words);
	for (size_t i = 0; i + n <= length; i++) {
		if (memcmp(data + i, words, n) == 0)
			return i + n;
	}
	return 0;
}

bool http_field(const char *head, size_t length, const char *name, struct text *value)
{
	const size_t n = strlen(name);
	for (size_t at = find(head, length, "\r\n"); at > 0 && at + n + 2 < length;) {
		const size_t line = find(head + at, length - at, "\r\n");
		text_clear(value);
		if (strncasecmp(head + at, name, n) == 0 && head[at + n] == ':') {
			text_add(value, head + at + n + 2, line - n - 4);
			return true;
		}
		at = line > 0 ? at + line : 0;
	}
	return false;
}

static size_t read_head(struct http_reading *r, const char *data, size_t length, struct text *item)
{
	struct text value = { 0 };
	const size_t head = find(data, length, "\r\n\r\n");
	if (head == 0)
		return 0;
	r->chunked = http_field(data, head, "Transfer-Encoding", &value);
	r->streams = http_field(data, head, "Content-Type", &value) && strcmp(value.data, "text/event-stream") == 0;
	const size_t body = http_field(data, head, "Content-Length", &value) ? strtoul(value.data, NULL, 10) : 0;
	text_free(&value);
	if (length < head + body)
		return 0;
	r->head_length = head;
	text_add(item, data + strlen("HTTP/1.1 "), 3);
	text_append(item, r->streams ? " stream" : body > 0 ? " " : "");
	text_add(item, data + head, body);
	return head + body;
}

/* What stands in the line behind these words. */
static bool put_line(const char *event, size_t length, const char *words, struct text *to)
{
	const size_t at = find(event, length, words), end = at > 0 ? find(event + at, length - at, "\n") : 0;
	if (end > 0)
		text_add(to, event + at, end - 1);
	return end > 1;
}

/* A comment, an event with its data, or one without. */
static void put_event(struct http_reading *r, const char *event, size_t length, struct text *item)
{
	text_clear(&r->id);
	(void)put_line(event, length, "id: ", &r->id);
	if (event[0] == ':')
		text_append(item, "comment");
	else if (!put_line(event, length, "data: ", item))
		text_append(item, "event");
}

static bool cut_event(struct http_reading *r, struct text *item)
{
	const size_t end = find(r->event.data, r->event.length, "\n\n");
	if (end == 0)
		return false;
	put_event(r, r->event.data, end, item);
	memmove(r->event.data, r->event.data + end, r->event.length - end + 1);
	r->event.length -= end;
	return true;
}

size_t http_item(struct http_reading *r, const char *data, size_t length, struct text *item)
{
	size_t used = 0;
	text_clear(item);
	if (!r->streams)
		return read_head(r, data, length, item);
	while (!cut_event(r, item)) {
		char *end = NULL;
		const size_t line = find(data + used, length - used, "\r\n");
		const size_t chunk = r->chunked && line > 0 ? strtoul(data + used, &end, 16) : length - used;
		if ((r->chunked && (line == 0 || length - used < line + chunk + 2)) || length == used)
			return used;
		if (r->chunked && chunk == 0) {
			r->streams = false;
			text_append(item, "over");
			return used + line + 2;
		}
		text_add(&r->event, data + used + (r->chunked ? line : 0), chunk);
		used += r->chunked ? line + chunk + 2 : chunk;
	}
	return used;
}

void http_request(struct text *to, const char *method, const char *fields, const char *body)
{
	text_printf(to, "%s /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n", method);
	text_append(to, fields);
	if (body != NULL)
		text_printf(to, "Content-Type: application/json\r\nContent-Length: %lu\r\n", (unsigned long)strlen(body));
	text_append(to, "\r\n");
	text_append(to, body != NULL ? body : "");
}
