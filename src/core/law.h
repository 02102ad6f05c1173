/* SPDX-License-Identifier: MIT
 * The cancellation law: what becomes of a request that is cancelled, and how requests end. */
#ifndef QUASH_SRC_LAW_H
#define QUASH_SRC_LAW_H

#include "ring.h"

/* Cancels a live request, as far as the law lets it be. Runs no handler and says nothing. False when it could
 * not be cancelled any more. */
bool quash_flag(quash_request *slot, quash_cause cause);

/* Flags every live request. */
void quash_flag_all(quash_peer *peer, quash_cause cause);

/* Flags what was cancelled from an interrupt or another thread, and what is overdue. */
void quash_flag_due(quash_peer *peer);

/* The handler has ended, or was never called: the verdict is `code`. */
void quash_owe(quash_request *slot, int32_t code);

/* The same with the verdict *cancelled*. */
void quash_owe_cancelled(quash_request *slot);

/* Only sets the cause: for a request whose handler has just ended. */
void quash_set_cause(quash_request *slot, quash_cause cause);

/* TX is free for others again. */
void quash_release(quash_peer *peer);

/* The request is answered, or never will be. Its slot becomes free once nobody holds it any more. */
void quash_close(quash_request *slot);

#endif
