/* SPDX-License-Identifier: MIT
 * What a program provides for the loop that all boards share. */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include "quash/port.h"

extern const quash_config *const firmware_config;

/* Moves bytes both ways, for a handler that stays busy. */
void firmware_pump(void);

#endif
