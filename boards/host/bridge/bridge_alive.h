/* SPDX-License-Identifier: MIT
 * Whether a device still has its session. One that has restarted behind a line that stayed has none: it denies each request. A
 * device that has a lease and works in silence is asked, each time that a lease has passed without a byte of it. */
#ifndef BRIDGE_ALIVE_H
#define BRIDGE_ALIVE_H

#include "bridge.h"

/** A message of the device: true if it answers that there is no session. */
bool alive_is_denied(const char *text, size_t n);

/** Asks the device if it is time; each turn while it is ready. */
void alive_ask(struct server *server);

/** Milliseconds until it is time; UINT32_MAX: it is not to be asked. */
uint32_t alive_left(const struct server *server);

/** The session has ended: no answer is waited for. */
void alive_end(struct server *server);

#endif
