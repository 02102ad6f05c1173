/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/forward.h. */
#include "quash.h"

static quash_peer host_peer, motor_peer;

#include BLOCK
