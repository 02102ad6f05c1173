/* SPDX-License-Identifier: MIT
 * From bytes to envelopes, and where that pauses. */
#ifndef QUASH_SRC_RECEIVE_H
#define QUASH_SRC_RECEIVE_H

#include "envelope.h"

/* Receives bytes of the message, data[from..to), up to a line's end if messages are lines. Returns where it stopped:
 * at `to`, at the line's end, or where receiving pauses. */
size_t quash_receive(quash_peer *peer, const uint8_t *data, size_t from, size_t to);

/* True if what is being received may wait for a step: none is on the stack, and none has run for it in vain. */
bool quash_may_wait(const quash_peer *peer);

/* Receiving pauses until a step has run. */
void quash_pause(quash_peer *peer, enum quash_kept kept);

/* True if the arena has room for whatever the next byte puts on the tape. */
bool quash_has_tape_room(const quash_peer *peer);

#endif
