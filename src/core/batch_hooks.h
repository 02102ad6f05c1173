/* SPDX-License-Identifier: MIT
 * What the core asks of batches; a dialect without them has none of this. */
#ifndef QUASH_SRC_BATCH_HOOKS_H
#define QUASH_SRC_BATCH_HOOKS_H

#include "../../include/quash/peer.h"

struct quash_batch_code {
	/* Told of every event of the lexer but text, after the envelope. */
	void (*event)(quash_peer *peer, quash_lex_event event);
	/* The message has ended. False when it was no batch. */
	bool (*accept)(quash_peer *peer);
	/* A step has run, or room has come free: what was kept of it goes on. False when nothing of it was. */
	bool (*resume)(quash_peer *peer);
	/* What was received of it is given up. */
	void (*abandon)(quash_peer *peer);
	/* The first member whose answer is to be written once all of them are, behind `after` if that is not NULL; NULL:
	 * there is none, or some member is not ready. */
	quash_request *(*next)(const quash_peer *peer, const quash_request *after);
	/* All members are answered or silent. */
	void (*finish)(quash_peer *peer);
};

#endif
