/* SPDX-License-Identifier: MIT
 * What the shared firmwares want of a board. Each board's own code, the host's included, provides it. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>

/* Switches the LED; a board without one does nothing. Called from handlers: returns at once. */
void board_led(bool on);

#endif
