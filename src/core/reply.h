/* SPDX-License-Identifier: MIT
 * From a verdict to bytes: the only place where an error gets words. */
#ifndef QUASH_SRC_REPLY_H
#define QUASH_SRC_REPLY_H

#include "../wire/tx.h"
#include "ring.h"

/* Opens the answer of a request, up to its id. */
void quash_open_answer(const quash_request *slot);

/* Opens a message; `total` as for quash_tx_open. */
quash_writer *quash_open_message(quash_peer *peer, uint8_t owner, quash_framing framing, uint32_t total);

/* The message did not fit. 0 when it will as soon as enough bytes have left, else its length: it goes out in windows. */
uint32_t quash_measure(quash_peer *peer, quash_framing framing);

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
