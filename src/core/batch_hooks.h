/* SPDX-License-Identifier: MIT
 * What the core asks of batches; a dialect without them has none of this. */
#ifndef QUASH_SRC_BATCH_HOOKS_H
#define QUASH_SRC_BATCH_HOOKS_H

#include "../../include/quash/peer.h"

struct quash_batch_code {
	/* Gets every event of the lexer but text, after the envelope. */
	void (*event)(quash_peer *peer, quash_lex_event event);
	/* The message has ended. False when it was no batch. */
	bool (*accept)(quash_peer *peer);
	/* The member that was kept is accepted, or refused. */
	void (*resume)(quash_peer *peer);
	/* True if a batch was received and is not answered to its end. */
	bool (*under_way)(const quash_peer *peer);
	/* What was received of it is given up. */
	void (*abandon)(quash_peer *peer);
	/* The first member whose answer is to be written once all of them may be. If `after` is not NULL: the first after
	 * that one. NULL: there is none, or some member is not ready. */
	quash_request *(*next)(const quash_peer *peer, const quash_request *after);
	/* How their answers are written, between brackets. */
	const struct quash_message_code *message;
};

#endif
