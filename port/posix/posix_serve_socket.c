/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "posix_serve_inner.h"
#include "posix_socket.h"

#include <errno.h>

enum { REST_MS = 100 }; /* while the system has no descriptor for a client that waits */

/* False: a signal has come. */
static bool wait_for_client(const struct posix_listener *listener, struct posix_socket *socket)
{
	while (posix_signals_caught() == 0) {
		const int error = posix_socket_accept(listener, socket);
		if (error == 0)
			return true;
		struct pollfd fds[2] = { { .fd = listener->fd, .events = POLLIN }, posix_signals_poll() };
		if (error != EAGAIN)
			fds[0].fd = -1; /* it would end the sleep at once */
		posix_stdio_poll(fds, 2, error == EAGAIN ? UINT32_MAX : REST_MS);
	}
	return false;
}

int posix_listener_serve_as(const quash_config *config, const struct posix_listener *listener, const struct posix_serve *how)
{
	struct posix_serving s;
	struct posix_socket socket;
	const int refused = posix_serving_begin(&s, config, how);
	if (refused != POSIX_SERVED)
		return refused;
	while (wait_for_client(listener, &socket)) {
		posix_serving_run(&s, &socket.stdio, posix_socket_port(&socket));
		posix_socket_close(&socket);
		quash_reopen(&s.peer);
		quash_new_session(&s.peer);
	}
	return posix_serving_end(&s);
}

int posix_listener_serve(const quash_config *config, const struct posix_listener *listener)
{
	return posix_listener_serve_as(config, listener, &posix_serve_usual);
}
