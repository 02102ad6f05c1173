/* SPDX-License-Identifier: MIT
 * The clock of the bridge. */
#ifndef BRIDGE_CLOCK_H
#define BRIDGE_CLOCK_H

#include <stdint.h>

/** Milliseconds of a clock that only goes on. */
uint32_t bridge_clock(void);

#endif
