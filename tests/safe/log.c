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

/* The first entry from `from` on at that time or later; the last of all when there is none. */
static uint32_t entry_at(const struct log *log, uint32_t from, int64_t ns)
{
	const uint32_t count = count_of(log);
	while (from + 1 < count && log->entries[from].ns < ns)
		from++;
	return from;
}

/* The same by the device's own clock, so much later than an entry. */
static uint32_t entry_after(const struct log *log, uint32_t from, uint32_t ms)
{
	const uint32_t count = count_of(log), begin = log->entries[from].ms;
	while (from + 1 < count && log->entries[from].ms - begin < ms)
		from++;
	return from;
}

/* The last bytes that were taken, if that was later. */
static uint32_t last_taken(const struct log *log, uint32_t from)
{
	const uint32_t count = count_of(log);
	for (uint32_t i = from; i < count; i++) {
		if (log->entries[i].what == MOVER_TAKES)
			from = i;
	}
	return from;
}

static uint32_t first_step(const struct log *log)
{
	const uint32_t count = count_of(log);
	uint32_t i = 0;
	while (i + 1 < count && log->entries[i].what != MOVER_STEPS)
		i++;
	return i;
}

int64_t log_bound(const struct log *log, int64_t fault, bool silent, struct promise promise, int64_t most)
{
	const int64_t plain = fault + (promise.lease + promise.ramp + promise.step) * ms_ns;
	const bool timed = promise.longest != 0;
	const uint32_t noticed = timed ? entry_after(log, first_step(log), promise.longest) : entry_at(log, 0, fault);
	const uint32_t received = silent ? last_taken(log, noticed) : noticed;
	const uint32_t flagged = entry_after(log, received, promise.lease);
	const uint32_t stopped = entry_after(log, flagged, promise.ramp);
	const int64_t late = log->entries[stopped].ns + promise.step * ms_ns;
	if (late <= plain)
		return plain;
	return late < plain + most ? late : plain + most;
}
