/* SPDX-License-Identifier: MIT
 * From what is recorded to bytes in TX: one message after the other, in as many passes as it needs. */
#ifndef QUASH_SRC_TRANSMIT_H
#define QUASH_SRC_TRANSMIT_H

#include "../wire/tx.h"
#include "ring.h"

/* Writes what finds room: the message under way, calls and cancels of ours, then recorded answers, oldest first. Calls
 * put functions. Nothing while one of them is on the stack, or a notification is open. */
void quash_transmit(quash_peer *peer);

/* Says whether something waits to be written before a notification may be. */
bool quash_transmit_waits(const quash_peer *peer);

/* The request has been silenced, or its call has ended: if nothing of its message has left, nothing will. */
void quash_transmit_forget(quash_peer *peer);

/* Nothing more goes out. */
void quash_transmit_clear(quash_peer *peer);

#endif
