/* SPDX-License-Identifier: MIT */
#include "inspect_open.h"

#include "inspect_exit.h"
#include "inspect_show.h"
#include "inspect_signals.h"

#include <errno.h>
#include <string.h>

enum { LOOK_MS = 20, CONNECT_MS = 10000, TEXT = 256 };

static uint32_t now_of(struct device *device)
{
	const quash_port port = device_port(device);
	return port.now(port.device);
}

/* Until something happens, or a moment has passed. False when a signal ends the waiting. */
static bool wait_a_moment(int fd)
{
	struct pollfd fds[] = { { .fd = fd, .events = POLLOUT },
		{ .fd = signals_descriptor(), .events = POLLIN } };
	posix_stdio_poll(fds, 2, LOOK_MS);
	signals_read();
	return signals_interrupts() == 0;
}

/* --- Locks */

static void report_holder(const struct device *device, const char *what)
{
	char name[TEXT], holder[TEXT];
	device_name(&device->options, name, sizeof name);
	device_holder(&device->options, holder, sizeof holder);
	note_open();
	note_part("quash-inspect: %s", what);
	note_text(name, strlen(name));
	note_part(" is in use by ");
	note_text(holder, strlen(holder));
	note_close();
}

/* 0 or an errno: EINTR when a signal has come first. */
static int open_when_free(struct device *device, uint32_t patience)
{
	const uint32_t start = now_of(device);
	int error = device_open(device);
	if (error == EBUSY && patience > 0)
		report_holder(device, "waiting: ");
	while (error == EBUSY && now_of(device) - start < patience)
		error = wait_a_moment(-1) ? device_open(device) : EINTR;
	return error;
}

/* --- Connections */

static int connect_within(struct device *device, uint32_t ms)
{
	const uint32_t start = now_of(device);
	while (device_is_connecting(device)) {
		if (!wait_a_moment(device->stdio->out))
			return EINTR;
		if (now_of(device) - start >= ms)
			return ETIMEDOUT;
	}
	return 0;
}

static int report(struct device *device, int error)
{
	char name[TEXT], trouble[TEXT];
	device_name(&device->options, name, sizeof name);
	device_trouble(device, error, trouble, sizeof trouble);
	note_open();
	note_part("quash-inspect: ");
	note_text(name, strlen(name));
	note_part(": %s", trouble);
	note_close();
	return EXIT_NO_ANSWER;
}

int open_device(struct device *device, const struct options *options)
{
	int error = open_when_free(device, options->wait);
	if (error == 0)
		error = connect_within(
			device, options->timed && options->timeout > 0 ? options->timeout : CONNECT_MS);
	const bool lost = error == 0 && device->stdio->gone;
	if (error == 0 && !lost)
		return 0;
	device_close(device, 0);
	if (error == EINTR)
		return EXIT_CANCELLED;
	if (error != EBUSY)
		return report(device, error);
	report_holder(device, "");
	return EXIT_NO_ANSWER;
}
