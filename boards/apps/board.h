/* SPDX-License-Identifier: MIT
 * What the shared firmwares want of a board. Each board's own code, the host's included, provides it. */
#ifndef BOARD_H
#define BOARD_H

#include "quash/port.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Switches the LED; a board without one does nothing. Called from handlers: returns at once. */
void board_led(bool on);

/** Starts clock and UART, and gives the port. Once, when memory is ready. (Not on the host.) */
quash_port board_start(void);

/** Sleeps until something is to be pumped or `ms` milliseconds have passed; may come back earlier. (Not on the host.) */
void board_sleep(uint32_t ms);

#ifdef __cplusplus
}
#endif

#endif
