/* SPDX-License-Identifier: MIT
 * From bytes to an envelope: which member is this, and what does it say? Runs no user code, judges nothing. */
#ifndef QUASH_SRC_HEAR_H
#define QUASH_SRC_HEAR_H

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
void quash_hear_begin(quash_peer *peer, uint8_t depth);

/* Hears bytes of the message. */
void quash_hear(quash_peer *peer, const uint8_t *data, size_t from, size_t to);

/* The live request that the cancel's id member names, or NULL. */
quash_request *quash_heard_target(const quash_peer *peer);

static inline bool quash_seen(const quash_peer *peer, uint16_t what)
{
	return (peer->envelope.seen & what) != 0;
}

#endif
