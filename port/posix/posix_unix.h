/* SPDX-License-Identifier: MIT
 * The transport contract over Unix sockets: connections between programs of one machine, with a path for an address.
 *
 * Accepting, transmitting and closing: `posix_socket_accept` and what follows it there. Unlike TCP these connections know
 * closed from half closed: QUASH_GONE comes as soon as the other side has closed, after all that it has transmitted.
 *
 * Calling context: as posix_socket.h. */
#ifndef POSIX_UNIX_H
#define POSIX_UNIX_H

#include "posix_socket.h"

#include <sys/types.h>
#include <sys/un.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A Unix socket that waits for connections. The caller owns it; opaque but for `listener`, for `posix_socket_accept`. */
struct posix_unix {
	struct posix_listener listener;
	struct sockaddr_un address;
	dev_t device; /* which file the path named when it was made */
	ino_t file;
};

/** Listens. Only the same user may connect (mode 0600; `chmod` lets others). A socket of a program that died, where
 * none listens any more, is replaced. Anything else that the path names is left alone. Two programs that replace the
 * same one at the same moment may both succeed, and one of them is then never found. The program's start calls it; may
 * take as long as the file system takes.
 *
 * @param path  borrowed for the call
 * @return      0 or an errno: EADDRINUSE when somebody listens there or it is no socket, ENAMETOOLONG. Then it is stopped */
int posix_unix_listen(struct posix_unix *server, const char *path);

/** Closes the listener and removes the path, if it still names what `posix_unix_listen` made. Harmless when it is
 * stopped. The program's end calls it. */
void posix_unix_stop(struct posix_unix *server);

/** Connects. The process ignores SIGPIPE from now on. Handlers may call it.
 *
 * @param path  borrowed for the call
 * @return      0 or an errno: ENOENT, ECONNREFUSED when no program listens, EAGAIN when too many wait to be accepted,
 *              …; then nothing is open */
int posix_unix_connect(struct posix_socket *socket, const char *path);

#ifdef __cplusplus
}
#endif
#endif
