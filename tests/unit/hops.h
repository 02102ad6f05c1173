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

/* A message is received there; a step is taken, a millisecond later. */
void hop_receive(loop *hop, const char *message);
void hop_step(loop *hop);

/* A line is received; what of it waits for a step gets one. */
void hop_receive_and_step(loop *hop, const char *message);

/* What finds room is put into TX. */
void hop_write(loop *hop);

/* A call is started there, and written as far as there is room. */
void hop_start_call(loop *hop, quash_call *call);
void hop_start_call_for(quash_request *request, loop *hop, quash_call *call);

/* The oldest request that is live there. */
quash_request *hop_request(loop *hop);

/* What each has written since is received by the other, until both are quiet; they step meanwhile. */
void hops_exchange(loop *a, loop *b);

/* A request of the device that runs. */
quash_request *parent(const char *id);

/* A call that is zero but for its method; for its `done`, see `note_end`. */
quash_call *fresh(quash_call *call, const char *method);

/* A `done` that notes its call's id, outcome and answer for CALLED_BACK, and returns `done_returns`. */
quash_call_done note_end;
extern int32_t done_returns;

#define CALLED_BACK(expected) was_called_back(expected, UNIT_FILE, __LINE__)
void was_called_back(const char *expected, const char *file, int line);

#define WRITES(hop, expected) hop_writes(hop, expected, UNIT_FILE, __LINE__)
void hop_writes(loop *hop, const char *expected, const char *file, int line);

/* How a call has ended, as text: "result 5", "error {'code':1}", "cancelled", "open". */
#define ENDED(call, expected) assert_string_equal(ending(call), expected)
const char *ending(const quash_call *call);

#define ANSWER(id, value)  "{'jsonrpc':'2.0','id':" id ",'result':" value "}"
#define REFUSAL(id, error) "{'jsonrpc':'2.0','id':" id ",'error':" error "}"

#endif
