/* SPDX-License-Identifier: MIT
 * From events of the lexer to an envelope: which member is this, and what does it hold? Runs no user code, decides
 * nothing. */
#ifndef QUASH_SRC_ENVELOPE_H
#define QUASH_SRC_ENVELOPE_H

#include "slots.h"

/* --- Which of several names is this? Answered while its characters arrive, without keeping them. */

enum name_set { MEMBERS, PARAMS, METHODS, CANCELS };
enum member { M_JSONRPC, M_ID, M_METHOD, M_PARAMS, M_RESULT, M_ERROR, M_COUNT, M_VERSION = M_COUNT /* the value of M_JSONRPC */ };
enum param { P_TARGET, P_ALIAS, P_REASON, P_TAG, P_COUNT };

void quash_match_begin(quash_match *m);

/* Characters of the name, data[from..to). */
void quash_match_text(const quash_peer *peer, enum name_set set, quash_match *m, const uint8_t *data, size_t from, size_t to);

/* The name has ended: `candidate` is its index, or `NO_INDEX`. */
void quash_match_end(const quash_peer *peer, enum name_set set, quash_match *m);

/* --- The envelope */

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
	SEEN_BAD_TARGET = 1 << 14, /* it is something else */
	SEEN_MEMBERS = SEEN_JSONRPC | SEEN_ID | SEEN_METHOD | SEEN_PARAMS | SEEN_RESULT | SEEN_ERROR
};

/* Begins a message; `depth` is that of the envelope's members. */
void quash_envelope_begin(quash_peer *peer, uint8_t depth);

/* An event of the lexer, and text of the key, string or number that is open. */
void quash_envelope_event(quash_peer *peer, quash_lex_event event);
void quash_envelope_text(quash_peer *peer, const uint8_t *data, size_t from, size_t to);

static inline bool quash_seen(const quash_peer *peer, uint16_t what)
{
	return (peer->envelope.seen & what) != 0;
}

#endif
