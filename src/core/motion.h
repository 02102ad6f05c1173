/* SPDX-License-Identifier: MIT
 * What is wrong with a motion. */
#ifndef QUASH_SRC_MOTION_H
#define QUASH_SRC_MOTION_H

#include "../../include/quash/peer.h"

/* True if it is neither whole nor absent, or a time is too large. Then the fault has its member, and for a time that is
 * too large what it is and may be; else both are left. */
bool quash_is_motion_wrong(const QUASH_FLASH quash_motion *motion, quash_fault *fault);

#endif
