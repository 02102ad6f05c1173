/* SPDX-License-Identifier: MIT */
#include "bridge_stranger.h"

#include "bridge_log.h"

#include <string.h>

enum { REFUSED_LINES = 20, REFUSED_MS = 1000 };

/* --- Places */

static void stranger_drop(struct stranger *s)
{
	line_close(s->line, 0);
	s->line = NULL;
}

void stranger_note_refused(struct bridge *b, const char *why)
{
	if (b->now - b->refused_since >= REFUSED_MS) {
		if (b->refused > REFUSED_LINES)
			log_line(b, LOG_WARNING, "and %u connections more were closed", b->refused - REFUSED_LINES);
		b->refused_since = b->now;
		b->refused = 0;
	}
	if (++b->refused <= REFUSED_LINES)
		log_line(b, LOG_WARNING, "a connection is closed: %s", why);
}

static void stranger_refuse(struct stranger *s, const char *why)
{
	struct bridge *const b = s->bridge;
	stranger_note_refused(b, why);
	stranger_drop(s);
}

static uint32_t age(const struct stranger *s)
{
	return s->bridge->now - s->since;
}

/* A free one, or that of the oldest. Those that wait only for a place among the clients do not lose theirs: while there is one
 * of them no connection is accepted. */
static struct stranger *find_place(struct bridge *b)
{
	struct stranger *found = NULL;
	for (unsigned i = 0; i < MOST_STRANGERS; i++) {
		struct stranger *const s = &b->strangers[i];
		if (s->line == NULL)
			return s;
		if (!s->shown && (found == NULL || age(s) > age(found)))
			found = s;
	}
	return found;
}

void stranger_add(struct bridge *b, struct bridge_line *line)
{
	struct stranger *const s = find_place(b);
	if (s->line != NULL)
		stranger_refuse(s, "it has shown no token, and others came");
	*s = (struct stranger){ .bridge = b, .line = line, .since = b->now };
}

/* --- The token */

bool stranger_shows_token(const struct bridge *b, const char *text, size_t n)
{
	const size_t length = strlen(b->options.token);
	unsigned char differs = n != length;
	for (size_t i = 0; i < n; i++)
		differs |= (unsigned char)(text[i] ^ b->options.token[i < length ? i : 0]);
	return differs == 0;
}

static void judge_token(struct stranger *s)
{
	struct bridge *const b = s->bridge;
	const size_t n = s->n > 0 && s->text[s->n - 1] == '\r' ? s->n - 1 : s->n;
	s->shown = stranger_shows_token(b, s->text, n);
	if (!s->shown)
		stranger_refuse(s, "its token is wrong");
}

/* No byte is stored that could not be one of the token or its line's end. */
static void stranger_read(struct stranger *s, const uint8_t *bytes, size_t n)
{
	struct bridge *const b = s->bridge;
	const quash_port port = line_port(s->line);
	const size_t most = strlen(b->options.token) + 1;
	const uint8_t *const end = memchr(bytes, '\n', n);
	const size_t length = end != NULL ? (size_t)(end - bytes) : n;
	const bool fits = length <= most - s->n;
	if (fits) {
		memcpy(s->text + s->n, bytes, length);
		s->n += length;
		port.take(port.device, length + (end != NULL));
	}
	if (!fits || (s->n == most && s->text[most - 1] != '\r'))
		stranger_refuse(s, "its first line is longer than the token");
	else if (end != NULL)
		judge_token(s);
}

static void stranger_read_token(struct stranger *s)
{
	const uint8_t *bytes = NULL;
	int n = 1;
	while (s->line != NULL && !s->shown && n > 0) {
		const quash_port port = line_port(s->line);
		n = port.peek(port.device, &bytes);
		if (n > 0)
			stranger_read(s, bytes, (size_t)n);
	}
	if (s->line == NULL)
		return;
	if (s->shown && s->line->hung)
		stranger_drop(s); /* what comes after the token is read by its client's wire */
	if (s->line == NULL || s->shown)
		return;
	if (n < 0)
		stranger_drop(s);
	else if (age(s) >= STRANGER_MS)
		stranger_refuse(s, "it has shown no token for 5 s");
}

void strangers_turn(struct bridge *b)
{
	for (unsigned i = 0; i < MOST_STRANGERS; i++) {
		if (b->strangers[i].line != NULL)
			stranger_read_token(&b->strangers[i]);
	}
}

struct bridge_line *stranger_admit(struct bridge *b)
{
	unsigned i = 0;
	while (i < MOST_STRANGERS && !(b->strangers[i].line != NULL && b->strangers[i].shown))
		i++;
	if (i == MOST_STRANGERS)
		return NULL;
	struct bridge_line *const line = b->strangers[i].line;
	b->strangers[i].line = NULL;
	return line;
}

/* --- Waiting */

uint32_t strangers_rest(const struct bridge *b)
{
	uint32_t rest = UINT32_MAX;
	for (unsigned i = 0; i < MOST_STRANGERS; i++) {
		const struct stranger *const s = &b->strangers[i];
		const uint32_t passed = b->now - s->since, left = passed < STRANGER_MS ? STRANGER_MS - passed : 0;
		if (s->line != NULL && !s->shown && left < rest)
			rest = left;
	}
	return rest;
}

void strangers_close(struct bridge *b)
{
	for (unsigned i = 0; i < MOST_STRANGERS; i++) {
		if (b->strangers[i].line != NULL)
			stranger_drop(&b->strangers[i]);
	}
}
