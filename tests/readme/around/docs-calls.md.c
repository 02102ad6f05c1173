/* SPDX-License-Identifier: MIT
 * The surroundings of the code of docs/calls.md. */
#include "quash.h"

struct fan { int left, answered; };

#include BLOCK
