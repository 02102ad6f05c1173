/* SPDX-License-Identifier: MIT
 * Signs of life: empty lines for a device that ends what moves when nobody is there any more. */
#ifndef BRIDGE_SIGN_H
#define BRIDGE_SIGN_H

#include "bridge.h"

/** The device has said what it is: `experimental` may hold the lease. */
void sign_announced(struct server *server, quash_value experimental);

/** True if it wants signs, and a third of its lease has passed since the last one. */
bool sign_is_due(const struct server *server);

/** Milliseconds until one is due. */
uint32_t sign_left(const struct server *server);

/** Transmits one. False: it finds no room yet, or a message is under way, whose bytes are signs enough. */
bool sign_give(struct server *server);

/** The first one of a connection arms the leases of its session: it leaves in front of the first request, which may move
 * something. False: it finds no room yet. */
bool sign_arm(struct server *server);

#endif
