/* SPDX-License-Identifier: MIT
 * SIGINT, SIGTERM and SIGHUP ask a program to stop: what is live is cancelled first. */
#ifndef HOST_STOP_H
#define HOST_STOP_H

#include <poll.h>

/** Catches them from now on, but for those that are ignored. Without it, or when there are no
 * descriptors left, they end the process at once. */
void stop_catch(void);

/** The signal that has come, the latest of several; 0: none. */
int stop_signal(void);

/** The exit code that shells give to a process which that signal has ended. */
int stop_exit_code(void);

/** What is to be polled besides: it is readable once a signal has come, also when that came right before. */
struct pollfd stop_poll(void);

#endif
