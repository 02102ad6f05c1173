/* SPDX-License-Identifier: MIT
 * Processes and descriptors, as a rig needs them. */
#ifndef SAFE_PROCESS_H
#define SAFE_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/un.h>

/** fork: a child that ends with us, leaves no core and has every signal as usual. */
pid_t process_fork(void);

/** In a child: puts a descriptor in the place of another; -1: nowhere. */
void process_put(int from, int to);

/** In a child: becomes a program with that stdin and stdout. Its stderr is ours when it is loud, else nowhere. */
void process_become(char *const *argv, int in, int out, bool loud);

/** Ends a process by its id and waits for its end; harmless when it is 0. */
void process_end(pid_t *process, int signal);

/** Closes a descriptor, unless it is -1, which it is then. */
void process_drop(int *fd);

/** Two ends of a line. */
bool process_pair(int ends[2]);

/** A device that nobody reads can soon transmit no more from this end. Not for an emulator, whose processor waits in the
 * middle of an instruction then. */
void process_keep_little(int end);

/** Nothing waits at it any more. */
void process_keep_asking(int fd);

struct sockaddr_un process_address(const char *path);

#endif
