/* SPDX-License-Identifier: MIT
 * What the build for tests looks at beside: that put functions put the same each time, and do nothing else. In every
 * other build it is nothing. tests/common has the other half. */
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
/* Puts a value, and puts it once more elsewhere in the same answer: an answer whose two are not the same is void. */
void quash_checked_first(quash_writer *w, const quash_request *request, quash_put *put);
void quash_checked_second(quash_writer *w, const quash_request *request, quash_put *put);
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

static inline void quash_checked_first(quash_writer *w, const quash_request *request, quash_put *put)
{
	put(w, request);
}

static inline void quash_checked_second(quash_writer *w, const quash_request *request, quash_put *put)
{
	put(w, request);
}
#endif

#endif
