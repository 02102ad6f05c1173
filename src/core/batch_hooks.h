/* SPDX-License-Identifier: MIT
 * What the core asks of batches; a dialect without them has none of this. */
#ifndef QUASH_SRC_BATCH_HOOKS_H
#define QUASH_SRC_BATCH_HOOKS_H

#include "../../include/quash/peer.h"

struct quash_batch_code {
	/* Told of every event of the lexer but text, after the envelope. */
	void (*event)(quash_peer *peer, quash_lex_event event);
	/* The message has ended. False when it was no batch. */
	bool (*judge)(quash_peer *peer);
	/* What was heard of it is given up. */
	void (*abandon)(quash_peer *peer);
	/* Takes TX once every member is ready. */
	void (*settle)(quash_peer *peer);
	/* Says whether this member is the next one to be answered. */
	bool (*is_next)(const quash_request *slot);
	/* Says whether all other members are answered. */
	bool (*is_last)(const quash_request *slot);
	/* Of the members but the last. */
	quash_framing framing;
};

#endif
