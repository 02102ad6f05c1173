/* SPDX-License-Identifier: MIT */
#include "drive.h"

#include "answers.h"
#include "core/ring.h"
#include "quash/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What is lent */

void drive_lend(quash_config *c)
{
	c->slots = malloc(c->slot_count * sizeof(quash_request));
	c->ids = malloc((size_t)c->slot_count * c->id_size);
	c->states = c->state_size > 0 ? malloc((size_t)c->slot_count * c->state_size) : NULL;
	c->tags = c->tag_size > 0 ? malloc((size_t)c->slot_count * c->tag_size) : NULL;
	c->arena = malloc(c->arena_size);
	c->tx = malloc(c->tx_size);
	c->reason = c->reason_size > 0 ? malloc(c->reason_size) : NULL;
}

void drive_take_back(quash_config *c)
{
	free(c->slots);
	free(c->ids);
	free(c->states);
	free(c->tags);
	free(c->arena);
	free(c->tx);
	free(c->reason);
}

/* --- Life */

static struct drive *drive_of(const quash_peer *peer)
{
	return (struct drive *)((uintptr_t)peer - offsetof(struct drive, peer));
}

static void trace(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail)
{
	struct drive *const d = drive_of(peer);
	static const char *const names[] = { "heard", "parked", "started", "flagged", "committed", "silenced",
		"refused", "freed", "late" };
	tell_loud("  %s %d (%d)\n", names[event], request != NULL ? request->index : -1, (int)detail);
	if (event == QUASH_HEARD || event == QUASH_REFUSED)
		d->committed[request->index] = 0;
	if (event == QUASH_COMMITTED && ++d->committed[request->index] > 1)
		broken("answer", "a request is committed twice");
}

const char *drive_open(struct drive *d, const quash_config *config, uint32_t now, bool byte_by_byte)
{
	d->config = *config;
	drive_lend(&d->config);
	d->config.trace = trace;
	d->length = d->taken = 0;
	d->stalled = false;
	d->linked = true;
	d->lists_change = false;
	d->byte_by_byte = byte_by_byte;
	d->now = now;
	memset(d->committed, 0, sizeof d->committed);
	watch_begin(&d->watch, config->dialect != NULL && config->dialect->framing != QUASH_LINES);
	const char *const wrong = quash_init(&d->peer, &d->config);
	if (wrong == NULL)
		quash_tick(&d->peer, now);
	return wrong;
}

void drive_close(struct drive *d)
{
	drive_take_back(&d->config);
}

/* --- The wire */

void drive_bytes(struct drive *d, const uint8_t *bytes, size_t n)
{
	if (n > DRIVE_WIRE - d->length || !d->linked)
		return;
	memcpy(&d->wire[d->length], bytes, n);
	d->length += n;
}

void drive_message(struct drive *d, const char *text, size_t n)
{
	char header[40];
	const int length = d->watch.headers
		? snprintf(header, sizeof header, "Content-Length: %u\r\n\r\n", (unsigned)n)
		: 0;
	if (n + (size_t)length + 1 > DRIVE_WIRE - d->length)
		return;
	drive_bytes(d, (const uint8_t *)header, (size_t)length);
	drive_bytes(d, (const uint8_t *)text, n);
	if (!d->watch.headers)
		drive_bytes(d, (const uint8_t *)"\n", 1);
}

static bool receive(struct drive *d)
{
	bool any = false;
	while (d->taken < d->length) {
		const size_t room = quash_room(&d->peer);
		const size_t left = d->length - d->taken;
		const size_t n = d->byte_by_byte ? 1 : left;
		const size_t taken = quash_feed(&d->peer, &d->wire[d->taken], n);
		if (taken > n || taken < (room < n ? room : n))
			broken("room", "room for %zu of %zu, and %zu are taken", room, n, taken);
		if (taken == 0)
			break;
		watch_heard(&d->watch, &d->wire[d->taken], taken);
		d->taken += taken;
		any = true;
	}
	if (d->taken == d->length)
		d->taken = d->length = 0;
	return any;
}

static bool transmit(struct drive *d, size_t *most)
{
	size_t n;
	const uint8_t *const bytes = quash_out(&d->peer, &n);
	n = n < *most ? n : *most;
	if (n == 0)
		return false;
	if (d->linked)
		watch_said(&d->watch, bytes, n);
	quash_sent(&d->peer, n);
	*most -= n;
	return true;
}

void drive_pump(struct drive *d, size_t most)
{
	bool moved = true;
	quash_tick(&d->peer, d->now);
	while (moved) {
		moved = receive(d);
		while (!d->stalled && transmit(d, &most))
			moved = true;
	}
	drive_check(d);
}

void drive_step(struct drive *d)
{
	(void)quash_step(&d->peer);
	drive_check(d);
}

void drive_tick(struct drive *d, uint32_t ms)
{
	d->now += ms;
	quash_tick(&d->peer, d->now);
}

void drive_lost(struct drive *d)
{
	if (!d->linked)
		return;
	if (d->watch.headers)
		d->taken = d->length = 0;
	quash_lost(&d->peer, 3);
	watch_lost(&d->watch);
}

void drive_gone(struct drive *d)
{
	d->taken = d->length = 0;
	d->linked = false;
	quash_gone(&d->peer);
	watch_gone(&d->watch);
}

void drive_reopen(struct drive *d)
{
	if (d->linked)
		drive_gone(d);
	quash_reopen(&d->peer);
	d->linked = true;
}

/* --- What must hold */

void drive_check(const struct drive *d)
{
	unsigned n = 0;
	for (const quash_call *call = d->peer.calls; call != NULL; call = call->next) {
		if (++n > 1000 || call->peer != &d->peer)
			broken("peer", "a call is linked that is none");
		if (call->parent != NULL && call->parent->state == SLOT_FREE)
			broken("peer", "a call belongs to a request that has left");
	}
	if (d->peer.counters.changed > 0 && !d->lists_change)
		broken("peer", "a long answer was not the same again");
	if (d->linked && d->peer.link == LINK_GONE && !d->lists_change)
		broken("peer", "the library has given up the link by itself");
}

const char *drive_resting(const struct drive *d)
{
	if (d->linked && d->peer.link != LINK_GONE && d->taken < d->length)
		return "input is not taken";
	if (quash_live_count(&d->peer) != 0)
		return "a slot is still taken";
	if (d->peer.calls != NULL || d->peer.children != NULL)
		return "a call is still linked";
	if (d->peer.owner != NOBODY || d->peer.open || d->peer.batch != 0)
		return "TX still has an owner";
	if (d->peer.tape.start != 0)
		return "a tape is still in the arena";
	return quash_idle_ms(&d->peer) != UINT32_MAX ? "it does not sleep" : NULL;
}

static void settle(struct drive *d, bool answers)
{
	if (answers)
		answer_all(d);
	drive_pump(d, SIZE_MAX);
	drive_step(d);
	drive_pump(d, SIZE_MAX);
	drive_tick(d, 1);
}

/* What was begun on the wire is given up; a line that was lost ends. */
static void end_message(struct drive *d)
{
	drive_pump(d, SIZE_MAX);
	drive_lost(d);
	if (!d->watch.headers)
		drive_bytes(d, (const uint8_t *)"\n", 1);
	drive_pump(d, SIZE_MAX);
}

static void come_to_rest(struct drive *d, const char *when)
{
	const char *wrong = "";
	for (unsigned i = 0; i < 600 && wrong != NULL; i++) {
		settle(d, true);
		if (i % 50 == 20)
			quash_cancel_all(&d->peer);
		wrong = drive_resting(d);
	}
	if (wrong != NULL)
		broken(when, "%s", wrong);
	watch_rest(&d->watch);
}

void drive_rest(struct drive *d)
{
	tell_loud("now all come to rest\n");
	d->stalled = false;
	if (!d->linked)
		drive_reopen(d);
	for (unsigned i = 0; i < 20; i++)
		settle(d, false);
	end_message(d);
	quash_cancel_all(&d->peer);
	come_to_rest(d, "rest");
	quash_end(&d->peer);
	watch_ended(&d->watch);
	come_to_rest(d, "end");
}
