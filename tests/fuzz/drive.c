/* SPDX-License-Identifier: MIT */
#include "drive.h"

#include "answers.h"
#include "common/legal.h"
#include "core/batch_hooks.h"
#include "core/slots.h"
#include "quash/call.h"
#include "quash/port.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What is lent */

void drive_lend(quash_config *c)
{
	const size_t rows = (size_t)c->slot_count + 1;
	c->slots = malloc(c->slot_count * sizeof(quash_request));
	c->word = malloc(c->word_size > sizeof(quash_word) ? c->word_size : sizeof(quash_word));
	c->ids = malloc(rows * c->id_size);
	c->states = c->state_size > 0 ? malloc((size_t)c->slot_count * c->state_size) : NULL;
	c->tags = c->tag_size > 0 ? malloc(rows * c->tag_size) : NULL;
	c->arena = malloc(c->arena_size);
	c->tx = malloc(c->tx_size);
	c->reason = c->reason_size > 0 ? malloc(c->reason_size) : NULL;
}

void drive_take_back(quash_config *c)
{
	free(c->slots);
	free(c->word);
	free(c->ids);
	free(c->states);
	free(c->tags);
	free(c->arena);
	free(c->tx);
	free(c->reason);
}

/* --- What the library tells of its requests */

static struct drive *drive_of(const quash_peer *peer)
{
	return (struct drive *)((uintptr_t)peer - offsetof(struct drive, peer));
}

static void given_away(struct drive *d, uint8_t slot)
{
	if (d->slots[slot].live && slot < d->config.slot_count)
		broken("slot", "slot %u is given away twice", slot);
	d->slots[slot].live = true;
	d->slots[slot].over = false;
	d->slots[slot].recorded = 0;
}

/* A refusal gets its slot, or the place of what is being received, when it is recorded. */
static void recorded(struct drive *d, uint8_t slot)
{
	if (!d->slots[slot].live || slot == d->config.slot_count)
		given_away(d, slot);
	if (++d->slots[slot].recorded > 1)
		broken("answer", "two answers are recorded for one request");
}

static void is_over(struct drive *d, uint8_t slot)
{
	if (d->slots[slot].over)
		broken("answer", "a request is answered or silenced a second time");
	d->slots[slot].over = true;
}

static void follow(struct drive *d, quash_event event, const quash_request *request, int32_t detail)
{
	const uint8_t slot = request->index;
	switch (event) {
	case QUASH_PARKED: given_away(d, slot); break;
	case QUASH_RECORDED: recorded(d, slot); break;
	case QUASH_SILENCED: is_over(d, slot); break;
	case QUASH_STARTED:
		if (d->refused)
			broken("refused", "a handler is called");
		break;
	case QUASH_WRITTEN:
		if (d->refused && detail >= 0)
			broken("refused", "it answers with a result");
		is_over(d, slot);
		if (d->written != NULL)
			d->written(request, detail);
		break;
	case QUASH_FREED: d->slots[slot].live = false; break;
	default: break;
	}
}

static void trace(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	static const char *const names[] = { "received", "kept", "parked", "started", "flagged", "recorded", "written",
		"silenced", "refused", "freed", "late cancel", "dropped", "misused", "new session" };
	const char *const text = quash_why_text(why);
	show("  %s %d (%d) %s\n", names[event], request != NULL ? request->index : -1, (int)detail, text);
	if (text == NULL || (event == QUASH_REFUSED && why == QUASH_WHY_NONE))
		broken("reason", "%s has no reason", names[event]);
	if (request != NULL)
		follow(drive_of(peer), event, request, detail);
}

/* --- Life */

bool drive_open(struct drive *d, const quash_config *config, uint32_t now, enum drive_way way)
{
	d->config = *config;
	drive_lend(&d->config);
	d->config.trace = trace;
	d->config.counters = &d->counters;
	d->length = d->taken = 0;
	d->stalled = d->may_change = false;
	d->linked = true;
	d->way = way;
	d->now = now;
	d->steps = 0;
	memset(d->slots, 0, sizeof d->slots);
	memset(&d->port, 0, sizeof d->port);
	watch_begin(&d->watch, config->dialect != NULL && config->dialect->framing != QUASH_LINES);
	d->refused = !quash_init(&d->peer, &d->config, &d->fault);
	quash_tick(&d->peer, now);
	return !d->refused;
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

static void note_taken(struct drive *d, size_t n)
{
	watch_received(&d->watch, &d->wire[d->taken], n);
	d->taken += n;
	if (d->taken == d->length)
		d->taken = d->length = 0;
}

static bool receive(struct drive *d)
{
	bool any = false;
	while (d->taken < d->length) {
		const size_t left = d->length - d->taken;
		const size_t n = d->way == DRIVE_BYTES ? 1 : left;
		const size_t taken = quash_feed(&d->peer, &d->wire[d->taken], n);
		if (taken > n)
			broken("feed", "%zu of %zu bytes are taken", taken, n);
		if (taken == 0)
			break;
		note_taken(d, taken);
		any = true;
	}
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
		watch_sent(&d->watch, bytes, n);
	quash_sent(&d->peer, n);
	*most -= n;
	return true;
}

/* --- The port */

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t turn_of(struct drive *d, unsigned most)
{
	d->port.turn = d->port.turn * 5 + 3;
	return 1 + d->port.turn / 8 % most;
}

static int port_peek(void *device, const uint8_t **bytes)
{
	struct drive *const d = device;
	const bool lost = d->port.lost;
	d->port.lost = false;
	d->port.shown = 0;
	if (!d->linked)
		return QUASH_GONE;
	if (lost) {
		watch_lost(&d->watch);
		return QUASH_LOST;
	}
	if (d->taken == d->length)
		return d->port.ended ? QUASH_END : 0;
	d->port.shown = least_of(d->length - d->taken, turn_of(d, 70));
	*bytes = &d->wire[d->taken];
	return (int)d->port.shown;
}

static void port_take(void *device, size_t n)
{
	struct drive *const d = device;
	if (n == 0 || n > d->port.shown)
		broken("port", "%zu of %zu bytes are taken", n, d->port.shown);
	d->port.shown = 0;
	note_taken(d, n);
}

static int port_write(void *device, const uint8_t *bytes, size_t n)
{
	struct drive *const d = device;
	if (n == 0)
		broken("port", "nothing is to be written");
	if (!d->linked)
		return QUASH_GONE;
	n = least_of(least_of(n, d->port.room), turn_of(d, 90));
	watch_sent(&d->watch, bytes, n);
	d->port.room -= n;
	return (int)n;
}

static uint32_t port_now(void *device)
{
	return ((const struct drive *)device)->now;
}

/* Once more as long as anything moves: the pump gives up after some rounds. */
static void pump_port(struct drive *d, size_t most)
{
	const quash_port port = { port_peek, port_take, port_write, port_now, d };
	size_t before;
	d->port.room = d->stalled ? 0 : most;
	do {
		before = d->length - d->taken + d->port.room;
		quash_pump(&d->peer, &port);
	} while (d->length - d->taken + d->port.room != before);
	if (quash_is_gone(&d->peer) == d->linked)
		broken("port", "the peer takes the link for what it is not");
}

/* --- Time and mishaps */

static void pump_directly(struct drive *d, size_t most)
{
	bool moved = true;
	quash_tick(&d->peer, d->now);
	while (moved) {
		moved = receive(d);
		while (!d->stalled && transmit(d, &most))
			moved = true;
	}
}

void drive_pump(struct drive *d, size_t most)
{
	if (d->way == DRIVE_PORT)
		pump_port(d, most);
	else
		pump_directly(d, most);
	drive_check(d);
}

void drive_step(struct drive *d)
{
	d->steps++;
	(void)quash_step(&d->peer);
	drive_check(d);
}

void drive_tick(struct drive *d, uint32_t ms)
{
	d->now += ms;
	quash_tick(&d->peer, d->now);
}

void drive_turn(struct drive *d)
{
	drive_pump(d, SIZE_MAX);
	drive_step(d);
	drive_pump(d, SIZE_MAX);
	drive_tick(d, 1);
}

void drive_lost(struct drive *d)
{
	if (!d->linked)
		return;
	if (d->watch.headers)
		d->taken = d->length = 0;
	if (d->way == DRIVE_PORT) {
		d->port.lost = true;
		pump_port(d, 0);
		return;
	}
	quash_lost(&d->peer);
	watch_lost(&d->watch);
}

static void end_input(struct drive *d)
{
	if (d->way == DRIVE_PORT)
		d->port.ended = true;
	else
		quash_input_end(&d->peer);
	watch_ended(&d->watch);
}

void drive_gone(struct drive *d)
{
	d->taken = d->length = 0;
	d->linked = d->port.lost = false;
	if (d->way == DRIVE_PORT)
		pump_port(d, 0);
	else
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
	const char *const fault = legal_fault(&d->peer);
	if (fault != NULL)
		broken("peer", "%s", fault);
	if (d->counters.changed > 0 && !d->may_change)
		broken("peer", "an answer was not the same again");
	if (d->watch.given_up > d->counters.changed)
		broken("json", "%u messages are no JSON, and %u were given up", d->watch.given_up,
			(unsigned)d->counters.changed);
	if (d->linked && d->peer.link.state == LINK_GONE)
		broken("peer", "the library has given up the link by itself");
}

static bool is_batch_under_way(const struct drive *d)
{
	const struct quash_batch_code *const batch = d->config.dialect->batch;
	return batch != NULL && batch->under_way(&d->peer);
}

const char *drive_resting(const struct drive *d)
{
	if (d->linked && d->peer.link.state != LINK_GONE && d->taken < d->length)
		return "input is not taken";
	if (quash_live_count(&d->peer) != 0)
		return "a slot is still taken";
	if (d->peer.calls != NULL || d->peer.children != NULL)
		return "a call is still linked";
	if (d->peer.out.message != NULL || d->peer.notify.open)
		return "TX still has an owner";
	if ((d->peer.batch & ~BATCH_RUNNING) != 0 || is_batch_under_way(d))
		return "a batch is still under way";
	if (d->peer.tape.start != 0)
		return "a tape is still in the arena";
	if (!quash_is_at_rest(&d->peer))
		return "it takes itself for busy";
	return quash_idle_ms(&d->peer) != UINT32_MAX ? "it does not sleep" : NULL;
}

static void check_slots(const struct drive *d)
{
	for (unsigned i = 0; i <= d->config.slot_count; i++) {
		if (d->slots[i].live && i < d->config.slot_count)
			broken("slot", "slot %u was never freed", i);
	}
}

static void settle(struct drive *d, bool answers)
{
	if (answers)
		answer_all(d);
	drive_turn(d);
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
	check_slots(d);
	watch_rest(&d->watch);
}

void drive_rest(struct drive *d)
{
	show("now all come to rest\n");
	d->stalled = false;
	if (!d->linked)
		drive_reopen(d);
	for (unsigned i = 0; i < 20; i++)
		settle(d, false);
	end_message(d);
	quash_cancel_all(&d->peer);
	come_to_rest(d, "rest");
	end_input(d);
	come_to_rest(d, "end");
}
