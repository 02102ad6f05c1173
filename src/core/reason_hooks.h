/* SPDX-License-Identifier: MIT
 * What the core asks of reasons; a config that does not name them has none of this. */
#ifndef QUASH_SRC_REASON_HOOKS_H
#define QUASH_SRC_REASON_HOOKS_H

#include "../../include/quash/peer.h"

struct quash_reason_code {
	/* Puts what stands behind the words of that error: its data, or nothing. */
	void (*put)(quash_writer *w, const quash_request *slot);
	const char *(*fault_text)(quash_fault_reason reason);
};

#endif
