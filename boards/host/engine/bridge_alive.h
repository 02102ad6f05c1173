/* SPDX-License-Identifier: MIT
 * Whether a device still has its session. One that has restarted on a line that stayed has none: it denies each request
 * (`text_denies_session`). A device that has a lease and works in silence is asked, each time that a lease has passed without a
 * byte of it. */
#ifndef BRIDGE_ALIVE_H
#define BRIDGE_ALIVE_H

#include "bridge_inner.h"

/** Asks the device if it is time; each turn while it is ready. */
void alive_ask(struct device *device);

/** Milliseconds until it is time; UINT32_MAX: it is not to be asked, or is. */
uint32_t alive_left(const struct device *device);

#endif
