/* SPDX-License-Identifier: MIT
 * What the core asks of who gives errors their data; a config that does not name them has none of this. */
#ifndef QUASH_SRC_REASON_HOOKS_H
#define QUASH_SRC_REASON_HOOKS_H

#include "../../include/quash/peer.h"

struct quash_reason_code {
	/* Puts what follows the words of that error: its data, or nothing. */
	void (*put)(quash_writer *w, const quash_request *slot);
};

/* False if there is none. A config that is not known here may name them: to look takes more than to store. */
static inline bool quash_has_reasons(const quash_peer *peer)
{
#ifdef QUASH_THE_CONFIG
	return quash_config_of(peer)->reasons != NULL;
#else
	(void)peer;
	return true;
#endif
}

/* Keeps why an error is answered, and how much room was needed, for its data. Not for the trace, which knows it by
 * now. */
static inline void quash_keep_reason(quash_request *slot, quash_why why, uint32_t needs)
{
	if (!quash_has_reasons(slot->peer))
		return;
	slot->why = (uint8_t)why;
	slot->content.number = (int32_t)needs;
}

#endif
