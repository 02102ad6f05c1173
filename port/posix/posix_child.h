/* SPDX-License-Identifier: MIT
 * The transport contract over the stdin and stdout of a command that we start: the client's side of stdio.
 *
 * Everything here is called on the peer's thread, never from a signal handler. A program that is interrupted lets its
 * handler set a flag, and its loop calls `posix_child_end`. */
#ifndef POSIX_CHILD_H
#define POSIX_CHILD_H

#include "posix_stdio.h"

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Milliseconds that MCP's clients leave a server for each step of its end (2025-11-25 basic/lifecycle "Shutdown"). */
#define POSIX_CHILD_PATIENCE 2000u

/** A command that runs. The caller owns it; opaque but for `stdio`, whose `ended` and `gone` may be read and which is
 * what `posix_stdio_port` and `posix_stdio_wait` want. It stays where it is while the command runs. */
struct posix_child {
	struct posix_stdio stdio;
	pid_t pid;  /**< 0: none runs, or its end was noticed */
	int status; /* as waitpid gave it, once it has ended */
};

/** Starts a command. Its stdin and stdout are pipes to us. Its stderr and working directory are ours. It inherits no
 * other descriptor of these, and ignores and blocks no signal. It is its own process group, so that Ctrl-C on the
 * terminal is ours alone. The process ignores SIGPIPE from now on. The program's start calls it; may take as long as a
 * file system takes to find a program.
 *
 * @param argv  the command and its arguments, ending with NULL; found by PATH; borrowed for the call
 * @return      0, or the errno of what failed: then nothing is open and nothing runs */
int posix_child_start(struct posix_child *child, char *const argv[]);

/** True if the command has ended by itself; then it is no zombie any more. Never blocks. What it has written may
 * still be read. The program's loop calls it. */
bool posix_child_ended(struct posix_child *child);

/** Closes the command's stdin: nothing more comes from us. It may go on writing. Nothing may be
 * written through the port any more, so all that is due must have left. */
void posix_child_hang_up(struct posix_child *child);

/** Ends the command and all descriptors to it: closes its stdin, waits up to `patience` milliseconds, sends SIGTERM to
 * its process group, waits again, sends SIGKILL. What it writes meanwhile is read and dropped. Blocks, so up to twice
 * `patience`; a signal that the program catches meanwhile ends the wait that it falls into. The program's end calls
 * it after `posix_child_start`, whatever that has returned and whatever has happened since; harmless when nothing
 * runs. */
void posix_child_end(struct posix_child *child, uint32_t patience);

/** How the command has ended, in words: `exited with 3`, `was ended by signal 15`, `is running`. */
void posix_child_fate(const struct posix_child *child, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
