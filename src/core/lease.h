/* SPDX-License-Identifier: MIT
 * What profiles announce of leases: how often a client that gives signs of life has to. */
#ifndef QUASH_SRC_LEASE_H
#define QUASH_SRC_LEASE_H

#include "due.h"

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
void quash_put_longest(quash_writer *w, const char *name, uint32_t lease, uint32_t ms);

/* Puts both for the method table. */
void quash_put_leases(quash_writer *w, const quash_config *config);

#endif
