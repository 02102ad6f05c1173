/* SPDX-License-Identifier: MIT
 * The link that a scene is played over: cuts what is sent, delays what is answered, as the mode wants it. */
#include "end.h"

#include <string.h>

enum { HALT_PUMPS = 300 };
enum { STALL_PUMPS = 24, STALL_CYCLE = 32, STALL_BYTES = 7 };

static size_t before_gap(const struct end *e)
{
	return e->lost ? (size_t)(e->gap - e->given) : e->left;
}

/* How many bytes are shown now. */
static size_t readable(const struct end *e)
{
	if (e->mode.kind == BYTES)
		return e->takes == 0 && e->left > 0 ? 1 : 0;
	if (e->mode.kind != CUT || e->given > e->mode.value)
		return e->left;
	const size_t before = (size_t)(e->mode.value - e->given);
	if (before > 0)
		return before < e->left ? before : e->left;
	return e->takes == 0 ? e->left : 0;
}

static int peek(void *device, const uint8_t **bytes)
{
	struct end *e = device;
	*bytes = (const uint8_t *)e->input;
	if (e->gone)
		return QUASH_GONE;
	const size_t ready = readable(e), most = before_gap(e);
	if (e->lost && most == 0) {
		e->lost = false;
		return QUASH_LOST;
	}
	return e->left > 0 ? (int)(ready < most ? ready : most) : e->ended ? QUASH_END : 0;
}

static void take(void *device, size_t n)
{
	struct end *e = device;
	const quash_writer *tx = &e->peer.writer;
	e->input += n;
	e->left -= n;
	e->given += (uint32_t)n;
	e->moved += (uint32_t)n;
	e->takes++;
	e->events->taken(e, n, tx->tail > tx->sent ? (size_t)(tx->tail - tx->sent) : 0);
}

/* The link stands still once, for some pumps. */
static size_t before_halt(const struct end *e, size_t n)
{
	if (e->halted >= HALT_PUMPS || e->written > e->mode.value)
		return n;
	const size_t left = (size_t)(e->mode.value - e->written);
	return left < n ? left : n;
}

/* How many bytes may be written now. */
static size_t writable(const struct end *e, size_t n)
{
	if (e->stalled)
		return 0;
	if (e->mode.kind == DRIP)
		return e->writes == 0 ? 1 : 0;
	if (e->mode.kind == HALT)
		return before_halt(e, n);
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
		e->events->sent(e, data, count);
	e->written += (uint32_t)count;
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
	const quash_port port = { .peek = peek, .take = take, .write = write_link, .now = now, .device = end };
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

/* False when not all is taken. */
static bool feed_pieces(struct end *e, size_t piece)
{
	while (before_gap(e) > 0) {
		const size_t n = piece < before_gap(e) ? piece : before_gap(e);
		const size_t count = quash_feed(&e->peer, (const uint8_t *)e->input, n);
		if (count > 0)
			take(e, count);
		if (count < n)
			return false;
	}
	return true;
}

void end_feed_all(struct end *end, size_t piece)
{
	size_t before;
	do {
		before = end->left;
		if (end->gone)
			return;
		write_all(end);
	} while (!feed_pieces(end, piece) && end->left < before);
}
