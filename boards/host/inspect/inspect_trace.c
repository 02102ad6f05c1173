/* SPDX-License-Identifier: MIT */
#include "inspect_trace.h"

#include "host_escape.h"
#include "inspect_show.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LACKS = 3 };

static void keep(struct trace *t, char c)
{
	if (t->length < sizeof t->text)
		t->text[t->length] = c;
	t->length++;
}

static void show_message(struct trace *t)
{
	const size_t most = sizeof t->text; /* the last character in it may lack its end */
	const size_t shown = t->length <= most ? t->length : escape_cut(t->text, most, most - LACKS);
	note_open();
	note_part("%s ", t->arrow);
	note_text(t->text, shown);
	if (shown < t->length)
		note_part("... and %zu bytes more", t->length - shown);
	note_close();
	t->length = 0;
}

static void end_header(struct trace *t)
{
	static const char name[] = "Content-Length:";
	const size_t end = t->length < sizeof t->text ? t->length : sizeof t->text - 1;
	t->text[end] = '\0';
	if (strncasecmp(t->text, name, sizeof name - 1) == 0)
		t->body_left = strtoul(t->text + sizeof name - 1, NULL, 10);
	t->in_body = t->length == 0 && t->body_left > 0;
	t->length = 0;
}

static void trace_header(struct trace *t, char c)
{
	if (c == '\n')
		end_header(t);
	else if (c != '\r')
		keep(t, c);
}

static void trace_body(struct trace *t, char c)
{
	keep(t, c);
	t->body_left--;
	if (t->body_left > 0)
		return;
	show_message(t);
	t->in_body = false;
}

static void trace_line(struct trace *t, char c)
{
	if (c != '\n')
		keep(t, c);
	else
		show_message(t);
}

void trace_bytes(struct trace *t, const uint8_t *data, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (t->framing == QUASH_LINES)
			trace_line(t, (char)data[i]);
		else if (t->in_body)
			trace_body(t, (char)data[i]);
		else
			trace_header(t, (char)data[i]);
	}
}
