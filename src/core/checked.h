/* SPDX-License-Identifier: MIT
 * What the build for tests looks at beside: that put functions put the same each time, and do nothing else. In every
 * other build it is nothing. tests/checked has the other half. */
#ifndef QUASH_SRC_CHECKED_H
#define QUASH_SRC_CHECKED_H

#include "state.h"

#ifdef QUASH_CHECKED
/* An answer is recorded: keeps the sum of what its put function puts. */
void quash_checked_record(quash_request *slot);
/* Puts it again, over a stack that was written over, and compares. */
void quash_checked_again(quash_request *slot);
/* Something was called while a put function is on the stack. */
void quash_checked_call(const quash_peer *peer);
#else
static inline void quash_checked_record(quash_request *slot)
{
	(void)slot;
}

static inline void quash_checked_again(quash_request *slot)
{
	(void)slot;
}

static inline void quash_checked_call(const quash_peer *peer)
{
	(void)peer;
}
#endif

#endif
