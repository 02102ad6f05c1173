/* SPDX-License-Identifier: MIT
 * A peer between a port that shows its input in pieces and a wire that takes what it likes. */
#ifndef DRIVE_H
#define DRIVE_H

#include "cost.h"

/* What a peer is made of. */
struct cost_setup {
	const char *name;
	const quash_dialect *dialect;
	const quash_method *methods;
	const char *first; /* a message that it has before it is counted, or NULL */
	quash_size arena, tx, state;
	uint8_t method_count, slots;
	bool calls; /* ours that wait for an answer stand open */
	bool mcp;   /* with the profile's hooks */
};

enum { COST_SLOTS = 250, COST_ARENA = 1 << 19, COST_TX = 1 << 17, COST_STATE = 512 };

/* The wire takes all that there is. */
#define COST_FAST ((size_t)-1)

/* What is not counted stands between two runs. */
struct cost_run {
	uint64_t blocks;
	size_t taken;   /* bytes of the input */
	size_t written; /* bytes of the output */
	size_t rounds;  /* pumps, each with its step */
};

extern quash_peer cost_peer;

/* A new peer. */
void cost_start(const struct cost_setup *setup);

/* Gives the peer `n` bytes, of which at most `cut` are shown at once; a pump and a step follow each, until nothing moves. The
 * wire takes `speed` bytes in each round. */
struct cost_run cost_feed(const uint8_t *text, size_t n, size_t cut, size_t speed);

/* Both; all of it must be taken. */
struct cost_run cost_serve(const struct cost_setup *setup, const uint8_t *text, size_t n, size_t cut);

/* A text with " for each ' in it, and a line feed. `size` is what `to` holds; returns the length. */
size_t cost_message(const char *quoted, uint8_t *to, size_t size);

#endif
