/* SPDX-License-Identifier: MIT
 * What becomes of a request that is cancelled, and how requests end. docs/cancellation.md has the same table. */
#ifndef QUASH_SRC_CANCEL_H
#define QUASH_SRC_CANCEL_H

#include "slots.h"

/* What a cancel finds. */
enum cancel_row {
	ROW_PARKED,
	ROW_PARKED_PARTIAL,    /* marked QUASH_PARTIAL: its handler is called all the same */
	ROW_PARKED_CANCELLED,
	ROW_RUNNING,
	ROW_RUNNING_DROPS,     /* marked QUASH_DROPS, and not on the stack */
	ROW_RUNNING_CANCELLED,
	ROW_RECORDED,          /* its answer is, and no byte of it is in TX */
	ROW_BEGUN,
	ROW_OVER,              /* written, or silenced, or nobody's */
	CANCEL_ROWS
};

/* Where a cancel comes from. */
enum cancel_source {
	SOURCE_ANSWERED, /* the other side, in a dialect that answers it */
	SOURCE_SILENT,   /* the other side, in a dialect that does not */
	SOURCE_OWN,
	SOURCE_SESSION,
	SOURCE_LINK,
	CANCEL_SOURCES
};

/* What is done; 0: nothing, the cancel is late. */
enum cancel_action {
	CANCEL_FLAG = 1 << 0,    /* the cause is set: its handler sees it */
	CANCEL_SILENCE = 1 << 1, /* it is never answered */
	CANCEL_END = 1 << 2      /* its handler is not called any more; unless silenced it is answered at once */
};

uint8_t quash_decide(enum cancel_row row, enum cancel_source source);

/* Cancels a live request, as far as the table lets it be. Runs no handler and writes nothing. False when it is late. */
bool quash_flag(quash_request *slot, quash_cause cause);

/* Flags every live request. */
void quash_flag_all(quash_peer *peer, quash_cause cause);

/* Flags what was cancelled from an interrupt or another thread, and what is overdue. */
void quash_flag_due(quash_peer *peer);

/* Only sets the cause: for a request whose handler has just ended. */
void quash_set_cause(quash_request *slot, quash_cause cause);

/* It is never answered. */
void quash_silence(quash_request *slot, quash_cause cause);

/* Its handler is not called any more. */
void quash_slot_end(quash_request *slot);

/* The answer is recorded: its form and code, 0 for a result. What the form is made of is set before. A result
 * has no reason. */
void quash_record(quash_request *slot, enum quash_answer_form form, int32_t code, quash_why why);

/* The answer is an error with the library's words. */
void quash_record_error(quash_request *slot, int32_t code, quash_why why);

/* The answer is what its cause and the dialect demand. */
void quash_record_cancelled(quash_request *slot);

/* Puts the constant JSON that is the answer. */
quash_put quash_put_constant;

/* True if it has ended, its `end` is done, its answer is written or silent, and its calls do not hold it. */
bool quash_is_over(const quash_request *slot);

/* The slot becomes free if the request is over, off the stack and released. */
void quash_settle(quash_request *slot);

/* ms from now until `when`, 0 when it has passed. */
uint32_t quash_ms_until(const quash_peer *peer, uint32_t when);

/* ms until its deadline, wait or lease ends; UINT32_MAX when it has none. */
uint32_t quash_ms_left(const quash_request *slot);

#endif
