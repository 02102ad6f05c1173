/* SPDX-License-Identifier: MIT
 * What a program provides for the loop that all boards share. */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include "program.h"
#include "quash/port.h"

/* Moves bytes both ways, for a handler that stays busy. */
void firmware_pump(void);

#endif
