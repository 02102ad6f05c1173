/* SPDX-License-Identifier: MIT
 * testee [--dialect acp|lsp|mcp|jsonrpc] [--slots N] [--arena N] [--tx N] */
#include "main.h"
#include "testee.h"

#include <stdlib.h>
#include <string.h>

enum { WIDEST_FAN = 1000 };

struct options {
	const quash_dialect *dialect;
	uint32_t slots, arena, tx;
};

static const struct {
	const char *name;
	const quash_dialect *dialect;
} dialects[] = { { "acp", &quash_acp }, { "lsp", &quash_lsp }, { "mcp", &quash_mcp },
	{ "jsonrpc", &quash_jsonrpc } };

static bool parse_dialect(const char *text, const quash_dialect **dialect)
{
	for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
		if (strcmp(dialects[i].name, text) == 0) {
			*dialect = dialects[i].dialect;
			return true;
		}
	}
	return false;
}

static bool parse_number(const char *text, uint32_t *number)
{
	const uint32_t limit = 1000000000;
	uint32_t value = 0;
	if (*text == '\0')
		return false;
	for (; *text >= '0' && *text <= '9' && value < limit / 10; text++)
		value = value * 10 + (uint32_t)(*text - '0');
	*number = value;
	return *text == '\0';
}

static bool parse_option(const char *name, const char *text, struct options *options)
{
	if (strcmp(name, "--dialect") == 0)
		return parse_dialect(text, &options->dialect);
	if (strcmp(name, "--slots") == 0)
		return parse_number(text, &options->slots) && options->slots <= UINT8_MAX;
	if (strcmp(name, "--arena") == 0)
		return parse_number(text, &options->arena);
	if (strcmp(name, "--tx") == 0)
		return parse_number(text, &options->tx);
	return false;
}

/* The index of the first bad argument, or 0. */
static int parse_options(int argc, char **argv, struct options *options)
{
	for (int i = 1; i < argc; i += 2) {
		if (i + 1 == argc || !parse_option(argv[i], argv[i + 1], options))
			return i;
	}
	return 0;
}

static void pump(quash_peer *peer, void *device)
{
	(void)peer;
	host_pump(device);
}

static bool ended(void *device)
{
	const struct host *host = device;
	return host->stdio.ended;
}

/* The memory is the process's; a second use of a peer would need it all again. */
static void *provide(size_t count, size_t size)
{
	void *memory = calloc(count > 0 ? count : 1, size);
	if (memory == NULL)
		exit(host_bad_option("testee", "out of memory", "choose smaller sizes"));
	return memory;
}

static quash_config make_config(const struct options *o, struct testee *testee)
{
	static char reason[64];
	const quash_config config = {
		.dialect = o->dialect,
		.methods = testee_methods,
		.slots = provide(o->slots, sizeof(quash_request)),
		.ids = provide(o->slots, TESTEE_ID_SIZE),
		.states = provide(o->slots, TESTEE_STATE_SIZE),
		.arena = provide(o->arena, 1),
		.tx = provide(o->tx, 1),
		.reason = reason,
		.context = testee,
		.arena_size = (quash_size)o->arena,
		.tx_size = (quash_size)o->tx,
		.state_size = TESTEE_STATE_SIZE,
		.method_count = TESTEE_METHODS,
		.slot_count = (uint8_t)o->slots,
		.id_size = TESTEE_ID_SIZE,
		.reason_size = sizeof reason,
	};
	return config;
}

int main(int argc, char **argv)
{
	static struct host host;
	static quash_config config;
	static quash_call calls[WIDEST_FAN];
	static struct testee testee = {
		.pump = pump, .ended = ended, .device = &host, .calls = calls, .call_count = WIDEST_FAN };
	struct options options = { .dialect = &quash_acp, .slots = 8, .arena = 4096, .tx = 1024 };
	const int bad = parse_options(argc, argv, &options);
	if (bad > 0)
		return host_bad_option("testee", "bad option", argv[bad]);
	config = make_config(&options, &testee);
	const char *wrong = host_init(&host, &config);
	if (wrong != NULL)
		return host_bad_option("testee", "bad size", wrong);
	return host_run(&host);
}
