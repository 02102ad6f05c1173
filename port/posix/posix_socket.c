/* SPDX-License-Identifier: MIT */
#include "posix_system.h"

#include "posix_socket.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* --- Opening */

int posix_socket_open_(int family)
{
	return posix_system_socket(family);
}

int posix_socket_fail_(int fd)
{
	const int error = errno;
	close(fd);
	return error;
}

static void open_over(struct posix_socket *socket, int fd, bool connecting)
{
	posix_stdio_open(&socket->stdio, fd, fd);
	socket->connecting = connecting;
	socket->error = 0;
}

int posix_socket_connect_(struct posix_socket *socket, int fd, const struct sockaddr *address, socklen_t length)
{
	socket->stdio.in = socket->stdio.out = -1;
	const bool connected = connect(fd, address, length) == 0;
	if (!connected && errno != EINPROGRESS && errno != EINTR)
		return posix_socket_fail_(fd);
	open_over(socket, fd, !connected);
	return 0;
}

/* Only these concern the process and last; all else was the trouble of one connection, which is gone with it. */
static bool is_lasting(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM || error == EBADF ||
		error == EINVAL || error == ENOTSOCK;
}

int posix_socket_accept(const struct posix_listener *listener, struct posix_socket *socket)
{
	const int fd = posix_system_accept(listener->fd);
	if (fd < 0) {
		socket->stdio.in = socket->stdio.out = -1;
		return is_lasting(errno) ? errno : EAGAIN;
	}
	open_over(socket, fd, false);
	return 0;
}

/* --- Bytes */

static int pending_error(const struct posix_socket *socket)
{
	int error = 0;
	socklen_t length = sizeof error;
	return getsockopt(socket->stdio.in, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno;
}

/* Reading and writing before that fails in a way that differs between systems. */
static bool is_connected(struct posix_socket *socket)
{
	struct pollfd fd = { .fd = socket->stdio.out, .events = POLLOUT };
	if (socket->connecting && poll(&fd, 1, 0) > 0) {
		socket->connecting = false;
		socket->error = pending_error(socket);
		socket->stdio.gone = socket->error != 0;
	}
	return !socket->connecting;
}

static int peek(void *device, const uint8_t **bytes)
{
	struct posix_socket *const socket = device;
	const quash_port port = posix_stdio_port(&socket->stdio);
	return socket->stdio.gone || is_connected(socket) ? port.peek(port.device, bytes) : 0;
}

static void take(void *device, size_t n)
{
	struct posix_socket *const socket = device;
	const quash_port port = posix_stdio_port(&socket->stdio);
	port.take(port.device, n);
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	struct posix_socket *const socket = device;
	const quash_port port = posix_stdio_port(&socket->stdio);
	return socket->stdio.gone || is_connected(socket) ? port.write(port.device, data, n) : 0;
}

static uint32_t now(void *device)
{
	struct posix_socket *const socket = device;
	const quash_port port = posix_stdio_port(&socket->stdio);
	return port.now(port.device);
}

quash_port posix_socket_port(struct posix_socket *socket)
{
	const quash_port port = { .peek = peek, .take = take, .write = write_bytes, .now = now, .device = socket };
	return port;
}

int posix_socket_error(struct posix_socket *socket)
{
	if (socket->connecting && socket->stdio.gone)
		(void)is_connected(socket);
	return socket->error;
}

/* --- Ending */

void posix_socket_hang_up(struct posix_socket *socket)
{
	shutdown(socket->stdio.out, SHUT_WR);
}

void posix_socket_close(struct posix_socket *socket)
{
	if (socket->stdio.in >= 0)
		close(socket->stdio.in);
	socket->stdio.in = socket->stdio.out = -1;
	socket->stdio.gone = true;
}

void posix_listener_close(struct posix_listener *listener)
{
	if (listener->fd >= 0)
		close(listener->fd);
	listener->fd = -1;
}
