/* SPDX-License-Identifier: MIT
 * The link that a scene is played over: cuts what is said, delays what is answered, as the mode wants it. */
#include "talk.h"

#include <string.h>

enum { STALL_PUMPS = 24, STALL_CYCLE = 32, STALL_BYTES = 7 };

/* How many bytes may be read now. */
static size_t readable(const struct play *p)
{
	const size_t left = p->input.length - p->given;
	if (p->mode.kind == BYTES)
		return p->reads == 0 && left > 0 ? 1 : 0;
	if (p->mode.kind != CUT || p->given > p->mode.value)
		return left;
	const size_t before = p->mode.value - p->given;
	if (before > 0)
		return before < left ? before : left;
	return p->reads == 0 ? left : 0;
}

static int read_link(void *device, uint8_t *data, size_t n)
{
	struct play *p = device;
	if (p->gone)
		return QUASH_GONE;
	if (p->ended && p->given == p->input.length)
		return QUASH_END;
	const size_t ready = readable(p);
	const size_t count = n < ready ? n : ready;
	calls_heard(p, count == 1 ? p->given + 1 : p->given);
	if (count > 0)
		memcpy(data, p->input.data + p->given, count);
	p->given += count;
	p->reads++;
	return (int)count;
}

/* How many bytes may be written now. */
static size_t writable(const struct play *p, size_t n)
{
	if (p->stalled)
		return 0;
	if (p->mode.kind == DRIP)
		return p->writes == 0 ? 1 : 0;
	if (p->mode.kind != STALLING)
		return n;
	if (p->pumps % STALL_CYCLE < STALL_PUMPS || p->writes > 0)
		return 0;
	return n < STALL_BYTES ? n : STALL_BYTES;
}

static int write_link(void *device, const uint8_t *data, size_t n)
{
	struct play *p = device;
	if (p->gone)
		return QUASH_GONE;
	const size_t count = writable(p, n);
	text_add(&p->output, (const char *)data, count);
	p->writes++;
	return (int)count;
}

static uint32_t now(void *device)
{
	const struct play *p = device;
	return p->now;
}

quash_port talk_port(struct play *play)
{
	const quash_port port = { .read = read_link, .write = write_link, .now = now, .device = play };
	return port;
}

static void write_all(struct play *p)
{
	size_t n;
	const uint8_t *bytes = quash_out(&p->peer, &n);
	while (n > 0) {
		const int count = write_link(p, bytes, n);
		if (count <= 0)
			return;
		quash_sent(&p->peer, (size_t)count);
		bytes = quash_out(&p->peer, &n);
	}
}

/* Everything in one call of feed, as far as it goes. */
static void feed_whole(struct play *p)
{
	while (p->given < p->input.length && !p->gone) {
		write_all(p);
		const uint8_t *data = (const uint8_t *)p->input.data + p->given;
		const size_t count = quash_feed(&p->peer, data, p->input.length - p->given);
		p->given += count;
		calls_heard(p, p->given);
		if (count == 0)
			return;
	}
}

void play_pump(struct play *play)
{
	const quash_port port = talk_port(play);
	play->reads = 0;
	play->writes = 0;
	play->pumps++;
	if (play->mode.kind == WHOLE)
		feed_whole(play);
	quash_pump(&play->peer, &port);
}
