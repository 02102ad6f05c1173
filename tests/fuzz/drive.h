/* SPDX-License-Identifier: MIT
 * A peer, what it is lent, the wire to it, and its time. */
#ifndef FUZZ_DRIVE_H
#define FUZZ_DRIVE_H

#include "quash/peer.h"
#include "watch.h"

enum { DRIVE_WIRE = 1 << 17 };

/* How bytes reach the peer. The first two must come to the same output. */
enum drive_way {
	DRIVE_WHOLE, /* fed as many at once as there are */
	DRIVE_BYTES, /* fed one by one */
	DRIVE_PORT   /* by quash_pump, through a port that shows and takes what it likes */
};

struct drive {
	quash_peer peer;
	quash_config config;
	quash_counters counters;
	quash_fault fault; /* why quash_init has refused the config */
	struct watch watch;
	enum drive_way way;
	uint8_t wire[DRIVE_WIRE]; /* towards the peer */
	size_t length, taken;
	bool stalled, linked;
	bool refused; /* its config: no handler is called, nothing has a result */
	void (*written)(const quash_request *request, int32_t code); /* called for each answer, or NULL */
	bool may_change; /* a put function puts something else on purpose */
	uint32_t now, steps;
	struct {
		bool live, over; /* over: answered to its end, or silent */
		unsigned recorded;
	} slots[256];
	struct { /* the port */
		size_t shown, room;
		unsigned turn;
		bool lost, ended;
	} port;
};

/* Lends arrays of exactly the sizes that the config names, on the heap, so that a sanitizer sees each byte beyond. */
void drive_lend(quash_config *config);
void drive_take_back(quash_config *config);

/* A peer of that config, whose arrays it is lent. False when quash_init refuses it; the peer says so, unless it is gone. */
bool drive_open(struct drive *d, const quash_config *config, uint32_t now, enum drive_way way);
void drive_close(struct drive *d);

/* Onto the wire: bytes as they are, or a message in the dialect's framing. */
void drive_bytes(struct drive *d, const uint8_t *bytes, size_t n);
void drive_message(struct drive *d, const char *text, size_t n);

/* The peer takes what it can; what it puts out leaves, at most so many bytes. */
void drive_pump(struct drive *d, size_t most);
void drive_step(struct drive *d);
void drive_tick(struct drive *d, uint32_t ms);
void drive_lost(struct drive *d);
void drive_gone(struct drive *d);
void drive_reopen(struct drive *d);

/* A step and a millisecond; all leaves before it and after. */
void drive_turn(struct drive *d);

/* Ends the run unless the peer is sound. */
void drive_check(const struct drive *d);

/* NULL when all is at rest, else what is not. */
const char *drive_resting(const struct drive *d);

/* Everything is cancelled and the other side answers what is open: then all must come to rest; and once more at the
 * end of the input. */
void drive_rest(struct drive *d);

#endif
