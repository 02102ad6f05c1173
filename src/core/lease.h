/* SPDX-License-Identifier: MIT
 * What runs out: deadlines, leases, waits; and the signs of life that arm and renew leases. */
#ifndef QUASH_SRC_LEASE_H
#define QUASH_SRC_LEASE_H

#include "slots.h"

/* Flags what was cancelled from an interrupt or another thread, and what is overdue. */
void quash_flag_due(quash_peer *peer);

/* ms from now until `when`, 0 when it has passed. */
uint32_t quash_ms_until(const quash_peer *peer, uint32_t when);

/* ms until its deadline, wait or lease ends; UINT32_MAX when it has none. */
uint32_t quash_ms_left(const quash_request *slot);

/* So many empty lines after a broken one arm no lease. Random bytes hold one more every three years at 115,200 baud. */
enum { NOISE_LINES = 3 };

/* An empty line was received: a promise to go on. */
void quash_note_life_sign(quash_peer *peer);

/* --- What profiles announce of leases: how often a client that gives signs of life has to */

/* The shorter of two leases, of which 0 is none. */
/* What a profile announces of leases; a server or agent that does not name it has none of this. */
struct quash_lease_code {
	/* Puts a member with the shortest lease, as part of what `initialize` offers; nothing if there is none. */
	void (*put)(quash_writer *w, const quash_request *request);
};

uint32_t quash_shorter_lease(uint32_t a, uint32_t b);

/* The shortest lease of the method table, 0 if there is none. */
uint32_t quash_shortest_lease(const quash_config *config);

/* Puts it as a member of the object that is open; nothing for 0. */
void quash_put_life_sign(quash_writer *w, uint32_t ms);

#endif
