/* SPDX-License-Identifier: MIT
 * Notifications that are sent on to another peer, beside requests that are refused and so have no method. Any
 * MOVES moves in any order, with these very messages; see states.c. */
#include "any.h"
#include "quash.h"
#include "quash/forward.h"

#ifndef MOVES
#define MOVES 3
#endif

enum { SLOTS = 3, ARENA = 16, TX = 100 };

struct side {
	quash_request slots[SLOTS];
	quash_word word;
	quash_counters counters;
	uint8_t ids[(SLOTS + 1) * QUASH_ID_MIN], arena[ARENA], tx[TX];
};

static struct side near_side, far_side;
static quash_peer near, far;

static const quash_route to_far = { .to = &far };
static const quash_method methods[] = {
	{ .name = "n", .handler = quash_relay, .data = &to_far, .marks = QUASH_NOTIFICATION },
};

#define SIDE(of) \
	.slots = (of).slots, .word = &(of).word, .word_size = QUASH_WORD, .counters = &(of).counters, \
	.ids = (of).ids, .arena = (of).arena, .tx = (of).tx, .arena_size = ARENA, \
	.tx_size = TX, .slot_count = SLOTS, .id_size = QUASH_ID_MIN

static const quash_config near_config = { SIDE(near_side), .dialect = &quash_jsonrpc, .methods = methods,
	.method_count = 1 };
static const quash_config far_config = { SIDE(far_side), .dialect = &quash_jsonrpc };

/* What was not taken yet. */
static const char *rest = "";

static void feed_rest(void)
{
	size_t n = 0;
	while (rest[n] != '\0')
		n++;
	rest += quash_feed(&near, (const uint8_t *)rest, n);
}

static void receive(const char *text)
{
	feed_rest();
	if (*rest != '\0')
		return;
	rest = text;
	feed_rest();
}

static void drain(quash_peer *peer)
{
	size_t n;
	(void)quash_out(peer, &n);
	quash_sent(peer, n);
}

static void move(int which)
{
	switch (which) {
	case 0: receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"u\"}\n"); break;
	case 1: receive("{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n"); break;
	case 2: receive("[1,{\"jsonrpc\":\"2.0\",\"method\":\"n\"}]\n"); break;
	case 3: drain(&near); break;
	case 4: drain(&far); break;
	default: (void)quash_step(&near); break;
	}
}

static void forget(void)
{
	any_bytes((uint8_t *)&near_side.counters, sizeof near_side.counters);
	any_bytes((uint8_t *)&far_side.counters, sizeof far_side.counters);
	any_bytes(near_side.tx, TX);
	any_bytes(far_side.tx, TX);
}

int main(void)
{
	quash_start_with_(&near, &near_config);
	quash_start_with_(&far, &far_config);
	for (int i = 0; i < MOVES; i++) {
		const int which = Frama_C_interval(0, 5);
		/*@ split which; */
		move(which);
		/*@ merge which; */
		forget();
	}
	return 0;
}
