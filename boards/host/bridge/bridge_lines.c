/* SPDX-License-Identifier: MIT
 * Lines over descriptors. Each has its places among what is polled for as long as it is open: only what has changed is set anew. */
#include "posix/posix_system.h"

#include "bridge_clock.h"
#include "bridge_output.h"
#include "bridge_shell.h"
#include "least.h"
#include "posix/posix_tcp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_FDS = 1 + SHELL_DOORS, READ_ROUNDS = 16, LOOK_MS = 5, SILENCE_LOOK = 500, SILENCE_MS = 14000, FATE_MS = 500, CHILD_MS = 50, WORDS = 128 };

/* --- Places to poll */

static bool make_room_for_lines(struct shell *shell, size_t count)
{
	if (count <= shell->fd_room)
		return true;
	const size_t room = 2 * count;
	struct pollfd *const fds = realloc(shell->fds, room * sizeof *fds);
	if (fds == NULL)
		return false;
	shell->fds = fds;
	shell->fd_room = room;
	return true;
}

/* One place if both directions have one descriptor. */
static bool take_places(struct shell *shell, struct shell_line *l)
{
	const unsigned count = l->stdio->in == l->stdio->out ? 1 : 2;
	if (!make_room_for_lines(shell, shell->fd_count + count))
		return false;
	l->fds = shell->fd_count;
	l->fd_count = count;
	shell->fd_count += count;
	for (unsigned i = 0; i < count; i++)
		shell->fds[l->fds + i] = (struct pollfd){ .fd = -1 };
	return true;
}

static void leave_places(struct shell *shell, struct shell_line *l)
{
	const size_t behind = l->fds + l->fd_count;
	memmove(&shell->fds[l->fds], &shell->fds[behind], (shell->fd_count - behind) * sizeof *shell->fds);
	for (struct shell_line *other = shell->lines; other != NULL; other = other->next)
		other->fds -= other->fd_count > 0 && other->fds > l->fds ? l->fd_count : 0;
	shell->fd_count -= l->fd_count;
	l->fd_count = 0;
}

/* The end of a client is to be seen whatever of it is unread, but once. Errors are reported in any case. */
static void watch(struct shell *shell, struct shell_line *l)
{
	size_t waiting = 0;
	if (l->fd_count == 0)
		return;
	(void)bridge_out(l->line, &waiting);
	const bool reads = !l->ended && !l->opening && !l->closing && bridge_reads(l->line) && !l->left, client = l->way != BRIDGE_DEVICE;
	const short end = client && !l->hung ? POSIX_SYSTEM_ENDED : 0;
	const short in = (short)(end | (reads ? POLLIN : 0)), out = waiting > 0 && !l->opening && !l->lost ? POLLOUT : 0;
	struct pollfd *const fds = &shell->fds[l->fds];
	if (l->fd_count == 1) {
		const bool wanted = !l->silent && !l->lost && (in != 0 || out != 0 || !l->hung);
		fds[0] = (struct pollfd){ .fd = wanted ? l->stdio->in : -1, .events = (short)(in | out) };
		return;
	}
	fds[0] = (struct pollfd){ .fd = l->silent || l->lost ? -1 : l->stdio->out, .events = out };
	fds[1] = (struct pollfd){ .fd = !l->silent && !l->lost && in != 0 ? l->stdio->in : -1, .events = in };
}

/* --- A line's life */

struct shell_line *line_make(enum bridge_way way)
{
	struct shell_line *const l = calloc(1, sizeof *l);
	if (l != NULL)
		l->way = way;
	return l;
}

static void forget_line(struct shell *shell, struct shell_line *l)
{
	struct shell_line **at = &shell->lines;
	while (*at != l)
		at = &(*at)->next;
	*at = l->next;
	leave_places(shell, l);
	free(l);
}

static void shell_line_lost(struct shell_line *l, const char *words)
{
	l->lost = l->ended = l->hung = true;
	bridge_lost(l->line, words);
}

/* A command that ends closes its output first: how it has ended is known a moment later. */
static bool is_fate_open(struct shell_line *l)
{
	if (l->as.device.options.kind != DEVICE_COMMAND || posix_child_ended(&l->as.device.as.child))
		return false;
	if (!l->closing)
		l->closing_since = bridge_clock();
	l->closing = true;
	return bridge_clock() - l->closing_since < FATE_MS;
}

static void lose_device(struct shell_line *l)
{
	char words[WORDS];
	if (is_fate_open(l))
		return;
	host_device_trouble(&l->as.device, 0, words, sizeof words);
	shell_line_lost(l, words);
}

static void write_out(struct shell *shell, struct shell_line *l)
{
	size_t n;
	const uint8_t *bytes;
	while (!l->lost && !l->opening && (bytes = bridge_out(l->line, &n), n > 0)) {
		const int left = l->port.write(l->port.device, bytes, n);
		if (left < 0) {
			shell_line_lost(l, "closed the connection");
			return;
		}
		if (left == 0)
			return;
		bridge_sent(l->line, (size_t)left);
		if (!l->unacknowledged)
			l->acknowledged = shell->now;
		l->unacknowledged = l->way == BRIDGE_TCP || l->way == BRIDGE_HTTP;
	}
}

/* Of what there is; what was not taken before goes first, and stands in the port. `*most`: there may be more if there are so many. */
static int feed(struct shell_line *l, size_t *most)
{
	const uint8_t *bytes = NULL;
	uint8_t *const room = bridge_room(l->line, POSIX_STDIO_BUFFER, most);
	posix_stdio_read_into(l->stdio, room, *most);
	const int n = l->port.peek(l->port.device, &bytes);
	posix_stdio_read_into(l->stdio, NULL, 0);
	if (n <= 0)
		return n;
	const size_t taken = bytes == room ? (size_t)n : bridge_feed(l->line, bytes, (size_t)n);
	if (bytes == room)
		bridge_fed(l->line, taken);
	l->port.take(l->port.device, taken);
	l->left = taken < (size_t)n;
	return n;
}

/* What a client sends without end must not hold up others. What has come since is for the next poll, but for the end. */
static void read_in(struct shell_line *l, bool to_end)
{
	for (unsigned rounds = 0; !l->ended && bridge_reads(l->line) && rounds < READ_ROUNDS; rounds++) {
		size_t most;
		const int n = feed(l, &most);
		if (n > 0) {
			if (l->left || ((size_t)n < most && !to_end))
				return;
		} else if (n == 0) {
			return;
		} else if (l->way == BRIDGE_DEVICE) {
			lose_device(l);
			return;
		} else if (n == QUASH_END) {
			l->ended = l->hung = true;
			bridge_ended(l->line, false);
		} else {
			shell_line_lost(l, "closed the connection");
		}
	}
}

void line_add(struct shell *shell, struct shell_line *l, struct bridge_line *of_bridge)
{
	l->line = of_bridge;
	bridge_keep(of_bridge, l);
	l->next = shell->lines;
	shell->lines = l;
	if (l->way == BRIDGE_TCP || l->way == BRIDGE_HTTP)
		posix_tcp_set_silence(&l->as.socket, SILENCE_MS / 1000);
	if (l->way != BRIDGE_DEVICE && l->way != BRIDGE_TERMINAL) {
		l->stdio = &l->as.socket.stdio;
		l->port = posix_socket_port(&l->as.socket);
	}
	if (!take_places(shell, l))
		shell_line_lost(l, "there is no memory");
	read_in(l, false);
	watch(shell, l);
}

bool lines_open_terminal(struct shell *shell)
{
	struct bridge_line *const line = bridge_terminal(shell->bridge);
	shell->fd_count = FIRST_FDS;
	if (!make_room_for_lines(shell, FIRST_FDS))
		return false;
	if (line == NULL)
		return true;
	struct shell_line *const l = line_make(BRIDGE_TERMINAL);
	if (l == NULL)
		return false;
	posix_stdio_open(&l->as.terminal, STDIN_FILENO, STDOUT_FILENO);
	l->stdio = &l->as.terminal;
	l->port = posix_stdio_port(l->stdio);
	line_add(shell, l, line);
	return true;
}

void lines_close_terminal(struct shell *shell)
{
	for (struct shell_line *l = shell->lines; l != NULL; l = l->next) {
		if (l->way == BRIDGE_TERMINAL)
			posix_stdio_close(&l->as.terminal);
	}
}

/* --- Opening */

static void fail(struct bridge_line *line, struct host_device *device, int error)
{
	char words[WORDS];
	if (error == EBUSY)
		host_device_holder(device, words, sizeof words);
	else
		host_device_trouble(device, error, words, sizeof words);
	bridge_failed(line, error == EBUSY ? BRIDGE_IN_USE : BRIDGE_FAILED, words);
}

static void look_whether_open(struct shell *shell, struct shell_line *l)
{
	char words[WORDS];
	if (host_device_is_connecting(&l->as.device))
		return;
	l->opening = false;
	if (l->stdio->gone) {
		host_device_trouble(&l->as.device, 0, words, sizeof words);
		host_device_close(&l->as.device, 0);
		bridge_failed(l->line, BRIDGE_FAILED, words);
		forget_line(shell, l);
		return;
	}
	bridge_opened(l->line);
	watch(shell, l);
}

/* Which port a name means is told when that is another one than before. */
static void keep_found(struct shell *shell, unsigned number, const struct host_device *device)
{
	struct port *const before = &shell->found[number];
	struct builder line = build_begin(&heap_standard);
	if (strcmp(before->path, device->found.path) == 0)
		return;
	*before = device->found;
	build_text(&line, shell->options->devices[number].name);
	build_text(&line, ": ");
	port_put_found(&line, device->options.path, before);
	const size_t length = line.length;
	char *const text = build_end(&line);
	if (text != NULL && shell->options->level >= LOG_INFO)
		log_print(LOG_INFO, text, length, false);
	heap_free(&heap_standard, text);
}

static void open_device(struct shell *shell, const struct bridge_wish *wish)
{
	struct shell_line *const l = line_make(BRIDGE_DEVICE);
	struct host_device none = { .options = shell->options->devices[wish->device].options, .found = shell->found[wish->device] };
	if (l == NULL) {
		fail(wish->line, &none, ENOMEM);
		return;
	}
	l->as.device = none;
	const int error = host_device_open(&l->as.device);
	keep_found(shell, wish->device, &l->as.device);
	if (error != 0) {
		fail(wish->line, &l->as.device, error);
		free(l);
		return;
	}
	l->stdio = l->as.device.stdio;
	l->port = host_device_port(&l->as.device);
	l->opening = true;
	line_add(shell, l, wish->line);
	look_whether_open(shell, l);
}

/* --- Closing */

/* What is due leaves, within `ms`; without time, as much as is taken at once. */
static void drain_line(struct shell *shell, struct shell_line *l, uint32_t ms)
{
	const uint32_t start = bridge_clock();
	size_t waiting = 0;
	for (;;) {
		write_out(shell, l);
		(void)bridge_out(l->line, &waiting);
		if (l->lost || l->opening || waiting == 0 || bridge_clock() - start >= ms)
			return;
		struct pollfd fd = { .fd = l->stdio->out, .events = POLLOUT };
		posix_stdio_poll(&fd, 1, LOOK_MS);
	}
}

static void close_line(struct shell *shell, struct shell_line *l, uint32_t ms)
{
	const uint32_t start = bridge_clock();
	drain_line(shell, l, ms);
	const uint32_t passed = bridge_clock() - start, left = passed < ms ? ms - passed : 0;
	bridge_closed(l->line);
	if (l->way == BRIDGE_DEVICE)
		host_device_close(&l->as.device, left);
	else if (l->way == BRIDGE_TERMINAL)
		posix_stdio_close(&l->as.terminal);
	else
		posix_socket_close(&l->as.socket);
	forget_line(shell, l);
}

/* Devices that are closed one after the other share the time. */
void lines_obey(struct shell *shell)
{
	const uint32_t start = bridge_clock();
	struct bridge_wish wish;
	while (bridge_wants(shell->bridge, &wish)) {
		struct shell_line *const l = bridge_kept(wish.line);
		const uint32_t passed = bridge_clock() - start;
		switch (wish.kind) {
		case BRIDGE_OPENS: open_device(shell, &wish); break;
		case BRIDGE_HANGS_UP:
			l->silent = true;
			host_device_hang_up(&l->as.device);
			watch(shell, l);
			break;
		default: close_line(shell, l, passed < wish.ms ? wish.ms - passed : 0); break;
		}
	}
}

/* --- Bytes */

/* No poll tells of what it has to read: it stands in our memory, or writing has failed. */
static bool reads_unseen(const struct shell_line *l)
{
	return l->left || (l->way == BRIDGE_DEVICE && l->as.device.deaf);
}

void lines_serve(struct shell *shell)
{
	struct bridge_line *line;
	while ((line = bridge_next(shell->bridge)) != NULL) {
		struct shell_line *const l = bridge_kept(line);
		if (l == NULL)
			continue;
		write_out(shell, l);
		if (reads_unseen(l))
			read_in(l, false);
		watch(shell, l);
	}
}

/* An error on the way out ends both; what a socket has received stands before its end. */
static void see(struct shell *shell, struct shell_line *l, bool fate)
{
	const struct pollfd *const fds = &shell->fds[l->fds];
	const short out = fds[0].revents, in = fds[l->fd_count - 1].revents, came = (short)((out | in) & ~POLLOUT);
	const bool socket = l->fd_count == 1, gone = (out & (POLLERR | POLLNVAL)) != 0 || (!socket && (out & POLLHUP) != 0);
	if (gone && l->way != BRIDGE_DEVICE)
		shell_line_lost(l, "closed the connection");
	else if (l->way != BRIDGE_DEVICE && !l->hung && (in & (POLLHUP | POSIX_SYSTEM_ENDED)) != 0) {
		l->hung = true;
		bridge_ended(l->line, true);
	}
	if ((out & POLLOUT) != 0)
		write_out(shell, l);
	if (came != 0 || fate || reads_unseen(l))
		read_in(l, fate || (came & ~POLLIN) != 0);
}

static bool has_vanished(struct shell *shell, struct shell_line *l)
{
	uint32_t unheard = 0;
	l->unacknowledged = posix_tcp_unacknowledged(&l->as.socket, &unheard);
	if (!l->unacknowledged)
		return false;
	const uint32_t waited = shell->now - l->acknowledged;
	return (waited < unheard ? waited : unheard) >= SILENCE_MS;
}

/* A command that has ended shows nothing on its descriptors while others hold its pipe. To ask for that in every turn costs as much as
 * to read what it has answered. */
static bool is_fate_due(const struct shell *shell, struct shell_line *l)
{
	if (l->way != BRIDGE_DEVICE || l->as.device.options.kind != DEVICE_COMMAND || l->silent || l->lost)
		return false;
	l->unasked = !l->closing && shell->now - l->asked < CHILD_MS;
	if (!l->unasked)
		l->asked = shell->now;
	return !l->unasked;
}

static void look_at_shell_line(struct shell *shell, struct shell_line *l)
{
	if (l->opening) {
		look_whether_open(shell, l);
		return;
	}
	const bool fate = is_fate_due(shell, l);
	bool seen = fate;
	for (unsigned i = 0; i < l->fd_count; i++)
		seen = seen || shell->fds[l->fds + i].revents != 0;
	if (seen && !l->lost) {
		see(shell, l, fate);
		watch(shell, l);
	}
	if (l->unacknowledged && !l->lost && has_vanished(shell, l))
		shell_line_lost(l, "has vanished");
}

void lines_read(struct shell *shell)
{
	struct shell_line *next = NULL;
	for (struct shell_line *l = shell->lines; l != NULL; l = next) {
		next = l->next;
		look_at_shell_line(shell, l);
	}
}

/* Milliseconds until something is to be asked of the system that no poll tells. */
static uint32_t line_rest(const struct shell *shell, const struct shell_line *l)
{
	if (l->opening || (l->closing && !l->lost))
		return LOOK_MS;
	if (l->unacknowledged && !l->lost)
		return SILENCE_LOOK;
	const uint32_t passed = shell->now - l->asked;
	return !l->unasked || l->silent || l->lost ? UINT32_MAX : passed < CHILD_MS ? CHILD_MS - passed : 0;
}

uint32_t lines_rest(const struct shell *shell)
{
	uint32_t rest = UINT32_MAX;
	for (const struct shell_line *l = shell->lines; l != NULL; l = l->next)
		rest = less(rest, line_rest(shell, l));
	return rest;
}
