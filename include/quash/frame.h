/* SPDX-License-Identifier: MIT
 * The state of the inbound side, from frame to envelope. Opaque: it stands here so that a peer's size is known. */
#ifndef QUASH_FRAME_H
#define QUASH_FRAME_H

#include "lex.h"

/** Where messages begin and end. Opaque. */
typedef struct quash_frame {
	uint32_t left;   /* Content-Length: bytes of the body to come */
	uint32_t longest; /* that is believed */
	uint8_t state;
	uint8_t place;   /* in the header's name */
	bool known;      /* a Content-Length was read */
} quash_frame;

/** The tape that is being written, at the end of the arena's used part. Opaque. */
typedef struct quash_tape {
	quash_size start;  /* in the arena */
	quash_size length; /* stored so far */
	quash_size open;   /* offset in the tape of the innermost open node + 1, or 0 */
	quash_size missing; /* bytes that found no room; the largest value: that or more */
} quash_tape;

/** The envelope of the message that is being received. Opaque. */
typedef struct quash_envelope {
	uint16_t seen;
	uint8_t method;      /* index in the config's table */
	uint8_t cancel;      /* among the dialect's cancels */
	bool ended;          /* dealt with; the next byte begins another message */
	bool taped;          /* what is being received goes to the tape: params; with calls, answers to them */
	bool passing;        /* but not this member of it */
	bool tight;          /* the next character may find no room in the arena, or a name waits to be put there */
	uint8_t member;      /* whose value is being received */
	uint8_t param;       /* the same inside of params, for the members that matter */
	uint8_t sink;        /* enum sink: where text goes, besides the tape */
	uint8_t depth;       /* of the envelope's members: 1, in a batch 2 */
	bool waited;         /* a step has run for it in vain: it waits no more */
	bool known;          /* it was traced, and a new session begun: it is dealt with once more */
	uint8_t reason;      /* bytes of the reason kept so far */
} quash_envelope;

/** Which members of params are kept. Opaque. */
typedef struct quash_keeper {
	const QUASH_FLASH struct quash_keep *entry; /* whose path leads to the member that is being received */
	quash_size length;  /* of the tape in front of it */
	quash_size open;    /* likewise */
	quash_size missing; /* likewise */
	uint8_t kind;       /* enum keep_kind: of its value */
	uint8_t level;      /* of it, counted from params: 0 */
	uint8_t offset;     /* of its name in the path */
	uint8_t from;       /* likewise, of what of it is stored */
	uint8_t most;       /* bytes that it may take; 0: any number */
} quash_keeper;

#endif
