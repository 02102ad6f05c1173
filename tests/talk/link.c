/* SPDX-License-Identifier: MIT
 * The link that a scene is played over: cuts what is said, delays what is answered, as the mode wants it. */
#include "end.h"

#include <string.h>

enum { STALL_PUMPS = 24, STALL_CYCLE = 32, STALL_BYTES = 7 };

/* How many bytes may be read now. */
static size_t readable(const struct end *e)
{
	if (e->mode.kind == BYTES)
		return e->reads == 0 && e->left > 0 ? 1 : 0;
	if (e->mode.kind != CUT || e->given > e->mode.value)
		return e->left;
	const size_t before = (size_t)(e->mode.value - e->given);
	if (before > 0)
		return before < e->left ? before : e->left;
	return e->reads == 0 ? e->left : 0;
}

/* What is read is heard when it is looked for again; a single byte as soon as it is read. */
static void hear(struct end *e, size_t count, bool at_once)
{
	const quash_writer *tx = &e->peer.writer;
	const size_t waiting = tx->tail > tx->sent ? (size_t)(tx->tail - tx->sent) : 0;
	if (count > 0 || e->unheard)
		e->ears->heard(e, at_once ? count : 0, at_once ? 0 : count, waiting);
	e->unheard = count > 0 && !at_once;
	if (count > 0)
		e->input += count;
	e->left -= count;
	e->given += (uint32_t)count;
	e->moved += (uint32_t)count;
}

static int read_link(void *device, uint8_t *data, size_t n)
{
	struct end *e = device;
	if (e->gone)
		return QUASH_GONE;
	if (e->ended && e->left == 0)
		return QUASH_END;
	const size_t ready = readable(e);
	const size_t count = n < ready ? n : ready;
	if (count > 0)
		memcpy(data, e->input, count);
	hear(e, count, count == 1);
	e->reads++;
	return (int)count;
}

/* How many bytes may be written now. */
static size_t writable(const struct end *e, size_t n)
{
	if (e->stalled)
		return 0;
	if (e->mode.kind == DRIP)
		return e->writes == 0 ? 1 : 0;
	if (e->mode.kind != STALLING)
		return n;
	if (e->pumps % STALL_CYCLE < STALL_PUMPS || e->writes > 0)
		return 0;
	return n < STALL_BYTES ? n : STALL_BYTES;
}

static int write_link(void *device, const uint8_t *data, size_t n)
{
	struct end *e = device;
	if (e->gone)
		return QUASH_GONE;
	const size_t count = writable(e, n);
	if (count > 0)
		e->ears->said(e, data, count);
	e->moved += (uint32_t)count;
	e->writes++;
	return (int)count;
}

static uint32_t now(void *device)
{
	const struct end *e = device;
	return e->now;
}

quash_port end_port(struct end *end)
{
	const quash_port port = { .read = read_link, .write = write_link, .now = now, .device = end };
	return port;
}

static void write_all(struct end *e)
{
	size_t n;
	const uint8_t *bytes = quash_out(&e->peer, &n);
	while (n > 0) {
		const int count = write_link(e, bytes, n);
		if (count <= 0)
			return;
		quash_sent(&e->peer, (size_t)count);
		bytes = quash_out(&e->peer, &n);
	}
}

/* Everything in one call of feed, as far as it goes. */
void end_feed_whole(struct end *end)
{
	while (end->left > 0 && !end->gone) {
		write_all(end);
		const size_t count = quash_feed(&end->peer, (const uint8_t *)end->input, end->left);
		hear(end, count, true);
		if (count == 0)
			return;
	}
}
