/* SPDX-License-Identifier: MIT
 * testee: plain methods that show the cancellation law and the wire, byte by byte, in any dialect. */
#ifndef TESTEE_H
#define TESTEE_H

#include "quash/peer.h"

/** What the methods need of the program around them. The config's `context` must point to one. */
struct testee {
	void (*pump)(quash_peer *peer, void *device); /**< called by `busy` once a turn: moves bytes both ways */
	bool (*ended)(void *device);                  /**< has the other side finished speaking? */
	void *device;                                 /**< handed to both */
};

/** What the slots must hold for each request; for `state_size`. */
struct testee_state {
	int32_t total; /* the number in the params */
	int32_t done;  /* of them */
	uint8_t stage;
	bool partial;
	quash_counters counters; /* of `stats`: what it says */
};

enum {
	TESTEE_METHODS = 12,
	TESTEE_ID_SIZE = 64,
	TESTEE_STATE_SIZE = (sizeof(struct testee_state) + 7) / 8 * 8
};

/** The method table. Numbers in params are integers from 0 to 2^31 - 1; others are refused with -32602. */
extern const quash_method testee_methods[TESTEE_METHODS];

#endif
