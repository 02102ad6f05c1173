/* SPDX-License-Identifier: MIT
 * Peers beside the device, for the tests of calls. The test itself asks, for requests of the device whose handlers
 * wait: `parent("1")`. */
#ifndef QUASH_TESTS_HOPS_H
#define QUASH_TESTS_HOPS_H

#include "device.h"

#include "quash/call.h"

/* Towards other sides, with the device's methods. `far` and `farther` are for those who are asked by `back` and by
 * each other. */
extern loop back, side, far, farther, farthest;

/* All of them and the device begin anew. */
void hops_start(const quash_dialect *dialect);
void hop_start(loop *hop, const quash_dialect *dialect, quash_size tx);

/* Says a message; takes a step, a millisecond later. */
void hop_say(loop *hop, const char *message);
void hop_step(loop *hop);

/* The oldest request that is live there. */
quash_request *hop_request(loop *hop);

/* What each has said since is heard by the other, until both are quiet; they step meanwhile. */
void hops_talk(loop *a, loop *b);

/* A request of the device that runs. */
quash_request *parent(const char *id);

/* A call that is zero but for its method; for its `done`, see `told`. */
quash_call *fresh(quash_call *call, const char *method);

/* A `done` that writes its call's id, outcome and answer down, for TOLD, and returns what `told_returns` says. */
quash_call_done told;
extern int32_t told_returns;

#define TOLD(expected) was_told(expected, UNIT_FILE, __LINE__)
void was_told(const char *expected, const char *file, int line);

#define SAYS(hop, expected) hop_says(hop, expected, UNIT_FILE, __LINE__)
void hop_says(loop *hop, const char *expected, const char *file, int line);

/* How a call has ended, as text: "result 5", "error {'code':1}", "cancelled", "open". */
#define ENDED(call, expected) assert_string_equal(ending(call), expected)
const char *ending(const quash_call *call);

#define ANSWER(id, value)  "{'jsonrpc':'2.0','id':" id ",'result':" value "}"
#define REFUSAL(id, error) "{'jsonrpc':'2.0','id':" id ",'error':" error "}"

#endif
