/* SPDX-License-Identifier: MIT */
#include "drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_SIZE = 40, TAG_SIZE = 40, CALLS = 4, IDLE_ROUNDS = 8 };

quash_peer cost_peer;
static quash_request slots[COST_SLOTS];
static union {
	quash_word word;
	uint8_t room[UINT8_MAX];
} word;
static quash_counters counters;
static uint8_t ids[(COST_SLOTS + 1) * ID_SIZE], tags[(COST_SLOTS + 1) * TAG_SIZE], arena[COST_ARENA], tx[COST_TX];
static uint64_t states[COST_SLOTS * COST_STATE / 8];
static char reason[64];
static quash_call calls[CALLS];
static quash_config config;

/* --- The port */

static struct {
	const uint8_t *text;
	size_t at, shown; /* bytes that are taken; that are shown so far */
	size_t room;      /* on the wire, until the next round */
	size_t written;
	uint32_t now;
} wire;

static int peek(void *device, const uint8_t **bytes)
{
	(void)device;
	*bytes = &wire.text[wire.at];
	return (int)(wire.shown - wire.at);
}

static void take(void *device, size_t n)
{
	(void)device;
	wire.at += n;
}

static int write_some(void *device, const uint8_t *bytes, size_t n)
{
	const size_t taken = n < wire.room ? n : wire.room;
	(void)device;
	(void)bytes;
	wire.room -= taken;
	wire.written += taken;
	return (int)taken;
}

static uint32_t now(void *device)
{
	(void)device;
	return wire.now;
}

/* --- The peer */

static void start_calls(void)
{
	memset(calls, 0, sizeof calls);
	for (unsigned i = 0; i < CALLS; i++) {
		calls[i].method = "ask";
		(void)quash_call_start(&cost_peer, &calls[i]);
	}
	(void)cost_feed(NULL, 0, 1, COST_FAST);
}

void cost_start(const struct cost_setup *setup)
{
	quash_fault fault = { NULL, NULL, NULL, 0, 0, 0, QUASH_FAULT_NONE };
	config = (quash_config){ .slots = slots, .word = &word.word, .word_size = sizeof word.room,
		.counters = &counters, .ids = ids, .states = states, .arena = arena, .tx = tx, .tags = tags, .reason = reason,
		.slot_count = setup->slots, .id_size = ID_SIZE, .tag_size = TAG_SIZE, .reason_size = sizeof reason, .arena_size = setup->arena,
		.tx_size = setup->tx, .state_size = setup->state, .dialect = setup->dialect, .methods = setup->methods,
		.method_count = setup->method_count, .new_session = setup->mcp ? quash_mcp_new_session : NULL,
		.check = setup->mcp ? quash_mcp_check : NULL, .calls = setup->calls ? &quash_calls : NULL,
		.keeps = setup->mcp ? &quash_mcp_keeps : NULL };
	if (!quash_init(&cost_peer, &config, &fault)) {
		printf("FAIL %s: quash_init finds %s\n", setup->name, fault.member);
		exit(1);
	}
	if (setup->first != NULL) {
		uint8_t first[512];
		const size_t n = cost_message(setup->first, first, sizeof first);
		(void)cost_feed(first, n, n, COST_FAST);
	}
	if (setup->calls)
		start_calls();
}

static void one_round(struct cost_run *run)
{
	static const quash_port port = { peek, take, write_some, now, NULL };
	const uint64_t before = cost_blocks;
	quash_pump(&cost_peer, &port);
	(void)quash_step(&cost_peer);
	run->blocks += cost_blocks - before;
	run->rounds++;
	wire.now++;
}

struct cost_run cost_feed(const uint8_t *text, size_t n, size_t cut, size_t speed)
{
	struct cost_run run = { 0, 0, 0, 0 };
	wire.text = text;
	wire.at = wire.shown = wire.written = 0;
	for (unsigned idle = 0; idle < IDLE_ROUNDS && (wire.at < n || !quash_is_at_rest(&cost_peer)); idle++) {
		const size_t moved = wire.at + wire.written;
		if (wire.at == wire.shown)
			wire.shown = n - wire.at < cut ? n : wire.at + cut;
		wire.room = speed;
		one_round(&run);
		if (wire.at + wire.written > moved)
			idle = 0;
	}
	run.taken = wire.at;
	run.written = wire.written;
	return run;
}

struct cost_run cost_serve(const struct cost_setup *setup, const uint8_t *text, size_t n, size_t cut)
{
	cost_start(setup);
	const struct cost_run run = cost_feed(text, n, cut, COST_FAST);
	if (run.taken != n)
		cost_check(false, "%s: %zu of %zu bytes were taken", setup->name, run.taken, n);
	return run;
}

size_t cost_message(const char *quoted, uint8_t *to, size_t size)
{
	size_t n = 0;
	for (; quoted[n] != '\0' && n + 1 < size; n++)
		to[n] = (uint8_t)(quoted[n] == '\'' ? '"' : quoted[n]);
	to[n] = '\n';
	return n + 1;
}
