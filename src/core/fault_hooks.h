/* SPDX-License-Identifier: MIT
 * What the core asks of faults; a config that does not name them has none of this. */
#ifndef QUASH_SRC_FAULT_HOOKS_H
#define QUASH_SRC_FAULT_HOOKS_H

#include "../../include/quash/peer.h"

struct quash_fault_code {
	/* Its config is wrong: stores the reason. The peer, which is silent, answers from here on, if it can. */
	void (*begin)(quash_peer *peer, const quash_config *config, quash_fault *fault);
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

#endif
