/* SPDX-License-Identifier: MIT
 * testee [--dialect acp|lsp|mcp|jsonrpc] [--slots N] [--arena N] [--tx N] */
#include "main.h"
#include "testee.h"

#include <string.h>

#ifndef TESTEE_TX
#define TESTEE_TX 1024
#endif

enum { WIDEST_FAN = 1000 };

static const struct {
	const char *name;
	const quash_dialect *dialect;
} dialects[] = { { "acp", &quash_acp }, { "lsp", &quash_lsp }, { "mcp", &quash_mcp },
	{ "jsonrpc", &quash_jsonrpc } };

static struct host host = { .name = "testee" };

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

/* The index of the first bad argument, or 0. */
static int parse_options(int argc, char **argv, struct sizes *sizes, const quash_dialect **dialect)
{
	for (int i = 1; i < argc; i += 2) {
		if (i + 1 == argc)
			return i;
		const bool speaks = strcmp(argv[i], "--dialect") == 0;
		if (speaks ? !parse_dialect(argv[i + 1], dialect) : !sizes_option(sizes, argv[i], argv[i + 1]))
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
	const struct host *of = device;
	return of->stdio.ended;
}

static quash_call calls[WIDEST_FAN];
static struct testee testee = {
	.pump = pump, .ended = ended, .device = &host, .calls = calls, .call_count = WIDEST_FAN };
static char reason[64];

static quash_config config = {
	.id_size = TESTEE_ID_SIZE,
	.state_size = TESTEE_STATE_SIZE,
	.dialect = &quash_acp,
	.methods = testee_methods,
	.method_count = TESTEE_METHODS,
	.reason_size = sizeof reason,
	.reason = reason,
	.context = &testee,
	.calls = &quash_calls,
	.faults = &quash_faults,
};

int main(int argc, char **argv)
{
	struct sizes sizes = { .slots = 8, .arena = 4096, .tx = TESTEE_TX };
	const int bad = parse_options(argc, argv, &sizes, &config.dialect);
	if (bad > 0)
		return host_bad_option(host.name, "bad option", argv[bad]);
	sizes_provide(host.name, &sizes, &config);
	return host_run(&host, &config);
}
