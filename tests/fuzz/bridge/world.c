/* SPDX-License-Identifier: MIT
 * A run: the bridge from its start to its end. */
#include "world.h"

#include "bridge_client.h"
#include "bridge_http.h"
#include "bridge_log.h"
#include "bridge_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sanitizer/allocator_interface.h>

enum { END_SLACK = 100, LAST_TURNS = 4 };

struct world world;
static FILE *errors, *nowhere;

_Noreturn void wrong(const char *rule, const char *format, ...)
{
	char words[600];
	va_list list;
	stderr = errors;
	va_start(list, format);
	vsnprintf(words, sizeof words, format, list);
	va_end(list);
	broken(rule, "at %u ms: %s", (unsigned)world.now, words);
}

/* --- Giving back what the bridge keeps to its end */

static void free_server(struct server *s)
{
	free(s->greeted);
	free(s->refused);
	free(s->modern);
	free(s->subscription);
	free(s->cursor);
	texts_clear(&s->subscribed);
	texts_clear(&s->unaddressed);
	for (unsigned i = 0; i < MOST_LISTENERS; i++)
		free(s->listeners[i].id);
	for (unsigned i = 0; i < s->limit_count; i++)
		free(s->limits[i].tool);
	for (int kind = 0; kind < LIST_KINDS; kind++) {
		list_clear(&s->list[kind]);
		list_clear(&s->fresh[kind]);
	}
	wire_close(&s->wire);
	free(s);
}

static void rest(struct wire *wire)
{
	quash_gone(&wire->peer);
	(void)quash_step(&wire->peer);
}

static void free_bridge(void)
{
	for (unsigned turn = 0; turn < LAST_TURNS; turn++) {
		for (unsigned i = 0; i < MOST_CLIENTS; i++) {
			if (bridge.clients[i] != NULL)
				rest(&bridge.clients[i]->wire);
		}
		for (unsigned i = 0; i < bridge.server_count; i++)
			rest(&bridge.servers[i]->wire);
	}
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
		if (bridge.clients[i] != NULL)
			client_free(bridge.clients[i]);
	}
	for (unsigned i = 0; i < bridge.server_count; i++)
		free_server(bridge.servers[i]);
	free(bridge.hello);
}

static void free_world(void)
{
	for (int fd = LINE_FDS; line_of(fd) != NULL; fd += 2)
		line_clear(line_of(fd));
	for (unsigned i = 0; i < DEVICES; i++)
		free(world.devices[i].ids);
}

/* --- A run */

static void end(void)
{
	const uint32_t start = world.now;
	world.phase = PHASE_END;
	world.script.at = world.script.end;
	world.passing = UINT32_MAX;
	bridge_end();
	if (world.now - start > bridge.options.grace + END_SLACK)
		wrong("end", "it took %u ms", (unsigned)(world.now - start));
	if (bridge.options.grace > END_SLACK)
		devices_check_cancelled();
	for (unsigned i = 0; i < world.device_count; i++) {
		if (world.devices[i].line.open)
			wrong("end", "device %u is still open", i);
	}
}

/* Memory that it has not given back, whoever still knows it. The first run makes what stays. */
static void check_memory(size_t before)
{
	static bool again;
	const size_t now = __sanitizer_get_current_allocated_bytes();
	if (again && now > before)
		wrong("memory", "%zu bytes are kept", now - before);
	again = true;
}

void world_play(const uint8_t *data, size_t size, void (*choose)(struct options *options))
{
	if (nowhere == NULL && (nowhere = fopen("/dev/null", "w")) != NULL)
		setvbuf(nowhere, NULL, _IONBF, 0);
	const size_t before = __sanitizer_get_current_allocated_bytes();
	errors = stderr;
	stderr = getenv("FUZZ_LOUD") == NULL ? nowhere : stderr;
	memset(&bridge, 0, sizeof bridge);
	memset(&world, 0, sizeof world);
	world.script = (struct bytes){ data, data + size };
	choose(&bridge.options);
	clients_begin();
	devices_begin();
	if (bridge_open() != 0)
		wrong("open", "it does not begin");
	while (!bridge_is_over())
		bridge_turn(UINT32_MAX);
	end();
	show("%u turns\n", (unsigned)world.turns);
	free_bridge();
	free_world();
	clients_end();
	check_memory(before);
	stderr = errors;
}
