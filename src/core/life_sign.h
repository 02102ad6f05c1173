/* SPDX-License-Identifier: MIT
 * What profiles announce of leases: how often a client that gives signs of life has to. */
#ifndef QUASH_SRC_LIFE_SIGN_H
#define QUASH_SRC_LIFE_SIGN_H

#include "../../include/quash/peer.h"

/* The shorter of two leases, of which 0 is none. */
uint32_t quash_shorter_lease(uint32_t a, uint32_t b);

/* The shortest lease of the method table, 0 if there is none. */
uint32_t quash_shortest_lease(const quash_config *config);

/* Puts it as a member of the object that is open; nothing for 0. */
void quash_put_life_sign(quash_writer *w, uint32_t ms);

#endif
