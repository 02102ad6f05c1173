/* SPDX-License-Identifier: MIT
 * testee [--dialect acp|lsp|mcp|jsonrpc] [--slots N] [--arena N] [--tx N] */
#include "main.h"
#include "testee.h"

#include <string.h>

#ifndef TESTEE_TX
#define TESTEE_TX 1024
#endif

enum { WIDEST_FAN = 1000 };

static struct host host = { .name = "testee" };

static const char *read_dialect(void *to, char *text)
{
	static const struct {
		const char *name;
		const quash_dialect *dialect;
	} dialects[] = { { "acp", &quash_acp }, { "lsp", &quash_lsp }, { "mcp", &quash_mcp }, { "jsonrpc", &quash_jsonrpc } };
	quash_config *const config = to;
	for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
		if (strcmp(dialects[i].name, text) == 0) {
			config->dialect = dialects[i].dialect;
			return NULL;
		}
	}
	return "";
}

static void pump_peer(quash_peer *peer, void *device)
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
	.pump = pump_peer, .ended = ended, .device = &host, .calls = calls, .call_count = WIDEST_FAN };
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
	static const struct argument_option own[] = { { "--dialect", "acp, lsp, mcp or jsonrpc", ARGUMENT_READ, .read = read_dialect } };
	const struct argument_table tables[] = { { own, 1, &config }, { sizes_arguments, SIZES_ARGUMENTS, &sizes } };
	if (arguments_read(host.name, tables, 2, argc, argv) != argc)
		return ARGUMENTS_BAD;
	sizes_provide(host.name, &sizes, &config);
	return host_run(&host, &config);
}
