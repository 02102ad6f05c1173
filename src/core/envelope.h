/* SPDX-License-Identifier: MIT
 * From events of the lexer to an envelope: which member is this, and what does it hold? Runs no user code, decides
 * nothing. */
#ifndef QUASH_SRC_ENVELOPE_H
#define QUASH_SRC_ENVELOPE_H

#include "slots.h"

enum member { M_JSONRPC, M_ID, M_METHOD, M_PARAMS, M_RESULT, M_ERROR, M_COUNT };
enum param { P_TARGET, P_ALIAS, P_REASON, P_TAG, P_ERA, P_COUNT };

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
	SEEN_TARGET = 1 << 12,     /* the cancel's id member is an id */
	SEEN_ERA = 1 << 13,        /* the dialect's era_member */
	SEEN_MEMBERS = SEEN_JSONRPC | SEEN_ID | SEEN_METHOD | SEEN_PARAMS | SEEN_RESULT | SEEN_ERROR
};

/* Begins a message; `depth` is that of the envelope's members. */
void quash_envelope_begin(quash_peer *peer, uint8_t depth);

/* An event of the lexer, but QUASH_LEX_TEXT; and that one. */
void quash_envelope_event(quash_peer *peer, quash_lex_event event);
void quash_envelope_text(quash_peer *peer);

/* The arena has been looked at: what waited for that goes to the tape. True if it was put there: then the arena is to
 * be looked at again. */
bool quash_envelope_put(quash_peer *peer);

/* Nothing more of the message is stored. */
void quash_envelope_close(quash_peer *peer);

/* --- The arena, for what is being received */

/* What a single byte may put on the tape: the end of a number and of a container, or a character, or a name's head. */
enum { BYTE_ON_TAPE = 8 };

/* What the arena has left after it. */
size_t quash_tape_room(const quash_peer *peer);

/* True if the arena has room for whatever the next byte puts on the tape. */
static inline bool quash_has_tape_room(const quash_peer *peer)
{
	return quash_tape_room(peer) >= BYTE_ON_TAPE;
}

static inline bool quash_seen(const quash_peer *peer, uint16_t what)
{
	return (peer->envelope.seen & what) != 0;
}

#endif
