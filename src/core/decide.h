/* SPDX-License-Identifier: MIT
 * What becomes of a request that is cancelled. docs/cancellation.md has the same table. */
#ifndef QUASH_SRC_DECIDE_H
#define QUASH_SRC_DECIDE_H

#include "slots.h"

/* What a cancel finds. */
enum cancel_row {
	ROW_PARKED,
	ROW_PARKED_PARTIAL,    /* marked QUASH_PARTIAL: its handler is called all the same */
	ROW_PARKED_CANCELLED,
	ROW_RUNNING,
	ROW_RUNNING_DROPS,     /* its motion cancels by itself, and it is not on the stack */
	ROW_RUNNING_CANCELLED,
	ROW_RECORDED,          /* its answer is, and no byte of it is in TX */
	ROW_BEGUN,
	ROW_OVER,              /* written, or silenced, or free */
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

/* Only sets the cause: for a request whose handler has just ended. */
void quash_set_cause(quash_request *slot, quash_cause cause);

#endif
