/* SPDX-License-Identifier: MIT
 * What docs/memory.md says of sizes, found out by asking: `NAME NUMBER`, a line each. */
#include "quash.h"

#include <stdio.h>
#include <string.h>

enum { SLOTS = 4, MOST = 4096, BYTE_VALUES = 256 };

static quash_peer peer;
static quash_request slots[BYTE_VALUES];
static uint8_t ids[BYTE_VALUES * BYTE_VALUES], arena[MOST], tx[MOST];
static quash_method methods[BYTE_VALUES];

static int32_t nothing(quash_request *request, quash_value params)
{
	(void)params;
	return quash_wait(request, 1000);
}

static quash_config config_with(quash_size arena_size, quash_size tx_size)
{
	const quash_config config = { .slot_count = SLOTS,
		.id_size = 40,
		.arena_size = arena_size,
		.tx_size = tx_size,
		.slots = slots,
		.ids = ids,
		.arena = arena,
		.tx = tx,
		.dialect = &quash_jsonrpc,
		.methods = methods,
		.method_count = 1 };
	return config;
}

static bool starts(const quash_config *config)
{
	return quash_init(&peer, config) == NULL;
}

static void feed(const char *line)
{
	quash_feed(&peer, (const uint8_t *)line, strlen(line));
}

static bool holds(const char *line, quash_size arena_size)
{
	const quash_config config = config_with(arena_size, 256);
	if (!starts(&config))
		return false;
	feed(line);
	return peer.counters.requests == 1;
}

/* The smallest arena that holds a message's params. */
static void show_arena(const char *name, const char *line)
{
	quash_size n = 1;
	while (n < MOST && !holds(line, n))
		n++;
	printf("%s %u\n", name, (unsigned)n);
}

static size_t room_with(quash_size tx_size)
{
	const quash_config config = config_with(256, tx_size);
	return starts(&config) ? quash_room(&peer) : 0;
}

/* The largest TX with which a single byte is read at once, the smallest with which as much as ever, and what is read. */
static void show_room(void)
{
	const size_t most = room_with(MOST);
	quash_size one = 64, all = MOST;
	while (room_with((quash_size)(one + 1)) == 1)
		one++;
	while (room_with((quash_size)(all - 1)) == most)
		all--;
	printf("one-byte-up-to %u\nwith-512 %zu\nwith-1024 %zu\nmost-from %u\nmost %zu\n", (unsigned)one,
		room_with(512), room_with(1024), (unsigned)all, most);
}

/* The values of a member of one byte that quash_init takes. */
static void show_limits(const char *name, quash_config *config, uint8_t *member)
{
	unsigned least = BYTE_VALUES, most = 0;
	for (unsigned n = 0; n < BYTE_VALUES; n++) {
		*member = (uint8_t)n;
		if (!starts(config))
			continue;
		least = n < least ? n : least;
		most = n;
	}
	printf("least-%s %u\nmost-%s %u\n", name, least, name, most);
}

static void show_all_limits(void)
{
	quash_config slots_vary = config_with(MOST, MOST), ids_vary = slots_vary, methods_vary = slots_vary,
		     config = slots_vary;
	quash_size least_arena = 0, least_tx = 0;
	show_limits("slot_count", &slots_vary, &slots_vary.slot_count);
	show_limits("id_size", &ids_vary, &ids_vary.id_size);
	show_limits("method_count", &methods_vary, &methods_vary.method_count);
	for (config.arena_size = 0; !starts(&config); config.arena_size++)
		least_arena = (quash_size)(config.arena_size + 1);
	for (config.tx_size = 0; !starts(&config); config.tx_size++)
		least_tx = (quash_size)(config.tx_size + 1);
	printf("least-arena_size %u\nleast-tx_size %u\n", (unsigned)least_arena, (unsigned)least_tx);
}

/* How many requests live at once in 9 slots. */
static void show_live(void)
{
	char line[64];
	quash_config config = config_with(MOST, MOST);
	config.slot_count = 9;
	if (!starts(&config))
		return;
	for (int id = 1; id <= 9; id++) {
		snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"turn\"}\n", id);
		feed(line);
	}
	printf("live-in-9 %u\n", (unsigned)quash_live_count(&peer));
}

int main(int count, char **lines)
{
	for (int i = 0; i < BYTE_VALUES; i++) {
		methods[i].name = "turn";
		methods[i].handler = nothing;
	}
	for (int i = 1; i < count; i++)
		show_arena("arena", lines[i]);
	show_room();
	show_all_limits();
	show_live();
	return 0;
}
