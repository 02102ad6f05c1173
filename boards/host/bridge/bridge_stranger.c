/* SPDX-License-Identifier: MIT */
#include "bridge_stranger.h"

#include "bridge_log.h"
#include "posix/posix_socket.h"

#include <stdlib.h>
#include <string.h>

enum { REFUSED_LINES = 20, REFUSED_MS = 1000 };

/* --- Places */

static void drop(struct stranger *s)
{
	posix_socket_close(s->socket);
	free(s->socket);
	s->socket = NULL;
}

void stranger_note_refused(const char *why)
{
	if (bridge.now - bridge.refused_since >= REFUSED_MS) {
		if (bridge.refused > REFUSED_LINES)
			log_line(LOG_WARNING, "and %u connections more were closed", bridge.refused - REFUSED_LINES);
		bridge.refused_since = bridge.now;
		bridge.refused = 0;
	}
	if (++bridge.refused <= REFUSED_LINES)
		log_line(LOG_WARNING, "a connection is closed: %s", why);
}

static void refuse(struct stranger *s, const char *why)
{
	stranger_note_refused(why);
	drop(s);
}

static uint32_t age(const struct stranger *s)
{
	return bridge.now - s->since;
}

/* A free one, or that of the oldest. Those that wait only for a place among the clients do not lose theirs: while there is one
 * of them no connection is accepted. */
static struct stranger *find_place(void)
{
	struct stranger *found = NULL;
	for (unsigned i = 0; i < MOST_STRANGERS; i++) {
		struct stranger *const s = &bridge.strangers[i];
		if (s->socket == NULL)
			return s;
		if (!s->shown && (found == NULL || age(s) > age(found)))
			found = s;
	}
	return found;
}

void stranger_add(struct posix_socket *socket)
{
	struct stranger *const s = find_place();
	if (s->socket != NULL)
		refuse(s, "it has shown no token, and others came");
	*s = (struct stranger){ .socket = socket, .since = bridge.now };
}

/* --- The token */

bool stranger_shows_token(const char *text, size_t n)
{
	const size_t length = strlen(bridge.options.token);
	unsigned char differs = n != length;
	for (size_t i = 0; i < n; i++)
		differs |= (unsigned char)(text[i] ^ bridge.options.token[i < length ? i : 0]);
	return differs == 0;
}

static void judge_token(struct stranger *s)
{
	const size_t n = s->n > 0 && s->line[s->n - 1] == '\r' ? s->n - 1 : s->n;
	s->shown = stranger_shows_token(s->line, n);
	if (!s->shown)
		refuse(s, "its token is wrong");
}

/* No byte is stored that could not be one of the token or its line's end. */
static void read_some(struct stranger *s, const uint8_t *bytes, size_t n)
{
	const quash_port port = posix_socket_port(s->socket);
	const size_t most = strlen(bridge.options.token) + 1;
	const uint8_t *const end = memchr(bytes, '\n', n);
	const size_t length = end != NULL ? (size_t)(end - bytes) : n;
	const bool fits = length <= most - s->n;
	if (fits) {
		memcpy(s->line + s->n, bytes, length);
		s->n += length;
		port.take(port.device, length + (end != NULL));
	}
	if (!fits || (s->n == most && s->line[most - 1] != '\r'))
		refuse(s, "its first line is longer than the token");
	else if (end != NULL)
		judge_token(s);
}

static void read_token(struct stranger *s)
{
	const uint8_t *bytes = NULL;
	int n = 1;
	while (s->socket != NULL && !s->shown && n > 0) {
		const quash_port port = posix_socket_port(s->socket);
		n = port.peek(port.device, &bytes);
		if (n > 0)
			read_some(s, bytes, (size_t)n);
	}
	if (s->socket == NULL || s->shown)
		return;
	if (n < 0)
		drop(s);
	else if (age(s) >= STRANGER_MS)
		refuse(s, "it has shown no token for 5 s");
}

void strangers_turn(void)
{
	for (unsigned i = 0; i < MOST_STRANGERS; i++)
		read_token(&bridge.strangers[i]);
}

struct posix_socket *stranger_admit(void)
{
	unsigned i = 0;
	while (i < MOST_STRANGERS && !(bridge.strangers[i].socket != NULL && bridge.strangers[i].shown))
		i++;
	if (i == MOST_STRANGERS)
		return NULL;
	struct posix_socket *const socket = bridge.strangers[i].socket;
	bridge.strangers[i].socket = NULL;
	return socket;
}

/* --- Waiting */

/* What comes after the token is read by the client's wire. */
void strangers_watch(struct pollfd fds[MOST_STRANGERS])
{
	for (unsigned i = 0; i < MOST_STRANGERS; i++) {
		const struct stranger *const s = &bridge.strangers[i];
		fds[i] = (struct pollfd){ .fd = s->socket != NULL ? s->socket->stdio.in : -1, .events = s->shown ? 0 : POLLIN };
	}
}

void strangers_seen(const struct pollfd fds[MOST_STRANGERS])
{
	for (unsigned i = 0; i < MOST_STRANGERS; i++) {
		struct stranger *const s = &bridge.strangers[i];
		if (s->socket != NULL && s->shown && fds[i].revents != 0)
			drop(s);
	}
}

uint32_t strangers_rest(void)
{
	uint32_t rest = UINT32_MAX;
	for (unsigned i = 0; i < MOST_STRANGERS; i++) {
		const struct stranger *const s = &bridge.strangers[i];
		const uint32_t left = age(s) < STRANGER_MS ? STRANGER_MS - age(s) : 0;
		if (s->socket != NULL && !s->shown && left < rest)
			rest = left;
	}
	return rest;
}

void strangers_close(void)
{
	for (unsigned i = 0; i < MOST_STRANGERS; i++) {
		if (bridge.strangers[i].socket != NULL)
			drop(&bridge.strangers[i]);
	}
}
