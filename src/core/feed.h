/* SPDX-License-Identifier: MIT
 * Receiving as a whole: from bytes to messages, and what is kept until a step has run. */
#ifndef QUASH_SRC_FEED_H
#define QUASH_SRC_FEED_H

#include "state.h"

/* Ready for a new link. */
void quash_feed_begin(quash_peer *peer);

/* Receives bytes of messages, data[at..to). Returns where it stopped: at `to`, or where receiving pauses. */
size_t quash_receive(quash_peer *peer, const uint8_t *data, size_t at, size_t to);

/* The body of known length has ended. One of length 0 is a message that is broken. */
void quash_body_ended(quash_peer *peer);

/* Forgets the message that is being received or kept. */
void quash_feed_abandon(quash_peer *peer);

/* What is kept goes on if it finds room. `stepped`: a step has run, so what finds none now is refused, unless what
 * holds the room goes as soon as its answer has left. Whether something went on. */
bool quash_feed_resume(quash_peer *peer, bool stepped);

/* True if receiving would go on now, or what is kept is to be looked at by a step. */
bool quash_feed_is_due(const quash_peer *peer);

/* True if what is kept waits for room that nothing gives back by leaving. A step refuses it. Only the slot of an answer
 * that has left and that a call of another peer holds brings this about between two steps. */
bool quash_feed_is_in_vain(const quash_peer *peer);

/* True if a message is kept that counts as live. */
bool quash_feed_keeps(const quash_peer *peer);

#endif
