/* SPDX-License-Identifier: MIT
 * The signs of life that arm and renew leases, and what is announced of these. */
#ifndef QUASH_SRC_LEASE_H
#define QUASH_SRC_LEASE_H

#include "slots.h"

/* True if a longest time is one. */
static inline bool quash_is_limit(uint32_t ms)
{
	return ms != 0 && ms <= INT32_MAX;
}

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

/* --- What profiles announce of leases: how often a client that gives signs of life has to */

/* What a profile announces of leases; a server or agent that does not name it has none of this. */
struct quash_lease_code {
	/* Puts members with the shortest lease and the longest times, as part of what `initialize` offers; nothing if there
	 * is no lease. */
	void (*put)(quash_writer *w, const quash_request *request);
	quash_put *late; /* the result of what its longest time has ended; or NULL */
};

/* The shorter of two leases, of which 0 is none. */
uint32_t quash_shorter_lease(uint32_t a, uint32_t b);

/* The shortest lease of the method table, 0 if there is none. */
uint32_t quash_shortest_lease(const quash_config *config);

/* Puts it as a member of the object that is open, and opens the member for the longest times; nothing for 0. */
void quash_put_life_sign(quash_writer *w, uint32_t ms);

/* Puts the longest time of what has a lease; nothing if it has none. */
void quash_put_longest(quash_writer *w, const char *name, const QUASH_FLASH quash_motion *motion);

/* Puts both for the method table. */
void quash_put_leases(quash_writer *w, const quash_config *config);

#endif
