/* SPDX-License-Identifier: MIT
 * testee: plain methods that show cancellation and the wire, byte by byte, in any dialect. */
#ifndef TESTEE_H
#define TESTEE_H

#include "quash/call.h"

/** What the methods need of the program around them. The config's `context` must point to one. */
struct testee {
	void (*pump)(quash_peer *peer, void *device); /**< called by `busy` once a turn: moves bytes both ways */
	bool (*ended)(void *device);                  /**< has the other side finished transmitting? */
	void *device;                                 /**< handed to both */
	quash_call *calls;                            /**< memory for what `fan` asks at once, zero at first */
	uint32_t call_count;                          /**< how many: wider fans are refused */
	uint32_t dispensed;                           /**< by all `dispense` requests together, 0 at first */
};

enum { TESTEE_NAME_SIZE = 128 };

/** The state of most methods: a number in the params, and how much of it is done. */
struct testee_steps {
	int32_t total;
	int32_t done;
	bool begun;
	bool partial;
};

/** The state of `fan`. */
struct testee_fan {
	int32_t open;
	int32_t answered;
	bool begun;
};

/** The state of `call` and `orphan`. */
struct testee_ask {
	quash_call call;
	bool begun;
	char name[TESTEE_NAME_SIZE]; /* of the method that `call` asks for */
};

/** The state of `stats`: the counters as they stood when it was called. */
struct testee_stats {
	quash_counters counters;
	uint32_t dispensed;
};

/** What the slots must hold for each request; for `state_size`. */
union testee_state {
	struct testee_steps steps;
	struct testee_fan fan;
	struct testee_ask ask;
	struct testee_stats stats;
};

enum {
	TESTEE_METHODS = 16,
	TESTEE_ID_SIZE = 64,
	TESTEE_STATE_SIZE = (sizeof(union testee_state) + 7) / 8 * 8
};

/** The method table. Numbers in params are integers from 0 to 2^31 - 1; others are refused with -32602. */
extern const quash_method testee_methods[TESTEE_METHODS];

/** Reads the count `name` of the request's params: 0 if it is absent and not required. False when it is wrong. */
bool testee_read_count(const quash_request *request, const char *name, bool required, int32_t *count);

/** Puts `{"NAME":COUNT}`. */
void testee_put_count(quash_writer *w, const char *name, int32_t count);

quash_handler testee_call, testee_fan, testee_orphan; /**< what asks the other side: testee_calls.c */

#endif
