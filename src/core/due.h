/* SPDX-License-Identifier: MIT
 * What is due: deadlines, leases and waits that have run out, and wakes. */
#ifndef QUASH_SRC_DUE_H
#define QUASH_SRC_DUE_H

#include "lease.h"

/* Flags what was cancelled from an interrupt or another thread, and what is overdue. */
void quash_flag_due(quash_peer *peer);

/* ms from now until `when`, 0 when it has passed. */
uint32_t quash_ms_until(const quash_peer *peer, uint32_t when);

/* ms until its deadline, wait or lease ends; UINT32_MAX when it has none. */
uint32_t quash_ms_left(const quash_request *slot);

#endif
