/* SPDX-License-Identifier: MIT
 * What is due: deadlines, leases and waits that have run out, and wakes; and the signs of life that arm and renew
 * leases. */
#ifndef QUASH_SRC_DUE_H
#define QUASH_SRC_DUE_H

#include "slots.h"

/* True if a longest time is one. */
static inline bool quash_is_limit(uint32_t ms)
{
	return ms != 0 && ms <= INT32_MAX;
}

/* Flags what was cancelled from an interrupt or another thread, and what is overdue. */
void quash_flag_due(quash_peer *peer);

/* ms from now until `when`, 0 when it has passed. */
uint32_t quash_ms_until(const quash_peer *peer, uint32_t when);

/* ms until its deadline, wait or lease ends; UINT32_MAX when it has none. */
uint32_t quash_ms_left(const quash_request *slot);

/* --- Signs of life */

/* So many empty lines after a broken one arm no lease. Random bytes hold one more every three years at 115,200 baud.
 * Behind a message the first one may be its end once more, and with headers the first two. */
enum { NOISE_LINES = 3, MESSAGE_END, BODY_END };

/* Whether the other side goes on giving signs of life. */
enum quash_promise {
	PROMISE_NONE,
	PROMISE_OPEN,   /* empty lines came, but each may have ended a message */
	PROMISE_SINGLE, /* none came, and it ends its messages once: the first one will be a promise */
	PROMISE_GIVEN
};

/* What `noisy` is right behind a message. */
static inline uint8_t quash_message_end(const quash_peer *peer)
{
	return quash_config_of(peer)->dialect->framing == QUASH_LINES ? MESSAGE_END : BODY_END;
}

/* An empty line came, and none behind the last message: then it did not belong to the end of one. */
static inline bool quash_has_promised(const quash_peer *peer)
{
	return peer->link.armed == PROMISE_GIVEN ||
		(peer->link.armed == PROMISE_OPEN && peer->link.noisy == quash_message_end(peer));
}

/* An empty line was received: a promise to go on. */
void quash_note_life_sign(quash_peer *peer);

/* A message has ended that is an object or a batch, and has been dealt with. */
void quash_note_message_end(quash_peer *peer);

#endif
