/* SPDX-License-Identifier: MIT
 * What the envelope asks of the paths of what is kept of params; a config without them has none of this. */
#ifndef QUASH_SRC_KEEP_HOOKS_H
#define QUASH_SRC_KEEP_HOOKS_H

#include "../../include/quash/peer.h"

/* Where text goes, beside the tape: the first ones are names, and compared whole. */
enum sink { TO_NAME, TO_VERSION, TO_PARAM_NAME, TO_ERA_NAME, TO_KEPT_NAME, TO_METHOD, TO_ID, TO_REASON, TO_TAG,
	NOWHERE };

/* What of the member that is being received is kept. */
enum keep_kind {
	KEEP_ALL,    /* everything: params have no list */
	KEEP_NONE,
	KEEP_NAME,   /* it is listed, and its name waits for room */
	KEEP_LISTED, /* of an object the members that are listed */
	KEEP_BARE,   /* of a container the brackets */
	KEEP_WHOLE
};

struct quash_keep_code {
	/* A listed value of params begins. */
	void (*begin)(quash_peer *peer);
	/* An event of the lexer in params. `level` is that of the member that it is of, counted from params: 0. True if it
	 * goes to the tape. */
	bool (*event)(quash_peer *peer, quash_lex_event event, uint8_t level);
	/* A name has ended; it is the word. */
	void (*name)(quash_peer *peer);
	/* The one that is listed goes to the tape, without its prefix. */
	void (*put)(quash_peer *peer);
};

#endif
