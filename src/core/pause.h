/* SPDX-License-Identifier: MIT
 * Where receiving pauses. */
#ifndef QUASH_SRC_PAUSE_H
#define QUASH_SRC_PAUSE_H

#include "envelope.h"

/* What a single byte may put on the tape: the end of a number and of a container, or a character, or a name's head. */
enum { BYTE_ON_TAPE = 8 };

/* What the arena has left for the tape that is being written. */
static inline quash_size quash_tape_room(const quash_peer *peer)
{
	const quash_size used = (quash_size)(peer->tape.start + peer->tape.length);
	const quash_size size = peer->config->arena_size;
	return used < size ? (quash_size)(size - used) : 0;
}

/* True if the arena has room for whatever the next byte puts on the tape. */
static inline bool quash_has_tape_room(const quash_peer *peer)
{
	return quash_tape_room(peer) >= BYTE_ON_TAPE;
}

/* True if what is being received may wait for a step: none is on the stack, and none has run for it in vain. */
bool quash_may_wait(const quash_peer *peer);

/* Receiving pauses until a step has run. */
void quash_pause(quash_peer *peer, enum quash_kept kept);

/* True when what the next byte puts on the tape finds no room, not even in a packed arena, and may wait for some:
 * receiving pauses. */
bool quash_waits_for_room(quash_peer *peer);

#endif
