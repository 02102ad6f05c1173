/* SPDX-License-Identifier: MIT
 * The script is played while the bridge sleeps in its poll, so it sees what it would see of the world. A step begins with a
 * byte: what happens, and in its highest bit whether at once, or when the bridge has nothing to do any more. */
#include "world.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MS = 30000, CALM_MS = 2600, AT_ONCE = 0x80, STOPS = 0xFE };

const char *padding(void)
{
	static char pads[140001];
	static const unsigned lengths[] = { 0, 100, 3000, 5000, 20000, 40000, 70000, 140000 };
	const unsigned length = lengths[take(&world.script) % 8u];
	if (pads[0] == '\0')
		memset(pads, 'x', sizeof pads - 1);
	return pads + (sizeof pads - 1 - length);
}

bool json_short(const json_t *value, char text[TEXT])
{
	char *const dumped = value != NULL ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	const bool fits = dumped != NULL && strlen(dumped) < TEXT;
	if (fits)
		memcpy(text, dumped, strlen(dumped) + 1);
	free(dumped);
	return fits;
}

unsigned mark_of(const json_t *object)
{
	const json_t *const mark = json_object_get(object, "mark");
	return json_is_integer(mark) && json_integer_value(mark) > 0 ? (unsigned)json_integer_value(mark) : 0;
}

/* --- Time */

void world_pass(void)
{
	static const unsigned times[] = { 1, 5, 20, 50, 100, 300, 1000, 2500 };
	const uint8_t choice = take(&world.script);
	const unsigned ms = times[choice % 8u];
	world.stopped = world.stopped || choice == STOPS;
	world.passed += ms;
	world.passing += world.passed < MOST_MS ? ms : 1;
}

void world_calm(void)
{
	world.phase = PHASE_CALM;
	world.passing = CALM_MS;
	for (int fd = LINE_FDS; line_of(fd) != NULL; fd += 2) {
		line_of(fd)->stalls = line_of(fd)->deaf;
		line_of(fd)->piece = 0;
	}
}

/* --- The poll */

static short look(const struct pollfd *fd)
{
	const struct line *const line = line_of(fd->fd);
	if (line != NULL)
		return line_sees(line, fd->fd, fd->events);
	if (fd->fd == DOOR_UNIX || fd->fd == DOOR_TCP)
		return client_at_door(fd->fd == DOOR_TCP) < LINES ? POLLIN : 0;
	return fd->fd == STOP_FD && world.stopped ? POLLIN : 0;
}

static int look_at_all(struct pollfd *fds, size_t count)
{
	int seen = 0;
	for (size_t i = 0; i < count; i++) {
		fds[i].revents = fds[i].fd >= 0 ? look(&fds[i]) : 0;
		seen += fds[i].revents != 0;
	}
	return seen;
}

/* What the bridge asks of its doors. */
int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	(void)timeout;
	return look_at_all(fds, count);
}

static bool is_at_once(void)
{
	return world.phase == PHASE_SCRIPT && !is_used_up(&world.script) && (*world.script.at & AT_ONCE) != 0;
}

static uint32_t let_pass(uint32_t left)
{
	const uint32_t ms = world.passing < left ? world.passing : left;
	world.now += ms;
	if (world.passing != UINT32_MAX)
		world.passing -= ms;
	world_stir();
	clients_check();
	devices_check_limits();
	return left == UINT32_MAX ? left : left - ms;
}

void posix_stdio_poll(struct pollfd *fds, size_t count, uint32_t ms)
{
	uint32_t left = ms;
	world_turns();
	if (world.passing == 0 && is_at_once())
		script_step();
	while (look_at_all(fds, count) == 0 && left > 0) {
		if (world.passing == UINT32_MAX && left == UINT32_MAX)
			wrong("end", "the bridge sleeps for ever");
		if (world.passing > 0)
			left = let_pass(left);
		else
			script_step();
	}
}
