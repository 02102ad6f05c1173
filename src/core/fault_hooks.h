/* SPDX-License-Identifier: MIT
 * What the core asks of faults; a config that does not name them has none of this. */
#ifndef QUASH_SRC_FAULT_HOOKS_H
#define QUASH_SRC_FAULT_HOOKS_H

#include "../../include/quash/peer.h"

enum quash_config_state {
	CONFIG_RIGHT,
	CONFIG_WRONG,
	CONFIG_UNUSABLE /* its dialect or its storage is wrong. Or, if all of these are right, its table of methods */
};

struct quash_fault_code {
	/* Stores why the config is wrong. False if a peer with it cannot answer; else it is made one that answers so. */
	bool (*begin)(quash_peer *peer, const quash_config *config, enum quash_config_state state, quash_fault *fault);
	/* Answers a request, or whatever else is received in its place, as `judge` of accept.c does. */
	quash_why (*refuse)(quash_peer *peer);
};

/* True if its config is wrong, and it answers so. Nothing of the config is looked at then but storage, dialect and
 * trace. */
static inline bool quash_is_refused(const quash_peer *peer)
{
#ifdef QUASH_THE_CONFIG
	if (quash_the_config_()->faults == NULL)
		return false;
#endif
	return peer->refused_config;
}

/* True if its config is wrong, and it answers nothing: it has no TX. */
static inline bool quash_is_silent(const quash_peer *peer)
{
	return peer->writer.size == 0;
}

#endif
