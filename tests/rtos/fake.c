/* SPDX-License-Identifier: MIT
 * Of POSIX threads only what signal handlers may call: sem_post, and atomics. */
#define _GNU_SOURCE 1
#include "fake.h"

#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t bell; /* zero bytes are a semaphore at 0 here */
static atomic_bool called;
static atomic_uint asleep; /* for so many milliseconds; 0: awake */
static atomic_uint waits, looks;

uint32_t fake_ms(void)
{
	struct timespec t;
	atomic_fetch_add(&looks, 1);
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint32_t)t.tv_sec * 1000u + (uint32_t)(t.tv_nsec / 1000000);
}

void fake_call(void)
{
	if (!atomic_exchange(&called, true))
		sem_post(&bell);
}

static bool wait_until(const struct timespec *limit)
{
	int result;
	do
		result = limit == NULL ? sem_wait(&bell) : sem_clockwait(&bell, CLOCK_MONOTONIC, limit);
	while (result != 0 && errno == EINTR);
	return result == 0;
}

bool fake_wait(uint32_t ms)
{
	struct timespec limit;
	clock_gettime(CLOCK_MONOTONIC, &limit);
	limit.tv_nsec += (long)(ms % 1000) * 1000000;
	limit.tv_sec += (time_t)(ms / 1000) + limit.tv_nsec / 1000000000;
	limit.tv_nsec %= 1000000000;
	atomic_fetch_add(&waits, 1);
	atomic_store(&asleep, ms);
	const bool rung = wait_until(ms == UINT32_MAX ? NULL : &limit);
	atomic_store(&asleep, 0);
	if (rung)
		atomic_store(&called, false);
	return rung;
}

unsigned fake_looks(void)
{
	return atomic_load(&looks);
}

unsigned fake_waits(void)
{
	return atomic_load(&waits);
}

bool fake_waits_for_ever(void)
{
	return atomic_load(&asleep) == UINT32_MAX;
}

void fake_sleeps_on(void)
{
	enum { LONG_MS = 10000, WATCHED_MS = 30 };
	const struct timespec watched = { 0, WATCHED_MS * 1000000L };
	unsigned before;
	do {
		before = atomic_load(&waits);
		nanosleep(&watched, NULL);
	} while (atomic_load(&asleep) < LONG_MS || atomic_load(&waits) != before);
}
