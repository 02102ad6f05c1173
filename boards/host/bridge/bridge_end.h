/* SPDX-License-Identifier: MIT
 * The end: whatever has ended us, what clients wanted is cancelled, and the devices get that. */
#ifndef BRIDGE_END_H
#define BRIDGE_END_H

/** Cancels everything, waits for the devices to take it, at most the grace, and closes all. */
void bridge_end(void);

#endif
