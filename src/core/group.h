/* SPDX-License-Identifier: MIT
 * Groups: one request at a time, among all peers that name them. A peer has the list of those that its requests
 * hold. */
#ifndef QUASH_SRC_GROUP_H
#define QUASH_SRC_GROUP_H

#include "../../include/quash/peer.h"

/* As `quash_hold`, also for a request that has not begun. */
bool quash_group_take(quash_request *slot, quash_group *group);

/* The request's `end` is done: what it holds is free. */
void quash_group_give_back(const quash_request *slot);

#endif
