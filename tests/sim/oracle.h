/* SPDX-License-Identifier: MIT
 * What must hold, whatever happens. */
#ifndef SIM_ORACLE_H
#define SIM_ORACLE_H

#include "plain.h"
#include "sim.h"

void oracle_begin(void);

/* --- heard.c: what the peer of a link has taken */

void oracle_heard(uint8_t link, const uint8_t *bytes, size_t n);
void oracle_lost(uint8_t link); /* bytes, just there */
void oracle_input_ended(uint8_t link);
/* Everything is cancelled, what is heard of a batch that has not ended included. */
void heard_cancel_all(uint8_t link);

/* A link begins anew. */
void heard_begin(uint8_t link);
void said_begin(uint8_t link);
/* A run does. */
void said_reset(uint8_t link);
/* The length of the answer that a record expects. */
size_t said_length(const struct record *r);

/* --- said.c: what it has said */

void oracle_said(uint8_t link, const uint8_t *bytes, size_t n);
void oracle_drained(uint8_t link); /* nothing waits in its TX */

/* --- oracle.c: what befalls requests */

void oracle_gone(uint8_t link);
void oracle_reopened(uint8_t link);
void oracle_time(uint8_t link); /* its peer looks at the time that it was told */
void oracle_cancel_all(uint8_t link);
void oracle_cancelled(struct record *r, enum cause cause);
void oracle_cancelled_async(struct record *r);

/* The record of a request that is called now, with that id (NULL: a notification) and that serial. */
struct record *oracle_find(
	uint8_t link, const char *method, const char *id, size_t length, bool number, long serial);

/* Its handler is called; the library says whether it is cancelled. */
void oracle_called(struct record *r, bool cancelled);
/* It has said its answer, and that is in TX as far as it knows. */
void oracle_replied(struct record *r, long serial, unsigned pad, int32_t code);
/* It was told to wait; `committed`: a part of the answer is in TX. */
void oracle_waits(struct record *r, bool committed);
/* It has returned; `outcome` is 0, or its error code; `again`: it has not ended. */
void oracle_returned(struct record *r, int32_t outcome, bool again);
/* It waits for so many milliseconds. */
void oracle_sleeps(struct record *r, uint32_t ms);
/* It was woken. */
void oracle_woken(struct record *r);
void oracle_hook(struct record *r);
/* A notification with that number is in TX. */
void oracle_notified(uint8_t link, long serial);
/* It asks, for that request; `deadline` in milliseconds, 0: none. */
void oracle_asked(uint8_t link, uint32_t id, struct record *parent, uint32_t deadline);

/* The call with that serial, on that link. */
struct ask *oracle_ask(uint8_t link, uint32_t id);

/* Nobody has answered since, and nothing moves: what had to be cancelled is. */
void oracle_calls_at_rest(uint8_t link);

/* Nobody was cancelled, and time has passed: what can end by itself has ended. */
void oracle_ended_by_itself(uint8_t link);

/* Everything has come to rest. */
void oracle_rest(uint8_t link, bool linked);

/* A link's program would sleep for so long now. */
void oracle_idle(uint8_t link, uint32_t ms);

/* A step of its peer has ended. */
void oracle_stepped(uint8_t link);

/* How many records of a link may still hold a slot, and the most bytes that their params
 * may have taken in the arena since that step. */
void oracle_load(uint8_t link, unsigned since, unsigned *slots, size_t *arena);

/* For heard.c, said.c and rest.c. */
unsigned oracle_marks(const struct record *r); /* of its method */
bool oracle_is_dead(const struct record *r);
int32_t oracle_verdict(const struct record *r);
/* How a result of that serial and size stands on the wire. Returns its length. */
size_t oracle_result(char *text, size_t size, long serial, unsigned pad);
const char *oracle_words(int32_t code);
/* The most bytes of a message that TX holds whole. */
bool oracle_is_too_long(const struct record *r, size_t length, bool *sure);

struct refusals {
	unsigned sure, perhaps, seen;
};
/* What is refused without an id. */
struct refusals *oracle_refusals(uint8_t link, int32_t code);

/* What was said on a link, and how often that was lost. */
struct totals {
	uint32_t results, errors;
	unsigned cuts;
};
const struct totals *oracle_totals(uint8_t link);

unsigned oracle_order(uint8_t link);
void oracle_count_said(uint8_t link, bool result);

#endif
