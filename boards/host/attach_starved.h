/* SPDX-License-Identifier: MIT */
#ifndef ATTACH_STARVED_H
#define ATTACH_STARVED_H

#include <stdint.h>
#include <sys/types.h>

/* How long the threads of a process have been ready to run while others had the processors, in nanoseconds: on a busy
 * machine an emulator that says nothing may just not have had its turn. 0 where the system does not tell. */
int64_t attach_starved(pid_t pid);

#endif
