/* SPDX-License-Identifier: MIT
 * The transport contract over two file descriptors of POSIX: stdin and stdout, pipes, a terminal, a socket.
 *
 * Everything here is called on the peer's thread, never from a signal handler. */
#ifndef POSIX_STDIO_H
#define POSIX_STDIO_H

#include "../../include/quash/port.h"

#include <poll.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How many bytes a port reads at once, in bytes of its own buffer. */
#define POSIX_STDIO_BUFFER 4096

/** A pair of descriptors. The caller owns it; opaque but for `ended` and `gone`, which may be read. */
struct posix_stdio {
	int in, out;
	int in_flags, out_flags; /* as they were found */
	bool ended;              /**< the other side has finished transmitting, and all of it was read and taken */
	bool gone;               /**< nothing works any more */
	size_t from, to;         /* what of `buffer` is shown and not taken yet */
	uint8_t *into;           /* where to read; NULL: into `buffer` */
	size_t into_size;
	const uint8_t *read;     /* where `from` and `to` count from */
	uint8_t buffer[POSIX_STDIO_BUFFER];
};

/** Takes two open descriptors, which may be the same one, makes them non-blocking and lets the process ignore
 * SIGPIPE. The program's start calls it. */
void posix_stdio_open(struct posix_stdio *stdio, int in, int out);

/** Gives the descriptors back as they were found: they may be shared with the shell. Closes neither. The
 * program's end calls it. */
void posix_stdio_close(struct posix_stdio *stdio);

/** The port, for `quash_pump`; valid as long as `stdio`. */
quash_port posix_stdio_port(struct posix_stdio *stdio);

/** From now on `peek` reads into the caller's memory, to save a copy, where nothing is left of what it has read before. The memory stays until
 * what is shown there was taken. NULL: into the port's own again. */
void posix_stdio_read_into(struct posix_stdio *stdio, uint8_t *bytes, size_t size);

/** Sleeps until there is input, or bytes that wait to be written can move, or `stdout` is gone, or `ms` milliseconds
 * have passed (UINT32_MAX: no limit). While bytes are left in the port that the peer has not taken, input does not end
 * the sleep. It does not sleep when they are left and `quash_idle_ms` is 0. Called by the program's loop after
 * `quash_step`; not by handlers. Never sleeps longer than `ms`. */
void posix_stdio_wait(struct posix_stdio *stdio, quash_peer *peer, uint32_t ms);

/** The parts of `posix_stdio_wait`, for a program that waits for several ports or for descriptors of its own: watch
 * each, poll all, call `posix_stdio_seen` for each. What to poll for: `fds[0]` is its output, `fds[1]` its input.
 *
 * @return whether to wait at all; false: there is something to do now */
bool posix_stdio_watch(struct posix_stdio *stdio, quash_peer *peer, struct pollfd fds[2]);

/** Sleeps until something is to be seen on any of `fds`, or a signal has come, or `ms` milliseconds have passed
 * (UINT32_MAX: no limit). Nothing is seen in the latter cases. */
void posix_stdio_poll(struct pollfd *fds, size_t count, uint32_t ms);

/** Gives the port what was seen. A socket whose other side is closed is gone once all that it has transmitted was read. */
void posix_stdio_seen(struct posix_stdio *stdio, const struct pollfd fds[2]);

#ifdef __cplusplus
}
#endif
#endif
