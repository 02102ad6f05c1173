/* SPDX-License-Identifier: MIT
 * What a motor has done and when: memory that the device's program writes and that the observer reads meanwhile. */
#ifndef SAFE_LOG_H
#define SAFE_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum { LOG_ENTRIES = 1 << 17 };

struct log_entry {
	int64_t ns;    /* by CLOCK_MONOTONIC */
	uint32_t ms;   /* by the device's own clock */
	uint32_t what; /* an enum mover_note */
};

struct log {
	uint32_t count; /* of the entries that stand */
	int32_t pid;    /* of the device, as long as it runs */
	struct log_entry entries[LOG_ENTRIES];
	uint32_t struck; /* not 0: a fault that comes before the motor moves is being made, or has been */
};

/** What it shows of the motor. Times are those of CLOCK_MONOTONIC, in nanoseconds. */
struct motion {
	bool rests;          /* it has come to rest, and has made no step since */
	bool full;           /* there was no room for all */
	int64_t first, last; /* its first step, and when it came to rest or made its last step; 0: never */
	uint32_t at;         /* the entry of `last` */
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

/** True if its hook is not done yet. */
bool log_is_open(const struct log *log);

/** How many entries stand; by how much the device's own clock is later in the last one than in that one. */
uint32_t log_count(const struct log *log);
uint32_t log_ms_since(const struct log *log, uint32_t entry);

/** The entry of the last bytes that the device took; of the first step; or of the first that its loops can have made only after
 * that moment and that entry. */
uint32_t log_last_taken(const struct log *log);
uint32_t log_first_step(const struct log *log);
uint32_t log_begun_after(const struct log *log, uint32_t entry, int64_t ns);

/** The entry by which the motor must be at rest, when what ends the motion counts from the entry `from`. A device that had no
 * processor notices the end of its lease and that of its ramp in its next loop only. So both are counted by its own clock and to the
 * loop that comes then, and nothing else can be late.
 *
 * @param promise its longest time is 0 when that is not what ends the motion, else its lease is 0 */
uint32_t log_due(const struct log *log, uint32_t from, struct promise promise);

#endif
