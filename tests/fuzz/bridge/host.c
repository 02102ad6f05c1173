/* SPDX-License-Identifier: MIT
 * The host of the bridge: memory, chance, the log, and its turns. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

/* Turns in which no byte moves, no time passes and the script rests: more of them is a loop. And the most turns of a
 * run. */
enum { STIRRED = 300, TURNS = 60000 };

/* --- What the engine needs */

static void *resize(void *context, void *memory, size_t size)
{
	(void)context;
	if (size > 0 && ++world.allocations == world.fails_at)
		return NULL;
	world.blocks += memory == NULL && size > 0;
	world.blocks -= memory != NULL && size == 0;
	if (size > 0)
		return realloc(memory, size);
	free(memory);
	return NULL;
}

static bool draw(void *context, void *bytes, size_t n)
{
	(void)context;
	for (size_t i = 0; i < n; i++)
		((uint8_t *)bytes)[i] = ++world.count;
	return world.random;
}

static void hear(void *context, enum log_level level, const char *text, size_t n, bool cut)
{
	(void)context;
	for (size_t i = 0; i < n; i++)
		world.heard += (uint8_t)text[i];
	show("%6u log %d: %.*s%s\n", (unsigned)world.now, (int)level, (int)n, text, cut ? "..." : "");
}

static void record(void *context, const char *device, enum record_way way, const char *text, size_t n)
{
	(void)way;
	hear(context, LOG_TRACE, device, strlen(device), false);
	hear(context, LOG_TRACE, text, n, false);
}

const struct bridge_host host = { { resize, NULL }, NULL, draw, hear, record };

/* --- Turns */

/* The script goes on while the bridge has nothing to do, or whenever it wants. */
static void sleep_a_while(void)
{
	const uint32_t start = world.now;
	uint32_t rest, idle;
	if (world.passing == 0 && world_is_at_once())
		script_step();
	while (rest = system_move(), idle = bridge_idle_ms(world.bridge), idle > world.now - start) {
		const uint32_t left = idle == UINT32_MAX ? idle : idle - (world.now - start);
		world_rests(left < rest ? left : rest);
	}
}

/* What a host that looks at nothing else would miss. */
static void check_news(void)
{
	struct bridge_line *of;
	struct line *line;
	size_t n;
	while ((of = bridge_next(world.bridge)) != NULL)
		((struct line *)bridge_kept(of))->told = true;
	for (unsigned i = 0; (line = line_at(i)) != NULL; i++) {
		if (line->open && (bridge_out(line->of, &n), n > 0 && !line->due) && !line->told)
			wrong("news", "%zu bytes are to leave on a line, %u of way %d", n, line->owner, (int)line->way);
		if (line->open && line->full && bridge_reads(line->of) && !line->told)
			wrong("news", "a line takes bytes again, %u of way %d", line->owner, (int)line->way);
		line->told = false;
	}
}

static void count_turn(void)
{
	if (++world.stirred > STIRRED || ++world.turns > TURNS)
		broken("rest", "the bridge turns and turns, and nothing moves");
}

int host_run(void)
{
	int code;
	for (;;) {
		bridge_tick(world.bridge, world.now);
		count_turn();
		system_obey();
		check_news();
		if (bridge_is_ending(world.bridge))
			world_ends();
		if (bridge_is_over(world.bridge, &code))
			break;
		sleep_a_while();
	}
	world.over = true;
	(void)system_move();
	return code;
}
