/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/port_serve.h. */
#include "board.h"
#include "port_serve.h"
#include "quash.h"

static quash_peer peer;
extern const quash_config config;

#include BLOCK
