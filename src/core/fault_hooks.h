/* SPDX-License-Identifier: MIT
 * What the core asks of faults; a config that does not name them has none of this. */
#ifndef QUASH_SRC_FAULT_HOOKS_H
#define QUASH_SRC_FAULT_HOOKS_H

#include "../../include/quash/peer.h"

struct quash_fault_code {
	/* Stores why the config is wrong. True if a peer with it can answer. */
	bool (*explain)(const quash_config *config, quash_fault *fault);
	/* Answers a request, or whatever else is received in its place, as `judge` of accept.c does. */
	quash_why (*refuse)(quash_peer *peer);
};

/* True if its config is wrong, and it answers so. Nothing of the config is looked at then but storage, dialect and trace. */
static inline bool quash_is_refused(const quash_peer *peer)
{
#ifdef QUASH_THE_CONFIG
	if (quash_the_config()->faults == NULL)
		return false;
#endif
	return peer->refuse != NULL;
}

/* True if its config is wrong, and it answers nothing: it has no TX. */
static inline bool quash_is_silent(const quash_peer *peer)
{
	return peer->writer.size == 0;
}

#endif
