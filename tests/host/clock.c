/* SPDX-License-Identifier: MIT
 * A clock for a program under test, in place of the system's: LD_PRELOAD names it. It stands, so nobody is too slow for a limit of
 * the program's, until the file that CLOCK names holds a number and the program has read that many bytes. From then on time passes when
 * the program waits: what it waits for comes at once, or never. A second number is the millisecond at which time stands again. Where
 * CLOCK_TELLS names a file, it has how many bytes the program has read on stdin, which alone count then, and the millisecond at which it waits
 * in vain for more time; or -1 if it waits for no time. Then it has waited until time stands again. */
#define _GNU_SOURCE 1 /* ppoll */
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BEGIN_NS = 1000000000, MS_NS = 1000000, LOOK_NS = 5 * MS_NS };

static const char *file, *tells;
static int64_t now = BEGIN_NS;
static int64_t end = INT64_MAX;
static atomic_long count;

/* What it starts has the system's. */
__attribute__((constructor)) static void begin(void)
{
	file = getenv("CLOCK");
	tells = getenv("CLOCK_TELLS");
	unsetenv("LD_PRELOAD");
}

static bool runs(void)
{
	char text[40] = "", *rest = text;
	const int fd = open(file, O_RDONLY | O_CLOEXEC);
	const long length = fd < 0 ? 0 : syscall(SYS_read, fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	const long bytes = strtol(text, &rest, 10), ms = strtol(rest, NULL, 10);
	end = ms > 0 ? BEGIN_NS + (int64_t)ms * MS_NS : INT64_MAX;
	return length > 0 && count >= bytes && now < end;
}

ssize_t read(int fd, void *to, size_t size)
{
	const ssize_t n = syscall(SYS_read, fd, to, size);
	if (n > 0 && (tells == NULL || fd == STDIN_FILENO))
		count += n;
	return n;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	if (clock != CLOCK_MONOTONIC)
		return (int)syscall(SYS_clock_gettime, clock, t);
	*t = (struct timespec){ now / 1000000000, now % 1000000000 };
	return 0;
}

static void tell(long ms)
{
	static char told[48];
	char text[sizeof told];
	snprintf(text, sizeof text, "%ld %ld\n", (long)count, ms);
	const int fd = strcmp(text, told) == 0 ? -1 : open(tells, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) > 0)
		strcpy(told, text);
	close(fd);
}

static int look(struct pollfd *fds, nfds_t n, int64_t ns)
{
	const struct timespec t = { ns / 1000000000, ns % 1000000000 };
	return (int)syscall(SYS_ppoll, fds, n, ns < 0 ? NULL : &t, NULL, 0);
}

static bool hears_nobody(const struct pollfd *fds, nfds_t n)
{
	while (n > 0 && fds[n - 1].fd < 0)
		n--;
	return n == 0;
}

/* Who waits for no input looks whether something else has happened: the end of what it has started. */
static int wait_for(struct pollfd *fds, nfds_t n, int64_t ns)
{
	const bool is_brief = hears_nobody(fds, n);
	if (tells != NULL && ns < 0)
		tell(-1);
	for (;;) {
		const bool passes = runs();
		if (tells != NULL && ns > 0 && now >= end)
			tell((long)((now - BEGIN_NS) / MS_NS));
		const int seen = look(fds, n, ns <= 0 ? ns : passes ? 0 : LOOK_NS);
		if (passes && ns > 0)
			now += seen == 0 && ns < end - now ? ns : seen != 0 && MS_NS < end - now ? MS_NS : end - now;
		else if (tells != NULL && ns < 0 && runs() && end < INT64_MAX)
			now = end;
		if (seen != 0 || passes || ns <= 0 || is_brief)
			return seen;
	}
}

int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *limit, const sigset_t *mask)
{
	(void)mask;
	return wait_for(fds, n, limit == NULL ? -1 : limit->tv_sec * INT64_C(1000000000) + limit->tv_nsec);
}

int poll(struct pollfd *fds, nfds_t n, int ms)
{
	return wait_for(fds, n, ms < 0 ? -1 : ms * INT64_C(1000000));
}
