/* SPDX-License-Identifier: MIT
 * The peer in this process. */
#include "talk.h"

#include <stdlib.h>

static struct play *play_of(struct end *end)
{
	return end->context;
}

/* What was said meanwhile may stand elsewhere. */
static struct end *refreshed(struct play *p)
{
	struct end *e = p->place;
	e->input = p->input.data + p->given;
	e->left = p->input.length - p->given;
	return e;
}

static void said(struct end *end, const uint8_t *bytes, size_t n)
{
	play_said(play_of(end), bytes, n);
}

static void heard(struct end *end, size_t before, size_t after, size_t waiting)
{
	play_hears(play_of(end), before, after, waiting);
}

static void turn(struct end *end)
{
	end->wake = play_turn(play_of(end), end->turns);
	refreshed(play_of(end));
}

static void *take(struct end *end, size_t size)
{
	(void)end;
	return grow(NULL, size);
}

static const char *open_here(struct play *p, const struct setup *setup)
{
	static const struct end_ears ears = { .said = said, .heard = heard, .turn = turn };
	struct end *e = grow(NULL, sizeof *e);
	e->ears = &ears;
	e->context = p;
	p->place = e;
	return end_open(e, setup, take);
}

static void close_here(struct play *p)
{
	struct end *e = p->place;
	free(e->config.slots);
	free(e->config.ids);
	free(e->config.states);
	free(e->config.tags);
	free(e->config.arena);
	free(e->config.tx);
	free(e);
}

static void sync_here(struct play *p)
{
	(void)p;
}

static void pump(struct play *p)
{
	end_pump(refreshed(p));
}

static void settle(struct play *p, unsigned patience, bool heard_is_enough)
{
	end_settle(refreshed(p), patience, heard_is_enough);
}

static void watch(struct play *p, uint32_t wake)
{
	struct end *e = p->place;
	e->turns = 0;
	e->wake = wake;
}

static bool befall(struct play *p, enum verb verb, uint32_t value, const char *text)
{
	return end_befall(refreshed(p), verb, value, text);
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
