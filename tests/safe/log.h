/* SPDX-License-Identifier: MIT
 * What a motor has done and when: memory that the device's program writes and that the observer reads meanwhile. */
#ifndef SAFE_LOG_H
#define SAFE_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum { LOG_ENTRIES = 1 << 14 };

struct log_entry {
	int64_t ns;    /* by CLOCK_MONOTONIC */
	uint32_t ms;   /* by the device's own clock */
	uint32_t what; /* an enum mover_note */
};

struct log {
	uint32_t count; /* of the entries that stand */
	int32_t pid;    /* of the device, as long as it runs */
	struct log_entry entries[LOG_ENTRIES];
};

/** What it shows of the motor. Times are those of CLOCK_MONOTONIC, in nanoseconds. */
struct motion {
	bool rests;          /* it has come to rest, and has made no step since */
	bool full;           /* there was no room for all */
	int64_t first, last; /* its first step, and when it came to rest or made its last step; 0: never */
};

/** What the device promises, in milliseconds. */
struct promise {
	uint32_t lease, ramp, step, longest;
};

int64_t log_now(void);

/** A log in a file of its own, which is made or opened; NULL when that fails. It stands as long as the process. */
struct log *log_make(const char *path);
struct log *log_open(const char *path);

/** Notes what the motor does now. When it is full, nothing. */
void log_add(struct log *log, uint32_t what, uint32_t ms);

struct motion log_motion(const struct log *log);

/** True if the motor moves: it has made a step and not come to rest since. */
bool log_moves(const struct log *log);

/** When the motor must be at rest after a fault. A device that had no processor noticed each thing in its next loop only:
 * the last byte or the end of the longest time, the end of the lease, the end of the ramp. The three times between are taken from the log, and
 * nothing else is added.
 *
 * @param promise its longest time is 0 when that is not what ends the motion, else its lease is 0
 * @param silent  the device was given nothing after the fault: what it took then had waited in its own buffer
 * @param most    what may be added in all; a device that did not loop for longer is no excuse */
int64_t log_bound(const struct log *log, int64_t fault, bool silent, struct promise promise, int64_t most);

#endif
