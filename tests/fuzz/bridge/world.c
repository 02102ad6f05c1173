/* SPDX-License-Identifier: MIT
 * A run: the bridge from its start to its end. */
#include "world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step begins with a byte: what happens, and in its highest bit whether at once, or when the bridge has nothing to do
 * any more. */
enum { END_SLACK = 100, MOST_MS = 30000, CALM_MS = 2600, AT_ONCE = 0x80, STOPS = 0xFE };

struct world world;

static jmp_buf gave_up;

/* Where memory was refused what was to come of it may be lost: then only what follows from no rule is looked at. */
_Noreturn void wrong(const char *rule, const char *format, ...)
{
	char words[600];
	va_list list;
	va_start(list, format);
	vsnprintf(words, sizeof words, format, list);
	va_end(list);
	show("%s: %s\n", rule, words);
	if (world.fails_at != 0 && world.allocations >= world.fails_at)
		longjmp(gave_up, 1);
	broken(rule, "at %u ms: %s", (unsigned)world.now, words);
}

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

void world_stir(void)
{
	world.stirred = 0;
}

bool world_is_at_once(void)
{
	return world.phase == PHASE_SCRIPT && !is_used_up(&world.script) && (*world.script.at & AT_ONCE) != 0;
}

uint32_t world_left(uint32_t until)
{
	return (int32_t)(until - world.now) > 0 ? until - world.now : 0;
}

void world_pass(void)
{
	static const unsigned times[] = { 1, 5, 20, 50, 100, 300, 1000, 2500 };
	const uint8_t choice = take(&world.script);
	const unsigned ms = times[choice % 8u];
	if (choice == STOPS)
		world_stop();
	world.passed += ms;
	world.passing += world.passed < MOST_MS ? ms : 1;
}

void world_calm(void)
{
	struct line *line;
	world.phase = PHASE_CALM;
	world.passing = CALM_MS;
	for (unsigned i = 0; (line = line_at(i)) != NULL; i++) {
		line->stalls = line->deaf;
		line->piece = 0;
	}
}

static void let_pass(uint32_t left)
{
	const uint32_t ms = world.passing < left ? world.passing : left;
	world.now += ms;
	if (world.passing != UINT32_MAX)
		world.passing -= ms;
	world_stir();
	clients_check();
	devices_check_limits();
}

void world_rests(uint32_t ms)
{
	if (world.passing == UINT32_MAX && ms == UINT32_MAX)
		broken("end", "the bridge sleeps for ever");
	if (world.passing > 0)
		let_pass(ms);
	else
		script_step();
}

/* --- The end */

void world_stop(void)
{
	world.stopped = true;
	bridge_end(world.bridge);
}

void world_ends(void)
{
	if (world.phase == PHASE_END)
		return;
	world.phase = PHASE_END;
	world.ends_since = world.now;
	world.script.at = world.script.end;
	world.passing = UINT32_MAX;
}

static void check_end(void)
{
	if (world.now - world.ends_since > world.options.grace + END_SLACK)
		broken("end", "it took %u ms", (unsigned)(world.now - world.ends_since));
	if (world.options.grace > END_SLACK)
		devices_check_cancelled();
	for (unsigned i = 0; i < world.device_count; i++) {
		if (world.devices[i].line.open)
			broken("end", "device %u is still open", i);
	}
}

static void free_all(void)
{
	struct line *line;
	if (world.bridge != NULL)
		bridge_free(world.bridge);
	if (world.blocks != 0)
		broken("memory", "%u blocks are kept", world.blocks);
	for (unsigned i = 0; (line = line_at(i)) != NULL; i++)
		line_clear(line);
	for (unsigned i = 0; i < DEVICES; i++)
		free(world.devices[i].ids);
	clients_end();
	json_decref(world.message);
	free(world.bytes);
}

static void run(void)
{
	world.bridge = bridge_new(&world.options, &host, world.now);
	if (world.bridge == NULL)
		wrong("open", "it does not begin");
	devices_begin();
	clients_begin();
	(void)host_run();
	check_end();
	show("%u turns, memory %u times\n", (unsigned)world.turns, world.allocations);
}

void world_play(const uint8_t *data, size_t size, void (*choose)(struct bridge_options *options))
{
	memset(&world, 0, sizeof world);
	world.script = (struct bytes){ data, data + size };
	choose(&world.options);
	if (setjmp(gave_up) == 0)
		run();
	free_all();
}
