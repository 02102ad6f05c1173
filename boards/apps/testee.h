/* SPDX-License-Identifier: MIT
 * testee: plain methods that show the cancellation law and the wire, byte by byte, in any dialect. */
#ifndef TESTEE_H
#define TESTEE_H

#include "quash/call.h"

/** What the methods need of the program around them. The config's `context` must point to one. */
struct testee {
	void (*pump)(quash_peer *peer, void *device); /**< called by `busy` once a turn: moves bytes both ways */
	bool (*ended)(void *device);                  /**< has the other side finished speaking? */
	void *device;                                 /**< handed to both */
	quash_call *calls;                            /**< memory for what `fan` asks at once, zero at first */
	uint32_t call_count;                          /**< how many: wider fans are refused */
};

/** A request's work and its answer are two stages: what was told to wait for room in TX is said again, but not
 * done again. */
enum testee_stage { TESTEE_FRESH, TESTEE_WORKING, TESTEE_ANSWERING };

enum { TESTEE_NAME_SIZE = 128 };

/** What the slots must hold for each request; for `state_size`. */
struct testee_state {
	int32_t total; /* the number in the params */
	int32_t done;  /* of them */
	uint8_t stage;
	bool partial;
	quash_counters counters; /* of `stats`: what it says */
	quash_call call; /* of `call` and `orphan` */
	char name[TESTEE_NAME_SIZE]; /* of the method that `call` asks for */
};

enum {
	TESTEE_METHODS = 15,
	TESTEE_ID_SIZE = 64,
	TESTEE_STATE_SIZE = (sizeof(struct testee_state) + 7) / 8 * 8
};

/** The method table. Numbers in params are integers from 0 to 2^31 - 1; others are refused with -32602. */
extern const quash_method testee_methods[TESTEE_METHODS];

/** The request's state; at the first call filled from the count `name` in the params (0 if it is not required and
 * absent). NULL when they are wrong. */
struct testee_state *testee_begin(quash_request *request, quash_value params, const char *name, bool required);

/** Answers `{"NAME":COUNT}`. Returns as quash_send. */
int32_t testee_send_count(quash_request *request, const char *name, int32_t count);

quash_handler testee_call, testee_fan, testee_orphan; /**< what asks the other side: testee_calls.c */

#endif
