/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "cable.h"

#include "log.h"

#include <errno.h>
#include <poll.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { TURN_MS = 1, NOISE = 12 /* bytes in a turn: about those of 115,200 bits a second */, FIFO = 128, SLOW_FIFO = 32 };

uint64_t cable_random(uint64_t *seed)
{
	uint64_t n = *seed += 0x9E3779B97F4A7C15u;
	n = (n ^ (n >> 30)) * 0xBF58476D1CE4E5B9u;
	n = (n ^ (n >> 27)) * 0x94D049BB133111EBu;
	return n ^ (n >> 31);
}

static bool is_full(const struct cable_way *way)
{
	return way->from < way->to;
}

/* --- Bytes */

void cable_inject(struct cable *cable, const char *bytes, size_t n)
{
	if (write(cable->device, bytes, n) > 0)
		cable->last = log_now();
}

static void make_noise(struct cable *cable)
{
	char bytes[NOISE];
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)cable_random(&cable->seed);
	cable_inject(cable, bytes, sizeof bytes);
}

/* Overwrites a part of a cancel that passes. */
static void garble(struct cable *cable)
{
	struct cable_way *const way = &cable->down;
	char *const at = memmem(way->bytes + way->from, way->to - way->from, "notifications/cancelled", 23);
	if (at == NULL)
		return;
	memset(at + cable_random(&cable->seed) % 16, '#', 7);
	cable->garbles = false;
	cable->garbled = true;
}

/* An end that was closed is plugged in no more. */
static void read_into(struct cable_way *way, int *from, size_t most)
{
	const ssize_t n = read(*from, way->bytes, most);
	way->from = 0;
	way->to = n > 0 ? (size_t)n : 0;
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		*from = -1;
}

/* What nobody is there to take is lost. */
static bool write_from(struct cable_way *way, int to, size_t most)
{
	const size_t there = way->to - way->from;
	const ssize_t n = there > 0 ? write(to, way->bytes + way->from, there < most ? there : most) : 0;
	way->from += n > 0 ? (size_t)n : 0;
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		way->from = way->to;
	return n > 0;
}

bool cable_wire_is_free(const struct cable *cable)
{
	int waiting = 0;
	if (cable->slow && log_now() < cable->busy)
		return false;
	return ioctl(cable->device, SIOCOUTQ, &waiting) != 0 || waiting == 0;
}

/* --- Turns */

/* How many bytes may enter the wire: a slow one has a FIFO in front of it, which it empties byte by byte. */
static size_t room_of_wire(const struct cable *cable, int64_t now)
{
	int waiting = 0;
	if (ioctl(cable->device, SIOCOUTQ, &waiting) == 0 && waiting > 0)
		return 0;
	if (!cable->slow)
		return FIFO;
	const int64_t busy = cable->busy > now ? cable->busy - now : 0;
	return busy < SLOW_FIFO * CABLE_BYTE_NS ? (size_t)(SLOW_FIFO - busy / CABLE_BYTE_NS) : 0;
}

/* How many of these bytes may pass before the cable is cut. */
static size_t until_cut(const struct cable *cable, size_t n)
{
	unsigned left = cable->lines;
	for (size_t i = 0; left > 0 && cable->down.from + i < cable->down.to && i < n; i++) {
		if (cable->down.bytes[cable->down.from + i] == '\n' && --left == 0)
			return i + 1;
	}
	return n;
}

static void count_lines(struct cable *cable, size_t from)
{
	for (; cable->lines > 0 && from < cable->down.from; from++) {
		if (cable->down.bytes[from] == '\n' && --cable->lines == 0)
			cable->cut_down = cable->cut_up = true;
	}
}

static void enter_wire(struct cable *cable)
{
	const int64_t now = log_now();
	const size_t before = cable->down.from, room = until_cut(cable, room_of_wire(cable, now));
	if (room == 0 || !write_from(&cable->down, cable->device, room))
		return;
	count_lines(cable, before);
	cable->last = now;
	cable->busy = (cable->busy > now ? cable->busy : now) + (int64_t)(cable->down.from - before) * CABLE_BYTE_NS;
}

static void carry_down(struct cable *cable, bool speaks)
{
	if (speaks && !is_full(&cable->down)) {
		read_into(&cable->down, &cable->host, cable->slow && !cable->garbles ? SLOW_FIFO : CABLE_BUFFER);
		if (cable->garbles)
			garble(cable);
	}
	if (cable->cut_down)
		cable->down.to = cable->down.from;
	enter_wire(cable);
}

static void carry_up(struct cable *cable, bool speaks)
{
	if (speaks && !is_full(&cable->up))
		read_into(&cable->up, &cable->device, CABLE_BUFFER);
	if (cable->cut_up || cable->host < 0)
		cable->up.to = cable->up.from;
	write_from(&cable->up, cable->host, CABLE_BUFFER);
	if (cable->lossy)
		cable->up.from = cable->up.to;
}

/* A way that is full is not read. */
static struct pollfd wish(int fd, const struct cable_way *in, bool reads)
{
	const bool idle = is_full(in) || !reads;
	return (struct pollfd){ .fd = idle ? -1 : fd, .events = POLLIN };
}

void cable_turn(struct cable *cable)
{
	struct pollfd fds[2] = { wish(cable->device, &cable->up, !cable->blocked), wish(cable->host, &cable->down, true) };
	if (poll(fds, 2, TURN_MS) < 0)
		fds[0].revents = fds[1].revents = 0;
	carry_down(cable, fds[1].revents != 0);
	carry_up(cable, fds[0].revents != 0);
	if (cable->noisy)
		make_noise(cable);
}

bool cable_is_empty(const struct cable *cable)
{
	return !is_full(&cable->down) && cable_wire_is_free(cable);
}

bool cable_is_drained(const struct cable *cable)
{
	struct pollfd fd = { .fd = cable->host, .events = POLLIN };
	return cable_is_empty(cable) && poll(&fd, 1, 0) <= 0;
}

void cable_lose(struct cable *cable)
{
	cable->down.from = cable->down.to = cable->up.from = cable->up.to = 0;
}
