/* SPDX-License-Identifier: MIT */
#ifndef ATTACH_STARVED_H
#define ATTACH_STARVED_H

#include <stdint.h>
#include <sys/types.h>

/* How long a process has been ready to run while others had the processors, in nanoseconds; that of its thread that
 * waited longest. On a busy machine an emulator that writes nothing may just not have had its turn. 0 where the system does
 * not show it. */
int64_t emulate_starved(pid_t pid);

#endif
