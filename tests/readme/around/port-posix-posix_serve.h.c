/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/posix/posix_serve.h. */
#include "posix/posix_serve.h"
#include "quash.h"

extern const quash_config config;

#include BLOCK
