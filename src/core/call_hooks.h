/* SPDX-License-Identifier: MIT
 * What the core asks of calls; a config that does not name them has none of this. */
#ifndef QUASH_SRC_CALL_HOOKS_H
#define QUASH_SRC_CALL_HOOKS_H

#include "../../include/quash/peer.h"

struct quash_call_hooks {
	/* A response has ended; its id is in `received`, its value on the tape. */
	void (*response)(quash_peer *peer);

	/* The oldest call of which something is to be written, its cancel before any request; NULL if there is none. */
	quash_call *(*next)(const quash_peer *peer);
	/* How it is written; `out.call` is the one. */
	const struct quash_message_code *message;

	/* Cancels what is overdue. */
	void (*tick)(quash_peer *peer);
	/* The handlers of a step have run: runs the callbacks of what has ended. False when there were none. */
	bool (*end_step)(quash_peer *peer);
	/* No answer will come any more. */
	void (*gone)(quash_peer *peer);
	/* The request is cancelled, or its handler has ended. Answers that have come stay until its slot is free. */
	void (*cancel_children)(const quash_request *parent, bool ended);
	/* True if calls hold the request's slot: something of them is to be written. */
	bool (*hold)(const quash_request *parent);
	/* The slot is free: what its calls have kept goes with it. */
	void (*free_children)(const quash_request *parent);
	/* True if an answer in the arena goes as soon as another peer's answer has left, or a slot as soon as a cancel
	 * has. */
	bool (*frees)(const quash_peer *peer);
	/* Moves the answers that stand in the arena from `to` on and before `limit` to `to`; returns their end. */
	quash_size (*pack)(quash_peer *peer, quash_size to, quash_size limit);
	/* As quash_idle_ms. */
	uint32_t (*idle)(const quash_peer *peer);
};

/* NULL for a peer whose config names no calls. */
static inline const struct quash_call_hooks *quash_calls_of(const quash_peer *peer)
{
	return quash_config_of(peer)->calls;
}

#endif
