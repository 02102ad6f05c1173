/* SPDX-License-Identifier: MIT
 * The tools of the example: an LED, and a motor that stops when its call ends. */
#ifndef TOOLS_H
#define TOOLS_H

#include "quash.h"

extern const quash_config tools_config;

/** Both pins low. Before `quash_init`. */
void tools_begin(void);

#endif
