/* SPDX-License-Identifier: MIT
 * The transport contract over connected sockets: what TCP and Unix sockets share. See posix_tcp.h and posix_unix.h for
 * how to listen and connect; each connection has a peer of its own.
 *
 * Nothing here blocks. Everything is called on the thread of the connection's peer, between two steps, never from a
 * signal handler; handlers may call what is marked so. All descriptors are closed in programs that are started. */
#ifndef POSIX_SOCKET_H
#define POSIX_SOCKET_H

#include "posix_stdio.h"

#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A socket that waits for connections. The caller owns it; `fd` may be polled for POLLIN. */
struct posix_listener {
	int fd; /**< -1: closed */
};

/** A connection. The caller owns it; opaque but for `stdio`, whose `ended` and `gone` may be read and which is what
 * `posix_stdio_wait`, `posix_stdio_watch` and `posix_stdio_seen` want. It stays where it is while it is open. */
struct posix_socket {
	struct posix_stdio stdio;
	bool connecting;
	int error; /* why it could not be connected */
};

/** Takes the next connection that waits. The process ignores SIGPIPE from now on. Handlers may call it.
 *
 * @return 0; EAGAIN: none is waiting, also when one that waited has gone again; else the errno for which none can be
 *         taken. Then it goes on waiting. After EMFILE and the like do not poll the listener before a descriptor is
 *         free, or the poll ends at once each time */
int posix_socket_accept(const struct posix_listener *listener, struct posix_socket *socket);

/** The port, for `quash_pump`; valid as long as `socket`. QUASH_END: the other side has shut down its sending half, or has
 * closed a TCP connection, which look the same before something is written. QUASH_GONE: the connection was
 * reset, its other side is closed, or it could not be made. Handlers may call it. */
quash_port posix_socket_port(struct posix_socket *socket);

/** Why the connection could not be made: 0, or an errno such as ECONNREFUSED. 0 also while it is being made. To be asked
 * when `stdio.gone` is true. Handlers may call it. */
int posix_socket_error(struct posix_socket *socket);

/** We have finished transmitting: the other side gets QUASH_END and may go on transmitting. Nothing may be written through
 * the port any more, so all that is due must have left. Harmless when the connection is gone. */
void posix_socket_hang_up(struct posix_socket *socket);

/** Closes the connection; harmless when it is closed. What was written arrives all the same, unless there is input that
 * was not read. TCP then resets the connection, and the other side may lose the last answers. Who cannot rule that out
 * hangs up first and pumps until `stdio.ended`. The peer does not know: call `quash_gone` if it goes on being used. Not
 * from handlers of this connection's peer. */
void posix_socket_close(struct posix_socket *socket);

/** Closes the listener; harmless when it is closed. Connections that wait are reset, those that were taken go on. For
 * TCP; a Unix socket has a name to be removed as well, see `posix_unix_stop`. */
void posix_listener_close(struct posix_listener *listener);

/* --- For posix_tcp.c and posix_unix.c ---------------------------------------------------------------------- */

/** Opens a stream socket that does not block and is closed in programs that are started. -1 with errno set. */
int posix_socket_open_(int family);

/** Begins to connect `fd`, which then is the connection's: it is closed when it fails. Returns 0 or an errno. */
int posix_socket_connect_(struct posix_socket *socket, int fd, const struct sockaddr *address, socklen_t length);

/** Closes `fd` and returns errno as it was found: for functions that fail. */
int posix_socket_fail_(int fd);

#ifdef __cplusplus
}
#endif
#endif
