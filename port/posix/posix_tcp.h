/* SPDX-License-Identifier: MIT
 * The transport contract over TCP. Anyone who can reach the address can connect: there is
 * no encryption and no password. So listen on loopback unless the network is trusted. Programs of other users and,
 * through them, web pages reach loopback too.
 *
 *     static struct posix_listener listener;
 *     static struct posix_socket connection; // one peer for each
 *     int error = posix_tcp_listen(&listener, NULL, 7000);
 *     ...
 *     if (posix_tcp_accept(&listener, &connection) == 0)
 *         port = posix_socket_port(&connection);
 *
 * Calling context: as posix_socket.h. Small messages leave at once (no Nagle), so cancels do not queue. A host may
 * vanish without a word. That is noticed within POSIX_TCP_SILENCE seconds while nothing is being sent, where the system
 * lets programs choose. Otherwise it is noticed when the system gives up sending, or as `posix_tcp_unacknowledged`
 * shows. */
#ifndef POSIX_TCP_H
#define POSIX_TCP_H

#include "posix_socket.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Seconds of silence after which the other host counts as vanished. It is asked before whether it is there. */
#define POSIX_TCP_SILENCE 60

/** Listens. The program's start calls it; handlers may.
 *
 * @param host    an address in numbers (`127.0.0.1`, `::1`; `0.0.0.0` for everyone who can reach the machine), or NULL for
 *                127.0.0.1; names are not looked up, as that blocks; borrowed for the call
 * @param number  the port's number; 0: any that is free, see `posix_tcp_number`
 * @return        0 or an errno; EINVAL when `host` is no address. Then the listener is closed */
int posix_tcp_listen(struct posix_listener *listener, const char *host, uint16_t number);

/** The number of the port that is listened on; 0 when the listener is closed. Handlers may call it. */
uint16_t posix_tcp_number(const struct posix_listener *listener);

/** Takes the next connection that waits. As `posix_socket_accept`. */
int posix_tcp_accept(const struct posix_listener *listener, struct posix_socket *socket);

/** After so many seconds without a word of the other host the connection is gone, while nothing waits to be acknowledged.
 * For what waits: `posix_tcp_unacknowledged`. Where the system does not let programs choose, nothing changes. Costs some
 * system calls. Handlers may call it.
 *
 * @param socket   one of `posix_tcp_accept` or `posix_tcp_connect`
 * @param seconds  4 to 3600 */
void posix_tcp_set_silence(const struct posix_socket *socket, unsigned seconds);

/** Whether bytes were sent, or wait in the system, that the other host has not acknowledged. A host that has vanished
 * does so for minutes before the system gives up. One that is there but reads nothing answers the system's probes,
 * so `*unheard` stays small. Costs two system calls. Handlers may call it.
 *
 * @param socket  as above
 * @param unheard where to store the milliseconds since anything came from the other host, however long nothing was
 *                sent; 0 where the system does not know
 * @return        false: there are no such bytes, or the system does not know; `*unheard` is 0 */
bool posix_tcp_unacknowledged(const struct posix_socket *socket, uint32_t *unheard);

/** Connects, without waiting for it: until it is done nothing is read or written; when it fails the port is
 * QUASH_GONE, and `posix_socket_error` has the reason. The process ignores SIGPIPE from now on. Handlers may call it.
 *
 * @param host    as for `posix_tcp_listen`
 * @param number  the port's number, 1 to 65535
 * @return        0 or an errno; then nothing is open */
int posix_tcp_connect(struct posix_socket *socket, const char *host, uint16_t number);

#ifdef __cplusplus
}
#endif
#endif
