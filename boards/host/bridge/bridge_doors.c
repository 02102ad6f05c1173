/* SPDX-License-Identifier: MIT */
#include "posix/posix_system.h"

#include "bridge_output.h"
#include "bridge_shell.h"
#include "posix/posix_tcp.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { ACCEPTED_AT_ONCE = 16, ADDRESS = 64 };

/* --- Listening */

static void log_door(const struct shell *shell, enum log_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void log_door(const struct shell *shell, enum log_level level, const char *format, ...)
{
	char text[4096];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (level <= shell->options->level)
		log_print(level, text, strlen(text), false);
}

static int refuse_door(const struct shell *shell, const char *where, int error)
{
	log_door(shell, LOG_ERROR, "%s: %s", where, strerror(error));
	return EXIT_OPTIONS;
}

static int listen_unix(struct shell *shell, struct shell_door *door)
{
	const char *const path = shell->options->listen_unix;
	const int error = posix_unix_listen(&shell->unix_door, path);
	if (error != 0)
		return refuse_door(shell, path, error);
	*door = (struct shell_door){ BRIDGE_LOCAL, false, &shell->unix_door.listener, false };
	log_door(shell, LOG_INFO, "listening on %s", path);
	return 0;
}

/* `way`: of TCP or HTTP. */
static int listen_tcp(struct shell *shell, struct shell_door *door, enum bridge_way way)
{
	const bool http = way == BRIDGE_HTTP;
	const char *const host = http ? shell->options->http_host : shell->options->listen_host;
	const uint16_t number = http ? shell->options->http_number : shell->options->listen_number;
	struct posix_listener *const listener = http ? &shell->http_door : &shell->tcp_door;
	const int error = posix_tcp_listen(listener, host, number);
	const bool brackets = http && strchr(host, ':') != NULL;
	char where[ADDRESS + 16];
	if (error != 0) {
		snprintf(where, sizeof where, "%s:%u", host, (unsigned)number);
		return refuse_door(shell, where, error);
	}
	*door = (struct shell_door){ way, true, listener, false };
	snprintf(where, sizeof where, "%s%s%s%s:%u", http ? "http://" : "", brackets ? "[" : "", host, brackets ? "]" : "",
		(unsigned)posix_tcp_number(listener));
	log_door(shell, LOG_INFO, "listening on %s%s", where, http ? "/mcp" : "");
	if (http && shell->options->page != NULL)
		log_door(shell, LOG_INFO, "a page for browsers is at %s/", where);
	return 0;
}

/* Shells and services often start programs with fewer. What is not given is done without. */
static void ask_for_descriptors(void)
{
	enum { WANTED = 1536 };
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= WANTED)
		return;
	limit.rlim_cur = limit.rlim_max < WANTED ? limit.rlim_max : WANTED;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

int doors_open(struct shell *shell)
{
	const struct bridge_options *const o = shell->options;
	int code = 0;
	shell->unix_door.listener.fd = shell->tcp_door.fd = shell->http_door.fd = -1;
	if (o->listens_http)
		ask_for_descriptors();
	if (o->listen_unix != NULL)
		code = listen_unix(shell, &shell->doors[0]);
	if (code == 0 && o->listens_tcp)
		code = listen_tcp(shell, &shell->doors[1], BRIDGE_TCP);
	if (code == 0 && o->listens_http)
		code = listen_tcp(shell, &shell->doors[2], BRIDGE_HTTP);
	return code;
}

/* --- Clients that come */

void doors_watch(struct shell *shell, struct pollfd fds[SHELL_DOORS])
{
	for (size_t i = 0; i < SHELL_DOORS; i++) {
		struct shell_door *const door = &shell->doors[i];
		const bool open = door->listener != NULL && !door->full && bridge_takes(shell->bridge, door->way);
		fds[i] = (struct pollfd){ .fd = open ? door->listener->fd : -1, .events = POLLIN };
		door->full = false;
	}
}

static int accept_into(const struct shell_door *door, struct posix_socket *socket)
{
	return door->tcp ? posix_tcp_accept(door->listener, socket) : posix_socket_accept(door->listener, socket);
}

/* Without a descriptor for it: one that gives way has one. */
static int accept_or_yield(struct shell *shell, const struct shell_door *door, struct posix_socket *socket)
{
	const int error = accept_into(door, socket);
	if (error == 0 || error == EAGAIN || door->way != BRIDGE_HTTP || !bridge_yields(shell->bridge))
		return error;
	lines_obey(shell);
	return accept_into(door, socket);
}

/* False: none waits, or there is no place. */
static bool accept_one(struct shell *shell, struct shell_door *door)
{
	if (!bridge_takes(shell->bridge, door->way))
		return false;
	struct shell_line *const line = line_make(door->way);
	const int error = line != NULL ? accept_or_yield(shell, door, &line->as.socket) : ENOMEM;
	if (error != 0) {
		door->full = error != EAGAIN;
		free(line);
		return false;
	}
	struct bridge_line *const of_bridge = bridge_client(shell->bridge, door->way);
	if (of_bridge == NULL) {
		posix_socket_close(&line->as.socket);
		free(line);
		return false;
	}
	line_add(shell, line, of_bridge);
	lines_obey(shell);
	return true;
}

/* Connections without end must not hold up others: the doors are polled again. */
void doors_accept(struct shell *shell, const struct pollfd fds[SHELL_DOORS])
{
	for (size_t i = 0; i < SHELL_DOORS; i++) {
		unsigned count = 0;
		while (fds[i].fd >= 0 && fds[i].revents != 0 && count < ACCEPTED_AT_ONCE && accept_one(shell, &shell->doors[i]))
			count++;
	}
}

void doors_close(struct shell *shell)
{
	if (shell->doors[0].listener != NULL)
		posix_unix_stop(&shell->unix_door);
	posix_listener_close(&shell->tcp_door);
	posix_listener_close(&shell->http_door);
	for (size_t i = 0; i < SHELL_DOORS; i++)
		shell->doors[i].listener = NULL;
}
