/* SPDX-License-Identifier: MIT
 * From a verdict to bytes: the only place where an error gets words. */
#ifndef QUASH_SRC_REPLY_H
#define QUASH_SRC_REPLY_H

#include "ring.h"
#include "tx.h"

/* Opens the answer of a request, up to its id. */
void quash_open_answer(const quash_request *slot);

/* Begins the member `error`, up to its message, which is the next thing put. */
void quash_put_error(quash_peer *peer, int32_t code);

/* Completes the open answer and takes note of what became of it. */
enum tx_result quash_close_answer(quash_request *slot);

/* Forgets the message that is being written, if there is one. */
void quash_drop_open(quash_peer *peer);

/* Says whether a request may write its answer now, as far as the owner of TX is concerned. */
bool quash_may_answer(const quash_request *slot);

/* Composes what the library owes, oldest first, as far as there is room. */
void quash_say(quash_peer *peer);

#endif
