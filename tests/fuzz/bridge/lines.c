/* SPDX-License-Identifier: MIT */
#include "posix/posix_system.h"

#include "world.h"

#include "posix/posix_tcp.h"
#include "posix/posix_unix.h"

#include <errno.h>
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

/* --- Lines and their descriptors */

struct line *line_of(int fd)
{
	const unsigned i = (unsigned)(fd - LINE_FDS) / 2;
	if (fd < LINE_FDS || i >= LINES + DEVICES)
		return NULL;
	return i < LINES ? &world.clients[i].line : &world.devices[i - LINES].line;
}

int line_fd(const struct line *line)
{
	const bool client = line == &world.clients[line->owner].line;
	return LINE_FDS + 2 * (int)(line->owner + (client ? 0 : LINES));
}

void line_open(struct line *line, struct posix_stdio *stdio)
{
	memset(stdio, 0, offsetof(struct posix_stdio, buffer));
	stdio->in = line_fd(line);
	stdio->out = line->socket ? stdio->in : stdio->in + 1;
	line->open = true;
	world_stir();
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
	show("%6u %d > %.*s\n", (unsigned)world.now, line_fd(line), (int)(n < 300 ? n : 300), text);
}

/* --- What the bridge transmits: whole messages, in their framing, of JSON */

static void judge(struct line *line, const char *text, size_t n)
{
	json_error_t error;
	show("%6u %d < %.*s\n", (unsigned)world.now, line_fd(line), (int)(n < 300 ? n : 300), text);
	json_t *const message = json_loadb(text, n, JSON_ALLOW_NUL, &error);
	const enum json_error_code code = message != NULL ? json_error_unknown : json_error_code(&error);
	if (message == NULL && code != json_error_numeric_overflow && code != json_error_null_byte_in_key)
		wrong("json", "%s: %.*s", error.text, (int)n, text);
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
	const size_t n = strlen(bridge.options.token) + 1;
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

/* --- Reading and writing, as port/posix does */

static size_t pieces(const struct line *line, size_t n)
{
	return line->piece != 0 && n > line->piece ? line->piece : n;
}

static int fill(struct posix_stdio *s)
{
	struct line *const line = line_of(s->in);
	size_t n = pieces(line, line->in.to - line->in.from);
	n = n < sizeof s->buffer ? n : sizeof s->buffer;
	if (n == 0 && !line->ended && !line->closed)
		return 0;
	if (n > 0)
		memcpy(s->buffer, line->in.bytes + line->in.from, n);
	line->in.from += n;
	s->from = 0;
	s->to = n;
	s->ended = n == 0;
	world_stir();
	return s->ended ? QUASH_END : 0;
}

int line_peek(struct posix_stdio *s, const uint8_t **bytes)
{
	if (s->gone)
		return QUASH_GONE;
	if (s->ended)
		return QUASH_END;
	if (s->from == s->to) {
		const int end = fill(s);
		if (end != 0)
			return end;
	}
	line_of(s->in)->read_at = world.now;
	*bytes = s->buffer + s->from;
	return (int)(s->to - s->from);
}

static size_t room_of(const struct line *line)
{
	return line->stalls ? line->room : SOCKET_ROOM;
}

void line_stall(struct line *line, uint8_t choice)
{
	line->stalls = line->deaf || !line->stalls;
	line->room = choice / 8 % 8 * 30u;
}

static int refuse(struct line *line)
{
	line->refuses_since = line->refuses ? line->refuses_since : world.now;
	line->refuses = true;
	return 0;
}

int line_write(struct posix_stdio *s, const uint8_t *data, size_t n)
{
	struct line *const line = line_of(s->out);
	if (!s->gone && line->closed)
		s->gone = true;
	if (s->gone)
		return QUASH_GONE;
	if (!line->token) /* what is new takes a token whole */
		n = pieces(line, n < room_of(line) ? n : room_of(line));
	if (n == 0)
		return refuse(line);
	line->refuses = false;
	line->room -= line->stalls && !line->token ? n : 0;
	queue_put(&line->out, data, n);
	world_stir();
	if (line->takes != NULL)
		line->takes(line);
	else
		read_out(line);
	return (int)n;
}

static int peek(void *device, const uint8_t **bytes)
{
	return line_peek(device, bytes);
}

static void take_bytes(void *device, size_t n)
{
	struct posix_stdio *const s = device;
	s->from += n;
	world_stir();
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	return line_write(device, data, n);
}

static uint32_t now(void *device)
{
	(void)device;
	return world.now;
}

quash_port posix_stdio_port(struct posix_stdio *stdio)
{
	return (quash_port){ peek, take_bytes, write_bytes, now, stdio };
}

void posix_stdio_open(struct posix_stdio *stdio, int in, int out)
{
	(void)in;
	(void)out;
	line_open(&world.clients[0].line, stdio);
}

quash_port posix_socket_port(struct posix_socket *socket)
{
	return posix_stdio_port(&socket->stdio);
}

/* --- Polling */

short line_sees(const struct line *line, int fd, short events)
{
	const bool input = fd % 2 == 0, output = fd % 2 != 0 || line->socket;
	short seen = 0;
	if (input && (line->in.from < line->in.to || line->ended || line->closed))
		seen |= POLLIN;
	if (output && room_of(line) > 0 && !line->closed)
		seen |= POLLOUT;
	if (line->socket && (line->ended || line->closed))
		seen |= POSIX_SYSTEM_ENDED;
	seen &= events;
	if (line->closed)
		seen |= line->socket || input ? POLLHUP : POLLERR;
	return seen;
}

void posix_stdio_seen(struct posix_stdio *stdio, const struct pollfd fds[2])
{
	const int over = fds[0].revents & (POLLERR | POLLNVAL | POLLHUP);
	const bool unread = over == POLLHUP && stdio->in == stdio->out && !stdio->ended;
	if (over != 0 && !unread)
		stdio->gone = true;
}

/* --- Doors */

int posix_unix_listen(struct posix_unix *server, const char *path)
{
	(void)path;
	server->listener.fd = DOOR_UNIX;
	return 0;
}

void posix_unix_stop(struct posix_unix *server)
{
	server->listener.fd = -1;
}

int posix_tcp_listen(struct posix_listener *listener, const char *host, uint16_t number)
{
	(void)host;
	(void)number;
	listener->fd = DOOR_TCP;
	return 0;
}

uint16_t posix_tcp_number(const struct posix_listener *listener)
{
	return (uint16_t)listener->fd;
}

void posix_listener_close(struct posix_listener *listener)
{
	listener->fd = -1;
}

int posix_socket_accept(const struct posix_listener *listener, struct posix_socket *socket)
{
	const unsigned who = client_at_door(listener->fd == DOOR_TCP);
	socket->stdio.in = socket->stdio.out = -1;
	if (who == LINES)
		return EAGAIN;
	world.clients[who].waits = false;
	line_open(&world.clients[who].line, &socket->stdio);
	return 0;
}

int posix_tcp_accept(const struct posix_listener *listener, struct posix_socket *socket)
{
	return posix_socket_accept(listener, socket);
}

void posix_tcp_set_silence(const struct posix_socket *socket, unsigned seconds)
{
	(void)socket;
	(void)seconds;
}

/* In this world nobody vanishes without an end. */
bool posix_tcp_unacknowledged(const struct posix_socket *socket, uint32_t *unheard)
{
	(void)socket;
	*unheard = 0;
	return false;
}

void posix_socket_close(struct posix_socket *socket)
{
	struct line *const line = line_of(socket->stdio.in);
	if (line != NULL && line->open && line->closes != NULL)
		line->closes(line);
	if (line != NULL)
		line->open = false;
	socket->stdio.in = socket->stdio.out = -1;
	socket->stdio.gone = true;
	world_stir();
}
