/* SPDX-License-Identifier: MIT
 * What a program gives to the loop that serves it. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "quash/objects.h"

extern const quash_config *const firmware_config;

#endif
