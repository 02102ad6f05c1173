/* SPDX-License-Identifier: MIT
 * From bytes to an envelope: which member is this, and what does it say? Runs no user code, judges nothing. */
#ifndef QUASH_SRC_RECEIVE_H
#define QUASH_SRC_RECEIVE_H

#include "ring.h"

/* What the envelope had. */
enum seen {
	SEEN_JSONRPC = 1 << 0,
	SEEN_ID = 1 << 1,
	SEEN_METHOD = 1 << 2,
	SEEN_PARAMS = 1 << 3,
	SEEN_RESULT = 1 << 4,
	SEEN_ERROR = 1 << 5,
	SEEN_OBJECT = 1 << 6,      /* it is an object */
	SEEN_TWICE = 1 << 7,       /* a member came twice */
	SEEN_VERSION = 1 << 8,     /* jsonrpc is "2.0" */
	SEEN_NAME = 1 << 9,        /* method is a string */
	SEEN_STRUCTURE = 1 << 10,  /* params is an array or object */
	SEEN_DEEP = 1 << 11,       /* nested too deep */
	SEEN_BROKEN = 1 << 12,     /* not JSON */
	SEEN_TARGET = 1 << 13,     /* the cancel's id member is an id */
	SEEN_BAD_TARGET = 1 << 14  /* it is something else */
};

/* Begins a message; `depth` is that of the envelope's members. */
void quash_receive_begin(quash_peer *peer, uint8_t depth);

/* Receives bytes of the message, data[from..to), up to a line's end if messages are lines. Returns where it stopped:
 * at `to`, at the line's end, or where receiving pauses. */
size_t quash_receive(quash_peer *peer, const uint8_t *data, size_t from, size_t to);

/* The live request that the cancel's id member names, or NULL. */
quash_request *quash_received_target(const quash_peer *peer);

/* Says whether what is being received may wait for a step: none is on the stack, and none has run for it in vain. */
bool quash_may_wait(const quash_peer *peer);

/* Receiving pauses until a step has run. */
void quash_pause(quash_peer *peer, enum quash_kept kept);

/* Says whether the arena has room for whatever the next byte puts on the tape. */
bool quash_has_tape_room(const quash_peer *peer);

static inline bool quash_seen(const quash_peer *peer, uint16_t what)
{
	return (peer->envelope.seen & what) != 0;
}

#endif
