/* SPDX-License-Identifier: MIT */
#include "posix/posix_system.h"

#include "inspect_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t interrupts;
static int ends[2] = { -1, -1 };

static void signals_note(int signal)
{
	const int before = errno;
	if (signal == SIGINT)
		interrupts += 1;
	else if (signal != SIGCHLD)
		interrupts += 2;
	if (write(ends[1], "", 1) < 0)
		errno = 0; /* full: it is readable as it is */
	errno = before;
}

bool signals_catch(void)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	struct sigaction action = { .sa_handler = signals_note };
	if (posix_system_pipe(ends, true) != 0)
		return false;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++) {
		if (sigaction(caught[i], &action, NULL) != 0)
			return false;
	}
	return true;
}

int signals_interrupts(void)
{
	return interrupts;
}

int signals_descriptor(void)
{
	return ends[0];
}

void signals_read(void)
{
	char dropped[64];
	while (read(ends[0], dropped, sizeof dropped) > 0)
		;
}
