/* SPDX-License-Identifier: MIT
 * The peer in this process. */
#include "talk.h"

#include "../common/legal.h"

#include <stdlib.h>

static struct play *play_of(struct end *end)
{
	return end->context;
}

/* What was sent meanwhile may stand elsewhere. */
static struct end *refreshed(struct play *p)
{
	struct end *e = p->place;
	e->input = p->input.data + p->given;
	e->left = p->input.length - p->given;
	return e;
}

/* Between two calls of the peer its state is legal. */
static void look_at_state(struct end *end)
{
	const char *fault = legal_fault(&end->peer);
	if (fault != NULL)
		play_fail(play_of(end), play_of(end)->scene->number, "illegal state: %s", fault);
}

static void sent(struct end *end, const uint8_t *bytes, size_t n)
{
	look_at_state(end);
	play_sends(play_of(end), bytes, n);
}

static void taken(struct end *end, size_t n, size_t waiting)
{
	look_at_state(end);
	play_takes(play_of(end), n, waiting);
}

static void turn(struct end *end)
{
	look_at_state(end);
	end->wake = play_turn(play_of(end), end->turns);
	refreshed(play_of(end));
}

static void trace(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	const quash_config *c = peer->config;
	const struct traced traced = { .event = event,
		.detail = detail,
		.why = why,
		.id = request != NULL ? &c->ids[request->row * c->id_size] : NULL,
		.id_length = request != NULL && request->id_kind != 0 ? request->id_length : 0 };
	play_traces(play_of(end_of(peer)), &traced);
}

static void *take(struct end *end, size_t size)
{
	(void)end;
	return grow(NULL, size);
}

static const char *open_here(struct play *p, const struct setup *setup)
{
	static const struct end_events events = { .sent = sent, .taken = taken, .turn = turn, .trace = trace };
#ifdef QUASH_THE_CONFIG
	struct end *const e = &known_end;
#else
	struct end *const e = grow(NULL, sizeof *e);
#endif
	e->events = &events;
	e->context = p;
	p->place = e;
	return end_open(e, setup, take);
}

static void close_here(struct play *p)
{
#ifdef QUASH_THE_CONFIG
	(void)p;
#else
	struct end *e = p->place;
	free(e->config.slots);
	free(e->config.word);
	free(e->config.ids);
	free(e->config.states);
	free(e->config.tags);
	free(e->config.texts);
	free(e->config.arena);
	free(e->config.tx);
	free(e);
#endif
}

static void sync_here(struct play *p)
{
	(void)p;
}

static void pump(struct play *p)
{
	end_pump(refreshed(p));
	look_at_state(p->place);
}

static void settle(struct play *p, unsigned patience, bool taken_is_enough)
{
	end_settle(refreshed(p), patience, taken_is_enough);
	look_at_state(p->place);
}

static void watch(struct play *p, uint32_t wake)
{
	struct end *e = p->place;
	e->turns = 0;
	e->wake = wake;
}

static bool befall(struct play *p, enum verb verb, uint32_t value, const char *text)
{
	const bool done = end_befall(refreshed(p), verb, value, text);
	look_at_state(p->place);
	return done;
}

static uint32_t value(struct play *p, enum verb verb, uint8_t place)
{
	return end_value(p->place, verb, place);
}

static const char *reason(struct play *p)
{
	const struct end *e = p->place;
	return e->reason;
}

static bool is_over(struct play *p)
{
	return end_is_over(refreshed(p));
}

const struct side here = {
	.open = open_here,
	.close = close_here,
	.sync = sync_here,
	.pump = pump,
	.settle = settle,
	.watch = watch,
	.befall = befall,
	.value = value,
	.reason = reason,
	.is_over = is_over,
};
