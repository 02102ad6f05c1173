/* SPDX-License-Identifier: MIT
 * What docs/memory.md says of sizes, found out by asking: `NAME NUMBER`, a line each. */
#include "quash.h"

#include <stdio.h>
#include <string.h>

enum { SLOTS = 4, MOST = 4096, BYTE_VALUES = 256 };

static quash_peer peer;
static quash_word word;
static quash_counters counters;
static quash_request slots[BYTE_VALUES];
static uint8_t ids[BYTE_VALUES * BYTE_VALUES], arena[MOST], tx[MOST];
static quash_method methods[BYTE_VALUES];

static int32_t nothing(quash_request *request)
{
	return quash_wait(request, 1000);
}

static quash_config config_with(quash_size arena_size, quash_size tx_size)
{
	const quash_config config = { .slot_count = SLOTS,
		.id_size = 40,
		.arena_size = arena_size,
		.tx_size = tx_size,
		.slots = slots,
		.word = &word,
		.word_size = sizeof word.text,
		.counters = &counters,
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
	return quash_init(&peer, config, NULL);
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
	return counters.requests == 1;
}

/* The smallest arena that holds a message's params. */
static void show_arena(const char *name, const char *line)
{
	quash_size n = 1;
	while (n < MOST && !holds(line, n))
		n++;
	printf("%s %u\n", name, (unsigned)n);
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
	quash_config slots_vary = config_with(MOST, MOST), ids_vary = slots_vary, methods_vary = slots_vary, words_vary = slots_vary,
		     config = slots_vary;
	quash_size least_arena = 0, least_tx = 0;
	show_limits("slot_count", &slots_vary, &slots_vary.slot_count);
	show_limits("id_size", &ids_vary, &ids_vary.id_size);
	show_limits("word_size", &words_vary, &words_vary.word_size);
	show_limits("method_count", &methods_vary, &methods_vary.method_count);
	for (config.arena_size = 0; !starts(&config); config.arena_size++)
		least_arena = (quash_size)(config.arena_size + 1);
	for (config.tx_size = 0; !starts(&config); config.tx_size++)
		least_tx = (quash_size)(config.tx_size + 1);
	printf("least-arena_size %u\nleast-tx_size %u\n", (unsigned)least_arena, (unsigned)least_tx);
}

/* How many requests are served at once in 8 slots, and how many are kept then. */
static void show_live(void)
{
	char line[64];
	quash_config config = config_with(MOST, MOST);
	config.slot_count = 8;
	if (!starts(&config))
		return;
	for (int id = 1; id <= 10; id++) {
		snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"turn\"}\n", id);
		feed(line);
	}
	printf("served-in-8 %u\nkept-beside-8 %u\n", (unsigned)counters.requests, (unsigned)counters.kept);
}

/* What a notification needs of TX beside its own length. */
static bool takes_notification(const quash_dialect *dialect, quash_size tx_size)
{
	quash_config config = config_with(256, tx_size);
	config.dialect = dialect;
	if (!starts(&config))
		return false;
	quash_put_string(quash_notify(&peer, "n"), "0123456789012345678901234567890123456789012345678901234567890123456789", 70);
	return quash_notify_send(&peer);
}

static void show_notification(const char *name, const quash_dialect *dialect)
{
	const size_t length = sizeof "{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":\"\"}" - 1 + 70;
	quash_size n = QUASH_TX_MIN;
	while (n < MOST && !takes_notification(dialect, n))
		n++;
	printf("%s %u\n", name, (unsigned)(n - length));
}

int main(int count, char **lines)
{
	static char names[BYTE_VALUES][5] = { "turn" };
	for (int i = 0; i < BYTE_VALUES; i++) {
		if (i > 0)
			snprintf(names[i], sizeof names[i], "%d", i);
		methods[i].name = names[i];
		methods[i].handler = nothing;
	}
	for (int i = 1; i < count; i++)
		show_arena("arena", lines[i]);
	show_all_limits();
	show_live();
	show_notification("beside-line", &quash_jsonrpc);
	show_notification("beside-header", &quash_lsp);
	return 0;
}
