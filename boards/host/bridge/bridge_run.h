/* SPDX-License-Identifier: MIT
 * The bridge's start and its turns. */
#ifndef BRIDGE_RUN_H
#define BRIDGE_RUN_H

#include "bridge.h"

/** Opens what `bridge.options` ask for, all else of the bridge being zero. 0, or an exit code and a line on stderr. */
int bridge_open(void);

/** Moves bytes of all clients and devices once, then sleeps until something happens, at most `most` milliseconds. */
void bridge_turn(unsigned most);

/** True once nothing is left to be done but `bridge_end`. */
bool bridge_is_over(void);

/* --- The end: whatever has ended us, what clients wanted is cancelled, and the devices get that */

/** Cancels everything, waits for the devices to take it, at most the grace, and closes all. */
void bridge_end(void);

#endif
