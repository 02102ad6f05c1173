/* SPDX-License-Identifier: MIT
 * What the core asks of calls; a peer that never made one has none of this. */
#ifndef QUASH_SRC_CALL_HOOKS_H
#define QUASH_SRC_CALL_HOOKS_H

#include "../../include/quash/peer.h"

struct quash_call_hooks {
	/* A response has ended; its id is in the landing slot, its value on the tape. */
	void (*response)(quash_peer *peer);
	/* Writes the cancels that are owed, as far as there is room. */
	void (*say)(quash_peer *peer);
	/* Cancels what is overdue. */
	void (*tick)(quash_peer *peer);
	/* A step begins: writes what waits, and sees which callbacks are due in it. */
	void (*begin_step)(quash_peer *peer);
	/* Runs these. False when there were none. */
	bool (*end_step)(quash_peer *peer);
	/* Nobody answers any more. */
	void (*gone)(quash_peer *peer);
	/* The request is cancelled, or its handler has ended. */
	void (*cancel_children)(const quash_request *parent, bool ended);
	/* Says whether calls hold the request's slot. */
	bool (*hold)(const quash_request *parent);
	/* Moves the answers that stand in the arena from `to` on and before `limit` to `to`; returns their end. */
	quash_size (*pack)(quash_peer *peer, quash_size to, quash_size limit);
	/* As quash_idle_ms. */
	uint32_t (*idle)(const quash_peer *peer);
};

#endif
