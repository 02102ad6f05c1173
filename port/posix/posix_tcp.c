/* SPDX-License-Identifier: MIT */
#include "posix_system.h"

#include "posix_tcp.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>

enum { PROBES = 3, PROBES_IN_SILENCE = 6 };

/* To be freed; NULL when it is none. */
static struct addrinfo *address_of(const char *host, uint16_t number)
{
	struct addrinfo *address = NULL;
	char service[sizeof "65535"];
	const struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV };
	snprintf(service, sizeof service, "%u", (unsigned)number);
	return getaddrinfo(host != NULL ? host : "127.0.0.1", service, &hints, &address) == 0 ? address : NULL;
}

static void set(int fd, int level, int option, int value)
{
	(void)setsockopt(fd, level, option, &value, sizeof value); /* each of them can be done without */
}

/* Half of the time passes before the other host is asked for the first time. */
static void set_keepalive(int fd, int seconds)
{
	set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	const int interval = seconds < PROBES_IN_SILENCE ? 1 : seconds / PROBES_IN_SILENCE;
	posix_system_probe(fd, seconds - PROBES * interval, interval, PROBES);
}

static void tune(int fd)
{
	set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set_keepalive(fd, POSIX_TCP_SILENCE);
}

static int listen_at(struct posix_listener *listener, const struct addrinfo *address)
{
	const int fd = posix_socket_open_(address->ai_family);
	if (fd < 0)
		return errno;
	set(fd, SOL_SOCKET, SO_REUSEADDR, 1); /* connections of the last run may be closing yet */
	tune(fd);                             /* what is accepted has it from here, whoever accepts it */
	if (bind(fd, address->ai_addr, address->ai_addrlen) != 0 || listen(fd, SOMAXCONN) != 0)
		return posix_socket_fail_(fd);
	listener->fd = fd;
	return 0;
}

int posix_tcp_listen(struct posix_listener *listener, const char *host, uint16_t number)
{
	listener->fd = -1;
	struct addrinfo *const address = address_of(host, number);
	if (address == NULL)
		return EINVAL;
	const int error = listen_at(listener, address);
	freeaddrinfo(address);
	return error;
}

uint16_t posix_tcp_number(const struct posix_listener *listener)
{
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} address;
	socklen_t length = sizeof address;
	if (getsockname(listener->fd, &address.any, &length) != 0)
		return 0;
	return ntohs(address.any.sa_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port);
}

int posix_tcp_accept(const struct posix_listener *listener, struct posix_socket *socket)
{
	return posix_socket_accept(listener, socket);
}

void posix_tcp_set_silence(const struct posix_socket *socket, unsigned seconds)
{
	set_keepalive(socket->stdio.in, (int)seconds);
}

bool posix_tcp_unacknowledged(const struct posix_socket *socket, uint32_t *unheard)
{
	*unheard = 0;
	const int fd = socket->stdio.in;
	int waiting;
	return posix_system_unsent(fd, &waiting) && waiting > 0 && posix_system_unheard(fd, unheard);
}

static int connect_to(struct posix_socket *socket, const struct addrinfo *address)
{
	const int fd = posix_socket_open_(address->ai_family);
	if (fd < 0)
		return errno;
	tune(fd);
	return posix_socket_connect_(socket, fd, address->ai_addr, address->ai_addrlen);
}

int posix_tcp_connect(struct posix_socket *socket, const char *host, uint16_t number)
{
	socket->stdio.in = socket->stdio.out = -1;
	struct addrinfo *const address = address_of(host, number);
	if (address == NULL)
		return EINVAL;
	const int error = connect_to(socket, address);
	freeaddrinfo(address);
	return error;
}
