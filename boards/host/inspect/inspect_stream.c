/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1 /* fopencookie */
#include "inspect_stream.h"

#include "inspect_signals.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

/* Ctrl-C is not kept waiting by somebody who does not read; other signals are no reason to lose text. */
static bool waits(int descriptor, int interrupts)
{
	struct pollfd room = { .fd = descriptor, .events = POLLOUT };
	if (errno == EAGAIN)
		poll(&room, 1, -1);
	else if (errno != EINTR)
		return false;
	return signals_interrupts() == interrupts;
}

/* Returns 0 when it cannot write all, as fopencookie wants it. */
static ssize_t write_all(void *cookie, const char *text, size_t length)
{
	const int descriptor = *(const int *)cookie, interrupts = signals_interrupts();
	size_t done = 0;
	while (done < length) {
		const ssize_t written = write(descriptor, text + done, length - done);
		if (written >= 0)
			done += (size_t)written;
		else if (!waits(descriptor, interrupts))
			return 0;
	}
	return (ssize_t)length;
}

static FILE *open_stream(int *descriptor)
{
	static const cookie_io_functions_t functions = { .write = write_all };
	return fopencookie(descriptor, "w", functions);
}

FILE *results_stream(void)
{
	static FILE *stream;
	static int descriptor = STDOUT_FILENO;
	if (stream == NULL)
		stream = open_stream(&descriptor);
	return stream != NULL ? stream : stdout;
}

FILE *notes_stream(void)
{
	static FILE *stream;
	static int descriptor = STDERR_FILENO;
	if (stream == NULL)
		stream = open_stream(&descriptor);
	return stream != NULL ? stream : stderr;
}
