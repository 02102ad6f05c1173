/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "log.h"

#include "mover.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const int64_t ms_ns = 1000000;

int64_t log_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 * ms_ns + t.tv_nsec;
}

static struct log *map(int file)
{
	if (file < 0)
		return NULL;
	void *const memory = mmap(NULL, sizeof(struct log), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	return memory == MAP_FAILED ? NULL : memory;
}

struct log *log_make(const char *path)
{
	const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (file >= 0 && ftruncate(file, sizeof(struct log)) != 0)
		return NULL;
	return map(file);
}

struct log *log_open(const char *path)
{
	return map(open(path, O_RDWR | O_CLOEXEC));
}

void log_add(struct log *log, uint32_t what, uint32_t ms)
{
	const uint32_t count = log->count;
	if (count == LOG_ENTRIES)
		return;
	log->entries[count] = (struct log_entry){ .ns = log_now(), .ms = ms, .what = what };
	__atomic_store_n(&log->count, count + 1, __ATOMIC_RELEASE);
}

static uint32_t count_of(const struct log *log)
{
	return __atomic_load_n(&log->count, __ATOMIC_ACQUIRE);
}

static bool is_of_motor(const struct log_entry *entry)
{
	return entry->what == MOVER_STEPS || entry->what == MOVER_RESTS;
}

struct motion log_motion(const struct log *log)
{
	const uint32_t count = count_of(log);
	struct motion motion = { .full = count == LOG_ENTRIES };
	for (uint32_t i = 0; i < count; i++) {
		const struct log_entry *const e = &log->entries[i];
		if (!is_of_motor(e))
			continue;
		motion.rests = e->what == MOVER_RESTS;
		motion.last = e->ns;
		motion.at = i;
		if (motion.first == 0)
			motion.first = e->ns;
	}
	return motion;
}

/* From its end: asked again and again, also when it is long. */
bool log_moves(const struct log *log)
{
	for (uint32_t i = count_of(log); i > 0; i--) {
		if (is_of_motor(&log->entries[i - 1]))
			return log->entries[i - 1].what == MOVER_STEPS;
	}
	return false;
}

bool log_is_open(const struct log *log)
{
	for (uint32_t i = count_of(log); i > 0; i--) {
		const uint32_t what = log->entries[i - 1].what;
		if (what == MOVER_STEPS || what == MOVER_RESTS || what == MOVER_ENDS)
			return what != MOVER_ENDS;
	}
	return false;
}

uint32_t log_count(const struct log *log)
{
	return count_of(log);
}

uint32_t log_ms_since(const struct log *log, uint32_t entry)
{
	const uint32_t count = count_of(log);
	return entry < count ? log->entries[count - 1].ms - log->entries[entry].ms : 0;
}

uint32_t log_last_taken(const struct log *log)
{
	uint32_t i = count_of(log);
	while (i > 0 && log->entries[--i].what != MOVER_TAKES)
		continue;
	return i;
}

uint32_t log_first_step(const struct log *log)
{
	const uint32_t count = count_of(log);
	uint32_t i = 0;
	while (i + 1 < count && log->entries[i].what != MOVER_STEPS)
		i++;
	return i;
}

/* The next one that a handler or a hook has made; the last of all when there is none. */
static uint32_t next_loop(const struct log *log, uint32_t from)
{
	const uint32_t count = count_of(log);
	while (from + 1 < count && log->entries[++from].what != MOVER_LOOPS)
		continue;
	return from;
}

/* The first loop that makes an entry may have read the clock before. */
uint32_t log_begun_after(const struct log *log, uint32_t entry, int64_t ns)
{
	const uint32_t count = count_of(log);
	while (entry + 1 < count && log->entries[entry].ns < ns)
		entry++;
	return next_loop(log, next_loop(log, entry));
}

/* The loop after the first one that is so much later by the device's clock: what is due at its very millisecond may be noticed then. */
static uint32_t loop_after(const struct log *log, uint32_t from, uint32_t ms)
{
	const uint32_t count = count_of(log);
	uint32_t i = from;
	do
		i = next_loop(log, i);
	while (i + 1 < count && log->entries[i].ms - log->entries[from].ms < ms);
	return next_loop(log, i);
}

uint32_t log_due(const struct log *log, uint32_t from, struct promise promise)
{
	return loop_after(log, loop_after(log, from, promise.lease + promise.longest), promise.ramp);
}
