/* SPDX-License-Identifier: MIT
 * Whether whoever started this program has ended. A program whose client is on stdin ends by the end of its input, but another process
 * may hold that open. `posix_stdio_serve` has this; a program with a loop of its own asks in each turn.
 *
 * What is watched is the parent process. Launchers such as npx, and shells with one command, hand on their own input and wait. So on Linux
 * each process above that has the same input is watched too, and the one above these. Nothing is watched where
 *
 * - the input is neither a pipe nor a socket: a terminal hangs up, and a file ends;
 * - the parent's id is 1 at the start: it is a container's first process, or the parent had ended before;
 * - the parent has put the program in the background: SIGHUP or SIGINT is ignored, as by nohup and by `&` in a script, or both are not of
 *   one process group, as by setsid and by `&` at a terminal. The same ends what is watched further above. On Linux a parent is watched
 *   though it has a group of its own if it has the other end of the pipe, as some hosts do; and though a signal is ignored if it ignores
 *   that itself, as a host does that was put in the background.
 *
 * Everything is called on one thread. Nothing is allocated or left open. */
#ifndef POSIX_PARENT_H
#define POSIX_PARENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** So often the system is asked, in milliseconds: an end is seen within that time. */
#define POSIX_PARENT_LOOK_MS 500

/** What is watched; opaque. All zero: nothing. */
struct posix_parent {
	pid_t above[8]; /* the parent first, then each one's parent */
	unsigned count;
	uint32_t looked;
	bool ended;
};

/** Watches from `now` on, in milliseconds of any clock that only goes on and wraps at 2^32. To be called at the program's start.
 *
 * @param in  the descriptor of the input */
void posix_parent_watch(struct posix_parent *parent, int in, uint32_t now);

/** True once one of them has ended. Asks the system no more often than POSIX_PARENT_LOOK_MS says. */
bool posix_parent_ended(struct posix_parent *parent, uint32_t now);

/** Milliseconds until it is to be asked again; UINT32_MAX: for ever. */
uint32_t posix_parent_rest(const struct posix_parent *parent, uint32_t now);

#ifdef __cplusplus
}
#endif
#endif
