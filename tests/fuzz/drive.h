/* SPDX-License-Identifier: MIT
 * A peer, what it is lent, the wire to it, and its time. */
#ifndef FUZZ_DRIVE_H
#define FUZZ_DRIVE_H

#include "quash/peer.h"
#include "watch.h"

enum { DRIVE_WIRE = 1 << 17 };

struct drive {
	quash_peer peer;
	quash_config config;
	struct watch watch;
	uint8_t wire[DRIVE_WIRE]; /* towards the peer */
	size_t length, taken;
	bool stalled, byte_by_byte, linked;
	bool lists_change; /* what a long answer says may change on purpose */
	uint32_t now;
	uint8_t committed[256]; /* by slot: how often its request was answered */
};

/* Lends arrays of exactly the sizes that the config names, on the heap, so that a sanitizer sees each byte beyond. */
void drive_lend(quash_config *config);
void drive_take_back(quash_config *config);

/* A peer of that config, whose arrays it is lent. NULL, or what quash_init refuses. */
const char *drive_open(struct drive *d, const quash_config *config, uint32_t now, bool byte_by_byte);
void drive_close(struct drive *d);

/* Onto the wire: bytes as they are, or a message in the dialect's framing. */
void drive_bytes(struct drive *d, const uint8_t *bytes, size_t n);
void drive_message(struct drive *d, const char *text, size_t n);

/* The peer takes what it can; what it says leaves, at most so many bytes. */
void drive_pump(struct drive *d, size_t most);
void drive_step(struct drive *d);
void drive_tick(struct drive *d, uint32_t ms);
void drive_lost(struct drive *d);
void drive_gone(struct drive *d);
void drive_reopen(struct drive *d);

/* Ends the run unless the peer is sound. */
void drive_check(const struct drive *d);

/* NULL when all is at rest, else what is not. */
const char *drive_resting(const struct drive *d);

/* Everything is cancelled and the other side answers what is open: then all must come to rest; and once more at the
 * end of the input. */
void drive_rest(struct drive *d);

#endif
