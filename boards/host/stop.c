/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1 /* pipe2, which POSIX has had since 2024 */
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

enum { FIRST_SIGNAL_EXIT = 128 };

static volatile sig_atomic_t stopped;
static int ends[2] = { -1, -1 };

static void on_signal(int number)
{
	const int before = errno;
	stopped = number;
	if (write(ends[1], "", 1) < 0)
		errno = 0; /* full: it is readable as it is */
	errno = before;
}

/* Whoever started us with it ignored, as nohup does, wants it so. */
static bool is_ignored(int number)
{
	struct sigaction before;
	return sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
}

void stop_catch(void)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal };
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
		return;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++) {
		if (!is_ignored(caught[i]))
			sigaction(caught[i], &action, NULL);
	}
}

int stop_signal(void)
{
	return stopped;
}

int stop_exit_code(void)
{
	return FIRST_SIGNAL_EXIT + stopped;
}

/* Not read: from then on the program is awake every millisecond anyway. */
struct pollfd stop_poll(void)
{
	return (struct pollfd){ .fd = stopped != 0 ? -1 : ends[0], .events = POLLIN };
}
